import { parse } from "yaml";
import { z } from "zod";
import { InputError } from "../base/errors.ts";
import { TERMINAL, varyGame, type Game, type GameSpec, type State } from "../game/game.ts";
import { createGame } from "../games/index.ts";
import { describeResult } from "../game/notation.ts";
import { readLines } from "../files/documents.ts";
import { makeChecked } from "../plugins/made-parts.ts";
import { gameFamilies, gamesOf, type GameFamilies, type GivenObjects } from "./families.ts";
import { locateName, referTo } from "./references.ts";

/** A game as configs give it. */
export const gameSchema = z
  .union([z.string(), z.looseObject({ id: z.string() })])
  .describe("a game's id, or { id, options... }");

/** `nim`, `nim:piles=[3,5,7],misere=true`, `{id: nim, piles: [3, 5, 7]}`, or a file of the user's; throws InputError. */
export function parseGameSpec(text: string, baseDir: string): GameSpec {
  const trimmed = text.trim();
  const colon = trimmed.indexOf(":");
  const flow = trimmed.startsWith("{")
    ? trimmed
    : colon < 0
      ? `{id: ${JSON.stringify(trimmed)}}`
      : `{id: ${JSON.stringify(trimmed.slice(0, colon))}, ${trimmed.slice(colon + 1).replaceAll("=", ": ")}}`;
  let spec: unknown;
  try {
    spec = parse(flow);
  } catch {
    throw new InputError(
      `"${text}" is no game; write it like nim, nim:piles=[3,5,7],misere=true or {id: nim, piles: [3, 5, 7]}`,
    );
  }
  const { id, ...options } = spec as { id?: unknown };
  if (typeof id !== "string") throw new InputError(`"${text}" names no game: it has no id`);
  return locateGame({ ...options, id }, baseDir);
}

/** The spec with the path of a file made absolute; a relative one is taken from `baseDir`. */
export function locateGame(given: GameSpec, baseDir: string): GameSpec {
  if (typeof given === "string") return locateName("game", given, baseDir);
  return { ...given, id: locateName("game", given.id, baseDir) };
}

/** The id that a spec names, or the path of its file. */
export function gameIdOf(spec: GameSpec): string {
  return typeof spec === "string" ? spec : spec.id;
}

/**
 * Makes the game that a spec names, one of ours or of the user's; throws InputError, its paths relative to the spec. A
 * game of the user's is looked at first, so that a mistake in it is told at once, instead of hanging or crashing later.
 * With `families` it is one of them, and not looked at.
 */
export async function loadGame(spec: GameSpec, families?: GameFamilies): Promise<Game> {
  if (families !== undefined) return createGame(spec, families);
  const id = gameIdOf(spec);
  const all = await gameFamilies(id);
  if (referTo("game", id).kind === "built-in") return createGame(spec, all);
  return varyGame(await makeChecked(id, () => createGame(spec, all)), { spec });
}

/** As `loadGame`, among the games that a program gave as objects, too. */
export async function loadGameAmong(objects: GivenObjects, spec: GameSpec): Promise<Game> {
  const all = gamesOf(objects);
  const id = gameIdOf(spec);
  return all !== undefined && Object.hasOwn(objects.games, id)
    ? makeChecked(id, () => createGame(spec, all))
    : loadGame(spec, all);
}

/** Positions in the game's notation: a list, or the path of a file with one a line; throws InputError. */
export function readPositions(game: Game, given: string | readonly string[]): State[] {
  const parseOne = (text: string): State => {
    const state = game.parseState(text);
    if (state.toMove === TERMINAL)
      throw new InputError(`the game is over in "${text}": ${describeResult(game, state)}`);
    return state;
  };
  if (typeof given !== "string") return given.map(parseOne);
  try {
    return readLines(given, parseOne);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    // The lines of the message name the file and the line in it.
    throw new InputError(error.message.split("\n").map((message) => ({ path: "", message })));
  }
}

/** The actions of an opening line, separated by blanks; throws InputError where one is impossible or ends the game. */
export function parseOpening(game: Game, line: string): number[] {
  const state = game.start();
  const words = line.split(/\s+/).filter((word) => word !== "");
  return words.map((word) => {
    const action = game.parseAction(word, state);
    state.apply(action);
    if (state.toMove === TERMINAL)
      throw new InputError(`"${word}" in "${line}" ends the game: ${describeResult(game, state)}`);
    return action;
  });
}
