import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Queue } from "bullmq";
import type { Redis } from "ioredis";
import { expect } from "vitest";
import type { TournamentPlan } from "../../src/arena/plan/plan.ts";
import { schedule } from "../../src/arena/schedule/rounds.ts";
import type { ScheduledGame } from "../../src/arena/schedule/schedule.ts";
import { Store } from "../../src/arena/store/store.ts";
import { loadGame } from "../../src/specs/games.ts";
import { agon, fixture, temporaryFolder, writeInto } from "../support/agon.ts";
import {
  announced,
  gamesOf,
  heard,
  openRedis,
  runOver,
  startWorker,
  until,
} from "../support/servers/queue.ts";
import { redisTest, startRedis } from "../support/servers/redis.ts";
import { slow } from "../support/thorough.ts";

const WEIGHTS = fixture("../../weights/connect-four/linear.json");
const CODE = fixture("agents/exits.ts");
const CONFIG = {
  name: "honest",
  game: "connect-four",
  blocks: 2,
  entrants: ["random", { name: "trained", agent: "greedy", evaluator: WEIGHTS }],
};

const RUN = "ab".repeat(12);
const HASH = "cd".repeat(32);

/** A manifest, and the worker's answer to it. */
type Case = readonly [manifest: unknown, said: RegExp, more?: { readonly contents?: readonly string[] }];

slow(redisTest)(
  "jobs and bundles that are none, or that lead to other files, are refused with a word; then the worker plays on",
  { timeout: 240_000 },
  async () => {
    const { url } = await startRedis();
    const dir = temporaryFolder();
    const config = writeInto(dir, "honest.json", CONFIG);
    const here = join(dir, "here");
    expect((await agon(["run", config, "--out", here, "--workers", "1", "-q"])).code).toBe(0);
    const store = Store.openExisting(here);
    const plan = store.loadPlan()!;
    store.close();
    const game = [...schedule(plan, await loadGame(plan.game))][0]!;
    const weights = plan.entrants[1]!.spec["evaluator"] as string;
    const content = readFileSync(join(here, weights), "utf8");

    // Its temporary folder is one of this test's, so that nobody else writes there.
    const temporary = temporaryFolder();
    const worker = startWorker(url, ["--workers", "1", "--lost-after", "1", "-q"], {
      env: { TMPDIR: temporary },
    });
    const said = heard(worker.child);
    const redis = await openRedis(url);
    await until(async () => (await announced(redis, "workers")).length === 1);
    const { code } = (await announced(redis, "workers"))[0]!;
    const jobs = new Queue(`jobs-${code}`, { connection: redis, prefix: "agon" });
    let sent = 0;
    /** Sends a job, and waits until something is said of it. */
    const refuses = async (data: unknown, why: RegExp) => {
      said.text = "";
      await jobs.add("games", data, { jobId: `hostile-${sent++}`, attempts: 1 });
      await until(() => said.text !== "", `refused: ${JSON.stringify(data).slice(0, 200)}, ${why}`);
      expect(said.text).toMatch(why);
      expect(said.text).not.toMatch(/^\s+at /m);
    };

    const right = { run: RUN, bundle: HASH, games: [game] };
    const strange: readonly [unknown, RegExp][] = [
      [7, /must be a mapping/],
      [{ ...right, run: "../../etc" }, /run: must be 24 hexadecimal digits/],
      [{ ...right, bundle: "../../etc/passwd" }, /bundle: must be 64 hexadecimal digits/],
      [{ ...right, games: [] }, /games/],
      [{ ...right, games: [{ ...game, id: 5 }] }, /games\[0\]\.id/],
      [{ ...right, games: [{ ...game, opening: ["require('fs')"] }] }, /games\[0\]\.opening/],
      [{ ...right, path: "/etc/passwd" }, /unknown key "path"/],
      [right, new RegExp(`Redis has lost ${HASH}`)],
    ];
    for (const [data, why] of strange) await refuses(data, why);

    const files = { [weights]: hash(content) };
    const honest = { plan, files, code: {} };
    const withSpec = (spec: object): TournamentPlan => ({
      ...plan,
      entrants: [plan.entrants[0]!, { ...plan.entrants[1]!, spec: { ...plan.entrants[1]!.spec, ...spec } }],
    });
    const outside = [
      "../evil.json",
      "/tmp/evil.json",
      "a/../../evil.json",
      "C:\\evil",
      "a\\..\\evil",
      "",
      "a//b",
    ];
    const withWeights = (changed: string): Case => [
      { ...honest, files: { [weights]: hash(changed) } },
      /names/,
      { contents: [changed] },
    ];
    const json = JSON.parse(content) as { evaluator: object };
    const bundles: readonly Case[] = [
      ["no manifest", /must be a mapping/],
      [{ ...honest, plan: { name: "x" } }, /plan|game/],
      [{ ...honest, more: 1 }, /unknown key "more"/],
      ...outside.map((name): Case => [
        { ...honest, files: { ...files, [name]: hash(content) } },
        /is no path inside a folder/,
      ]),
      [{ ...honest, files: { [weights]: "../x" } }, /must be 64 hexadecimal digits/],
      [{ ...honest, files: {} }, /names a file that it has not/],
      ...["/etc/passwd", "../../x.json", "./x.json", WEIGHTS].map((evaluator): Case => [
        { ...honest, plan: withSpec({ evaluator }) },
        /names a file that it has not/,
      ]),
      [{ ...honest, plan: withSpec({ agent: CODE }) }, /names code that it has not: .*exits\.ts/],
      [
        { ...honest, plan: withSpec({ evaluator: fixture("agents/throws.ts") }) },
        /names code that it has not: .*throws\.ts/,
      ],
      [
        { ...honest, plan: { ...plan, game: { id: fixture("games/forgetful.ts") } } },
        /names code that it has not: .*forgetful\.ts/,
      ],
      [
        {
          ...honest,
          plan: withSpec({ agent: CODE }),
          files: { ...files, "code/exits.ts": hash("process.exit(0)") },
          code: { [CODE]: "code/exits.ts" },
        },
        /came to a worker that takes none/,
        { contents: ["process.exit(0)"] },
      ],
      withWeights(
        JSON.stringify({ ...json, evaluator: { ...json.evaluator, features: fixture("agents/hangs.ts") } }),
      ),
      withWeights(JSON.stringify({ ...json, weights: { file: "../../../../etc/passwd" } })),
      withWeights(JSON.stringify({ ...json, weights: { file: "/etc/passwd" } })),
    ];
    for (const [manifest, why, { contents = [] } = {}] of bundles) {
      for (const text of [content, ...contents]) await put(redis, text);
      await refuses({ ...right, bundle: await put(redis, JSON.stringify(manifest)) }, why);
    }
    // Contents that are not what their names say.
    const key = (name: string) => `agon:content:${name}`;
    const manifest = await put(redis, JSON.stringify({ ...honest, more: undefined }));
    await redis.set(key(manifest), `${JSON.stringify(honest)} `);
    await refuses({ ...right, bundle: manifest }, /has another hash/);
    await redis.set(key(manifest), JSON.stringify(honest));
    const unseen = `${content} `;
    const second = await put(redis, JSON.stringify({ ...honest, files: { [weights]: hash(unseen) } }));
    await redis.set(key(hash(unseen)), unseen.replace("0", "1"));
    await refuses({ ...right, bundle: second }, /has another hash/);
    // Games that are none of the plan.
    await put(redis, content);
    const wrong: Partial<ScheduledGame> = { seats: [0, 9] };
    await refuses({ ...right, bundle: manifest, games: [{ ...game, ...wrong }] }, /has no games of honest/);
    // Two entries that BullMQ does not take for jobs.
    await redis.hset("agon:jobs-x:broken", { name: "games", data: "{", opts: "{" });
    await redis.hset(`agon:jobs-${code}:broken`, { name: "games", data: "{", opts: "{", timestamp: 1 });
    await redis.rpush(`agon:jobs-${code}:wait`, "broken");

    const queued = await runOver(url, config, join(dir, "queued"));
    expect(queued).toMatchObject({ code: 0 });
    expect(gamesOf(join(dir, "queued"))).toEqual(gamesOf(here));
    worker.child.kill("SIGINT");
    expect((await worker.outcome).code).toBe(0);
    // Its folder is gone, and nothing was written beside it.
    expect(readdirSync(temporary)).toEqual([]);
    await jobs.close();
  },
);

/** Puts a content where a worker looks for it; its hash. */
async function put(redis: Redis, text: string): Promise<string> {
  await redis.set(`agon:content:${hash(text)}`, text);
  return hash(text);
}

function hash(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
