import { appendFileSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { planTournament } from "../../../src/arena/plan/config.ts";
import { openRun } from "../../../src/arena/store/run-folder.ts";
import { Store } from "../../../src/arena/store/store.ts";
import type { PageData } from "../../../src/report/page/data.ts";
import { LiveRuns } from "../../../src/report/live/live-runs.ts";
import { temporaryFolder, writeInto } from "../../support/agon.ts";
import { fillRun } from "../../support/made-up-run.ts";
import { slowTest } from "../../support/thorough.ts";

const config = {
  name: "small",
  game: "tic-tac-toe",
  blocks: 20,
  openings: { randomPlies: 1 },
  entrants: ["random", "alpha-beta:depth=2"],
};

/** A finished run of 40 games beside an empty one of the same plan, which the test fills. */
async function halves(): Promise<{ dir: string; store: Store; games: ReturnType<Store["records"]> }> {
  const dir = temporaryFolder();
  await fillRun(join(dir, "done"), config);
  const done = Store.openExisting(join(dir, "done"));
  const games = done.records();
  done.close();
  rmSync(join(dir, "done"), { recursive: true });
  const { store } = openRun(join(dir, "live"), await planTournament(config), { resume: false });
  return { dir, store, games };
}

test("a run is followed from its first game to its end, and after it was stopped", async () => {
  const { dir, store, games } = await halves();
  let now = 1_000_000;
  const runs = new LiveRuns(dir, () => now);
  const base = { folder: "live", kind: "run", name: "small", planned: 40, notice: "" };
  expect(runs.refresh().changed).toMatchObject([{ ...base, done: 0, leader: "", state: "going on" }]);
  expect(runs.refresh()).toEqual({ changed: [], gone: [] });

  now += 2000;
  store.add(games.slice(0, 10));
  const [entry] = runs.refresh().changed;
  expect(entry).toMatchObject({ ...base, done: 10, gamesPerSecond: 5, secondsLeft: 6, state: "going on" });
  expect(entry!.leader).toBe("alpha-beta:depth=2");
  now += 2000;
  store.add(games.slice(10, 30));
  expect(runs.refresh().changed).toMatchObject([{ done: 30, gamesPerSecond: 7.5, secondsLeft: 10 / 7.5 }]);
  // Reading leaves nothing open, so that the store becomes one file.
  await setImmediate();
  store.close();
  expect(readdirSync(join(dir, "live"))).toEqual(["results.sqlite"]);
  const [stopped] = runs.refresh().changed;
  expect(stopped).toMatchObject({ ...base, done: 30, state: "stopped" });
  expect(stopped).not.toHaveProperty("gamesPerSecond");
  expect(stopped!.change).toBeGreaterThan(entry!.change);

  const again = openRun(join(dir, "live"), await planTournament(config), { resume: true });
  again.store.add(games.slice(30));
  expect(runs.refresh().changed).toMatchObject([{ ...base, done: 40, state: "going on" }]);

  again.store.close();
  expect(runs.refresh().changed).toMatchObject([{ ...base, done: 40, state: "finished" }]);
  rmSync(join(dir, "live"), { recursive: true });
  expect(runs.refresh()).toEqual({ changed: [], gone: ["live"] });
  expect(await runs.page("live")).toBeUndefined();
});

slowTest(
  "a run is collected again when it has changed, but only after ten times what that took",
  async () => {
    const { dir, store, games } = await halves();
    let now = 0;
    /** Every look at the clock takes 100 ms. */
    const runs = new LiveRuns(dir, () => (now += 100));
    const countOf = async () => {
      const { tournaments } = JSON.parse((await runs.page("live"))!.json) as PageData;
      return tournaments[0]!.report.games;
    };
    runs.refresh();
    const begun = now;
    expect(await countOf()).toBe(0);
    store.add(games.slice(0, 8));
    runs.refresh();
    while (now < begun + 1100) expect(await countOf()).toBe(0);
    expect(await countOf()).toBe(8);
    store.close();
  },
);

slowTest("two that ask at the same time wait for one collection", async () => {
  const { dir, store } = await halves();
  const runs = new LiveRuns(dir, () => 0);
  runs.refresh();
  const [one, other] = await Promise.all([runs.page("live"), runs.page("live")]);
  expect(one).toBe(other);
  store.close();
});

test("a folder that is made again under the same name is another run", async () => {
  const { dir, store, games } = await halves();
  store.add(games);
  store.close();
  const runs = new LiveRuns(dir, () => 0);
  runs.refresh();
  rmSync(join(dir, "live"), { recursive: true });
  await fillRun(join(dir, "live"), {
    ...config,
    blocks: 2,
    entrants: ["random", "greedy:evaluator=open-lines"],
  });
  expect(runs.refresh().changed).toMatchObject([
    { done: 4, planned: 4, leader: "greedy:evaluator=open-lines", state: "finished" },
  ]);
});

test("a training is followed by its state and its curve", () => {
  const dir = temporaryFolder();
  const runs = new LiveRuns(dir, () => 0);
  const folder = join(dir, "t");
  writeInto(dir, "config.json", {});
  expect(runs.refresh().changed).toEqual([]);
  // Folders of trainings are made by hand: a training would take its time.
  const files = { "config.json": { name: "t", game: { id: "pig" }, games: 100 }, "checkpoints/0.json": {} };
  mkdirSync(join(folder, "checkpoints"), { recursive: true });
  for (const [name, content] of Object.entries(files)) writeInto(folder, name, content);
  expect(runs.refresh().changed).toMatchObject([
    { kind: "training", name: "t", game: "pig", done: 0, planned: 100, leader: "", state: "stopped" },
  ]);
  writeInto(folder, "state.json", { games: 50 });
  writeInto(folder, "curve.csv", "games,elo,low\n0,10.4,1\n50,30.5,2\n");
  appendFileSync(join(folder, "curve.csv"), "60,20,2\n");
  expect(runs.refresh().changed).toMatchObject([{ done: 50, leader: "31 Elo after 50 games" }]);
  writeInto(folder, "weights.json", {});
  expect(runs.refresh().changed).toMatchObject([{ state: "finished" }]);
});
