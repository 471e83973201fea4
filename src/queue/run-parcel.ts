import { readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import type { Redis } from "ioredis";
import { z } from "zod";
import { check } from "../base/check.ts";
import { InputError } from "../base/errors.ts";
import { parsePlan, type TournamentPlan } from "../arena/plan/plan.ts";
import { writeWhole } from "../files/documents.ts";
import {
  codeOfAgents,
  codeOfGame,
  filesOf,
  mapFiles,
  referTo,
  type FileReference,
} from "../specs/references.ts";
import { layOut, Packing, PARCEL, portable, type Parcel } from "./parcel.ts";

/*
 * What a worker needs to play the games of a run: the plan, the files of weights, tables and books, and code of the user's.
 */

/** Packs a plan with all that it names; `dir` is the folder of the run, where its weights are. */
export function packRun(plan: TournamentPlan, dir: string): Parcel {
  const packing = new Packing();
  const specs = plan.entrants.map(({ spec }) => spec);
  const copies = specs.flatMap((spec) => filesOf(spec, dir)).filter(({ kind }) => kind !== "code");
  for (const file of copies.flatMap(({ files }) => files)) packing.add(portable(relative(dir, file)), file);
  packing.addCode([...codeOfGame(plan.game), ...codeOfAgents(specs, dir)]);
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
  const [gameCode] = codeOfGame(plan.game);
  const game = gameCode === undefined ? plan.game : { ...plan.game, id: codePath(plan.game.id) };
  const entrants = plan.entrants.map((entrant) => {
    const locate = ({ kind, name }: FileReference) => {
      if (kind === "code") return codePath(name);
      const path = filePath(name);
      if (kind === "weights") lookIntoWeights(join(dir, path), codePath);
      return path;
    };
    return { ...entrant, spec: mapFiles(entrant.spec, locate) };
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
  if (typeof features !== "string" || referTo("features", features).kind !== "code") return;
  json.evaluator!.features = codePath(features);
  writeWhole(path, JSON.stringify(json));
}
