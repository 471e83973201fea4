import { createRandom } from "../src/base/random.ts";

/*
 * A simulation of one run on many workers, event by event, with the service times that `npm run bench -- queue-load`
 * measured: the games a second, and the parts that are busy. The coordinator and Redis each do one thing at a time;
 * jobs are as large as queue/coordinator/queued-players.ts and arena/play/standings.ts make them.
 *
 * npm run bench -- thousand-workers [WORKERS GAME_MS]: one case, or a table
 */

/** In milliseconds, on the machine of bench/README.md. */
const COORDINATOR = { job: 0.28, game: 0.06, worker: 0.01, disk: 2 };
const REDIS = { job: 0.31, game: 0.007, worker: 0.1 };
/** One way between a machine and Redis. */
const NETWORK_MS = 0.5;
const BEAT_MS = 2000;
const SIMULATED_MS = 120_000;
/** Games of the first part do not count. */
const WARM_UP_MS = 40_000;
const [JOB_MS, JOB_MS_PER_WORKER, JOBS_PER_WORKER] = [500, 4, 2];
const [MAX_JOB_GAMES, MAX_GAMES_OUT] = [2000, 200_000];
/** Results that are stored together at most. */
const RESULTS = 32;

/** Something that does one thing after the other. */
class Server {
  private freeAt = 0;
  busyMs = 0;

  /** When work that comes at `now` is done. */
  serve(now: number, ms: number): number {
    this.freeAt = Math.max(now, this.freeAt) + ms;
    if (now > WARM_UP_MS) this.busyMs += ms;
    return this.freeAt;
  }
}

/** Events in the order of their times: a binary heap. */
class Agenda {
  private readonly heap: { at: number; act: (now: number) => void }[] = [];

  add(at: number, act: (now: number) => void): void {
    const { heap } = this;
    heap.push({ at, act });
    for (let child = heap.length - 1; child > 0;) {
      const parent = (child - 1) >> 1;
      if (heap[parent]!.at <= heap[child]!.at) return;
      [heap[parent], heap[child]] = [heap[child]!, heap[parent]!];
      child = parent;
    }
  }

  runUntil(end: number): void {
    const { heap } = this;
    while (heap.length > 0 && heap[0]!.at < end) {
      const { at, act } = heap[0]!;
      const last = heap.pop()!;
      if (heap.length > 0) heap[0] = last;
      for (let parent = 0; ;) {
        let child = 2 * parent + 1;
        if (child + 1 < heap.length && heap[child + 1]!.at < heap[child]!.at) child++;
        if (child >= heap.length || heap[parent]!.at <= heap[child]!.at) break;
        [heap[parent], heap[child]] = [heap[child]!, heap[parent]!];
        parent = child;
      }
      act(at);
    }
  }
}

export interface Outcome {
  readonly gamesPerSecond: number;
  /** Shares of the time, 0 to 1. */
  readonly coordinator: number;
  readonly redis: number;
  readonly workers: number;
}

/** Simulates a run on workers that play one game at a time, each of them `gameMs` on average. */
function simulate(workers: number, gameMs: number): Outcome {
  const random = createRandom("thousand workers", `${workers} ${gameMs}`);
  const agenda = new Agenda();
  const [coordinator, redis] = [new Server(), new Server()];
  const jobMs = Math.max(JOB_MS, workers * JOB_MS_PER_WORKER);
  const most = Math.min(MAX_JOB_GAMES, MAX_GAMES_OUT / (workers * JOBS_PER_WORKER));
  const size = Math.max(1, Math.floor(Math.min(most, jobMs / Math.max(gameMs, 0.02))));
  let waiting = 0;
  /** Workers that wait for a job, the first of them first: each fetches one while it plays another. */
  const hungry = Array.from({ length: workers * JOBS_PER_WORKER }, (_, at) => at % workers);
  const freeAt = Array.from({ length: workers }, () => 0);
  let [first, results, games, busyMs, isStoring] = [0, 0, 0, 0, false];

  /** Gamma-distributed: a job is a sum of exponential games; a normal one where they are many. */
  const duration = () => {
    if (size > 30) {
      const normal = Math.sqrt(-2 * Math.log(1 - random.float())) * Math.cos(2 * Math.PI * random.float());
      return gameMs * Math.max(0, size + Math.sqrt(size) * normal);
    }
    let sum = 0;
    for (let game = 0; game < size; game++) sum -= Math.log(1 - random.float());
    return gameMs * sum;
  };
  const giveOut = (now: number) => {
    const sent = coordinator.serve(now, COORDINATOR.job / 2 + (COORDINATOR.game / 4) * size);
    agenda.add(sent + NETWORK_MS, (at) => {
      agenda.add(redis.serve(at, REDIS.job / 2 + (REDIS.game / 2) * size), (there) => {
        waiting++;
        hand(there);
      });
    });
  };
  const hand = (now: number) => {
    for (; waiting > 0 && first < hungry.length; waiting--) {
      const worker = hungry[first++]!;
      const begun = Math.max(now + NETWORK_MS, freeAt[worker]!);
      const ended = begun + duration();
      freeAt[worker] = ended;
      busyMs += Math.max(0, Math.min(ended, SIMULATED_MS) - Math.max(begun, WARM_UP_MS));
      agenda.add(ended + NETWORK_MS, (at) => {
        hungry.push(worker);
        agenda.add(redis.serve(at, REDIS.job / 2 + (REDIS.game / 2) * size), (there) => {
          results++;
          hand(there);
          store(there);
        });
      });
    }
  };
  /** Results that have come meanwhile are stored together: one wait for the disk. */
  const store = (now: number) => {
    if (isStoring || results === 0) return;
    isStoring = true;
    const count = Math.min(results, RESULTS);
    results -= count;
    const work = count * (COORDINATOR.job / 2 + COORDINATOR.game * 0.75 * size) + COORDINATOR.disk;
    agenda.add(coordinator.serve(now, work), (done) => {
      isStoring = false;
      if (done > WARM_UP_MS) games += count * size;
      for (let one = 0; one < count; one++) giveOut(done);
      store(done);
    });
  };
  const beat = (now: number) => {
    redis.serve(now, workers * REDIS.worker);
    coordinator.serve(now, workers * COORDINATOR.worker);
    agenda.add(now + BEAT_MS, beat);
  };
  for (let job = 0; job < workers * JOBS_PER_WORKER; job++) giveOut(0);
  beat(0);
  agenda.runUntil(SIMULATED_MS);
  const ms = SIMULATED_MS - WARM_UP_MS;
  return {
    gamesPerSecond: (games / ms) * 1000,
    coordinator: Math.min(1, coordinator.busyMs / ms),
    redis: Math.min(1, redis.busyMs / ms),
    workers: busyMs / (ms * workers),
  };
}

const [one, gameMs] = process.argv.slice(2).map(Number);
const cases =
  one === undefined
    ? [1, 10, 100, 1000, 10_000].flatMap((ms) =>
        [10, 100, 300, 1000, 2000].map((count) => [count, ms] as const),
      )
    : [[one, gameMs!] as const];
console.log("| game | workers | games/s | of what they could | workers | coordinator | Redis |");
console.log("| ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
for (const [workers, ms] of cases) {
  const { gamesPerSecond, ...shares } = simulate(workers, ms);
  const possible = gamesPerSecond / ((workers / ms) * 1000);
  const percent = [possible, shares.workers, shares.coordinator, shares.redis].map(
    (share) => `${(100 * share).toFixed(0)}%`,
  );
  console.log(`| ${[`${ms} ms`, workers, gamesPerSecond.toFixed(0), ...percent].join(" | ")} |`);
}
