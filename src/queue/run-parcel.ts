import { readFileSync } from "node:fs";
import { join, relative, resolve, sep } from "node:path";
import type { Redis } from "ioredis";
import { z } from "zod";
import { check } from "../base/check.ts";
import { InputError } from "../base/errors.ts";
import type { AgentSpec } from "../agents/agent.ts";
import { gameFilesOf } from "../arena/plan/code.ts";
import { parsePlan, type TournamentPlan } from "../arena/plan/plan.ts";
import { isPluginPath, isWeightsPath } from "../evaluators/index.ts";
import { pluginFilesOf } from "../specs/evaluators.ts";
import { writeWhole } from "../files/documents.ts";
import { mapTablesAndBook } from "../specs/knowledge.ts";
import { filesOfWeights } from "../files/weights-file.ts";
import { layOut, Packing, PARCEL, portable, type Parcel } from "./parcel.ts";

/*
 * What a worker needs to play the games of a run: the plan, the files of weights, tables and books, and code of the user's.
 */

/** Packs a plan with all that it names; `dir` is the folder of the run, where its weights are. */
export function packRun(plan: TournamentPlan, dir: string): Parcel {
  const packing = new Packing();
  const specs = plan.entrants.map(({ spec }) => spec);
  for (const path of specs.flatMap(weightsOf)) {
    for (const file of filesOfWeights(resolve(dir, path))) packing.add(portable(relative(dir, file)), file);
  }
  const addKnown = (path: string) => {
    packing.add(portable(path), resolve(dir, path));
    return path;
  };
  for (const spec of specs) mapTablesAndBook(spec, addKnown);
  const located = specs.map((spec) => locate(spec, (path) => resolve(dir, path)));
  packing.addCode([...gameFilesOf(plan.game.id), ...pluginFilesOf(located)]);
  return packing.close({ plan });
}

/** The parcel of a run that a worker has unpacked. */
export interface UnpackedRun {
  readonly plan: TournamentPlan;
  /** The worker's folder of this parcel. */
  readonly dir: string;
  /** The text with paths as they are where the run was begun. */
  readonly asSent: (text: string) => string;
}

/** The error with paths in its message as they are where the run was begun. */
export function toldAsSent(error: unknown, { asSent }: UnpackedRun): Error {
  const { message } = error as Error;
  return Object.assign(error as Error, { message: asSent(message) });
}

const runShape = z.strictObject({ plan: z.unknown() });

/** As `layOut`, of a run. Throws InputError also where it names a file that it has not. */
export async function unpackRun(
  redis: Redis,
  hash: string,
  options: { parent: string; plugins: boolean },
): Promise<UnpackedRun> {
  const { what, dir, listing, codePath } = await layOut(redis, hash, options);
  const plan = parsePlan(check(runShape, what, PARCEL).plan, PARCEL);
  const filePath = (path: string) => {
    if (!Object.hasOwn(listing.files, portable(path)))
      throw new InputError(`a parcel from the queue names a file that it has not: ${path}`);
    return path;
  };
  const game = isPluginPath(plan.game.id) ? { ...plan.game, id: codePath(plan.game.id) } : plan.game;
  const entrants = plan.entrants.map((entrant) => {
    for (const path of weightsOf(entrant.spec)) lookIntoWeights(join(dir, filePath(path)), codePath);
    const agent = isPluginPath(entrant.spec.agent) ? codePath(entrant.spec.agent) : entrant.spec.agent;
    const spec = locate({ ...mapTablesAndBook(entrant.spec, filePath), agent }, filePath, codePath);
    return { ...entrant, spec };
  });
  const sent = Object.entries(listing.code).map(
    ([path, name]) => [join(dir, ...name.split("/")), path] as const,
  );
  sent.push([`${dir}${sep}`, ""]);
  return {
    plan: { ...plan, game, entrants },
    dir,
    asSent: (text) => sent.reduce((said, [here, there]) => said.replaceAll(here, there), text),
  };
}

/** Weights may name a feature set by the path of its code where they were made: here it is the parcel's. */
function lookIntoWeights(path: string, codePath: (path: string) => string): void {
  const json = JSON.parse(readFileSync(path, "utf8")) as { evaluator?: { features?: unknown } };
  const features = json.evaluator?.features;
  if (typeof features !== "string" || !isPluginPath(features)) return;
  json.evaluator!.features = codePath(features);
  writeWhole(path, JSON.stringify(json));
}

/** The spec with its evaluator's path changed, if it is one. */
function locate(
  spec: AgentSpec,
  weights: (path: string) => string,
  code = (path: string) => path,
): AgentSpec {
  const { evaluator } = spec;
  if (typeof evaluator !== "string") return spec;
  if (isWeightsPath(evaluator)) return { ...spec, evaluator: weights(evaluator) };
  return isPluginPath(evaluator) ? { ...spec, evaluator: code(evaluator) } : spec;
}

function weightsOf({ evaluator }: AgentSpec): string[] {
  return typeof evaluator === "string" && isWeightsPath(evaluator) ? [evaluator] : [];
}
