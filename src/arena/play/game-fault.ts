import { realpathSync } from "node:fs";
import { InputError } from "../../base/errors.ts";
import { describeError, fileOfPlace, placesOf } from "../../base/thrown.ts";
import { varyGame, type Game, type State } from "../../game/game.ts";
import { possibleActions } from "../../game/notation.ts";

/*
 * An exception is the fault of a game of the user's, or of an agent. An exception of the game's own code is the game's
 * fault and ends the run, unless the agent misused the game before, for example by an illegal action. Every other exception
 * in a decision is the agent's fault, and the agent forfeits the game. None of this costs time before an exception.
 */

/** A game of the user's threw an exception: no agent can be blamed, and the run ends. */
export class GameFault extends Error {
  constructor(message: string) {
    super(message);
    this.name = "GameFault";
  }
}

/** A game does not keep what game/rules.ts demands. */
export class BrokenContract extends RangeError {}

/** The game's fault, with the exception, its place, and the actions before it. */
export function gameFault(
  error: unknown,
  { game, file = game.id, actions }: { game: Game; file: string | undefined; actions: readonly number[] },
): GameFault {
  const place = placeIn(error, [file]);
  const at = place === undefined ? `in ${file}` : `at ${place}`;
  return new GameFault(
    `the game ${game.id} failed with ${describeError(error)}, ${at}, ${describeActions(game, actions)}; ` +
      `this is a fault of the game, not of an agent, so the run ends: agon check-game ${file} looks for its cause`,
  );
}

/** True if the innermost call in the game's or the agent's file is in the game's file. */
export function isThrownByGame(error: unknown, gameFile: string, agentFiles: readonly string[]): boolean {
  // So a game refuses wrong input, such as a text that is no position.
  if (error instanceof InputError) return false;
  const place = placeIn(error, [gameFile, ...agentFiles]);
  return place !== undefined && fileOfPlace(place) === fileName(gameFile);
}

/** The innermost call in one of the files, as `file:line:column`. */
function placeIn(error: unknown, files: readonly string[]): string | undefined {
  const names = files.map(fileName);
  return placesOf(error).find((place) => names.includes(fileOfPlace(place)));
}

/** The file as it stands in stacks. */
function fileName(path: string): string {
  try {
    return realpathSync(path).replaceAll("\\", "/");
  } catch {
    return path.replaceAll("\\", "/");
  }
}

/** The number of actions that are shown; they are the last ones. */
const SHOWN_ACTIONS = 12;

function describeActions(game: Game, actions: readonly number[]): string {
  if (actions.length === 0) return "at the start";
  const words: string[] = [];
  try {
    const state = game.start();
    for (const action of actions) {
      words.push(game.formatAction(action, state));
      state.apply(action);
    }
  } catch {
    // An action that the game cannot format is given by its number.
    words.push(...actions.slice(words.length).map((action) => `action ${action}`));
  }
  const hidden = Math.max(0, words.length - SHOWN_ACTIONS);
  return `after ${hidden > 0 ? `${hidden} more and ` : ""}${words.slice(-SHOWN_ACTIONS).join(" ")}`;
}

/** The state behind a watched one, with the number of its applied actions. */
interface Behind {
  readonly state: State;
  /** Actions that `undo` can take back. */
  depth: number;
}

/** A game whose states check their use. It is slow, and serves to repeat a decision. */
export class WatchedGame {
  /** The first misuse of the state; undefined if there is none. */
  misuse: string | undefined;
  /** True if a method of a state threw. */
  threw = false;
  readonly game: Game;
  private readonly original: Game;
  private readonly behind = new WeakMap<State, Behind>();

  constructor(original: Game) {
    this.original = original;
    this.game = varyGame(original, {
      start: () => this.watch(original.start()),
      parseState: (text) => this.watch(original.parseState(text)),
    });
  }

  /** A view of `state`, which behaves as it, and checks each call first. */
  watch(state: State): State {
    const behind: Behind = { state, depth: 0 };
    const view = new Proxy(state, {
      get: (target, key) => {
        const value: unknown = Reflect.get(target, key, target);
        if (typeof value !== "function") return value;
        return (...args: readonly unknown[]) => this.call(behind, key, value.bind(target) as Call, args);
      },
    });
    this.behind.set(view, behind);
    return view;
  }

  private call(behind: Behind, key: PropertyKey, call: Call, args: readonly unknown[]): unknown {
    this.misuse ??= this.misuseOf(behind, key, args[0]);
    if (key === "apply") behind.depth++;
    if (key === "undo") behind.depth--;
    if (key === "copyFrom") behind.depth = 0;
    const real = args.map((arg) => this.behind.get(arg as State)?.state ?? arg);
    try {
      return call(...real);
    } catch (error) {
      this.threw = true;
      throw error;
    }
  }

  private misuseOf({ state, depth }: Behind, key: PropertyKey, action: unknown): string | undefined {
    if (key === "undo" && depth === 0) return "took back an action where none was applied";
    if (key === "legalActions" && state.toMove < 0)
      return "asked for legal actions where no player is to move";
    if (key !== "apply" || possibleActions(this.original, state).includes(action as number)) return undefined;
    return `applied ${String(action)}, which is not a legal action in ${this.original.formatState(state)}`;
  }
}

type Call = (...args: readonly unknown[]) => unknown;
