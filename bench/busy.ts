import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadTournament } from "../src/arena/plan/config.ts";
import { runTournament } from "../src/arena/play/run.ts";
import { WorkerPool } from "../src/arena/play/worker-pool.ts";
import { WorkerProcess, type TaskResult } from "../src/arena/play/worker-process.ts";
import { openRun } from "../src/arena/store/run-folder.ts";
import type { ScheduledGame } from "../src/arena/schedule/schedule.ts";
import { loadGame } from "../src/specs/games.ts";

/**
 * The share of the time in which the workers of a run have games, from when all can play to the end of the run:
 * `npm run bench -- busy [CONFIG [ROUND [BLOCKS [WORKERS]]]]`; ROUND and BLOCKS are those of the config where they are not
 * given or 0, and there are 2 workers. The end of a task is heard by this process, which is late where it computes
 * itself: schedules, rates and stores.
 */
const [, , config = "configs/tournaments/sprt.yaml", ...numbers] = process.argv;
const [round = 0, blocks = 0, workers = 2] = numbers.map(Number);

/** The times in ms at which each worker could play, and the begin and end of each task. */
const ready: number[] = [];
const tasks: { begin: number; end: number }[] = [];

class TimedWorker extends WorkerProcess {
  override async play(games: readonly ScheduledGame[]): Promise<TaskResult> {
    const begin = performance.now();
    const result = await super.play(games);
    tasks.push({ begin, end: performance.now() });
    return result;
  }
}

class TimedPool extends WorkerPool {
  protected override startProcess(): WorkerProcess {
    const worker = new TimedWorker(setup);
    void worker.ready.then(() => ready.push(performance.now()));
    return worker;
  }
}

const dir = mkdtempSync(join(tmpdir(), "agon-busy-"));
const given = await loadTournament(config);
const planned = { ...given, ...(round > 0 && { round }), ...(blocks > 0 && { blocks }) };
const { plan, store } = openRun(dir, planned, { resume: false });
const setup = { plan, dir };
let allReady = Infinity;
let begun = process.cpuUsage();
try {
  const players = new TimedPool(await loadGame(plan.game), setup, workers);
  const { played } = await runTournament({
    plan,
    store,
    dir,
    players,
    onProgress() {
      if (ready.length < workers || allReady < Infinity) return;
      allReady = performance.now();
      begun = process.cpuUsage();
    },
  });
  const end = Math.max(...tasks.map((task) => task.end));
  const time = workers * (end - allReady);
  const busy = tasks.reduce((sum, task) => sum + Math.max(0, task.end - Math.max(allReady, task.begin)), 0);
  const percent = (share: number) => `${(100 * share).toFixed(1)}%`;
  const { user, system } = process.cpuUsage(begun);
  console.log(
    `${plan.name}, rounds of ${plan.round ?? "all"} blocks: ${played} games in ${((end - allReady) / 1000).toFixed(1)} s; ` +
      `${workers} workers had games ${percent(busy / time)} of the time, ` +
      `this process computed ${percent((user + system) / 1000 / (end - allReady))} of it`,
  );
} finally {
  store.close();
  rmSync(dir, { recursive: true });
}
