import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { clearGamesAtPlay, GameSign, readGamesAtPlay } from "../../../src/arena/play/at-play.ts";
import { playTournament } from "../../../src/arena/tournament.ts";
import { defineAgent, z } from "../../../src/index.ts";
import { temporaryFolder, writeInto } from "../../support/agon.ts";
import { slowTest } from "../../support/thorough.ts";

const scheduled = { id: "5a1e", block: "b", seats: [1, 0], opening: [4] };
const clocks = [
  { leftMs: 900, incrementMs: 10 },
  { leftMs: 1000, incrementMs: 10 },
];

test("a game is shown once it has lasted a second, then with each action, until it is over", () => {
  const dir = temporaryFolder();
  let now = 50;
  const sign = new GameSign(dir, () => now);
  sign.begin(scheduled);
  now += 999;
  sign.show([4], undefined);
  expect(readdirSync(dir)).toEqual([]);
  now += 1;
  sign.show([4, 3], undefined);
  expect(readGamesAtPlay(dir)).toEqual([{ id: "5a1e", seats: [1, 0], actions: [4, 3] }]);
  now += 30;
  sign.show([4, 3, 7], clocks);
  expect(readGamesAtPlay(dir)).toEqual([{ id: "5a1e", seats: [1, 0], actions: [4, 3, 7], clocks }]);
  sign.end();
  expect(readGamesAtPlay(dir)).toEqual([]);
  sign.begin(scheduled);
  sign.show([4], undefined);
  expect(readGamesAtPlay(dir)).toEqual([]);
});

test("a game that cannot be written or read is left out", () => {
  const dir = temporaryFolder();
  writeInto(dir, "at-play", "a file where the folder should be");
  let now = 0;
  const sign = new GameSign(dir, () => (now += 2000));
  sign.begin(scheduled);
  sign.show([4], undefined);
  sign.end();
  expect(readGamesAtPlay(dir)).toEqual([]);
  clearGamesAtPlay(dir);
  mkdirSync(join(dir, "at-play"));
  for (const [at, text] of ["", "{", "null", "[]", `{"id":"a","seats":[0],"actions":[0.5]}`].entries())
    writeFileSync(join(dir, "at-play", `${at}.json`), text);
  expect(readGamesAtPlay(dir)).toEqual([]);
  clearGamesAtPlay(dir);
  expect(readdirSync(dir)).toEqual([]);
});

slowTest(
  "a run shows its games and leaves nothing of them, not even those of processes that were killed",
  async () => {
    const outDir = temporaryFolder();
    mkdirSync(join(outDir, "at-play"));
    const left = { id: "left by a process that was killed", seats: [0, 1], actions: [] };
    writeFileSync(join(outDir, "at-play", "left.json"), JSON.stringify(left));
    const seen: unknown[] = [];
    const slow = defineAgent({
      id: "slow",
      summary: "looks at what the run shows, half a second at a time",
      options: z.strictObject({}),
      budgets: [],
      unsupported: () => undefined,
      create: () => ({
        async choose(state) {
          seen.push(readGamesAtPlay(outDir));
          await new Promise((resolve) => setTimeout(resolve, 550));
          const actions = new Int32Array(9);
          state.legalActions(actions, 0);
          return { action: actions[0]!, nodes: 0, line: [] };
        },
      }),
    });
    const entrants = [
      { name: "slow", agent: slow },
      { name: "random", agent: "random" },
    ];
    const config = { name: "slow", game: "tic-tac-toe", blocks: 1, entrants };
    const { records } = await playTournament(config, { outDir, workers: 0 });
    const own = seen.filter((games) => (games as unknown[]).length > 0) as {
      id: string;
      actions: number[];
    }[][];
    expect(seen[0]).toEqual([]);
    expect(own.length).toBeGreaterThan(0);
    for (const games of own) {
      expect(games).toHaveLength(1);
      const { id, actions } = games[0]!;
      const record = records.find((one) => one.id === id)!;
      expect(record.actions.slice(0, actions.length)).toEqual(actions);
      expect(actions.length).toBeGreaterThan(1);
    }
    expect(readdirSync(outDir)).not.toContain("at-play");
  },
);
