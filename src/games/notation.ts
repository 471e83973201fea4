import { InputError } from "../base/errors.ts";
import { CHANCE, TERMINAL, type Game, type State } from "./game.ts";

/** The legal actions of a player, or the possible chance outcomes; none at the end. Allocates. */
export function possibleActions<S extends State>(game: Game<S>, state: S): Int32Array {
  const out = new Int32Array(game.maxActions);
  if (state.toMove === TERMINAL) return out.subarray(0, 0);
  const count =
    state.toMove === CHANCE
      ? state.chanceOutcomes(out, new Float64Array(game.maxActions), 0)
      : state.legalActions(out, 0);
  return out.subarray(0, count);
}

/** The possible action that `formatAction` writes as `text`; throws InputError with those there are. */
export function parseLegal<S extends State>(game: Game<S>, text: string, state: S): number {
  if (state.toMove === TERMINAL) throw new InputError(`"${text}": the game is over`);
  const actions = possibleActions(game, state);
  const given = text.trim();
  const names = Array.from(actions, (action) => game.formatAction(action, state));
  const at = names.indexOf(given);
  if (at >= 0) return actions[at];
  const shown = names.length > 60 ? [...names.slice(0, 60), `... (${names.length})`] : names;
  const separator = names.some((name) => name.includes(" ")) ? ", " : " ";
  throw new InputError(`"${given}" is not possible here; allowed: ${shown.join(separator)}`);
}
