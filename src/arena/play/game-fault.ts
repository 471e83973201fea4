import { realpathSync } from "node:fs";
import { describeError, fileOfPlace, placesOf } from "../../base/thrown.ts";
import type { Game } from "../../games/contract/game.ts";

/*
 * A game of the user's that throws, or breaks its contract, ends the run. Agents of the user's decide in their own
 * processes, so an exception here, in the rules or in a decision of one of agon's agents, is the game's fault.
 */

/** A game of the user's threw an exception: no agent can be blamed, and the run ends. */
export class GameFault extends Error {
  constructor(message: string) {
    super(message);
    this.name = "GameFault";
  }
}

/** The game's fault, with the exception, its place, and the actions before it. */
export function gameFault(
  error: unknown,
  { game, file = game.id, actions }: { game: Game; file: string | undefined; actions: readonly number[] },
): GameFault {
  const place = placeIn(error, file);
  const at = place === undefined ? `in ${file}` : `at ${place}`;
  return new GameFault(
    `the game ${game.id} failed with ${describeError(error)}, ${at}, ${describeActions(game, actions)}; ` +
      `this is a fault of the game, not of an agent, so the run ends: agon check ${file} looks for its cause`,
  );
}

/** The innermost call in the file, as `file:line:column`. */
function placeIn(error: unknown, file: string): string | undefined {
  const name = fileName(file);
  return placesOf(error).find((place) => fileOfPlace(place) === name);
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
