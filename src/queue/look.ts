import { thisBuild } from "./build.ts";
import { jobQueue } from "./jobs.ts";
import { Link } from "./link.ts";
import type { QueueAddress } from "./address.ts";
import { Roster, type Heard, type RunEntry, type WorkerEntry } from "./roster.ts";

/** The workers, the runs and the waiting jobs of a queue. */
export interface QueueLook {
  readonly workers: readonly Heard<WorkerEntry>[];
  readonly runs: readonly (Heard<RunEntry> & { readonly interrupted: boolean })[];
  /** Waiting jobs for workers of this build. */
  readonly jobs: { readonly waiting: number; readonly active: number };
}

/** Looks at a queue; throws InputError if Redis does not answer. */
export async function lookAtQueue(address: QueueAddress, onNote: (text: string) => void): Promise<QueueLook> {
  const link = await Link.open(address, onNote);
  try {
    const roster = new Roster(link.redis);
    return await link.first(async () => {
      const counts = await Promise.all(
        [false, true].map(async (plugins) => {
          // A look leaves no keys in Redis.
          const queue = link.queue(jobQueue(thisBuild().code, { plugins }), { skipMetasUpdate: true });
          return queue.getJobCounts("waiting", "active");
        }),
      );
      const sum = (kind: string) => counts.reduce((total, count) => total + (count[kind] ?? 0), 0);
      return {
        workers: await roster.workers(),
        runs: await roster.runs(),
        jobs: { waiting: sum("waiting"), active: sum("active") },
      };
    });
  } finally {
    link.close();
  }
}
