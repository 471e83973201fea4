import { rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { Ladder, planLadder, type LadderOptions } from "../../../src/arena/ladder/ladder.ts";
import { verifyRun } from "../../../src/arena/play/verify.ts";
import { Store } from "../../../src/arena/store/store.ts";
import { agon, agonProcess, startAgon, temporaryFolder, writeInto } from "../../support/agon.ts";
import { botText } from "../../support/ladder-bots.ts";
import { storedGames } from "../../support/stored-games.ts";
import { startWorker } from "../../support/servers/queue.ts";
import { redisTest, startRedis } from "../../support/servers/redis.ts";
import { everyFew, slow, slowTest } from "../../support/thorough.ts";

const CONFIG = {
  name: "ladder",
  game: "tic-tac-toe",
  seed: "ladder",
  round: 8,
  openings: { randomPlies: 2 },
  entrants: ["random", "mcts:simulations=4", "mcts:simulations=40"],
};

const THREE = { game: { id: "nim", players: 3 }, round: 6 };
const ALONE = { game: { id: "2048", width: 2, height: 2 }, round: 16 };

const planOf = async (change: object = {}) =>
  planLadder({ ...CONFIG, ...change }, { baseDir: ".", source: "" });

/** Plays a ladder of agon's agents to so many games. */
async function playTo(
  dir: string,
  games: number,
  { config, ...options }: Partial<LadderOptions> & { readonly config?: object } = {},
): Promise<string> {
  const ladder = Ladder.open(dir, await planOf(config));
  const { signal } = new AbortController();
  try {
    return await ladder.play({ workers: 0, forfeits: 5, games, signal, onNews: () => {}, ...options });
  } finally {
    ladder.close();
  }
}

test("a ladder that is stopped and plays on has the games of one that was never stopped", async () => {
  const whole = temporaryFolder();
  expect(await playTo(whole, 60)).toBe("done");
  const parts = temporaryFolder();
  const stop = new AbortController();
  const onProgress: LadderOptions["onProgress"] = ({ done }) => {
    if (done >= 9) stop.abort();
  };
  expect(await playTo(parts, 32, { signal: stop.signal, onProgress })).toBe("stopped");
  expect(await playTo(parts, 32)).toBe("done");
  expect(storedGames(parts)).toHaveLength(32);
  await playTo(parts, 60);
  // Whole rounds of 8 blocks.
  expect(storedGames(whole)).toHaveLength(64);
  expect(storedGames(parts)).toEqual(storedGames(whole));
});

test.each(everyFew([THREE, ALONE], 2))(
  "a ladder of $game.id that is stopped and plays on has the same games, too",
  async (config) => {
    const [whole, parts] = [temporaryFolder(), temporaryFolder()];
    expect(await playTo(whole, 30, { config })).toBe("done");
    expect(await playTo(parts, 10, { config })).toBe("done");
    const ladder = Ladder.open(parts, undefined);
    onTestFinished(() => ladder.close());
    const stop = new AbortController();
    const onProgress: LadderOptions["onProgress"] = ({ done }) => {
      if (done >= 20) stop.abort();
    };
    const options = { workers: 0, forfeits: 5, onNews: () => {} };
    expect(await ladder.play({ ...options, signal: stop.signal, onProgress })).toBe("stopped");
    expect(await ladder.play({ ...options, games: 30, signal: new AbortController().signal })).toBe("done");
    expect(storedGames(parts)).toEqual(storedGames(whole));
    const { entrants, rankedBy } = ladder.report();
    expect(entrants.every(({ games }) => games > 0)).toBe(true);
    expect(rankedBy).toBe(ladder.report().players === 1 ? "return" : "elo");
  },
);

slowTest("alone, a ladder ends when all mean returns are known well enough", async () => {
  const dir = temporaryFolder();
  expect(await playTo(dir, 1000, { config: ALONE, margin: 4 })).toBe("done");
  const ladder = Ladder.open(dir, undefined);
  onTestFinished(() => ladder.close());
  const { entrants, games } = ladder.report();
  expect(games).toBeLessThan(1000);
  for (const { meanReturn, returnHigh } of entrants) expect(returnHigh - meanReturn).toBeLessThanOrEqual(4);
});

test("a ladder waits for as many as a game has seats, and says so", async () => {
  const dir = temporaryFolder();
  const stop = new AbortController();
  const news: string[] = [];
  const onNews = (text: string) => {
    news.push(text);
    stop.abort();
  };
  const config = { ...THREE, entrants: ["random", "max-n:depth=1"] };
  expect(await playTo(dir, 30, { config, onNews, signal: stop.signal })).toBe("stopped");
  expect(news).toEqual(["The ladder waits: its games have 3 seats, and 2 entrants are there."]);
});

slow(redisTest)("two machines play the games that one plays", { timeout: 120_000 }, async () => {
  const here = temporaryFolder();
  expect(await playTo(here, 32)).toBe("done");
  const { url } = await startRedis();
  for (const _ of [1, 2]) startWorker(url, ["--workers", "1"]);
  const queued = temporaryFolder();
  const config = writeInto(queued, "ladder.json", CONFIG);
  const command = [
    "ladder",
    join(queued, "class"),
    "--config",
    config,
    "--games",
    "32",
    "--queue",
    url,
    "-q",
  ];
  expect((await agon(command)).code).toBe(0);
  expect(storedGames(join(queued, "class"))).toEqual(storedGames(here));
});

slowTest("bots come, forfeit, change and leave while it plays", { timeout: 240_000 }, async () => {
  const dir = temporaryFolder();
  const ladder = Ladder.open(dir, await planOf({ entrants: ["random"] }));
  onTestFinished(() => ladder.close());
  const inBots = (name: string) => join(dir, "bots", name);
  writeInto(dir, "bots/low.mjs", botText("first"));
  writeInto(dir, "bots/notes.txt", "no bot");
  writeInto(dir, "bots/random.mjs", botText("last"));
  symlinkSync("nowhere", join(dir, "bots/lost.mjs"));
  const news: string[] = [];
  const steps: [RegExp, () => void][] = [
    [/^low plays\.$/, () => writeInto(dir, "bots/odd.mjs", botText("illegal"))],
    [/^odd plays\.$/, () => {}],
    [
      /^odd is set aside: 3 forfeits in a row, .* illegal action: none is /,
      () => writeInto(dir, "bots/odd.mjs", botText("last")),
    ],
    [/^odd@2 plays\.$/, () => writeInto(dir, "bots/odd.mjs", botText("illegal"))],
    [/^odd is set aside: 3 forfeits/, () => rmSync(inBots("low.mjs"))],
    [/^low has left\.$/, () => writeInto(dir, "bots/odd.mjs", botText("last"))],
    [/^odd@2 plays\.$/, () => stop.abort()],
  ];
  const stop = new AbortController();
  const onNews = (text: string) => {
    news.push(text);
    if (!(steps[0]?.[0].test(text) ?? false)) return;
    steps.shift()![1]();
  };
  expect(await ladder.play({ workers: 0, forfeits: 3, signal: stop.signal, onNews })).toBe("stopped");
  expect(news[1]).toMatch(/^notes is refused: notes is no bot; allowed: bot\.py/);
  expect(news[2]).toBe("random is refused: an agent of the ladder has this name");
  expect(steps).toEqual([]);
  const names = ladder.report().entrants.map(({ name }) => name);
  expect(names.toSorted()).toEqual(["low", "odd", "odd@2", "random"]);
  ladder.close();
  const store = Store.openExisting(dir);
  onTestFinished(() => store.close());
  expect(store.size).toBeGreaterThan(0);
  const { differences, verified } = await verifyRun(store, dir, { sample: store.size, workers: 0 });
  expect(differences).toEqual([]);
  expect(verified).toBe(store.size);
  const { stdout } = await agon(["rate", dir, "--json"]);
  expect(JSON.parse(stdout)).toMatchObject({ games: store.size });
});

slow(test.each([{}, THREE]))(
  "a ladder that is killed three times has the games of one that was not: %o",
  { timeout: 240_000 },
  async (change) => {
    const [whole, killed] = [temporaryFolder(), temporaryFolder()];
    const config = writeInto(temporaryFolder(), "ladder.json", { ...CONFIG, ...change });
    const args = (dir: string) => [
      "ladder",
      dir,
      "--config",
      config,
      "--games",
      "160",
      "--workers",
      "2",
      "-q",
    ];
    for (const dir of [whole, killed]) {
      await agonProcess([...args(dir).slice(0, 4), "--games", "1", "-q"]);
      writeInto(dir, "bots/low.mjs", botText("first"));
    }
    expect((await agonProcess(args(whole))).code).toBe(0);
    const size = () => (Store.exists(killed) ? Store.reading({ dir: killed }, (store) => store.size) : 0);
    for (let kills = 0; kills < 3; kills++) {
      const before = size();
      const { child, outcome } = startAgon(args(killed));
      while (size() < before + 20) await new Promise((resolve) => setTimeout(resolve, 20));
      child.kill("SIGKILL");
      await outcome;
    }
    const all = Store.reading({ dir: whole }, (store) => store.size);
    expect(all).toBeGreaterThanOrEqual(160);
    expect(size()).toBeLessThan(160);
    expect((await agonProcess(args(killed))).code).toBe(0);
    expect(storedGames(killed)).toEqual(storedGames(whole));
    expect((await agon(["verify", killed, "--sample", "1000"])).stdout).toContain(
      `${all} of ${all} games verified, 0 differ`,
    );
  },
);

test("what is no ladder, or another one, is refused", async () => {
  const dir = temporaryFolder();
  expect(() => Ladder.open(dir, undefined)).toThrow(/holds no ladder yet; say what it plays/);
  await playTo(dir, 1);
  const other = await planOf({ game: "nim" });
  expect(() => Ladder.open(dir, other)).toThrow(/is a ladder of tic-tac-toe with other rules/);
  const named = await planOf({ entrants: [{ name: "random", agent: "mcts", simulations: 2 }] });
  expect(() => Ladder.open(dir, named)).toThrow(/has another entrant that is called "random"/);
  const opened = Ladder.open(dir, undefined);
  expect(() => Ladder.open(dir, undefined)).toThrow(/process \d+ .* has been writing here/);
  opened.close();
  const run = temporaryFolder();
  await agon(["match", "nim", "random", "random", "--blocks", "1", "--workers", "1", "--out", run]);
  expect(() => Ladder.open(run, undefined)).toThrow(/is the folder of a run that is no ladder/);
});
