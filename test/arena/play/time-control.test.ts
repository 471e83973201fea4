import process from "node:process";
import { describe, expect, test } from "vitest";
import type { Agent } from "../../../src/agents/agent.ts";
import { planTournament } from "../../../src/arena/plan/config.ts";
import { entrantKey } from "../../../src/arena/plan/plan.ts";
import { formatTime } from "../../../src/arena/plan/time-control.ts";
import { Referee } from "../../../src/arena/play/referee.ts";
import { runTournament } from "../../../src/arena/play/run.ts";
import { openRun } from "../../../src/arena/store/run-folder.ts";
import { Store } from "../../../src/arena/store/store.ts";
import { createGame } from "../../../src/games/index.ts";
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

describe("an entrant's own time", () => {
  const config = {
    name: "odds",
    game: "tic-tac-toe",
    blocks: 2,
    time: "0.001",
    openings: { randomPlies: 2 },
    entrants: [
      { name: "slow", agent: "alpha-beta", depth: 9, time: "600+1" },
      { name: "fast", agent: "alpha-beta", depth: 9 },
    ],
  };

  test("is its clock: the flag of the others falls by theirs", async () => {
    const plan = await planTournament(config);
    expect(plan.entrants.map(({ time }) => time && formatTime(time))).toEqual(["600+1", undefined]);
    expect(plan.entrants[0]!.spec).not.toHaveProperty("time");
    // Every second look at the clock is ten ms later.
    let now = 0;
    const referee = new Referee(createGame("tic-tac-toe"), () => (now += 5), { time: plan.time });
    const seen: unknown[] = [];
    const agent: Agent = {
      choose: (state, { clocks }) => {
        seen.push(clocks!.map(({ leftMs, incrementMs }) => leftMs + incrementMs));
        const actions = new Int32Array(9);
        state.legalActions(actions, 0);
        return { action: actions[0]!, nodes: 1, line: [] };
      },
    };
    const seats = plan.entrants.map(({ time }) => ({ agent, budget: {}, time }));
    const setup = { id: "a", block: "b", opening: [], seed: "s" };
    const { ending, forfeitSeat, detail } = await referee.play(seats, setup);
    expect([ending, forfeitSeat]).toEqual(["time-out", 1]);
    expect(detail).toContain("with 0.001 s left, time control 0.001");
    expect(seen[0]).toEqual([601_000, 1]);
  });

  test("is part of the ids of its games alone", async () => {
    const other = { ...config, entrants: [{ ...config.entrants[0]!, time: "600+2" }, config.entrants[1]!] };
    const [one, two] = [await planTournament(config), await planTournament(other)];
    expect(entrantKey(one.entrants[0]!)).not.toBe(entrantKey(two.entrants[0]!));
    expect(entrantKey(one.entrants[1]!)).toBe(entrantKey(two.entrants[1]!));
    expect(one.moveTimeoutMs).toBeGreaterThan(10 * 600_000);
  });

  test.each([
    [
      "of a tournament without clocks",
      undefined,
      "600",
      "entrants[0].time: takes the place of the tournament's `time`",
    ],
    ["that is none", "1", "soon", 'entrants[0].time: "soon" is no time control'],
    [
      "of another charge",
      "1",
      { main: 1, charge: "wall" as const },
      "entrants[0].time.charge: is the same for all",
    ],
  ])("is refused: one %s", async (_, time, own, message) => {
    const entrants = [{ ...config.entrants[0]!, time: own }, "random"];
    await expect(planTournament({ ...config, time, entrants })).rejects.toThrow(message);
  });
});

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
