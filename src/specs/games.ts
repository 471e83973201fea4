import { parse } from "yaml";
import { z } from "zod";
import { InputError } from "../base/errors.ts";
import { TERMINAL, varyGame, type Game, type GameSpec, type State } from "../game/game.ts";
import { describeError, theirPlaceOf } from "../base/thrown.ts";
import { isPluginPath } from "../evaluators/index.ts";
import { createGame } from "../games/index.ts";
import { describeResult } from "../game/notation.ts";
import { featuresShape, heuristicShape } from "./evaluators.ts";
import { readLines } from "../files/documents.ts";
import { gamesOf, type GivenObjects } from "./objects.ts";
import { checkMembers, gameFamilies, method, resolvePluginId, type GameFamilies } from "./plugins.ts";

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
  if (typeof given === "string") return resolvePluginId(given, baseDir);
  return { ...given, id: resolvePluginId(given.id, baseDir) };
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
  return isPluginPath(id) ? varyGame(await createChecked(spec, all), { spec }) : createGame(spec, all);
}

/** As `loadGame`, among the games that a program gave as objects, too. */
export async function loadGameAmong(objects: GivenObjects, spec: GameSpec): Promise<Game> {
  const all = gamesOf(objects);
  return all !== undefined && Object.hasOwn(objects.games, gameIdOf(spec))
    ? createChecked(spec, all)
    : loadGame(spec, all);
}

async function createChecked(spec: GameSpec, families: GameFamilies): Promise<Game> {
  const id = gameIdOf(spec);
  try {
    const game = createGame(spec, families);
    await checkPluginGame(game, id);
    return game;
  } catch (error) {
    if (error instanceof InputError) throw naming(id, error);
    const place = theirPlaceOf(error);
    const where = place === undefined ? "" : `, at ${place}`;
    throw new InputError(`${id} makes no game: ${describeError(error)}${where}`);
  }
}

/** The error with the file's name in each problem that says no place in the spec. */
function naming(file: string, { problems }: InputError): InputError {
  return new InputError(
    problems.map(({ path, message }) => ({
      path,
      message: path !== "" || message.startsWith(file) ? message : `${file}: ${message}`,
    })),
  );
}

const gameShape = z.looseObject({
  start: method,
  formatAction: method,
  parseAction: method,
  formatState: method,
  parseState: method,
  render: method,
});

const stateShape = z.looseObject({
  toMove: z.number(),
  legalActions: method,
  chanceOutcomes: method,
  apply: method,
  undo: method,
  returns: method,
  copyFrom: method,
  hashLow: z.number(),
  hashHigh: z.number(),
});

/** What a game must keep for anything to work with it: a part of `agon check-game`, on a few positions. */
const FEW = { only: ["to-move", "legal-actions", "chance", "returns", "end"], games: 2, maxPositions: 80 };

/** Throws InputError for the first thing that is wrong with a game of the user's, in the file `path`. */
async function checkPluginGame(game: Game, path: string): Promise<void> {
  for (const [name, one] of Object.entries(game.heuristics))
    checkMembers(one, heuristicShape, `${path}: the heuristic ${name}`);
  for (const [name, one] of Object.entries(game.featureSets))
    checkMembers(one, featuresShape, `${path}: the feature set ${name}`);
  checkMembers(game, gameShape, `${path}: what \`rules\` returns`);
  checkMembers(game.start(), stateShape, `${path}: the state that \`start\` returns`);
  const { checkGame } = await import("../checks/check-game.ts");
  const [first] = checkGame(game, FEW);
  if (first === undefined) return;
  const { found, moves, thrownAt, demand } = first;
  const where = [
    moves === undefined || moves.length === 0 ? "" : ` after ${moves.slice(-5).join(", ")}`,
    thrownAt === undefined ? "" : ` at ${thrownAt}`,
  ].join("");
  throw new InputError(`${path}: ${found}${where}; ${demand} (agon check-game says more)`);
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
