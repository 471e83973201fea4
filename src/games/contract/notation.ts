import { InputError } from "../../base/errors.ts";
import type { Random } from "../../base/random.ts";
import type { Thought } from "../../base/thought.ts";
import type { Transcript, TranscriptFormat } from "./facets.ts";
import { CHANCE, TERMINAL, type Rules, type State } from "./rules.ts";

/** The part of a game that `possibleActions` needs. */
type Bounds = Pick<Rules, "maxActions">;
/** The part of a game that says how it ended. */
type Results<S extends State> = Pick<Rules<S>, "players" | "maxReturn" | "describeEnding">;
/** The part of a game that turns actions into text. */
type Notation<S extends State> = Bounds & Results<S> & Pick<Rules<S>, "formatAction">;
/** The part of a game that replays a game as text. */
type Replay<S extends State> = Bounds & Pick<Rules<S>, "start" | "parseState" | "formatAction">;

/** The legal actions of a player, or the possible chance outcomes; empty at the end of the game. Allocates memory. */
export function possibleActions(game: Bounds, state: State): Int32Array {
  const out = new Int32Array(game.maxActions);
  if (state.toMove === TERMINAL) return out.subarray(0, 0);
  const count =
    state.toMove === CHANCE
      ? state.chanceOutcomes!(out, new Float64Array(game.maxActions), 0)
      : state.legalActions(out, 0);
  return out.subarray(0, count);
}

/** Draws a chance outcome by its probability. Allocates memory. */
export function sampleChance(game: Bounds, state: State, random: Random): number {
  const outcomes = new Int32Array(game.maxActions);
  const probabilities = new Float64Array(game.maxActions);
  const count = state.chanceOutcomes!(outcomes, probabilities, 0);
  return outcomes[random.weighted(probabilities, 0, count)];
}

/**
 * The possible action that `formatAction` writes as `text`. Upper and lower case may differ if only one action fits.
 * Throws InputError, which lists the possible actions.
 */
export function parseLegal<S extends State>(game: Notation<S>, text: string, state: S): number {
  if (state.toMove === TERMINAL) {
    throw new InputError(`"${text}": the game is over: ${describeResult(game, state)}`);
  }
  const actions = possibleActions(game, state);
  const given = text.trim();
  const names: string[] = [];
  for (const action of actions) {
    const name = game.formatAction(action, state);
    if (name === given) return action;
    names.push(name);
  }
  const isAlike = (name: string) => name.toLowerCase() === given.toLowerCase();
  const alike = names.filter(isAlike);
  if (alike.length === 1) return actions[names.findIndex(isAlike)];
  const separator = names.some((name) => name.includes(" ")) ? ", " : " ";
  if (alike.length > 1) throw new InputError(`"${given}" can be any of ${alike.join(separator)}`);
  const shown = names.length > 60 ? [...names.slice(0, 60), `... (${names.length})`] : names;
  throw new InputError(`"${given}" is not possible here; allowed: ${shown.join(separator)}`);
}

/**
 * The result of a finished game for people, players counted from 1: `player 2 has won (checkmate)`, `a draw`, `score
 * 1540`. The returns follow if they say more than the winner: `player 1 has won (returns 2, -2)`.
 */
export function describeResult<S extends State>(game: Results<S>, state: S): string {
  const { players = 2, maxReturn = 1 } = game;
  // Adding 0 turns a negative zero into a plain one.
  const returns = Array.from({ length: players }, (_, player) => state.returns(player) + 0);
  const reason = game.describeEnding?.(state);
  const notes = reason === undefined ? [] : [reason];
  const shown = returns.map((value) => String(Number(value.toPrecision(6))));
  if (players === 1) return withNotes(`score ${shown[0]}`, notes);
  if (maxReturn > 1 || new Set(returns).size > 2) notes.push(`returns ${shown.join(", ")}`);
  const winners = winnersOf(returns).map((player) => player + 1);
  if (winners.length === players) return withNotes("a draw", notes);
  const [last, ...others] = winners.toReversed();
  if (others.length === 0) return withNotes(`player ${last} has won`, notes);
  return withNotes(`players ${others.toReversed().join(", ")} and ${last} have won`, notes);
}

/** The players, from 0, with the highest return. */
export function winnersOf(returns: readonly number[]): number[] {
  const best = Math.max(...returns);
  return returns.flatMap((value, player) => (value === best ? [player] : []));
}

function withNotes(text: string, notes: readonly string[]): string {
  return notes.length === 0 ? text : `${text} (${notes.join("; ")})`;
}

/** The decisions of a played game as text, without the chance outcomes. */
export function moveTexts<S extends State>(game: Replay<S>, { from, actions }: Transcript): string[] {
  const state = from === undefined ? game.start() : game.parseState(from);
  const texts: string[] = [];
  for (const action of actions) {
    if (state.toMove === TERMINAL) break;
    if (state.toMove !== CHANCE) texts.push(game.formatAction(action, state));
    state.apply(action);
  }
  return texts;
}

/**
 * The decisions of a played game after its opening, one after the other: the index of each in `actions`, and the state
 * before it, which is the same object each time.
 */
export function* decisionsOf<S extends State>(
  game: Pick<Rules<S>, "start">,
  { actions, openingLength }: { readonly actions: readonly number[]; readonly openingLength: number },
): Generator<{ readonly index: number; readonly state: S }> {
  const state = game.start();
  for (const [index, action] of actions.entries()) {
    if (state.toMove === TERMINAL) return;
    if (state.toMove !== CHANCE && index >= openingLength) yield { index, state };
    state.apply(action);
  }
}

/** The legal beginning of a line of players' actions, in the game's notation; the state `from` is left as it is. */
export function legalLine<S extends State>(
  game: Bounds & Pick<Rules<S>, "start" | "formatAction">,
  from: S,
  line: readonly number[],
): string[] {
  const state = game.start();
  state.copyFrom(from);
  const texts: string[] = [];
  for (const action of line) {
    if (state.toMove < 0 || !possibleActions(game, state).includes(action)) break;
    texts.push(game.formatAction(action, state));
    state.apply(action);
  }
  return texts;
}

/**
 * An agent's thought as engines comment on their moves: `+0.31/12 0.5s` is value, depth and time. The comment is the
 * time alone if the thought has no value, and empty if there is no thought. An estimate never looks like `certain`, the
 * value of a sure win.
 */
export function formatComment(thought: Thought | undefined, certain: number): string {
  if (thought === undefined) return "";
  const { value, depth, nodes, timeMs, line } = thought;
  const time = `${(timeMs / 1000).toFixed(timeMs < 100 ? 3 : 1)}s`;
  if (value !== undefined)
    return `${formatValue(value, certain)}${depth === undefined ? "" : `/${depth}`} ${time}`;
  return depth === undefined && nodes === 0 && line.length === 0 ? "" : time;
}

function formatValue(value: number, certain: number): string {
  const shown = Math.abs(value) < certain ? Math.min(Math.abs(value), certain - 0.01) : Math.abs(value);
  const digits = shown.toFixed(2);
  if (Number(digits) === 0) return digits;
  return `${value < 0 ? "-" : "+"}${digits}`;
}

/** The `write` of a format whose files are one game after the other, with `separator` between two of them. */
export function gameByGame(
  separator: string,
  format: (transcript: Transcript) => string,
): TranscriptFormat["write"] {
  return function* write(games) {
    let before = "";
    for (const transcript of games) {
      yield before + format(transcript);
      before = separator;
    }
  };
}

/** The number of the line, from 1, in which the character at `index` of a text stands. */
export function lineAt(text: string, index: number): number {
  return text.slice(0, index).split("\n").length;
}

/** Played games of any kind: a JSON object for each, on a line, with every action and chance outcome as text. */
export function jsonLines(game: Replay<State>): TranscriptFormat {
  return {
    summary: "one JSON object a line, any game",
    writesFrom: true,
    write: gameByGame("", (transcript) => `${JSON.stringify(toJson(game, transcript))}\n`),
  };
}

function toJson(game: Replay<State>, transcript: Transcript): object {
  const { event, round, names, from, actions, returns, forfeit, adjudication, thoughts } = transcript;
  const { id, seed, ending, openingLength, program } = transcript;
  const state = from === undefined ? game.start() : game.parseState(from);
  const told: (object | null)[] = [];
  const moves = actions.map((action, index) => {
    const thought = thoughts?.[index];
    told.push(thought === undefined ? null : { ...thought, line: legalLine(game, state, thought.line) });
    const text = game.formatAction(action, state);
    state.apply(action);
    return text;
  });
  return {
    event,
    round,
    names,
    ...(from !== undefined && { from }),
    moves,
    returns,
    forfeit,
    ...(adjudication !== undefined && { adjudication }),
    ...(thoughts && { thoughts: told }),
    ...(id !== undefined && { id, seed, ending, openingLength, program }),
  };
}
