import { z } from "zod";
import {
  type FeatureSet,
  type Game,
  type GameFamily,
  type State,
  CHANCE,
  defineGame,
  TERMINAL,
  type Rules,
} from "../../src/games/contract/game.ts";

/**
 * The random walk of Sutton (1988, section 3.2): from the middle of a row of cells one step left or
 * right, by chance, until it falls off an end. `pays: right`: falling off on the right is worth 1 to
 * player 0, on the left 1 to player 1, to any third player a half each time; from cell i (of n, from 1)
 * player 0's expected return is i / (n + 1). `pays: steps`: every step costs 1, as it is made; from cell
 * i the expected number of steps is i (n + 1 - i). `mover: players`: the players make the steps, in turn,
 * for tests that choose them at random themselves.
 */
export class WalkState implements State {
  cell: number;
  steps = 0;
  private readonly path: number[] = [];
  readonly cells: number;
  private readonly paysSteps: boolean;
  /** The number of players who take turns; 0 if chance moves. */
  private readonly movers: number;

  constructor(cells: number, { paysSteps, movers }: { paysSteps: boolean; movers: number }) {
    this.cells = cells;
    this.paysSteps = paysSteps;
    this.movers = movers;
    this.cell = (cells + 1) / 2;
  }

  get toMove(): number {
    if (this.cell === 0 || this.cell === this.cells + 1) return TERMINAL;
    return this.movers === 0 ? CHANCE : this.steps % this.movers;
  }

  get hashLow(): number {
    return this.cell;
  }

  get hashHigh(): number {
    return this.steps;
  }

  legalActions(out: Int32Array, at: number): number {
    out[at] = -1;
    out[at + 1] = 1;
    return 2;
  }

  chanceOutcomes(out: Int32Array, probabilities: Float64Array, at: number): number {
    out[at] = -1;
    out[at + 1] = 1;
    probabilities[at] = probabilities[at + 1] = 0.5;
    return 2;
  }

  apply(step: number): void {
    this.path.push(step);
    this.cell += step;
    this.steps++;
  }

  undo(): void {
    this.cell -= this.path.pop()!;
    this.steps--;
  }

  returns(player: number): number {
    if (this.paysSteps) return 0 - this.steps;
    if (this.toMove !== TERMINAL) return 0;
    if (player > 1) return 0.5;
    return (this.cell === 0) === (player === 1) ? 1 : 0;
  }

  copyFrom(other: this): void {
    this.cell = other.cell;
    this.steps = other.steps;
    this.path.length = 0;
  }
}

/** One feature for each cell and player: a table of values. */
function cellFeatures(cells: number, players: number): FeatureSet<WalkState> {
  return {
    summary: "the cell",
    version: 1,
    size: cells * players,
    maxActive: 1,
    extract(state, player, index, value) {
      index[0] = player * cells + state.cell - 1;
      value[0] = 1;
      return 1;
    },
    describe: (feature) => `player ${Math.floor(feature / cells)}, cell ${(feature % cells) + 1}`,
  };
}

const options = z.strictObject({
  cells: z.int().default(5),
  players: z.int().default(1),
  pays: z.enum(["right", "steps"]).default("right"),
  mover: z.enum(["chance", "players"]).default("chance"),
});

export const walkFamily: GameFamily<typeof options> = defineGame({
  id: "walk",
  summary: "a random walk along a row",
  options,
  rules({ cells, players, pays, mover }): Rules<WalkState> {
    return {
      players,
      chance: mover === "chance",
      zeroSum: false,
      rewardsAlongTheWay: pays === "steps",
      minReturn: pays === "steps" ? -1000 : 0,
      maxActions: 2,
      maxPlies: 1,
      start: () =>
        new WalkState(cells, { paysSteps: pays === "steps", movers: mover === "chance" ? 0 : players }),
      formatAction: String,
      parseAction: Number,
      formatState: ({ cell }) => String(cell),
      parseState() {
        throw new Error("not needed");
      },
      render: ({ cell }) => String(cell),
    };
  },
  facets: ({ cells, players }) => ({ featureSets: { cells: cellFeatures(cells, players) } }),
});

/** A walk, typed. */
export function walk(given: z.input<typeof options> = {}): Game<WalkState> {
  return walkFamily.create(options.parse(given)) as Game<WalkState>;
}
