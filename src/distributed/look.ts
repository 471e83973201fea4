import { thisBuild } from "./build.ts";
import { jobQueue } from "./jobs.ts";
import { connect, loadQueueLibraries, PREFIX, type QueueAddress } from "./redis.ts";
import { Roster, type Heard, type RunEntry, type WorkerEntry } from "./roster.ts";

/** What there is at a queue. */
export interface QueueLook {
  readonly workers: readonly Heard<WorkerEntry>[];
  readonly runs: readonly (Heard<RunEntry> & { readonly interrupted: boolean })[];
  /** Jobs for workers that are the agon that looks. */
  readonly jobs: { readonly waiting: number; readonly active: number };
}

/** Looks at who is there; throws InputError where Redis does not answer. */
export async function lookAtQueue(address: QueueAddress, onNote: (text: string) => void): Promise<QueueLook> {
  const libraries = await loadQueueLibraries();
  const redis = await connect(address, libraries, onNote);
  try {
    const roster = new Roster(redis);
    const counts = await Promise.all(
      [false, true].map(async (plugins) => {
        const name = jobQueue(thisBuild().code, { plugins });
        const queue = new libraries.Queue(name, { connection: redis, prefix: PREFIX, skipMetasUpdate: true });
        return queue.getJobCounts("waiting", "active");
      }),
    );
    const sum = (kind: string) => counts.reduce((total, count) => total + (count[kind] ?? 0), 0);
    return {
      workers: await roster.workers(),
      runs: await roster.runs(),
      jobs: { waiting: sum("waiting"), active: sum("active") },
    };
  } finally {
    redis.disconnect();
  }
}
