import { InputError } from "../../../src/base/errors.ts";
import { CHANCE, TERMINAL, type Game, type State } from "../../../src/games/contract/game.ts";
import { parseLegal } from "../../../src/games/contract/notation.ts";
import { takeBest } from "../../../src/games/contract/facets.ts";

const TARGET = 9;

/** Players add 1, 2 or 3 in turn, and chance 0 or 1 after each of them; who reaches 9 or more loses. */
export class TinyState implements State {
  toMove = 0;
  count = 0;
  /** The player to move, or the last mover. */
  turn = 0;
  /** Pairs of count and turn. */
  history: number[] = [];

  get hashLow(): number {
    return Math.imul(this.count * 8 + this.turn * 4 + this.toMove + 2, 0x9e3779b1);
  }

  get hashHigh(): number {
    return Math.imul(this.count * 8 + this.turn * 4 + this.toMove + 3, 0x85ebca6b);
  }

  legalActions(out: Int32Array, at: number): number {
    for (let step = 1; step <= 3; step++) out[at + step - 1] = step;
    return 3;
  }

  chanceOutcomes(out: Int32Array, probabilities: Float64Array, at: number): number {
    out[at] = 0;
    out[at + 1] = 1;
    probabilities[at] = 0.25;
    probabilities[at + 1] = 0.75;
    return 2;
  }

  apply(action: number): void {
    this.history.push(this.count, this.turn, this.toMove);
    this.count += action;
    if (this.toMove === CHANCE) this.turn = 1 - this.turn;
    if (this.count >= TARGET) this.toMove = TERMINAL;
    else this.toMove = this.toMove === CHANCE ? this.turn : CHANCE;
  }

  undo(): void {
    [this.count, this.turn, this.toMove] = this.history.splice(-3) as [number, number, number];
  }

  returns(player: number): number {
    if (this.toMove !== TERMINAL) return 0;
    return player === this.turn ? -1 : 1;
  }

  copyFrom(other: TinyState): void {
    this.toMove = other.toMove;
    this.count = other.count;
    this.turn = other.turn;
    this.history = [];
  }
}

/** The game with all facets, nothing wrong with it; `overrides` and another class of states break it. */
export function createTiny(
  overrides: Partial<Game<TinyState>> = {},
  Position: new () => TinyState = TinyState,
): Game {
  const strength = (state: TinyState) => state.count / (2 * TARGET);
  const signed = (state: TinyState, player: number, value: number) =>
    player === state.turn ? 0 - value : value;
  const game: Game<TinyState> = {
    id: "tiny",
    options: {},
    version: 1,
    spec: undefined,
    players: 2,
    chance: true,
    dealt: false,
    hiddenInformation: false,
    zeroSum: true,
    rewardsAlongTheWay: false,
    minReturn: -1,
    maxReturn: 1,
    outcomes: [-1, 1],
    maxActions: 3,
    maxPlies: TARGET,
    start: () => new Position(),
    formatAction: (action) => `+${action}`,
    parseAction: (text, state) => parseLegal(game, text, state),
    formatState: (state) => `${state.count} ${state.turn} ${state.toMove}`,
    parseState(text) {
      if (!/^\d+ \d -?\d$/.test(text)) throw new InputError(`"${text}" is no position; write it like 8 0 -1`);
      const state = new Position();
      [state.count, state.turn, state.toMove] = text.split(" ").map(Number) as [number, number, number];
      return state;
    },
    render: (state) => `count ${state.count}\nturn ${state.turn}, to move ${state.toMove}`,
    featureSets: {
      count: {
        summary: "the count",
        version: 1,
        size: TARGET,
        maxActive: 1,
        extract(state, player, index, value) {
          index[0] = state.count;
          value[0] = signed(state, player, 1);
          return 1;
        },
        describe: (feature) => `count ${feature}`,
      },
    },
    heuristics: {
      nearness: {
        summary: "bad near the end",
        evaluate: (state, player) => signed(state, player, strength(state)),
      },
    },
    books: {},
    transcripts: {},
    protocols: {},
    policies: { careful: { summary: "adds little", create: () => takeBest(3, (_, action) => 0 - action) } },
    ...overrides,
  };
  return game as Game;
}
