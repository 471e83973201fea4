// oxlint-disable-next-line no-restricted-imports -- a training of a sweep is a process
import process from "node:process";
import { performance } from "node:perf_hooks";
import type { Played } from "../../ratings/format-results.ts";
import { InputError } from "../../base/errors.ts";
import { DivergenceError } from "../learn/learner.ts";
import type { CurvePoint } from "../curve/curve.ts";
import { trainFromConfig } from "../run/train.ts";

/*
 * The process of one training of a sweep: `node sweep-process.js`. It gets one TrainingOrder, sends its progress, at last
 * a TrainingEnd, and ends. It stops with its state saved when it is told to, or when the process that started it is gone.
 */

/** The training that the process is for. */
export interface TrainingOrder {
  /** As `planTraining` has made it, its paths absolute. */
  readonly config: unknown;
  readonly outDir: string;
  readonly workers: number;
  readonly sitting?: Played | undefined;
}

/** Sentences, games and the end of a training, as its process tells of them. */
export type TrainingMessage =
  | { readonly note: string }
  | { readonly gamesDone: number }
  | { readonly end: TrainingEnd };

/** The end of a training; neither curve nor problem if it was stopped. */
export interface TrainingEnd {
  readonly points?: readonly CurvePoint[] | undefined;
  /** The games of self-play of the weights that it ended with. */
  readonly weightsGames?: number | undefined;
  /** The reason why it has no weights; `isOwn` if the config is to blame, or what it led to. */
  readonly problem?: { readonly message: string; readonly isOwn: boolean } | undefined;
}

/** The least time between two messages of progress. */
const PROGRESS_MS = 300;

const controller = new AbortController();
const stop = () => controller.abort();
process.on("disconnect", stop);
// A terminal sends Ctrl-C to all processes; the one that started this one tells what to do.
process.on("SIGINT", () => {});
process.on("SIGTERM", stop);

const send = (message: TrainingMessage) => {
  if (process.connected) process.send!(message, undefined, undefined, () => {});
};

async function train({ config, outDir, workers, sitting }: TrainingOrder): Promise<TrainingEnd> {
  let told = -Infinity;
  try {
    const { finished, curve, weightsGames } = await trainFromConfig({
      config,
      outDir,
      workers,
      sitting,
      resume: true,
      signal: controller.signal,
      onNote: (note) => send({ note }),
      onProgress: ({ gamesDone }) => {
        if (performance.now() - told < PROGRESS_MS) return;
        told = performance.now();
        send({ gamesDone });
      },
    });
    return finished ? { points: curve.points, weightsGames } : {};
  } catch (error) {
    const isOwn = error instanceof InputError || error instanceof DivergenceError;
    return { problem: { message: isOwn ? error.message : String((error as Error).stack ?? error), isOwn } };
  }
}

process.once("message", (order: TrainingOrder) => {
  process.on("message", stop);
  void train(order).then((end) => {
    send({ end });
    process.off("disconnect", stop);
    if (process.connected) process.disconnect();
  });
});
