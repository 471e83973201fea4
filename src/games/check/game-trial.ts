import { createRandom } from "../../base/random.ts";
import { CHANCE, TERMINAL, type Game, type State } from "../contract/game.ts";
import { possibleActions } from "../contract/notation.ts";
import type { Located } from "./finding.ts";

/** Limits of the random play. */
export interface TrialOptions {
  /** The random games descend from it: the same seed gives the same positions. */
  readonly seed?: string;
  /** Random games that a check plays; slow checks play only a part of them. */
  readonly games?: number;
  /** The greatest number of positions that a check visits in these games; longer games are cut short. */
  readonly maxPositions?: number;
  /** Called at each position that is visited. */
  readonly onPosition?: (() => void) | undefined;
}

const DEFAULT_GAMES = 12;
/** The greatest number of positions that are visited in one game, if `maxPositions` is not given. */
const POSITIONS_PER_GAME = 400;

/** Plays random games for the checks, and knows the current position. */
export class GameTrial implements Located {
  readonly game: Game;
  readonly seed: string;
  /** The number of random games that a fast check plays. */
  readonly games: number;
  /** Games and positions of all checks together. */
  gamesPlayed = 0;
  positionsVisited = 0;
  /** Actions from the start to the current position; undefined if there is none. */
  private path: number[] | undefined;
  private readonly longest: number;
  private readonly onPosition: (() => void) | undefined;

  constructor(
    game: Game,
    { seed = "checks", games = DEFAULT_GAMES, maxPositions, onPosition }: TrialOptions,
  ) {
    for (const [name, value] of Object.entries({ games, maxPositions: maxPositions ?? 1 })) {
      if (!Number.isSafeInteger(value) || value < 1)
        throw new RangeError(`${name} must be a whole number of at least 1, got ${value}`);
    }
    this.game = game;
    this.onPosition = onPosition;
    this.seed = seed;
    this.games = games;
    this.longest = Math.max(1, Math.ceil((maxPositions ?? games * POSITIONS_PER_GAME) / games));
  }

  moves(): string[] | undefined {
    return this.path === undefined ? undefined : describePath(this.game, this.path);
  }

  /** Returns a copy of the actions from the start to the current position. */
  actions(): number[] {
    return [...(this.path ?? [])];
  }

  /** Sets the current position to the one that `actions` lead to, or to none. */
  locate(actions: readonly number[] | undefined): void {
    this.path = actions === undefined ? undefined : [...actions];
  }

  /** Applies an action to `state`, and adds it to the actions that findings show. */
  apply(state: State, action: number): void {
    this.path?.push(action);
    state.apply(action);
  }

  /** Takes back what `apply` of this class did. */
  undo(state: State): void {
    state.undo();
    this.path?.pop();
  }

  /**
   * Plays a part of the games at random and calls `visit` at every position, also before chance events and at the
   * end. `share` is the part, from 0 to 1; at least one game is played. The random choices descend from the seed and
   * `purpose`. `visit` must leave the state as it was.
   */
  forEachPosition(purpose: string, share: number, visit: (state: State) => void): void {
    const count = Math.max(1, Math.round(this.games * share));
    for (let number = 0; number < count; number++) this.playGame(purpose, number, visit);
    this.path = undefined;
  }

  /** Plays the random game with this number, and returns its last state, the current position. */
  playGame(
    purpose: string,
    number: number,
    visit: (state: State) => void,
    { longest = this.longest } = {},
  ): State {
    const { game } = this;
    const random = createRandom(this.seed, game.id, purpose, number);
    const probabilities = new Float64Array(game.maxActions);
    const actions = new Int32Array(game.maxActions);
    this.path = [];
    this.gamesPlayed++;
    const state = game.start();
    for (;;) {
      this.positionsVisited++;
      this.onPosition?.();
      visit(state);
      if (this.path.length >= longest || !isMover(game, state.toMove)) return state;
      const chance = state.toMove === CHANCE;
      const count = chance
        ? state.chanceOutcomes!(actions, probabilities, 0)
        : state.legalActions(actions, 0);
      // The check of legal actions reports this; the others go on with the next game.
      if (!(count >= 1 && count <= game.maxActions)) return state;
      this.apply(state, actions[chance ? random.weighted(probabilities, 0, count) : random.below(count)]);
    }
  }
}

/** True if the game goes on: a player or chance is to move. */
function isMover(game: Game, toMove: number): boolean {
  return toMove === CHANCE || (Number.isInteger(toMove) && toMove >= 0 && toMove < game.players);
}

/** Writes the actions from the start in notation; an action that the game fails to write is given by its number. */
export function describePath(game: Game, actions: readonly number[]): string[] {
  let state: State | undefined;
  try {
    state = game.start();
  } catch {
    // All actions are given by their numbers.
  }
  return actions.map((action) => {
    const text = state === undefined ? `action ${action}` : nameAction(game, action, state);
    try {
      state?.apply(action);
    } catch {
      state = undefined;
    }
    return text;
  });
}

/** Writes the action in notation, or its number if the game fails to write it. */
export function nameAction(game: Game, action: number, state: State): string {
  try {
    const text: unknown = game.formatAction(action, state);
    if (typeof text === "string") return text;
  } catch {
    // The action is given by its number.
  }
  return `action ${action}`;
}

/** Everything that the contract shows of a position. */
interface Observation {
  readonly toMove: number;
  readonly returns: readonly number[];
  readonly hash: string;
  readonly actions: readonly number[];
  readonly text: string;
  readonly board: string;
}

/** Reads everything that the contract shows of a position. */
export function observe(game: Game, state: State): Observation {
  return {
    toMove: state.toMove,
    returns: returnsOf(game, state),
    hash: hashOf(state),
    actions: Array.from(possibleActions(game, state)),
    text: game.formatState(state),
    board: game.render(state),
  };
}

/** Returns the returns of all players. */
export function returnsOf(game: Game, state: State): number[] {
  return Array.from({ length: game.players }, (_, player) => state.returns(player));
}

/** Writes both halves of the hash in hexadecimal digits. */
export function hashOf(state: State): string {
  return [state.hashHigh, state.hashLow].map((half) => (half >>> 0).toString(16).padStart(8, "0")).join("");
}

/**
 * Names the first difference between two observations; undefined if there is none. With `expectedIs` = `before it was`
 * it reads `returns(1) is 0.5, before it was 0`.
 */
export function difference(
  found: Observation,
  expected: Observation,
  expectedIs: string,
): string | undefined {
  const say = (what: string, one: unknown, other: unknown) =>
    `${what} is ${text(one)}, ${expectedIs} ${text(other)}`;
  if (found.toMove !== expected.toMove) return say("toMove", found.toMove, expected.toMove);
  for (const [player, value] of found.returns.entries()) {
    const other = expected.returns[player]!;
    if (!Object.is(value, other)) return say(`returns(${player})`, value, other);
  }
  if (found.actions.join() !== expected.actions.join())
    return say("the list of legal actions", found.actions, expected.actions);
  if (found.text !== expected.text) return say("formatState", found.text, expected.text);
  if (found.board !== expected.board) return say("render", found.board, expected.board);
  if (found.hash !== expected.hash) return say("the hash", found.hash, expected.hash);
  return undefined;
}

/** Writes a value as findings show it; long texts are cut. */
export function text(value: unknown): string {
  if (typeof value === "number") return Object.is(value, -0) ? "-0" : String(value);
  const shown = Array.isArray(value) ? `[${value.map(text).join(", ")}]` : JSON.stringify(value);
  const whole = shown ?? String(value);
  return whole.length > 300 ? `${whole.slice(0, 300)}...` : whole;
}

/** Copies `state` to a new state. */
export function copyOf(game: Game, state: State): State {
  const copy = game.start();
  copy.copyFrom(state);
  return copy;
}

/** Returns the state that the actions lead to from the start. */
export function replay(game: Game, actions: readonly number[]): State {
  const state = game.start();
  for (const action of actions) state.apply(action);
  return state;
}

/** True if the game has ended. */
export function isOver(state: State): boolean {
  return state.toMove === TERMINAL;
}
