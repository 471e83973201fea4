import { existsSync, readdirSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { z } from "zod";
import { check } from "../base/check.ts";
import { escapeControls, InputError } from "../base/errors.ts";
import type { Inspection } from "../explain/weights/inspect.ts";
import { readJson } from "../specs/files/documents.ts";
import { aboutOf } from "../base/about.ts";
import { equipGame } from "../specs/evaluators.ts";
import { loadGame } from "../specs/games.ts";
import { referTo } from "../specs/references.ts";
import { inspectWeights } from "./inspect-weights.ts";
import { Store } from "../arena/store/store.ts";
import { checkpointPath, curveOf, learningFigures, rightShares } from "../training/curve/curve.ts";
import { reasonOf, withoutFolders } from "./reason.ts";
import type { Checkpoint } from "../ratings/sections/curve.ts";
import type { TrainingData } from "./page/data.ts";

/** Weights that are listed by name, above zero and as many below. */
const LISTED = 12;

/** The part of a training's frozen config that the page shows. */
const frozen = z.looseObject({ name: z.string(), game: z.looseObject({ id: z.string() }) });

const CHECKPOINTS = "checkpoints";

/** True if the folder is that of a training. */
export function isTraining(dir: string): boolean {
  return existsSync(join(dir, "config.json")) && existsSync(join(dir, CHECKPOINTS));
}

/** Collects the page's data of a training: its curve and its last weights. */
export async function collectTraining(dir: string): Promise<TrainingData> {
  const config = check(frozen, readJson(join(dir, "config.json")), join(dir, "config.json"));
  const notices: string[] = [];
  const curve = curveIn(dir, notices);
  const finished = join(dir, "weights.json");
  if (!existsSync(finished)) notices.push("The training is not finished.");
  const inspection = await inspected(
    // The game of the rating is found in the folder, whatever has become of the file.
    curve.game ?? config.game,
    existsSync(finished) ? finished : lastCheckpoint(dir),
    notices,
  );
  return {
    name: config.name,
    about: aboutOf(config),
    folder: escapeControls(basename(resolve(dir))),
    game: { ...config.game, id: withoutFolders(config.game.id) },
    notices: [...notices, ...curve.warnings.map((warning) => withoutFolders(warning))],
    points: curve.points,
    pool: curve.pool,
    rankedBy: curve.rankedBy,
    ...(inspection && { inspection }),
  };
}

function curveIn(
  dir: string,
  notices: string[],
): Pick<TrainingData, "points" | "pool" | "rankedBy"> & {
  warnings: readonly string[];
  game?: TrainingData["game"];
} {
  const empty = { points: [], pool: [], rankedBy: "elo", warnings: [] } as const;
  if (!Store.exists(dir)) {
    notices.push("No checkpoint is rated yet.");
    return empty;
  }
  let store: Store | undefined;
  try {
    store = Store.openExisting(dir);
    const plan = store.loadPlan();
    if (plan === undefined) return empty;
    const { points, pool, warnings } = curveOf(plan, store.records());
    const shares = rightShares(dir);
    return {
      points: points.map(({ games, elo, low, high, score, saturated, meanReturn, worst }): Checkpoint => {
        const { tdError, losses } = figuresOf(join(dir, checkpointPath(games)), notices);
        const right = shares[games];
        return {
          games,
          elo,
          low,
          high,
          score,
          ...(saturated && { saturated }),
          meanReturn,
          ...(tdError !== undefined && { tdError }),
          ...(losses && { losses }),
          ...(worst && { worst }),
          ...(right && { right }),
        };
      }),
      pool,
      game: plan.game,
      rankedBy: plan.players === 1 ? "return" : "elo",
      warnings,
    };
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    notices.push(`The ratings of the checkpoints cannot be shown: ${reasonOf(error)}`);
    return empty;
  } finally {
    store?.close();
  }
}

function figuresOf(checkpoint: string, notices: string[]): Pick<Checkpoint, "tdError" | "losses"> {
  if (!existsSync(checkpoint)) return {};
  try {
    return learningFigures(checkpoint);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    notices.push(`A checkpoint cannot be read: ${reasonOf(error)}`);
    return {};
  }
}

function lastCheckpoint(dir: string): string | undefined {
  const games = readdirSync(join(dir, CHECKPOINTS))
    .map((name) => /^(\d+)\.json$/.exec(name)?.[1])
    .filter((found) => found !== undefined)
    .map(Number);
  return games.length === 0 ? undefined : join(dir, checkpointPath(Math.max(...games)));
}

async function inspected(
  spec: TrainingData["game"],
  path: string | undefined,
  notices: string[],
): Promise<Inspection | undefined> {
  if (path === undefined) return undefined;
  try {
    const game = await equipGame(await loadGame(spec), [referTo("evaluator", path)]);
    return inspectWeights(path, game, { top: LISTED });
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    notices.push(`The weights cannot be shown: ${reasonOf(error)}`);
    return undefined;
  }
}
