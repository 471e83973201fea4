import { resolve } from "node:path";
import { InputError } from "../base/errors.ts";
import type { AgentSpec } from "../agents/agent.ts";
import { KNOWLEDGE_KEYS, type Knowledge, type KnowledgeOptions } from "../agents/knowledge.ts";
import type { Game } from "../games/game.ts";
import { tablesMisfit } from "../tables/tables.ts";
import { loadTables } from "./tables-file.ts";

/** The endings of the files that options for knowledge name. */
const FILE = /\.agon$/;

/** The spec with other paths of the files that its options for knowledge name; itself if it names none. */
export function mapKnowledge(spec: AgentSpec, map: (path: string, key: string) => string): AgentSpec {
  const named = Object.entries(spec).filter(
    ([key, value]) => KNOWLEDGE_KEYS.includes(key) && typeof value === "string" && FILE.test(value),
  );
  if (named.length === 0) return spec;
  return { ...spec, ...Object.fromEntries(named.map(([key, path]) => [key, map(path as string, key)])) };
}

/** The spec with these paths taken from `baseDir` where they are relative. */
export function locateKnowledge(spec: AgentSpec, baseDir: string): AgentSpec {
  return mapKnowledge(spec, (path) => resolve(baseDir, path));
}

/** Reads the files that the options name; throws InputError, its paths relative to the agent's spec. */
export function loadKnowledge(game: Game, { tables }: KnowledgeOptions): Knowledge {
  return { tables: tables === undefined ? undefined : at("tables", () => tablesFor(game, tables)) };
}

function tablesFor(game: Game, path: string): NonNullable<Knowledge["tables"]> {
  const misfit = tablesMisfit(game);
  if (misfit !== undefined) throw new InputError(`there are no tables for ${game.id}, which has ${misfit}`);
  return loadTables(path, game);
}

/** Runs `read`; an InputError is one of the option `key`. */
function at<T>(key: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    throw new InputError(error.message.split("\n").map((message) => ({ path: key, message })));
  }
}
