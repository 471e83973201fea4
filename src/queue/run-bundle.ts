import { readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import type { Redis } from "ioredis";
import { z } from "zod";
import { check } from "../base/check.ts";
import { InputError } from "../base/errors.ts";
import { parsePlan, resolvePlan, type TournamentPlan } from "../arena/plan/plan.ts";
import { writeWhole } from "../specs/files/documents.ts";
import { referTo } from "../specs/references.ts";
import { layOut, Packing, BUNDLE, portable, type Bundle } from "./bundle.ts";

/*
 * The bundle of a run: its plan, the files of weights, tables and books, and code of the user's.
 */

/** Packs a plan with the files that it names; `dir` is the folder of the run, which has its weights. */
export function packRun(plan: TournamentPlan, dir: string): Bundle {
  const packing = new Packing();
  const { game, agents, tables = [] } = resolvePlan(plan, dir);
  const copies = [...agents.flatMap(({ files }) => files), tables]
    .flat()
    .filter(({ kind }) => kind !== "code");
  for (const file of copies.flatMap(({ files }) => files)) packing.add(portable(relative(dir, file)), file);
  packing.addCode([...new Set([game, ...agents].flatMap(({ code }) => code))]);
  return packing.close({ plan });
}

/** The bundle of a run that a worker has unpacked. */
export interface UnpackedRun {
  readonly plan: TournamentPlan;
  /** The worker's folder of this bundle. */
  readonly dir: string;
  /** Rewrites paths in a text as they are on the machine that began the run. */
  readonly asSent: (text: string) => string;
}

/** The error with the paths in its message as `asSent` rewrites them. */
export function toldAsSent(error: unknown, { asSent }: UnpackedRun): Error {
  const { message } = error as Error;
  return Object.assign(error as Error, { message: asSent(message) });
}

const runShape = z.strictObject({ plan: z.unknown() });

/** Unpacks a run. Throws as `layOut`, and InputError if the plan names a file that the bundle does not have. */
export async function unpackRun(
  redis: Redis,
  hash: string,
  options: { parent: string; plugins: boolean },
): Promise<UnpackedRun> {
  const { what, dir, listing, codePath } = await layOut(redis, hash, options);
  const plan = parsePlan(check(runShape, what, BUNDLE).plan, BUNDLE);
  const filePath = (path: string) => {
    if (!Object.hasOwn(listing.files, portable(path)))
      throw new InputError(`a bundle from the queue names a file that it has not: ${path}`);
    return path;
  };
  const named = resolvePlan(plan, dir);
  const game = named.game.kind === "code" ? { ...plan.game, id: codePath(plan.game.id) } : plan.game;
  const entrants = plan.entrants.map((entrant, at) => {
    const spec = named.agents[at]!.renamed(({ kind, name }) =>
      kind === "code" ? codePath(name) : filePath(name),
    );
    return { ...entrant, spec };
  });
  if (named.tables !== undefined) filePath(named.tables.name);
  const weights = named.agents.flatMap(({ files }) => files.filter(({ kind }) => kind === "weights"));
  for (const path of new Set(weights.map((file) => file.path))) lookIntoWeights(path, codePath);
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

/** Weights may name a feature set by the path of its code on another machine. It becomes the path in the bundle. */
function lookIntoWeights(path: string, codePath: (path: string) => string): void {
  const json = JSON.parse(readFileSync(path, "utf8")) as { evaluator?: { features?: unknown } };
  const features = json.evaluator?.features;
  if (typeof features !== "string" || referTo("features", features).kind !== "code") return;
  json.evaluator!.features = codePath(features);
  writeWhole(path, JSON.stringify(json));
}
