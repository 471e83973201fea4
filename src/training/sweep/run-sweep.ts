import type { Played } from "../../ratings/format-results.ts";
import { fork } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { InputError } from "../../base/errors.ts";
import { makeFolder, writeWhole } from "../../specs/files/write-file.ts";
import { lockFolder } from "../../specs/files/lock.ts";
import { isSweepFolder, saveSweepIndex } from "./sweep-folder.ts";
import { folderOf, type Sweep } from "./sweep.ts";
import { reportSweep, type SweepReport, type TrainedSetting } from "./sweep-report.ts";
import { formatSweepCsv, formatSweepSvg, formatSweepTable } from "./format-sweep.ts";
import type { TrainingEnd, TrainingMessage, TrainingOrder } from "./sweep-process.ts";

const FILE = fileURLToPath(new URL("sweep-process.js", import.meta.url));

/** The arguments of `runSweep` besides the sweep. */
export interface SweepRequest {
  /**
   * The folder of the sweep. Its files:
   *
   *     sweep.json               names, folders and values of the settings, the seeds
   *     <setting>/<seed>/        the folder of a training
   *     sweep.csv                the curves of all trainings
   *     sweep.md, sweep.svg      the table and the picture of the settings
   *     report.html              the sweep as a page, written by the command line at the end
   */
  readonly dir: string;
  /** Goes on with the sweep in `dir`, which may have had fewer settings and seeds. */
  readonly resume?: boolean | undefined;
  /** Cores for its trainings, which learn in processes of their own; changes no result. */
  readonly workers: number;
  readonly signal?: AbortSignal | undefined;
  /** Program, machine, time and command, for the runs of its trainings to note [none]. */
  readonly sitting?: Played | undefined;
  /** Takes a sentence that a person should read at once. */
  readonly onNote?: ((text: string) => void) | undefined;
  readonly onProgress?: ((progress: SweepProgress) => void) | undefined;
}

/** The progress of a sweep. */
interface SweepProgress {
  readonly trainingsDone: number;
  readonly trainings: number;
  /** Games of self-play of all trainings together. */
  readonly gamesDone: number;
  readonly gamesTotal: number;
}

/** One training of a sweep. */
interface SweptTraining {
  readonly setting: number;
  readonly seed: string;
  readonly order: Omit<TrainingOrder, "workers">;
  readonly games: number;
}

/**
 * Trains every setting with every seed, as many side by side as there are workers. A training that fails is told of in
 * the report and keeps no other from its end. Returns undefined if the signal stopped it. Throws InputError if the folder
 * is in use, or holds another sweep.
 */
export async function runSweep(sweep: Sweep, request: SweepRequest): Promise<SweepReport | undefined> {
  const { dir, resume = false } = request;
  makeFolder(dir);
  const lock = lockFolder(dir);
  try {
    if (!resume && isSweepFolder(dir))
      throw new InputError("holds a sweep already; go on with --resume, or name another folder", dir);
    saveSweepIndex(dir, sweep);
    const ends = await trainAll(sweep, request);
    if (ends === undefined) return undefined;
    lock.check();
    const report = reportSweep(sweep, ends);
    writeWhole(join(dir, "sweep.csv"), formatSweepCsv(report));
    writeWhole(join(dir, "sweep.md"), formatSweepTable(report));
    writeWhole(join(dir, "sweep.svg"), formatSweepSvg(report));
    return report;
  } finally {
    lock.release();
  }
}

/** The ends of all trainings, by setting and seed; undefined if the signal stopped them. */
async function trainAll(
  { seeds, settings }: Sweep,
  { dir, workers, signal, sitting, onNote, onProgress }: SweepRequest,
): Promise<TrainedSetting[] | undefined> {
  const trainings = settings.flatMap(({ folder, config }, setting) =>
    seeds.map((seed): SweptTraining => {
      const order = { config: { ...config, seed }, outDir: join(dir, folder, folderOf(seed)), sitting };
      return { setting, seed, order, games: config.games };
    }),
  );
  const together = Math.max(1, Math.min(workers, trainings.length));
  const each = Math.max(1, Math.floor(workers / together));
  const done = trainings.map(() => 0);
  const gamesTotal = trainings.reduce((sum, { games }) => sum + games, 0);
  const ends: TrainingEnd[] = [];
  let trainingsDone = 0;
  const tell = () =>
    onProgress?.({
      trainingsDone,
      trainings: trainings.length,
      gamesDone: done.reduce((sum, games) => sum + games, 0),
      gamesTotal,
    });
  const left = [...trainings.keys()];
  const trainNext = async (): Promise<void> => {
    for (let at = left.shift(); at !== undefined && !signal?.aborted; at = left.shift()) {
      const { setting, seed, order, games } = trainings[at]!;
      ends[at] = await trainOne({ ...order, workers: each }, signal, (message) => {
        if ("note" in message) onNote?.(`${settings[setting]!.name}, seed ${seed}: ${message.note}`);
        if (!("gamesDone" in message)) return;
        done[at!] = message.gamesDone;
        tell();
      });
      if (ends[at]!.points === undefined && ends[at]!.problem === undefined) return;
      done[at] = games;
      trainingsDone++;
      tell();
    }
  };
  tell();
  await Promise.all(Array.from({ length: together }, trainNext));
  const isWhole = trainings.every((_, at) => ends[at]?.points ?? ends[at]?.problem);
  if (!isWhole) return undefined;
  return settings.map((_, setting) =>
    trainings.flatMap((training, at) =>
      training.setting === setting ? [{ seed: training.seed, ...ends[at]! }] : [],
    ),
  );
}

/** Trains in a process of its own. */
async function trainOne(
  order: TrainingOrder,
  signal: AbortSignal | undefined,
  onMessage: (message: TrainingMessage) => void,
): Promise<TrainingEnd> {
  const child = fork(FILE, [], { serialization: "advanced", stdio: ["ignore", 2, 2, "ipc"], execArgv: [] });
  let end: TrainingEnd | undefined;
  child.on("message", (message: TrainingMessage) => {
    if ("end" in message) ({ end } = message);
    else onMessage(message);
  });
  const stop = () => void (child.connected && child.send("stop"));
  signal?.addEventListener("abort", stop);
  try {
    const reason = await new Promise<string>((settle) => {
      child.once("error", (error) => settle(error.message));
      child.once("close", (code, killed) => settle(killed ?? `code ${code}`));
      child.send(order);
      if (signal?.aborted) stop();
    });
    const message = `its process ended (${reason}); agon train --resume goes on with it`;
    return end ?? { problem: { message, isOwn: false } };
  } finally {
    signal?.removeEventListener("abort", stop);
  }
}
