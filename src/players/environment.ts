import type { Agent, Budget } from "../agents/agent.ts";
import { GameInProgress } from "../agents/game-in-progress.ts";
import { InputError } from "../base/errors.ts";
import { createRandom, type Random } from "../base/random.ts";
import { unknownName } from "../base/text.ts";
import { CHANCE, TERMINAL, type Game } from "../games/contract/game.ts";
import { ObservedGame } from "../games/contract/privacy.ts";

/** The version of the messages. */
const ENVIRONMENT_PROTOCOL = 1;

/** An agent of agon that plays the seats of an environment that its user leaves to it. */
export interface Opponent {
  create(): Agent;
  readonly budget: Budget;
}

/** Options of an environment. */
interface EnvironmentOptions {
  /** `board`, `codes` or a feature set; by default the codes where something is hidden, else the board, else the first set. */
  readonly observation?: string | undefined;
  /** Plays all seats but `seat`; absent: the user plays all of them. */
  readonly opponent?: Opponent | undefined;
  /** The user's seat, from 0, where there is an opponent. */
  readonly seat?: number;
  /** True: every player's observation is told, and not only that of the player to move. At the end all are told. */
  readonly allViews?: boolean;
}

/** The game as its user is told at first. */
export interface EnvironmentHello {
  readonly type: "environment";
  readonly protocol: number;
  readonly game: { readonly id: string; readonly options: unknown };
  readonly players: number;
  /** Numbers of actions are 0 to actions - 1. */
  readonly actions: number;
  /** True: a number means the same action in all positions. False: it is the place among the legal actions. */
  readonly fixed: boolean;
  readonly observation: { readonly name: string; readonly size: number; readonly isSparse: boolean };
  readonly minReturn: number;
  readonly maxReturn: number;
  readonly maxPlies: number;
}

/** A game after a request: whose turn it is, and what everybody sees. */
export interface Stepped {
  readonly game: number;
  /** The player to move; -1 when the game is over. */
  readonly player: number;
  /** Numbers of the legal actions, ascending; none when the game is over. */
  readonly legal: readonly number[];
  /**
   * By player: the observation, null where it is not told. Sparse ones have indexes, and values where these are not all 1;
   * others have the codes.
   */
  readonly views: readonly (View | null)[];
  /** By player: the rewards so far; the utilities when the game is over. */
  readonly returns: readonly number[];
}

interface View {
  readonly index?: readonly number[];
  readonly value?: readonly number[];
  readonly codes?: readonly number[];
}

/** One way of observing a state. */
interface Observation {
  readonly name: string;
  readonly size: number;
  readonly isSparse: boolean;
  view(at: Table, player: number): View;
}

/** One game of an environment. */
interface Table {
  readonly progress: GameInProgress;
  /** Present where something is hidden. */
  readonly observed: ObservedGame | undefined;
  readonly seats: readonly (Seat | undefined)[];
  /** By number: the legal action. */
  readonly actions: Map<number, number>;
}

interface Seat {
  readonly agent: Agent;
  random: Random;
  worlds: Random;
}

/** Games side by side that a program of another language steps: environments of reinforcement learning. */
export class Environment {
  readonly hello: EnvironmentHello;
  private readonly game: Game;
  private readonly opponent: Opponent | undefined;
  private readonly seat: number;
  private readonly allViews: boolean;
  private readonly observation: Observation;
  private readonly tables = new Map<number, Table>();

  /** Throws InputError where an option does not fit the game. */
  constructor(game: Game, { observation, opponent, seat = 0, allViews = false }: EnvironmentOptions = {}) {
    if (!Number.isInteger(seat) || seat < 0 || seat >= game.players)
      throw new InputError(`--seat must be a whole number from 1 to ${game.players}, got ${seat + 1}`);
    this.game = game;
    this.opponent = opponent;
    this.seat = seat;
    this.allViews = allViews;
    this.observation = observationOf(game, observation);
    const { name, size, isSparse } = this.observation;
    this.hello = {
      type: "environment",
      protocol: ENVIRONMENT_PROTOCOL,
      game: { id: game.id, options: game.options },
      players: game.players,
      actions: game.policyHead?.size ?? game.maxActions,
      fixed: game.policyHead !== undefined,
      observation: { name, size, isSparse },
      minReturn: game.minReturn,
      maxReturn: game.maxReturn,
      maxPlies: game.maxPlies,
    };
  }

  /** Begins game number `number` anew; all chance and all opponents descend from the seed. */
  async reset(number: number, seed: string): Promise<Stepped> {
    const { game, opponent, seat } = this;
    const table = this.tables.get(number) ?? {
      progress: new GameInProgress(game),
      observed: game.hiddenInformation ? new ObservedGame(game) : undefined,
      seats: Array.from({ length: game.players }, (_, player) =>
        opponent === undefined || player === seat
          ? undefined
          : { agent: opponent.create(), random: createRandom(seed), worlds: createRandom(seed) },
      ),
      actions: new Map<number, number>(),
    };
    this.tables.set(number, table);
    table.progress.begin({ chance: game.chance ? createRandom(seed, "chance") : undefined });
    table.observed?.restart();
    for (const [player, one] of table.seats.entries()) {
      if (one === undefined) continue;
      one.random = createRandom(seed, "seat", player);
      one.worlds = createRandom(seed, "worlds", player);
      // eslint-disable-next-line no-await-in-loop -- seats begin one after the other
      await one.agent.newGame?.({
        id: `${number} ${seed}`,
        seat: player,
        random: one.random,
        limitMs: Infinity,
      });
    }
    return this.settle(number, table);
  }

  /** Plays the action of this number in a game. Throws InputError, and leaves the game as it was, where it is not legal. */
  async step(number: number, action: number): Promise<Stepped> {
    const table = this.tables.get(number);
    if (table === undefined) throw new InputError(`game ${number} has not begun: reset it first`);
    const { state } = table.progress;
    if (state.toMove === TERMINAL) throw new InputError(`game ${number} is over: reset it first`);
    const played = table.actions.get(action);
    if (played === undefined)
      throw new InputError(
        `game ${number}: action ${action} is not legal; legal are ${[...table.actions.keys()].join(", ")}`,
      );
    apply(table, played);
    return this.settle(number, table);
  }

  /** The position of a game drawn for people; where something is hidden, as the player to move sees it. */
  render(number: number): string {
    const table = this.tables.get(number);
    if (table === undefined) throw new InputError(`game ${number} has not begun: reset it first`);
    const { state } = table.progress;
    const { privacy } = this.game;
    return privacy !== undefined && state.toMove >= 0
      ? privacy.formatView(state, state.toMove)
      : this.game.render(state);
  }

  /** Lets chance and opponents play until the user is to move, or the game is over. */
  private async settle(number: number, table: Table): Promise<Stepped> {
    const { progress, actions, seats } = table;
    const { state } = progress;
    for (;;) {
      if (state.toMove === CHANCE) {
        const outcome = progress.drawChance();
        table.observed?.apply(outcome);
        continue;
      }
      const one = state.toMove === TERMINAL ? undefined : seats[state.toMove];
      if (one === undefined) break;
      // eslint-disable-next-line no-await-in-loop -- players decide one after the other
      await this.decide(table, one);
    }
    actions.clear();
    const isOver = state.toMove === TERMINAL;
    const head = this.game.policyHead;
    const legal = isOver ? [] : [...progress.legalActions()];
    for (const [place, action] of legal.entries())
      actions.set(head === undefined ? place : head.index(action, state), action);
    return {
      game: number,
      player: isOver ? -1 : state.toMove,
      legal: [...actions.keys()].toSorted((a, b) => a - b),
      views: Array.from({ length: this.game.players }, (_, player) =>
        isOver || this.allViews || player === state.toMove ? this.observation.view(table, player) : null,
      ),
      returns: progress.returns(),
    };
  }

  private async decide(table: Table, { agent, random, worlds }: Seat): Promise<void> {
    const { progress } = table;
    const mover = progress.state.toMove;
    const told = progress.see(worlds);
    const { action } = await agent.choose(progress.views[mover]!, {
      random,
      budget: this.opponent!.budget,
      clock: () => performance.now(),
      ...told,
    });
    if (!progress.isLegal(action))
      throw new InputError(`the opponent plays ${String(action)}, which is not legal`);
    apply(table, action);
  }
}

function apply({ progress, observed }: Table, action: number): void {
  progress.apply(action);
  observed?.apply(action);
}

/** The observation of that name, or the game's usual one. */
function observationOf(game: Game, name?: string): Observation {
  const sets = Object.keys(game.featureSets);
  const known = game.hiddenInformation ? ["codes"] : [...(game.tupleBoard ? ["board"] : []), ...sets];
  const wanted = name ?? known[0];
  if (wanted === undefined || !known.includes(wanted))
    throw new InputError(unknownName("observation", String(name), known));
  if (wanted === "codes") return codesOf(game);
  return wanted === "board" ? boardOf(game) : featuresOf(game, wanted);
}

/** All codes that a player has got: nothing else may be seen in a game of hidden information. */
function codesOf({ privacy }: Game): Observation {
  return {
    name: "codes",
    size: privacy!.maxCodes,
    isSparse: false,
    view: ({ observed }, player) => ({
      codes: Array.from(observed!.codes[player]!.subarray(0, observed!.counts[player])),
    }),
  };
}

/** One input for each cell of the board and each digit that it may hold. */
function boardOf(game: Game): Observation {
  const board = game.tupleBoard!;
  const digits = new Uint8Array(board.cells);
  return {
    name: "board",
    size: board.cells * board.digits,
    isSparse: true,
    view({ progress }, player) {
      board.read(progress.state, player, digits);
      return { index: Array.from(digits, (digit, cell) => cell * board.digits + digit) };
    },
  };
}

function featuresOf(game: Game, name: string): Observation {
  const set = game.featureSets[name]!;
  const index = new Int32Array(set.maxActive);
  const value = new Float32Array(set.maxActive).fill(1);
  return {
    name,
    size: set.size,
    isSparse: true,
    view({ progress }, player) {
      const active = set.extract(progress.state, player, index, value);
      return {
        index: Array.from(index.subarray(0, active)),
        ...(set.unit === true ? {} : { value: Array.from(value.subarray(0, active)) }),
      };
    },
  };
}
