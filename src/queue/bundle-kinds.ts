import { readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { z } from "zod";
import { check } from "../base/check.ts";
import { InputError } from "../base/errors.ts";
import { parsePlan, resolvePlan, type TournamentPlan } from "../arena/plan/plan.ts";
import { readLines } from "../specs/files/documents.ts";
import { writeWhole } from "../specs/files/write-file.ts";
import { gameIdOf } from "../specs/games.ts";
import { isChat } from "../specs/hosts.ts";
import { isCode, referTo } from "../specs/references.ts";
import type { CheckedConfig } from "../training/plan/config.ts";
import { Packing, BUNDLE, portable, type Bundle, type LaidOut } from "./bundle.ts";

/*
 * The bundles of runs and trainings. That of a run has its plan, the files of weights, tables and books, and code of the
 * user's. That of a training has what an actor needs: the config without the learner's settings, and code of the user's;
 * weights come with each job.
 */

/** Packs a plan with the files that it names; `dir` is the folder of the run, which has its weights. */
export function packRun(plan: TournamentPlan, dir: string): Bundle {
  const chat = plan.entrants.find(({ spec }) => isChat(spec));
  if (chat !== undefined)
    throw new InputError(
      `${chat.name} is a chat model, whose answers are kept in the folder of the run: play it on this machine`,
    );
  const packing = new Packing();
  const { game, agents, tables = [] } = resolvePlan(plan, dir);
  const copies = [...agents.flatMap(({ files }) => files), tables].flat().filter((file) => !isCode(file));
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

/** The run of a bundle. Throws InputError if the plan names a file that the bundle does not have. */
export function unpackRun({ what, dir, listing, codePath }: LaidOut): UnpackedRun {
  const plan = parsePlan(check(runShape, what, BUNDLE).plan, BUNDLE);
  const filePath = (path: string) => {
    if (!Object.hasOwn(listing.files, portable(path)))
      throw new InputError(`a bundle from the queue names a file that it has not: ${path}`);
    return path;
  };
  const named = resolvePlan(plan, dir);
  const game = named.game.kind === "code" ? { ...plan.game, id: codePath(plan.game.id) } : plan.game;
  const entrants = plan.entrants.map((entrant, at) => {
    // A program and its files are on the worker's machine.
    const spec = named.agents[at]!.renamed(({ kind, name }) =>
      kind === "code" ? codePath(name) : kind === "program" ? name : filePath(name),
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

/** Packs a training for its actors; throws InputError for what workers of a queue have not. */
export function packTraining(config: CheckedConfig): Bundle {
  if (config.opponents?.pool !== undefined)
    throw new InputError("opponents.pool: workers of a queue do not have these agents; play the rounds here");
  const { rule } = config.learner;
  if (rule === "tree-strap" || rule === "expert")
    throw new InputError(
      `learner.rule: workers of a queue send no trees, as ${rule} needs; play the rounds here`,
    );
  const packing = new Packing();
  packing.addCode(codeOf(config));
  return packing.close({ training: forActors(config) });
}

/** The training of a bundle: its config for `planTraining`, with the worker's paths. Throws InputError. */
export function unpackTraining({ what, codePath }: LaidOut): { config: unknown; name: string } {
  const { game, evaluator, ...config } = check(namesShape, what["training"], "a training from the queue");
  const located = {
    ...config,
    game: { ...game, id: referTo("game", game.id).kind === "code" ? codePath(game.id) : game.id },
    evaluator: {
      ...evaluator,
      ...(isFileOfFeatures(evaluator.features) && { features: codePath(evaluator.features) }),
    },
  };
  return { config: located, name: config.name };
}

/** An opening whose positions, if it has some, are a list. */
const listed = z.looseObject({ states: z.array(z.string()).optional() });

/** The keys of the config that may name files; `planTraining` checks the rest. */
const namesShape = z.looseObject({
  name: z.string(),
  game: z.looseObject({ id: z.string() }),
  evaluator: z.looseObject({ features: z.string().optional(), initial: z.undefined().optional() }),
  learner: z.looseObject({ rule: z.enum(["td", "lambda-returns"]) }),
  openings: listed.extend({ mix: z.array(listed).optional() }),
  rating: z.strictObject({ pool: z.tuple([z.literal("random")]), player: z.literal("greedy") }),
});

function forActors(config: CheckedConfig): unknown {
  const { name, game, seed, games, evaluator, learner, exploration, openings, opponents } = config;
  const { initial: _, ...model } = evaluator;
  const list = <T extends { states?: string | string[] | undefined }>(opening: T): T =>
    typeof opening.states === "string"
      ? { ...opening, states: readLines(opening.states, (line) => line) }
      : opening;
  return {
    name,
    game,
    seed,
    games,
    evaluator: model,
    learner,
    exploration,
    openings: "mix" in openings ? { mix: openings.mix.map(list) } : list(openings),
    ...(opponents && { opponents }),
    rating: { pool: ["random"], player: "greedy" },
  };
}

function codeOf({ game, evaluator }: CheckedConfig): string[] {
  const features = "features" in evaluator ? evaluator.features : undefined;
  return [...referTo("game", gameIdOf(game)).code, ...(isFileOfFeatures(features) ? [features] : [])];
}

function isFileOfFeatures(features: string | undefined): features is string {
  return features !== undefined && referTo("features", features).kind === "code";
}
