import { resolve } from "node:path";
import { parse } from "yaml";
import { z } from "zod";
import { InputError } from "../base/errors.ts";
import { CHANCE, TERMINAL, varyGame, type Game, type GameSpec, type State } from "../games/contract/game.ts";
import { createGame, games } from "../games/index.ts";
import { describeResult } from "../games/contract/notation.ts";
import { readLines } from "./files/documents.ts";
import { makeChecked } from "./plugins/made-parts.ts";
import { gameFamilies, NO_OBJECTS, type GivenObjects } from "./families.ts";
import { locateName, referTo } from "./references.ts";

/** A game's id or path. YAML reads `2048` without quotes as a number. */
const gameId = z.union([z.string(), z.number().transform(String)]);

/** A game as configs write it. */
export const gameSchema = z
  .union([gameId, z.looseObject({ id: gameId })])
  .describe("a game's id, or { id, options... }");

/** Parses `nim`, `nim:piles=[3,5,7],misere=true`, `{id: nim, piles: [3, 5, 7]}` or the path of a file; throws InputError. */
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
  const name = gameId.safeParse(id).data;
  if (name === undefined) throw new InputError(`"${text}" names no game: it has no id`);
  return locateGame({ ...options, id: name }, baseDir);
}

/**
 * Makes the path of a file in a spec absolute; a relative path starts at `baseDir`. A file that stands for the list of an option
 * is read: the list is a part of the spec, and so of all that is known of a run. Throws InputError for such a file.
 */
export function locateGame(given: GameSpec, baseDir: string): GameSpec {
  if (typeof given === "string") return locateName("game", given, baseDir);
  const lists = (Object.hasOwn(games, given.id) && games[given.id]!.lists) || {};
  const options = Object.entries(given).map(([name, value]) => {
    const read = Object.hasOwn(lists, name) && typeof value === "string" && FILE_NAME.test(value);
    return [name, read ? readList(resolve(baseDir, value), lists[name]!) : value];
  });
  return {
    ...(Object.fromEntries(options) as Exclude<GameSpec, string>),
    id: locateName("game", given.id, baseDir),
  };
}

/** A name with an ending or a folder. */
const FILE_NAME = /\.\w+$|[/\\]/;

/** The lines of a file in their order. */
function readList(path: string, parse: (line: string) => unknown): unknown[] {
  const list = readLines(path, parse).filter((one) => one !== undefined);
  if (list.length === 0) throw new InputError("has no line that is of use", path);
  return list;
}

/** The id in a spec, which may be the path of a file. */
export function gameIdOf(spec: GameSpec): string {
  return typeof spec === "string" ? spec : spec.id;
}

/**
 * Makes the game of a spec: built in, from a file, or among the objects that a program gave. A game that is not built in
 * is checked. Throws InputError, whose paths are relative to the spec.
 */
export async function loadGame(spec: GameSpec, objects: GivenObjects = NO_OBJECTS): Promise<Game> {
  const id = gameIdOf(spec);
  if (Object.hasOwn(objects.games, id)) return makeChecked(id, () => createGame(spec, objects.games));
  const families = await gameFamilies(id);
  if (referTo("game", id).kind === "built-in") return createGame(spec, families);
  return varyGame(await makeChecked(id, () => createGame(spec, families)), { spec });
}

/** Reads positions in the game's notation from a list, or from a file with one position a line. Throws InputError. */
export function readPositions(game: Game, given: string | readonly string[]): State[] {
  const parseOne = (text: string): State => {
    const state = game.parseState(text);
    if (state.toMove === TERMINAL)
      throw new InputError(`the game is over in "${text}": ${describeResult(game, state)}`);
    return state;
  };
  return typeof given === "string" ? readLines(given, parseOne) : given.map(parseOne);
}

/**
 * Parses the actions of an opening, separated by blanks, up to the last of the first `plies` decisions. Throws InputError
 * if one is impossible or ends the game.
 */
export function parseOpening(game: Game, line: string, plies = Infinity): number[] {
  const state = game.start();
  const actions: number[] = [];
  let decisions = 0;
  for (const word of line.split(/\s+/).filter((one) => one !== "")) {
    if (decisions === plies) break;
    if (state.toMove !== CHANCE) decisions++;
    const action = game.parseAction(word, state);
    actions.push(action);
    state.apply(action);
    if (state.toMove === TERMINAL)
      throw new InputError(`"${word}" in "${line}" ends the game: ${describeResult(game, state)}`);
  }
  return actions;
}
