import { existsSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { Store } from "../../arena/store/store.ts";
import { aboutOf, aboutShape, type About } from "../../base/about.ts";
import { check } from "../../base/check.ts";
import { readJson } from "../../specs/files/documents.ts";
import { loadHeader } from "../../specs/files/weights-file.ts";
import { writeWhole } from "../../specs/files/write-file.ts";
import { curveOf, rightShares } from "../curve/curve.ts";
import { folderOf, type Sweep } from "./sweep.ts";
import { reportSweep, type SweepReport } from "./sweep-report.ts";

const INDEX = "sweep.json";

/** The list of the trainings in the folder of a sweep. */
const indexShape = z.looseObject({
  name: z.string().default(""),
  ...aboutShape,
  seeds: z.array(z.string()),
  settings: z.array(
    z.looseObject({
      name: z.string(),
      folder: z.string(),
      /** Sweeps of older versions have none. */
      values: z.record(z.string(), z.unknown()).default({}),
    }),
  ),
});

/** True if `dir` is the folder of a sweep. */
export function isSweepFolder(dir: string): boolean {
  return existsSync(join(dir, INDEX));
}

/** Writes the list of a sweep's trainings into its folder. */
export function saveSweepIndex(dir: string, { name, about, seeds, settings }: Sweep): void {
  const listed = settings.map(({ name: setting, folder, values }) => ({ name: setting, folder, values }));
  writeWhole(join(dir, INDEX), `${JSON.stringify({ name, ...about, seeds, settings: listed }, null, 2)}\n`);
}

function readIndex(dir: string): z.output<typeof indexShape> {
  return check(indexShape, readJson(join(dir, INDEX)), join(dir, INDEX));
}

/** The folders of a sweep's trainings, below its own, as far as they have rated checkpoints. */
export function ratedTrainings(dir: string): string[] {
  const { seeds, settings } = readIndex(dir);
  return settings
    .flatMap(({ folder }) => seeds.map((seed) => join(folder, folderOf(seed))))
    .filter((folder) => Store.exists(join(dir, folder)));
}

/** What the trainings of a sweep reached so far, from their folders. Throws InputError. */
export function loadSweepReport(dir: string): { report: SweepReport; about: About; unfinished: number } {
  const { name, seeds, settings, ...words } = readIndex(dir);
  let players = 2;
  let unfinished = 0;
  const trained = settings.map(({ folder }) =>
    seeds.map((seed) => {
      const training = join(dir, folder, folderOf(seed));
      const weights = join(training, "weights.json");
      if (!existsSync(weights) || !Store.exists(training)) {
        unfinished++;
        return { seed };
      }
      return Store.reading({ dir: training }, (store) => {
        const plan = store.requirePlan(training);
        players = plan.players;
        const shares = rightShares(training);
        const points = curveOf(plan, store.records()).points.map((point) => ({
          ...point,
          right: shares[point.games],
        }));
        return { seed, points, weightsGames: Number(loadHeader(weights).training.games) };
      });
    }),
  );
  return { report: reportSweep({ name, settings, players }, trained), about: aboutOf(words), unfinished };
}
