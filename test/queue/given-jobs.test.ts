import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { GivenJobs, JobLost, type GivingSetup } from "../../src/queue/coordinator/given-jobs.ts";
import type { Job, PlayedGames, Result } from "../../src/queue/jobs.ts";

const RUN = { run: "a".repeat(24), bundle: "b".repeat(64) };
const GAME = { id: "1".repeat(24), block: "2".repeat(24), seats: [0, 1], opening: [] };

beforeEach(() => void vi.useFakeTimers({ toFake: ["performance"] }));
afterEach(() => void vi.useRealTimers());

/** Jobs that are given out to a Redis whose answers the test decides. */
function giving(rules: Pick<GivingSetup, "patienceMs"> = {}) {
  /** The ids of the jobs in the order in which they came. */
  const added: string[] = [];
  const removed: string[] = [];
  const redis = { state: "waiting", reason: "", progress: 0, results: 0 };
  const jobs = {
    add: async (_: string, data: Job, { jobId }: { jobId: string }) => {
      expect(data).toEqual({ ...RUN, games: [GAME] });
      added.push(jobId);
    },
    getJobState: async () => redis.state,
    getJob: async (id: string) => ({
      failedReason: redis.reason,
      progress: redis.progress,
      remove: async () => void removed.push(id),
    }),
    remove: async () => (redis.state === "waiting" ? 1 : 0),
  };
  const notes: string[] = [];
  const setup = {
    ...RUN,
    ...rules,
    jobs,
    link: { insist: async (what: () => Promise<unknown>) => what() },
    results: { getJobCounts: async () => ({ waiting: redis.results, active: 0 }) },
    onNote: (text: string) => void notes.push(text),
  };
  const given = new GivenJobs<PlayedGames>(setup as unknown as GivingSetup);
  const giveOut = async () => given.giveOut({ games: [GAME] });
  /** Looks after the jobs some seconds later. */
  const look = async (afterMs = 5000) => {
    vi.advanceTimersByTime(afterMs);
    await given.lookAfter();
  };
  return { given, redis, added, removed, notes, giveOut, look };
}

const resultOf = (job: string): Result<PlayedGames> => ({ job, worker: "w", packed: "[]" });

describe("a job that is given out", () => {
  test("is settled by its first result; results of others change nothing", async () => {
    const { given, added, giveOut } = giving();
    const [one, two] = [giveOut(), giveOut()];
    expect(new Set(added).size).toBe(2);
    given.receive(resultOf("another"));
    given.receive({ ...resultOf(added[1]!), worker: "first" });
    given.receive({ ...resultOf(added[1]!), worker: "second" });
    expect(await two).toEqual({ ...resultOf(added[1]!), worker: "first" });
    given.receive(resultOf(added[0]!));
    expect(await one).toEqual(resultOf(added[0]!));
  });

  test("is given again, once, when two looks in a row do not find it; a young one is not looked for", async () => {
    const { given, redis, added, giveOut, look } = giving();
    const result = giveOut();
    redis.state = "unknown";
    for (let time = 0; time < 4; time++) await look(1000);
    expect(added).toHaveLength(1);
    await look();
    expect(added).toHaveLength(1);
    redis.state = "active";
    await look();
    redis.state = "unknown";
    await look();
    expect(added).toHaveLength(1);
    await look();
    expect(added).toEqual([added[0], added[0]]);
    for (const state of ["waiting", "active", "waiting"]) {
      redis.state = state;
      await look();
      await look();
    }
    expect(added).toHaveLength(2);
    given.receive(resultOf(added[0]!));
    await result;
    redis.state = "unknown";
    await look();
    await look();
    expect(added).toHaveLength(2);
  });

  test("is not given again while its result may be among those that wait", async () => {
    const { redis, added, giveOut, look } = giving();
    void giveOut();
    Object.assign(redis, { state: "unknown", results: 1 });
    for (let time = 0; time < 5; time++) await look();
    expect(added).toHaveLength(1);
    redis.results = 0;
    await look();
    expect(added).toHaveLength(2);
  });

  test("is given again when it failed, with one note for one reason, of which a terminal takes no harm", async () => {
    const { redis, added, removed, notes, giveOut, look } = giving();
    void giveOut();
    Object.assign(redis, { state: "failed", reason: `full\u001b${"x".repeat(5000)}` });
    await look();
    expect([added.length, removed]).toEqual([2, [added[0]]]);
    await look();
    expect(added).toHaveLength(3);
    expect(notes).toEqual([expect.stringMatching(/^A job failed, and is given out again: full\\u001bx+/)]);
    expect(notes[0]!.length).toBeLessThan(1100);
    redis.reason = "another";
    await look();
    expect(notes[1]).toBe("A job failed, and is given out again: another");
  });

  test("fails when its workers were lost too often", async () => {
    const { redis, added, removed, giveOut, look } = giving();
    const result = giveOut().catch((error: unknown) => error);
    Object.assign(redis, {
      state: "failed",
      reason: "job stalled more than allowable limit",
      progress: 2,
    });
    await look();
    expect(await result).toEqual(new JobLost("job stalled more than allowable limit", 2));
    expect((await result) as JobLost).toMatchObject({ begunAlone: 2 });
    expect([added.length, removed]).toEqual([1, added]);
  });

  test("is lost when it fails or is away for too long, if it has a time; not while it waits", async () => {
    const { redis, added, giveOut, look } = giving({ patienceMs: () => 20_000 });
    const [first, second] = [giveOut(), giveOut()].map(async (result) =>
      result.catch((error: unknown) => error),
    );
    await look(30_000);
    redis.state = "active";
    await look(0);
    expect([await first, await second]).toEqual(
      [1, 2].map(() => new JobLost("nothing was heard of a job for 30 s")),
    );
    const third = giveOut().catch((error: unknown) => error);
    await look(15_000);
    Object.assign(redis, { state: "failed", reason: "no disk" });
    await look(0);
    expect(await third).toEqual(new JobLost("no disk"));
    expect(added).toHaveLength(3);
  });

  test("is taken back where nobody has begun it, and given up where Redis is away", async () => {
    const { given, redis, added, giveOut } = giving();
    const first = giveOut();
    await given.takeBack();
    expect(await first).toBe(undefined);
    const second = giveOut();
    redis.state = "active";
    await given.takeBack();
    const third = giveOut();
    given.giveUp();
    expect([await second, await third]).toEqual([undefined, undefined]);
    expect(added).toHaveLength(3);
  });
});
