import { resolve } from "node:path";
import process from "node:process";
import { parse } from "yaml";
import { InputError } from "../base/errors.ts";
import { fillSpec } from "../arena/entrants.ts";
import { agentFamilies, gameFamilies, resolvePluginId } from "../arena/plugins.ts";
import { parseAgentSpec, type AgentSpec } from "../agents/spec.ts";
import { prepareAgent, type PreparedAgent } from "../agents/prepare.ts";
import { loadHeader } from "../evaluators/weights-file.ts";
import type { Game, GameFamily, State } from "../games/game.ts";
import { createGame, type GameSpec } from "../games/index.ts";

/** `nim`, `nim:piles=[3,5,7],misere=true`, `{id: nim, piles: [3, 5, 7]}`, or a file of the user's. */
export function parseGameSpec(text: string): Exclude<GameSpec, string> {
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
  return { ...options, id: resolvePluginId(id, process.cwd()) };
}

export async function loadGame(text: string): Promise<Game> {
  return (await loadGameAndFamily(text)).game;
}

/** The game, and the family that makes it. */
export async function loadGameAndFamily(text: string): Promise<{ game: Game; family: GameFamily }> {
  const spec = parseGameSpec(text);
  const families = await gameFamilies(spec.id);
  return { game: createGame(spec, families), family: families[spec.id]! };
}

/** The game that a weights file is for, one of ours; throws InputError. */
export function loadGameOf(weightsPath: string): Game {
  const { id, options } = loadHeader(weightsPath).game;
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

/** The agent that a short spec names, for a game; paths in it are taken from the working folder. */
export async function loadAgent(game: Game, text: string): Promise<PreparedAgent> {
  const given = parseAgentSpec(text);
  const baseDir = resolve(".");
  const spec: AgentSpec = { ...given, agent: resolvePluginId(given.agent, baseDir) };
  const families = await agentFamilies([spec.agent]);
  try {
    return prepareAgent(game, fillSpec({ game, spec, baseDir, families, defaultBudget: {} }), { families });
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    throw new InputError(error.problems, text);
  }
}

export function parseWorkers(workers: number): number {
  if (Number.isInteger(workers) && workers >= 1 && workers <= 256) return workers;
  throw new InputError(`--workers must be a whole number from 1 to 256, got ${workers}`);
}

export function parseCount(name: string, value: number): number {
  if (Number.isInteger(value) && value >= 1) return value;
  throw new InputError(`--${name} must be a whole number of at least 1, got ${value}`);
}

/** How boards are drawn: plainly, or with Unicode's pieces where the game has them. */
export function boardDrawer(game: Game, unicode: boolean): (state: State) => string {
  return (state) => (unicode && game.renderUnicode ? game.renderUnicode(state) : game.render(state));
}
