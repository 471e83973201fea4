import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Queue } from "bullmq";
import { describe, expect, onTestFinished } from "vitest";
import type { openQueuedActors } from "../../src/queue/coordinator/queued-actors.ts";
import { parseQueueUrl } from "../../src/queue/redis.ts";
import { loadHeader } from "../../src/specs/files/weights-file.ts";
import { Actor } from "../../src/training/rounds/actors.ts";
import { planTraining } from "../../src/training/plan/plan.ts";
import { agon, fixture, MODULES_MAIN, startAgon, temporaryFolder, writeInto } from "../support/agon.ts";
import { announced, openRedis, startWorker, until } from "../support/servers/queue.ts";
import { redisTest, startRedis } from "../support/servers/redis.ts";
import { ratedGames } from "../training/runs.ts";
import { timeless } from "../support/stored-games.ts";
import { slow } from "../support/thorough.ts";

const CONFIG = {
  name: "queued",
  game: "connect-four",
  games: 400,
  evaluator: { kind: "linear", features: "lines", output: "tanh" },
  learner: { rule: "td", lambda: 0.6, stepSize: 0.02 },
  exploration: { epsilon: 0.1 },
  openings: { randomPlies: { from: 0, to: 6 } },
  checkpoints: 2,
  rating: {
    player: "greedy",
    pool: ["random", { agent: "greedy", evaluator: fixture("../../weights/connect-four/linear.json") }],
    blocks: 10,
  },
};

/** The built program: a worker, which is built, plays for nobody else. */
const openActors: typeof openQueuedActors = async (training) => {
  const { href } = new URL("../../build/queue/coordinator/queued-actors.js", import.meta.url);
  const built = (await import(href)) as { openQueuedActors: typeof openQueuedActors };
  return built.openQueuedActors(training);
};

const textOf = (dir: string, name: string) => readFileSync(join(dir, name), "utf8");

describe("a training over a queue", () => {
  slow(redisTest)("has its checkpoints rated there, with the same curve and games as here", async () => {
    const { url } = await startRedis();
    const dir = temporaryFolder();
    const config = writeInto(dir, "queued.json", CONFIG);
    startWorker(url);
    // Without a worker it says that it waits for one.
    const redis = await openRedis(url);
    await until(async () => (await announced(redis, "workers")).length === 1, "there");
    const [queued, here] = [join(dir, "queued"), join(dir, "here")];
    const { code, stderr } = await agon(["train", config, "--out", queued, "--queue", url, "--quiet"]);
    expect(stderr).toBe("");
    expect(code).toBe(0);
    await agon(["train", config, "--out", here, "--workers", "1", "--quiet"]);
    for (const name of ["curve.csv", "curve.md", "weights.json"])
      expect(textOf(queued, name)).toBe(textOf(here, name));
    expect(ratedGames(queued).map(timeless)).toEqual(ratedGames(here).map(timeless));
  });

  slow(redisTest)("has games played by actors, of which each is what an actor here plays", async () => {
    const { url } = await startRedis();
    startWorker(url, ["--workers", "1"], { main: MODULES_MAIN });
    const plan = await planTraining({ ...CONFIG, opponents: { past: 0.5 } }, { baseDir: "." });
    const weights = Float32Array.from({ length: 8895 }, (_, at) => Math.sin(at));
    const past = weights.map((weight) => weight ** 3);
    const here = new Actor(plan, { present: weights, past });
    const actors = await openActors({
      plan,
      address: parseQueueUrl(url),
      run: "0123456789abcdef01234567",
      onNote: () => {},
    });
    onTestFinished(() => actors.close());
    const jobs = [
      { from: 0, count: 1 },
      { from: 17, count: 5 },
      { from: 399, count: 1 },
    ];
    const other = weights.map((weight) => -weight);
    await actors.publish(0, { present: other, past: undefined }, 0);
    await actors.publish(1, { present: weights, past }, 0);
    /** On a busy machine the worker may not be there in time: the job is given out again. */
    const movesOf = async (job: (typeof jobs)[number]): Promise<Uint8Array> => {
      const result = await actors.play({ ...job, table: 1 });
      return "moves" in result! ? result.moves : movesOf(job);
    };
    const moves = await Promise.all(jobs.map(movesOf));
    for (const [at, { from, count }] of jobs.entries())
      expect(Buffer.from(moves[at]!)).toEqual(Buffer.from(here.playGames(from, count)));
    // The learner looks up the workers now and then.
    await until(() => actors.jobs > 0, "seen that a worker is there");
  });

  slow(redisTest)("has other workers play where one cannot; where none can, it says why", async () => {
    const { url } = await startRedis();
    const redis = await openRedis(url);
    const told: string[] = [];
    const plan = await planTraining(CONFIG, { baseDir: "." });
    const setup = { plan, address: parseQueueUrl(url), run: "0123456789abcdef01234567" };
    const actors = await openActors({ ...setup, onNote: (text) => void told.push(text) });
    onTestFinished(() => actors.close());
    // This test plays two workers.
    const [{ id, code }] = (await announced(redis, "runs")) as [{ id: string; code: string }];
    const at = Number((await redis.time())[0]) * 1000;
    const worker = {
      version: "1",
      node: "20",
      code,
      host: "far",
      workers: 1,
      plugins: false,
      runs: [],
      games: 0,
      at,
    };
    for (const [pid, name] of ["one", "two"].entries())
      await redis.hset("agon:workers", name, JSON.stringify({ ...worker, id: name, pid, gamesPerSecond: 0 }));
    await until(() => actors.jobs === 4, "seen that two workers are there");
    await actors.publish(0, { present: new Float32Array(8895), past: undefined }, 0);
    const options = { connection: redis, prefix: "agon" };
    const [jobs, results] = [new Queue(`jobs-${code}`, options), new Queue(`results-${id}`, options)];
    const refusedBy = async (name: string) => {
      const played = actors.play({ table: 0, from: 0, count: 1 }).catch((error: unknown) => error);
      await until(async () => (await jobs.getWaitingCount()) === 1, "given out");
      const [job] = await jobs.getWaiting();
      await job!.remove();
      await results.add("result", { job: job!.id, worker: name, name: "Error", message: "no disk" });
      return played;
    };
    expect(await refusedBy("one")).toEqual({ lost: "no disk" });
    expect(told).toContain("the worker far:0 cannot play, others get its games: no disk");
    expect(await refusedBy("two")).toMatchObject({ name: "InputError", message: "no disk" });
  });

  slow(redisTest)("goes on where its learner was killed, with the weights of one machine", async () => {
    const { url } = await startRedis();
    const dir = temporaryFolder();
    const [out, here] = [join(dir, "out"), join(dir, "here")];
    const config = writeInto(dir, "queued.json", {
      ...CONFIG,
      games: 3000,
      round: 200,
      checkpoints: 3,
      opponents: { past: 0.4 },
    });
    const args = ["train", config, "--out", out, "--queue", url, "--actors", "--quiet"];
    startWorker(url);
    const { child, outcome } = startAgon(args);
    while (!existsSync(join(out, "checkpoints", "1000.json"))) await sleep(20);
    child.kill("SIGKILL");
    await outcome;
    startWorker(url);
    const { code, stdout, stderr } = await agon([...args, "--resume"]);
    expect(stderr).toBe("");
    expect(code).toBe(0);
    expect(stdout).toMatch(/\| 3000 /);
    await agon(["train", config, "--out", here, "--workers", "1", "--quiet"]);
    expect(textOf(out, "weights.json")).toBe(textOf(here, "weights.json"));
  });

  slow(redisTest)("goes on when actors are killed at work", { timeout: 240_000 }, async () => {
    const { url } = await startRedis();
    const dir = temporaryFolder();
    const out = join(dir, "out");
    const config = writeInto(dir, "queued.json", { ...CONFIG, games: 20_000, round: 500, checkpoints: 4 });
    const workers = [startWorker(url), startWorker(url), startWorker(url)];
    const { outcome } = startAgon(["train", config, "--out", out, "--queue", url, "--actors", "--quiet"]);
    for (const games of [5000, 10_000]) {
      while (!existsSync(join(out, "checkpoints", `${games}.json`))) await sleep(20);
      await sleep(300);
      workers.pop()!.child.kill("SIGKILL");
    }
    expect((await outcome).code).toBe(0);
    expect(loadHeader(join(out, "weights.json")).training).toMatchObject({ games: 20_000 });
  });

  slow(redisTest)("goes on when Redis ends and begins anew, with nothing", { timeout: 240_000 }, async () => {
    const redis = await startRedis();
    const dir = temporaryFolder();
    const out = join(dir, "out");
    const config = writeInto(dir, "queued.json", { ...CONFIG, games: 20_000, round: 500, checkpoints: 4 });
    startWorker(redis.url);
    const { outcome } = startAgon([
      "train",
      config,
      "--out",
      out,
      "--queue",
      redis.url,
      "--actors",
      "--quiet",
    ]);
    while (!existsSync(join(out, "checkpoints", "5000.json"))) await sleep(20);
    await sleep(2000);
    await redis.kill();
    await sleep(1000);
    await redis.start();
    expect((await outcome).code).toBe(0);
    expect(loadHeader(join(out, "weights.json")).training).toMatchObject({ games: 20_000 });
  });

  slow(redisTest)("has actors run features of one's own, where they may", { timeout: 240_000 }, async () => {
    const { url } = await startRedis();
    const dir = temporaryFolder();
    const centre = fixture("../../examples/centre");
    const text = readFileSync(join(centre, "training.yaml"), "utf8");
    const config = writeInto(dir, "training.yaml", `${text.replaceAll("./", `${centre}/`)}round: 50\n`);
    startWorker(url, ["--workers", "1", "--allow-plugins"]);
    const args = ["train", config, "--out", join(dir, "out"), "--queue", url, "--actors", "--quiet"];
    expect(await agon(args)).toMatchObject({ code: 0, stderr: "" });
    expect(loadHeader(join(dir, "out", "weights.json")).training).toMatchObject({ games: 2000 });
  });

  slow(redisTest)("with actors is refused where they cannot teach, or where there is no queue", async () => {
    const { url } = await startRedis();
    const dir = temporaryFolder();
    const here = writeInto(dir, "here.json", CONFIG);
    const out = ["--out", join(dir, "out"), "--actors"];
    const refused = await agon(["train", here, ...out, "--queue", url]);
    expect([refused.code, refused.stderr]).toEqual([
      2,
      expect.stringContaining("round: other machines play"),
    ]);
    const without = await agon(["train", here, ...out]);
    expect([without.code, without.stderr]).toEqual([2, expect.stringContaining("name their queue")]);
    expect(existsSync(join(dir, "out"))).toBe(false);
  });
});
