import { existsSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import { z } from "zod";
import { settleChance } from "../../agents/analysis.ts";
import type { PreparedAgent } from "../../agents/prepare.ts";
import { newestRun } from "../../arena/store/run-folder.ts";
import { check, Problems } from "../../base/check.ts";
import { InputError } from "../../base/errors.ts";
import type { Game, GameFamily, State } from "../../games/contract/game.ts";
import { createGame, games } from "../../games/index.ts";
import { loadAgent, locateAgent } from "../../specs/agents.ts";
import { gameFamilies } from "../../specs/families.ts";
import { makeNamed } from "../../specs/plugins/made-parts.ts";
import { planDocument } from "../../specs/files/documents.ts";
import { loadHeader } from "../../specs/files/weights-file.ts";
import { makeFolder } from "../../specs/files/write-file.ts";
import { gameIdOf, gameSchema, loadGame, locateGame, parseGameSpec } from "../../specs/games.ts";

/** The game that an argument names; paths in it are taken from the working folder. */
export async function gameArgument(text: string): Promise<Game> {
  return loadGame(parseGameSpec(text, process.cwd()));
}

/** Like gameArgument; the argument may also name a config file, for its game. */
export async function gameOrConfigArgument(text: string): Promise<Game> {
  if (!/\.(ya?ml|json)$/i.test(text)) return gameArgument(text);
  return planDocument(text, async (document, { baseDir, source }) => {
    const { game } = check(z.looseObject({ game: gameSchema }), document, source);
    const problems = new Problems();
    const loaded = await problems.atAsync(["game"], async () => loadGame(locateGame(game, baseDir)));
    problems.throwIfAny(source);
    return loaded!;
  });
}

/**
 * The position that an argument describes, or the start. If a game begins with dice, they are drawn from the seed, because
 * an agent cannot decide before them; `chance` has them in the game's notation.
 */
export function positionArgument(
  game: Game,
  text: string | undefined,
  seed: string,
): { state: State; chance: readonly string[] } {
  if (text !== undefined) return { state: game.parseState(text), chance: [] };
  const state = game.start();
  return { state, chance: settleChance(game, state, seed) };
}

/** A line about the drawn dice; `chance` comes from positionArgument. */
export function describeDrawn(chance: readonly string[], seed: string): string {
  return `chance  ${chance.join(" ")}, drawn from the seed "${seed}"; --state gives another position`;
}

/** Like gameArgument, with the family that made the game, and without the checks of a loaded game. */
export async function familyArgument(text: string): Promise<{ game: Game; family: GameFamily }> {
  const spec = parseGameSpec(text, process.cwd());
  const id = gameIdOf(spec);
  const families = await gameFamilies(id);
  return { game: makeNamed(id, () => createGame(spec, families)), family: families[id]! };
}

/**
 * The game that weights are for. A game of the user's is looked for in the training that they come from, whose folder is that of
 * the weights or the one above. Throws InputError.
 */
export async function loadGameOf(weightsPath: string): Promise<Game> {
  const { id, options } = loadHeader(weightsPath).game;
  for (const folder of Object.hasOwn(games, id)
    ? []
    : [dirname(weightsPath), dirname(dirname(weightsPath))]) {
    const config = join(folder, "config.json");
    const trained = existsSync(config) ? await gameOrConfigArgument(config) : undefined;
    if (trained?.id === id) return trained;
  }
  try {
    return createGame({ ...options, id });
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    throw new InputError(
      error.problems.map(({ path, message }) =>
        path === "id"
          ? { path: "game.id", message: `${message}; give a game of your own with --game` }
          : { path: `game.options.${path}`, message },
      ),
      weightsPath,
    );
  }
}

/** The agent that an argument names, prepared for `game`; paths in it are taken from the working folder. */
export async function agentArgument(
  game: Game,
  text: string,
  { hasClocks = false } = {},
): Promise<PreparedAgent> {
  const spec = locateAgent(text, process.cwd());
  try {
    return await loadAgent(game, spec, { hasClocks });
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    throw new InputError(error.problems, text);
  }
}

/** The value of --workers, or of another option for workers; throws InputError if it is out of range. */
export function parseWorkers(workers: number, option = "workers"): number {
  if (Number.isInteger(workers) && workers >= 1 && workers <= 256) return workers;
  throw new InputError(`--${option} must be a whole number from 1 to 256, got ${workers}`);
}

/** The value of the option --`name`, a whole number of at least 1; throws InputError otherwise. */
export function parseCount(name: string, value: number): number {
  if (Number.isSafeInteger(value) && value >= 1) return value;
  const most = value > Number.MAX_SAFE_INTEGER ? ` and at most ${Number.MAX_SAFE_INTEGER}` : "";
  throw new InputError(`--${name} must be a whole number of at least 1${most}, got ${value}`);
}

/** The folder of a run: the one given, else with --resume the newest of that name, else a new one in `runs`. */
export async function outArgument(
  args: { out?: string | undefined; resume: boolean },
  name: string,
): Promise<string> {
  if (args.out !== undefined) return args.out;
  if (!args.resume) return newFolder(join("runs", `${name}-${dateStamp()}`));
  return newestRun("runs", name);
}

/** Makes a folder of that name, with a number behind it where another run has begun in the same second. */
function newFolder(name: string): string {
  makeFolder(dirname(name));
  for (let number = 1; ; number++) {
    const path = number === 1 ? name : `${name}-${number}`;
    try {
      mkdirSync(path);
      return path;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
  }
}

/** `20261121-143059`, local time. */
function dateStamp(): string {
  const now = new Date();
  const two = (value: number) => String(value).padStart(2, "0");
  const day = `${now.getFullYear()}${two(now.getMonth() + 1)}${two(now.getDate())}`;
  return `${day}-${two(now.getHours())}${two(now.getMinutes())}${two(now.getSeconds())}`;
}

/** A word for a shell. */
export function quoted(word: string): string {
  return /^[\w./:=,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** The option of commands that serve a page. */
export const hostOption = {
  type: "string",
  default: "127.0.0.1",
  describe: "address to listen at; with another, such as 0.0.0.0, other machines can read the runs",
} as const;

/** Throws InputError unless a port is one, or left to chance. */
export function checkPort(port: number | undefined): void {
  if (port !== undefined && !(Number.isInteger(port) && port >= 0 && port <= 65_535))
    throw new InputError(`--port must be a whole number from 0 to 65535, got ${port}`);
}
