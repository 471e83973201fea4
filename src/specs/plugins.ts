import { isAbsolute, resolve } from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { InputError } from "../base/errors.ts";
import type { AgentFamily } from "../agents/agent.ts";
import { agents } from "../agents/index.ts";
import type { GameFamily } from "../games/game.ts";
import { games } from "../games/index.ts";

/** The games that a spec may name, by id. */
export type GameFamilies = Readonly<Record<string, GameFamily>>;
/** The agents that a spec may name, by id. */
export type AgentFamilies = Readonly<Record<string, AgentFamily>>;

/** Whether a game or agent id names a file of the user's rather than one of ours. */
export function isPluginPath(id: string): boolean {
  return /\.[cm]?[jt]s$/.test(id);
}

/** The file's absolute path, taken from `baseDir`; other ids stay as they are. */
export function resolvePluginId(id: string, baseDir: string): string {
  return isPluginPath(id) && !isAbsolute(id) ? resolve(baseDir, id) : id;
}

/** Our games, and the one that the file `id` exports as `game` if it is a path. */
export async function gameFamilies(id: string): Promise<GameFamilies> {
  return isPluginPath(id) ? { ...games, [id]: await importFamily<GameFamily>(id, "game") } : games;
}

/** Our agents, and those that the files among `ids` export as `agent`. */
export async function agentFamilies(ids: readonly string[]): Promise<AgentFamilies> {
  const own = await Promise.all(
    ids.filter(isPluginPath).map(async (id) => [id, await importFamily<AgentFamily>(id, "agent")] as const),
  );
  return { ...agents, ...Object.fromEntries(own) };
}

async function importFamily<Family extends { create: unknown }>(
  path: string,
  exportName: string,
): Promise<Family> {
  let module: Record<string, unknown>;
  try {
    module = await importModule(path);
  } catch (error) {
    throw new InputError(`${path} cannot be loaded: ${(error as Error).message.split("\n")[0]}`);
  }
  const family = module[exportName];
  if (typeof family !== "object" || family === null || typeof (family as Family).create !== "function") {
    const found = Object.keys(module).join(", ") || "nothing";
    throw new InputError(
      `${path} must export \`${exportName}\`, made by ${exportName === "game" ? "defineGame" : "defineAgent"}; it exports ${found}`,
    );
  }
  return family as Family;
}

/** Node itself strips the types of TypeScript where it can; on Node 20 jiti does. */
async function importModule(path: string): Promise<Record<string, unknown>> {
  const { typescript } = process.features as { typescript?: unknown };
  const native = !/\.[cm]?ts$/.test(path) || Boolean(typescript);
  if (native) return (await import(pathToFileURL(path).href)) as Record<string, unknown>;
  const { createJiti } = await import("jiti");
  return createJiti(import.meta.url).import(path);
}
