import { existsSync, statSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { z } from "zod";
import { Store } from "../../arena/store/store.ts";
import { check } from "../../base/check.ts";
import { InputError } from "../../base/errors.ts";
import { readJson, writeWhole } from "../../specs/files/documents.ts";
import { loadHeader, loadNumbers } from "../../specs/files/weights-file.ts";
import { trainingSchema } from "../plan/config.ts";
import { Explorer } from "../self-play/explorer.ts";
import { stepSizeAt } from "../self-play/game-settings.ts";
import { checkpointPath, curveOf } from "../curve/curve.ts";
import { folderOf } from "./sweep.ts";
import { formatEvents, type ScalarEvent } from "../curve/event-file.ts";

/** The parts of a training's config that figures come from. */
const exportedConfig = z.looseObject(
  trainingSchema.pick({ name: true, games: true, learner: true, exploration: true }).shape,
);

/** The list of trainings in the folder of a sweep. */
const sweepIndex = z.looseObject({
  seeds: z.array(z.string()),
  settings: z.array(z.looseObject({ folder: z.string() })),
});

/** The event files of a training's folder, or of each training of a sweep's. Throws InputError if none has a rating. */
export function eventFiles(dir: string, out: string): { readonly training: string; readonly path: string }[] {
  // TensorBoard reads files whose name has the word tfevents; a folder is a run.
  const fileOf = (folder: string) => join(out, folder, "events.out.tfevents.agon");
  const index = join(dir, "sweep.json");
  if (!existsSync(index)) return [{ training: dir, path: fileOf(basename(resolve(dir))) }];
  const { seeds, settings } = check(sweepIndex, readJson(index), index);
  const folders = settings.flatMap(({ folder }) => seeds.map((seed) => join(folder, folderOf(seed))));
  const rated = folders.filter((folder) => Store.exists(join(dir, folder)));
  if (rated.length === 0) throw new InputError("no training of this sweep has a rated checkpoint", dir);
  return rated.map((folder) => ({ training: join(dir, folder), path: fileOf(folder) }));
}

/** Writes the curves of a training, or of each training of a sweep, for TensorBoard. Returns the files. */
export function exportEvents(dir: string, out: string): string[] {
  return eventFiles(dir, out).map(({ training, path }) => {
    writeWhole(path, formatEvents(eventsOf(training)));
    return path;
  });
}

function eventsOf(dir: string): ScalarEvent[] {
  const path = join(dir, "config.json");
  if (!existsSync(path)) throw new InputError("is no folder of a training", dir);
  const config = check(exportedConfig, readJson(path), path);
  if (!Store.exists(dir)) throw new InputError("has no rated checkpoint yet", dir);
  const store = Store.openExisting(dir);
  try {
    const { points, pool } = curveOf(store.requirePlan(dir), store.records());
    return points.map(({ games, elo, low, high, score, meanReturn, against }) => {
      const checkpoint = join(dir, checkpointPath(games));
      const number = Math.max(0, games - 1);
      const { tdError } = loadHeader(checkpoint).training;
      const explorer = new Explorer();
      explorer.begin(config, number);
      return {
        time: statSync(checkpoint).mtimeMs / 1000,
        step: games,
        scalars: {
          "rating/elo": elo,
          "rating/elo low": low,
          "rating/elo high": high,
          "rating/score": score,
          "rating/mean return": meanReturn.mean,
          ...Object.fromEntries(against.map(({ mean }, at) => [`return against/${pool[at]!.name}`, mean])),
          "learning/TD error": typeof tdError === "number" ? tdError : undefined,
          "learning/step size": stepSizeAt(config, number),
          "learning/norm of the weights": normOf(loadNumbers(checkpoint)),
          ...(config.exploration.kind === "softmax"
            ? { "learning/temperature": explorer.temperature }
            : { "learning/epsilon": explorer.epsilon }),
        },
      };
    });
  } finally {
    store.close();
  }
}

/** The Euclidean norm. */
function normOf(weights: Float32Array): number {
  let squares = 0;
  for (const weight of weights) squares += weight * weight;
  return Math.sqrt(squares);
}
