import type { Redis } from "ioredis";
import { z } from "zod";
import { check } from "../base/check.ts";
import { readLines } from "../specs/files/documents.ts";
import { gameIdOf } from "../specs/games.ts";
import { referTo } from "../specs/references.ts";
import type { CheckedConfig } from "../training/plan/config.ts";
import { layOut, Packing, type Bundle } from "./bundle.ts";

/*
 * The part of a training that an actor needs: its config without the learner's settings, and code of the user's. Weights
 * come with each job.
 */

/** Packs a training for its actors. */
export function packTraining(config: CheckedConfig): Bundle {
  const packing = new Packing();
  packing.addCode(codeOf(config));
  return packing.close({ training: forActors(config) });
}

/** Unpacks a training into a folder of `parent`: its config for `planTraining`, with the worker's paths. Throws as `layOut`. */
export async function unpackTraining(
  redis: Redis,
  hash: string,
  options: { parent: string; plugins: boolean },
): Promise<{ config: unknown; name: string; dir: string }> {
  const { what, dir, codePath } = await layOut(redis, hash, options);
  const { game, evaluator, ...config } = check(namesShape, what["training"], "a training from the queue");
  const located = {
    ...config,
    game: { ...game, id: referTo("game", game.id).kind === "code" ? codePath(game.id) : game.id },
    evaluator: {
      ...evaluator,
      ...(isCode(evaluator.features) && { features: codePath(evaluator.features) }),
    },
  };
  return { config: located, name: config.name, dir };
}

/** The keys of the config that may name files; `planTraining` checks the rest. */
const namesShape = z.looseObject({
  name: z.string(),
  game: z.looseObject({ id: z.string() }),
  evaluator: z.looseObject({ features: z.string().optional(), initial: z.undefined().optional() }),
  learner: z.looseObject({ rule: z.enum(["td", "lambda-returns"]) }),
  openings: z.looseObject({ states: z.array(z.string()).optional() }),
  rating: z.strictObject({ pool: z.tuple([z.literal("random")]), player: z.literal("greedy") }),
});

function forActors(config: CheckedConfig): unknown {
  const { name, game, seed, games, evaluator, learner, exploration, openings, opponents } = config;
  const { initial: _, ...model } = evaluator;
  const { states: given, randomPlies } = openings;
  const states = typeof given === "string" ? readLines(given, (line) => line) : given;
  return {
    name,
    game,
    seed,
    games,
    evaluator: model,
    learner,
    exploration,
    openings: { randomPlies, ...(states && { states }) },
    ...(opponents && { opponents }),
    rating: { pool: ["random"], player: "greedy" },
  };
}

function codeOf({ game, evaluator }: CheckedConfig): string[] {
  const features = "features" in evaluator ? evaluator.features : undefined;
  return [...referTo("game", gameIdOf(game)).code, ...(isCode(features) ? [features] : [])];
}

function isCode(features: string | undefined): features is string {
  return features !== undefined && referTo("features", features).kind === "code";
}
