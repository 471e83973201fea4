import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { planTournament } from "../../../src/arena/plan/config.ts";
import { openRun } from "../../../src/arena/store/run-folder.ts";
import type { AtPlayData } from "../../../src/report/page/data.ts";
import { LiveRuns } from "../../../src/report/live/live-runs.ts";
import { temporaryFolder } from "../../support/agon.ts";
import { fillRun } from "../../support/made-up-run.ts";

const config = {
  name: "small",
  game: "tic-tac-toe",
  blocks: 1,
  entrants: ["random", "alpha-beta:depth=2"],
};

/** Has a run show a game. */
function show(dir: string, game: { id: string; [key: string]: unknown }): void {
  mkdirSync(join(dir, "at-play"), { recursive: true });
  writeFileSync(join(dir, "at-play", `${game.id}.json`), JSON.stringify({ seats: [1, 0], ...game }));
}

test("games at play are shown at their last positions, but not those that are stored or that the rules do not give", async () => {
  const dir = temporaryFolder();
  const run = join(dir, "run");
  const runs = new LiveRuns(dir, () => 0);
  const { store } = openRun(run, await planTournament(config), { resume: false });
  const atPlay = async () => JSON.parse((await runs.atPlay("run"))!) as AtPlayData[];
  runs.refresh();
  expect(await atPlay()).toEqual([]);
  show(run, { id: "a", actions: [4, 0], clocks: [{ leftMs: 900 }, { leftMs: 800 }] });
  show(run, { id: "b", actions: [4, 4] });
  show(run, { id: "c", actions: [] });
  const [first, second, ...others] = await atPlay();
  expect(others).toEqual([]);
  expect(first).toMatchObject({
    id: "a",
    names: ["alpha-beta:depth=2", "random"],
    length: 2,
    last: "a1",
    turn: "player 1 to move",
    leftMs: [900, 800],
    board: { marked: [0] },
  });
  expect(second).toMatchObject({ id: "c", length: 0, last: "", turn: "player 1 to move" });
  store.close();
  runs.refresh();
  // Nobody plays now, so the files were left behind.
  expect(await atPlay()).toEqual([]);
  expect(await runs.atPlay("other")).toBeUndefined();
});

test("a game that a killed process left is not shown once it is stored", async () => {
  const dir = temporaryFolder();
  const run = join(dir, "run");
  await fillRun(run, config);
  const { store } = openRun(run, await planTournament(config), { resume: true });
  show(run, { id: [...store.records()][0]!.id, actions: [4] });
  show(run, { id: "c", actions: [4] });
  const runs = new LiveRuns(dir, () => 0);
  runs.refresh();
  expect((JSON.parse((await runs.atPlay("run"))!) as AtPlayData[]).map(({ id }) => id)).toEqual(["c"]);
  store.close();
});
