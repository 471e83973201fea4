import { existsSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { z } from "zod";
import { check, method } from "../../base/check.ts";
import { InputError } from "../../base/errors.ts";
import { didYouMean } from "../../base/text.ts";
import { describeError, theirPlaceOf } from "../../base/thrown.ts";
import { BUDGET_KEYS, type AgentFamily } from "../../agents/agent.ts";
import type { EvaluatorFamily, FeatureFamily } from "../../evaluators/index.ts";
import type { GameFamily } from "../../games/contract/game.ts";
import { sizeOf } from "../files/documents.ts";
import { importModule } from "./user-modules.ts";

/*
 * A file of the user exports a game, an agent, an evaluator, a feature set, or several of them. The exports are called
 * `game`, `agent`, `evaluator` and `features`. A default export counts as any of them.
 */

interface Plugins {
  readonly game: GameFamily;
  readonly agent: AgentFamily;
  readonly evaluator: EvaluatorFamily;
  readonly features: FeatureFamily;
}
type PluginKind = keyof Plugins;

const MAKERS: Readonly<Record<PluginKind, string>> = {
  game: "defineGame",
  agent: "defineAgent",
  evaluator: "defineEvaluator",
  features: "defineFeatures",
};

const text = z.string().min(1);
const options = z.custom<z.ZodObject>(
  (given) => given instanceof Object && "shape" in given && "safeParse" in given,
  "must be a zod object, such as z.strictObject({})",
);

/** The members that each kind must have. The rules of a game are checked when the game is made: made-parts.ts. */
const SHAPES: Readonly<Record<PluginKind, z.ZodObject>> = {
  game: z.strictObject({
    id: text,
    summary: text,
    options,
    lists: z.record(text, method).optional(),
    create: method,
  }),
  agent: z.strictObject({
    id: text,
    summary: text,
    options,
    presets: z.record(text, z.looseObject({ summary: text, options: z.looseObject({}) })).optional(),
    budgets: z.array(z.enum(BUDGET_KEYS)),
    unsupported: method,
    problems: method.optional(),
    create: method,
  }),
  evaluator: z.strictObject({ unsupported: method.optional(), create: method }),
  features: z.strictObject({ unsupported: method.optional(), create: method }),
};

/** The names that a file exports. Throws InputError that names the file. */
export async function exportsOf(path: string): Promise<readonly string[]> {
  return Object.keys(await importFile(resolve(path)));
}

/** Imports the `kind` that a file exports. Throws InputError that names the file. */
export async function importPlugin<Kind extends PluginKind>(
  path: string,
  kind: Kind,
): Promise<Plugins[Kind]> {
  const module = await importFile(path);
  const found = Object.keys(module);
  const given = found.includes(kind) ? kind : found.includes("default") ? "default" : undefined;
  if (given === undefined) {
    const names = found.length === 0 ? "nothing" : found.join(", ");
    const near = found.find((name) => didYouMean(name, [kind]) !== "");
    throw new InputError(
      `${path} must export \`${kind}\`, or a default, made by ${MAKERS[kind]}; it exports ${names}` +
        (near === undefined ? "" : ` (did you mean "${kind}"?)`),
    );
  }
  const made = module[given];
  checkMembers(made, SHAPES[kind], `${path}: ${given} must be made by ${MAKERS[kind]}`);
  return made as Plugins[Kind];
}

/** Throws InputError unless `given` has the members that the schema demands. `subject` begins each line of the message. */
export function checkMembers(given: unknown, schema: z.ZodObject, subject: string): void {
  try {
    check(schema, given);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const lines = error.problems.map(({ path, message }) =>
      [subject, path, message].filter((part) => part !== ""),
    );
    throw new InputError(lines.map((parts) => ({ path: "", message: parts.join(": ") })));
  }
}

async function importFile(path: string): Promise<Readonly<Record<string, unknown>>> {
  // Importing a pipe would wait for its end.
  if (existsSync(path) && !statSync(path).isDirectory()) sizeOf(path);
  try {
    return await importModule(path);
  } catch (error) {
    const place = theirPlaceOf(error);
    const what = error instanceof InputError ? error.message : describeError(error).replace(/^Error: /, "");
    throw new InputError(`${path} cannot be loaded: ${what}${place === undefined ? "" : `, at ${place}`}`);
  }
}
