import process from "node:process";
import { expect, test } from "vitest";
import { planTournament } from "../../../src/arena/plan/config.ts";
import { runTournament } from "../../../src/arena/play/run.ts";
import { openRun } from "../../../src/arena/store/run-folder.ts";
import { Store } from "../../../src/arena/store/store.ts";
import { temporaryFolder, writeInto } from "../../support/agon.ts";
import { slowTest } from "../../support/thorough.ts";

/**
 * A player of the JSON lines protocol. It takes the first legal action and calls the main time left of both clocks its
 * nodes, in seconds and in thousands of seconds.
 */
const TELLS_CLOCKS = `
import { createInterface } from "node:readline";
const say = (message) => process.stdout.write(JSON.stringify(message) + "\\n");
createInterface({ input: process.stdin }).on("line", (line) => {
  const { type, clocks, legal } = JSON.parse(line);
  if (type === "hello") say({ type, protocol: 1, name: "clocks", wants: "numbers" });
  if (type !== "decide") return;
  const [first, second] = clocks.map(({ leftMs, incrementMs }) => Math.round(leftMs / 1000) + incrementMs);
  say({ type: "decision", action: legal[0], nodes: first + 1000 * second });
});
`;

slowTest("a program is told the clocks", async () => {
  const dir = temporaryFolder();
  writeInto(dir, "clocks.mjs", TELLS_CLOCKS);
  const program = { agent: "program", command: [process.execPath, "./clocks.mjs"] };
  const config = {
    name: "told",
    game: { id: "nim", piles: [1, 1] },
    blocks: 1,
    time: { main: 500, increment: 0.002 },
    entrants: [
      { ...program, name: "one" },
      { ...program, name: "other" },
    ],
  };
  const plan = await planTournament(config, { baseDir: dir });
  const store = Store.inMemory();
  await runTournament({ plan, store, dir, workers: 0 });
  for (const { ending, nodes } of store.records())
    expect({ ending, nodes }).toEqual({ ending: "finished", nodes: [502_502, 502_502] });
});

test("a run with a time control goes on where it stopped, with the clocks that it began with", async () => {
  const dir = temporaryFolder();
  const planOf = async (blocks: number, time: string) =>
    planTournament({
      name: "t",
      game: "connect-four",
      blocks,
      time,
      openings: { randomPlies: 2 },
      entrants: ["random", "alpha-beta:depth=1"],
    });
  const begun = openRun(dir, await planOf(2, "60+1"), { resume: false });
  await runTournament({ plan: begun.plan, store: begun.store, workers: 0 });
  const before = begun.store.records();
  begun.store.close();
  const other = await planOf(2, "60+2");
  expect(() => openRun(dir, other, { resume: true })).toThrow(
    "time.incrementMs: the run was begun with another config: 1000 there, 2000 now",
  );

  const resumed = openRun(dir, await planOf(4, "60+1"), { resume: true });
  expect(resumed.plan.time).toMatchObject({ mainMs: 60_000, incrementMs: 1000 });
  await runTournament({ plan: resumed.plan, store: resumed.store, workers: 0 });
  const after = resumed.store.records();
  expect(after).toHaveLength(8);
  expect(after).toEqual(expect.arrayContaining(before));
  resumed.store.close();
});

slowTest(
  "the flag of a program that does not answer falls, its process is ended, and the next game has a new one",
  async () => {
    const dir = temporaryFolder();
    const hangs = TELLS_CLOCKS.replace('"decide") return;', '"decide" || clocks !== undefined) return;');
    writeInto(dir, "hangs.mjs", hangs);
    const config = {
      name: "hangs",
      game: { id: "nim", piles: [2, 2] },
      blocks: 2,
      time: { main: 0.08 },
      moveTimeoutMs: 600_000,
      entrants: [{ agent: "program", name: "hangs", command: [process.execPath, "./hangs.mjs"] }, "random"],
    };
    const plan = await planTournament(config, { baseDir: dir });
    const store = Store.inMemory();
    await runTournament({ plan, store, dir, workers: 0 });
    const records = store.records();
    expect(records).toHaveLength(4);
    for (const { ending, seats, forfeitSeat, detail } of records) {
      expect([ending, seats[forfeitSeat]]).toEqual(["time-out", 0]);
      expect(detail).toMatch(/^the flag fell: the decision took .* s with 0.08 s left, time control 0.08$/);
    }
  },
);
