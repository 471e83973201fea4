import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { Turns } from "../../src/queue/worker/kits.ts";
import { agon, fixture, startAgon, temporaryFolder, writeInto } from "../support/agon.ts";
import { gamesOf, heard, runOver, startWorker, until, withoutReportTimes } from "../support/servers/queue.ts";
import { redisTest, startRedis } from "../support/servers/redis.ts";
import { slow } from "../support/thorough.ts";

const example = (name: string) => fileURLToPath(new URL(`../../examples/${name}`, import.meta.url));

/** Weights whose features are code of the user's. */
const WEIGHTS = {
  format: "agon-weights",
  formatVersion: 2,
  game: { id: "connect-four", version: 1, options: { width: 7, height: 6 } },
  evaluator: {
    kind: "linear",
    features: example("centre/centre.ts"),
    output: "tanh",
    stages: [],
    featuresVersion: 1,
    size: 4,
  },
  training: { method: "by hand", seed: "none", games: 0, date: "2026-01-01" },
  weights: [0.1, 0.2, 0.3, 0.4],
};

/** Plays a config here and over a queue; both must give the same. */
async function playBoth(url: string, config: string, dir: string) {
  const [there, here] = [join(dir, "there"), join(dir, "here")];
  const queued = await runOver(url, config, there);
  const local = await agon(["run", config, "--out", here, "--workers", "1", "--json", "-q"]);
  expect(queued.stderr).toBe("");
  expect(withoutReportTimes(queued.stdout)).toEqual(withoutReportTimes(local.stdout));
  expect(gamesOf(there)).toEqual(gamesOf(here));
  return gamesOf(there) as { detail: string; ending: string }[];
}

describe("code of the user's", () => {
  slow(redisTest)(
    "is run by workers that were told so, and gives what it gives here",
    { timeout: 240_000 },
    async () => {
      const { url } = await startRedis();
      const dir = temporaryFolder();
      const careful = startWorker(url, ["--workers", "1"]);
      const out = join(dir, "own");
      const run = startAgon([
        "run",
        example("twenty-one/tournament.yaml"),
        "--out",
        out,
        "--queue",
        url,
        "-q",
      ]);
      const [told, said] = [heard(careful.child), heard(run.child)];
      await until(() => told.text.includes("gets no games") && said.text.includes("take no code"), "said");
      expect(told.text).toMatch(
        /"twenty-one" of \S+ gets no games from here: it has code of its own, which this worker runs only with --allow-plugins/,
      );
      expect(said.text).toMatch(/1 of the workers take no code: start them with --allow-plugins/);
      startWorker(url, ["--workers", "1", "--allow-plugins"]);
      expect((await run.outcome).code).toBe(0);
      const here = join(dir, "own-here");
      await agon(["run", example("twenty-one/tournament.yaml"), "--out", here, "--workers", "1", "-q"]);
      expect(gamesOf(out)).toEqual(gamesOf(here));
      careful.child.kill("SIGINT");
      expect((await careful.outcome).stderr).toContain("Stopped; 0 games played here.");

      const weights = writeInto(dir, "mine.json", WEIGHTS);
      const config = writeInto(dir, "centre.json", {
        name: "centre",
        game: "connect-four",
        blocks: 4,
        openings: { randomPlies: 2 },
        entrants: [
          "random",
          { name: "centre", agent: "greedy", evaluator: example("centre/centre.ts") },
          { name: "trained", agent: "greedy", evaluator: weights },
          { name: "searching", agent: "alpha-beta", depth: 2, evaluator: weights },
        ],
      });
      await playBoth(url, config, dir);
    },
  );

  slow(redisTest)("forfeits as it does here, with the same reasons", { timeout: 240_000 }, async () => {
    const { url } = await startRedis();
    const dir = temporaryFolder();
    startWorker(url, ["--workers", "2", "--allow-plugins"]);
    const config = writeInto(dir, "bad.json", {
      name: "bad",
      game: "connect-four",
      blocks: 2,
      openings: { randomPlies: 2 },
      moveTimeoutMs: 1500,
      entrants: [
        "random",
        ...["throws", "illegal", "hangs", "exits"].map((name) => ({
          name,
          agent: fixture(`agents/${name}.ts`),
        })),
      ],
    });
    const games = await playBoth(url, config, dir);
    expect(new Set(games.map(({ ending }) => ending))).toEqual(
      new Set(["finished", "exception", "illegal action", "time-out", "worker died"]),
    );
    expect(games.map(({ detail }) => detail).join("\n")).toContain(fixture("agents/throws.ts"));
  });

  slow(redisTest)("a game at fault ends the run with its file's name", { timeout: 240_000 }, async () => {
    const { url } = await startRedis();
    const dir = temporaryFolder();
    startWorker(url, ["--workers", "1", "--allow-plugins"]);
    // It throws late, so that no look at it before the run sees it.
    const source = readFileSync(example("twenty-one/twenty-one.ts"), "utf8");
    const thrown = source.replace(
      /apply\(([^)]*)\)(: void)? \{/,
      (all) => `${all} if (this.count > 12) throw new Error("late");`,
    );
    expect(thrown).not.toBe(source);
    const game = writeInto(dir, "late.ts", thrown);
    const config = writeInto(dir, "late.json", {
      name: "late",
      game,
      blocks: 3,
      entrants: ["random", "random:"],
    });
    const queued = await runOver(url, config, join(dir, "there"));
    const local = await agon(["run", config, "--out", join(dir, "here"), "--workers", "1", "--json", "-q"]);
    expect(queued.code).toBe(local.code);
    const withoutMoves = (text: string) => text.replace(/, after [^;]*;/, ";");
    expect(withoutMoves(queued.stderr)).toBe(withoutMoves(local.stderr));
    expect(queued.stderr).toContain(game);
  });

  slow(redisTest)(
    "a game that ends its worker three times alone is named; the others are played, and the run can go on",
    { timeout: 600_000 },
    async () => {
      const redis = await startRedis();
      const dir = temporaryFolder();
      const deadly = fixture("games/deadly.ts");
      const config = writeInto(dir, "deadly.json", {
        name: "deadly",
        game: deadly,
        blocks: 18,
        openings: { lines: ["1 1 1 1", "2 1", "1 1 1"] },
        entrants: ["random", { name: "other", agent: "random" }],
      });
      const spared = { AGON_TEST_SPARED: "1" };
      const here = join(dir, "here");
      const local = await agon(["run", config, "--out", here, "--workers", "1", "-q"], { env: spared });
      expect(local.code).toBe(0);
      const expected = gamesOf(here) as { id: string; seats: number[]; actions: number[] }[];
      const fatal = expected.filter(({ actions }) => actions.slice(0, 5).join("") === "11111");
      expect(fatal.length).toBeGreaterThan(0);

      const out = join(dir, "there");
      const run = startAgon(["run", config, "--out", out, "--queue", redis.url, "-q"]);
      let isOver = false;
      let deaths = 0;
      void run.outcome.then(() => (isOver = true));
      while (!isOver) {
        const args = ["--workers", "1", "--allow-plugins", "--lost-after", "1", "-q"];
        const worker = startWorker(redis.url, args);
        await Promise.race([worker.outcome, run.outcome]);
        if (worker.child.signalCode !== null) deaths++;
      }
      const { code, stderr } = await run.outcome;
      expect(code).toBe(1);
      const [, named] = /^the game (\w{24}), .* against .*, ended its worker 3 times$/m.exec(stderr) ?? [];
      expect(fatal.map(({ id }) => id)).toContain(named);
      expect(deaths).toBeGreaterThanOrEqual(6);
      // The played games are right, and with the fault mended the run goes on.
      expect(expected).toEqual(expect.arrayContaining(gamesOf(out)));
      startWorker(redis.url, ["--workers", "1", "--allow-plugins", "--lost-after", "1", "-q"], {
        env: spared,
      });
      const rest = await agon(["run", config, "--out", out, "--queue", redis.url, "-q", "--resume"]);
      expect(rest.code, rest.stderr).toBe(0);
      expect(gamesOf(out)).toEqual(expected);
    },
  );
});

test("work is done side by side or alone, whoever comes first begins first", async () => {
  const turns = new Turns();
  const log: string[] = [];
  let at = 0;
  let most = 0;
  const work = (name: string) => async () => {
    log.push(name);
    most = Math.max(most, ++at);
    await sleep(5);
    at--;
    if (name === "b") throw new Error("of no concern to the others");
    return at;
  };
  const all = await Promise.allSettled([
    turns.beside(work("a")),
    turns.beside(work("b")),
    turns.byItself(work("C")),
    turns.beside(work("d")),
    turns.byItself(work("E")),
    turns.byItself(work("F")),
    turns.beside(work("g")),
    turns.beside(work("h")),
  ]);
  expect(log.join("")).toBe("abCdEFgh");
  expect(most).toBe(2);
  // Nobody was beside those who work alone.
  for (const alone of [2, 4, 5]) expect(all[alone]).toEqual({ status: "fulfilled", value: 0 });
  expect(all[1]!.status).toBe("rejected");
});
