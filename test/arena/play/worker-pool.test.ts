import { existsSync } from "node:fs";
import { describe, expect, test, vi } from "vitest";
import { planTournament } from "../../../src/arena/plan/config.ts";
import type * as Forks from "../../../src/arena/play/worker-fork.ts";
import type * as Pools from "../../../src/arena/play/worker-pool.ts";
import { schedule } from "../../../src/arena/schedule/rounds.ts";
import type { ScheduledGame } from "../../../src/arena/schedule/schedule.ts";
import { createGame } from "../../../src/games/index.ts";
import type { GameRecord } from "../../../src/ratings/record.ts";
import { fixture, temporaryFolder, writeInto } from "../../support/agon.ts";
import { slowTest } from "../../support/thorough.ts";

// Workers run the built program.
const built = async (name: string): Promise<unknown> =>
  import(new URL(`../../../build/arena/play/${name}.js`, import.meta.url).href);
const { playHere, WorkerPool } = (await built("worker-pool")) as typeof Pools;
const { keepingWorkers } = (await built("worker-fork")) as typeof Forks;

const BAD = fixture("agents/bad.ts");

/** Agents that do the deeds play one game each as `seat` against one that does none. By deed: the game. */
async function playDeeds(
  deeds: readonly string[],
  {
    seat = 0,
    workers = 2,
    ...config
  }: { seat?: number; workers?: number; memoryMb?: number; moveTimeoutMs?: number } = {},
): Promise<Map<string, GameRecord>> {
  const plan = await planTournament({
    name: "deeds",
    game: "tic-tac-toe",
    blocks: 1,
    moveTimeoutMs: 60_000,
    ...config,
    entrants: ["", ...deeds].map((deed) => ({ name: `deed ${deed}`, agent: BAD, deed })),
  });
  const game = createGame("tic-tac-toe");
  const isMeant = ({ seats }: ScheduledGame) => seats[1 - seat] === 0 && seats[seat]! > 0;
  const games = [...schedule(plan, game)].filter(isMeant);
  const pool = new WorkerPool(game, { plan, dir: "." }, workers);
  try {
    const half = Math.ceil(games.length / 2);
    const parts = await Promise.all([pool.play(games.slice(0, half)), pool.play(games.slice(half))]);
    return new Map(parts.flat().map((record) => [deeds[record.seats[seat]! - 1]!, record]));
  } finally {
    await pool.close();
  }
}

const AT_BAD = String.raw`, at .*bad\.ts:\d+:\d+`;
/** The limit where an agent is to reach it; elsewhere a busy machine shall not. */
const SHORT_MS = 1500;
const TOO_LONG = new RegExp(`^no action within ${SHORT_MS} ms$`);
const FORFEITS: Readonly<Record<string, [ending: string, detail: RegExp]>> = {
  "newGame throws": ["exception", new RegExp(`^RangeError: bad deed${AT_BAD}$`)],
  "newGame loops": ["time-out", TOO_LONG],
  "throws nothing known": ["exception", /^something that cannot be described$/],
  "throws what loops": ["time-out", TOO_LONG],
  "throws control characters": [
    "exception",
    new RegExp(`^Error: \\\\u001b\\[31mred\\\\u001b\\[0m${AT_BAD}$`),
  ],
  "throws a long story": ["exception", /^Error: (long ){300,400}l?o?n?g?$/],
  "getter throws": ["exception", new RegExp(`^RangeError: bad deed${AT_BAD}$`)],
  "getter loops": ["time-out", TOO_LONG],
  "value throws": ["exception", new RegExp(`^RangeError: bad deed${AT_BAD}$`)],
  "line loops": ["time-out", TOO_LONG],
  bigint: ["illegal action", /^1n is not a legal action$/],
  circle: ["illegal action", /^an object is not a legal action$/],
  "nodes are text": ["exception", /^`nodes` of a decision must be a whole number from 0 on, got "many"$/],
  "nodes are NaN": ["exception", /^`nodes` of a decision must be .*, got NaN$/],
  "nodes are negative": ["exception", /^`nodes` of a decision must be .*, got -1$/],
  "nodes are missing": ["exception", /^`nodes` of a decision must be .*, got nothing$/],
  "never answers": ["time-out", TOO_LONG],
  "answers by a timer that throws": ["exception", new RegExp(`^RangeError: bad deed${AT_BAD}, in code`)],
  "timer throws": ["exception", new RegExp(`^RangeError: bad deed${AT_BAD}, in code that it left behind$`)],
  "timer loops": ["time-out", TOO_LONG],
  "timer exits": ["worker died", /^its process ended: exit code 4$/],
  "promise rejects": ["exception", new RegExp(`^Error: nobody waits${AT_BAD}, in code that it left behind$`)],
  exits: ["worker died", /^its process ended: exit code 3$/],
  aborts: ["worker died", /^its process ended: SIGABRT$/],
  kills: ["worker died", /^its process ended: SIGKILL$/],
};

describe("an agent's bad deed", () => {
  slowTest.each([0, 1])("is its own forfeit, with the cause, as player %i", async (seat) => {
    const names = Object.keys(FORFEITS);
    const [slow, fast] = [true, false].map((late) =>
      names.filter((deed) => (FORFEITS[deed]![0] === "time-out") === late),
    );
    const played = new Map([
      ...(await playDeeds([...fast!, "prints"], { seat })),
      ...(await playDeeds(slow!, { seat, moveTimeoutMs: SHORT_MS })),
    ]);
    for (const deed of names) {
      const [ending, detail] = FORFEITS[deed]!;
      const record = played.get(deed)!;
      expect({ deed, ending: record.ending, seat: record.forfeitSeat }).toEqual({ deed, ending, seat });
      expect(record.detail, deed).toMatch(detail);
      expect(record.detail.length).toBeLessThanOrEqual(2000);
      expect(record.returns[seat], deed).toBe(-1);
    }
    expect(played.get("prints")!.ending).toBe("finished");
    expect(played.size).toBe(names.length + 1);
  });

  slowTest("is none where it says nonsense, or too much, of a decision", async () => {
    const played = await playDeeds(["nonsense is said", "much is said"], { seat: 1 });
    const [nonsense, much] = [played.get("nonsense is said")!, played.get("much is said")!];
    expect([nonsense.ending, much.ending]).toEqual(["finished", "finished"]);
    expect(nonsense.thoughts).toEqual([]);
    const line = Array.from({ length: 16 }, (_, at) => 0 - at);
    expect(much.thoughts[1]).toMatchObject({ value: 1e300, depth: 2 ** 40, nodes: 0, line });
    expect(much.thoughts).toHaveLength(much.actions.length);
    expect(much.thoughts[0]).toEqual({ nodes: 0, timeMs: expect.any(Number) as number, line: [] });
  });

  slowTest("is its own forfeit too where it takes memory", async () => {
    const deeds = ["takes the heap", "takes buffers"];
    const played = await playDeeds(deeds, { seat: 1, memoryMb: 256, moveTimeoutMs: 60_000 });
    for (const deed of deeds)
      expect(played.get(deed), deed).toMatchObject({
        ending: "out of memory",
        forfeitSeat: 1,
        detail: "it took more than 256 MB",
      });
  });

  slowTest("is its own forfeit where it takes long to notice", async () => {
    const played = await playDeeds(["stops"], { seat: 1, moveTimeoutMs: SHORT_MS });
    expect(played.get("stops")).toMatchObject({ ending: "time-out", forfeitSeat: 1 });
  });
});

/** Writes its process down in its folder, and decides as soon as two processes are there. */
const MEETING = String.raw`
import { randomUUID } from "node:crypto";
import { readdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineAgent, z } from "agon-arena";

const folder = fileURLToPath(new URL(".", import.meta.url));
const me = randomUUID();
const first = (state) => {
  const actions = new Int32Array(9);
  state.legalActions(actions, 0);
  writeFileSync(folder + me + ".pid", "");
  while (readdirSync(folder).filter((name) => name.endsWith(".pid")).length < 2);
  return { action: actions[0], nodes: 0, line: [] };
};
export const agent = defineAgent({
  id: "meeting",
  summary: "waits for another",
  options: z.strictObject({}),
  budgets: [],
  unsupported: () => undefined,
  create: () => ({ choose: first }),
});
`;

slowTest("a game that another one waits for is played beside it", async () => {
  const agent = writeInto(temporaryFolder(), "meeting.mjs", MEETING);
  const entrants = [agent, { name: "other", agent }];
  const plan = await planTournament({
    name: "m",
    game: "tic-tac-toe",
    blocks: 1,
    moveTimeoutMs: 60_000,
    entrants,
  });
  const game = createGame("tic-tac-toe");
  const pool = new WorkerPool(game, { plan, dir: "." }, 2);
  try {
    const parts = await Promise.all([...schedule(plan, game)].map(async (one) => pool.play([one])));
    expect(parts.flat().map(({ ending }) => ending)).toEqual(["finished", "finished"]);
  } finally {
    await pool.close();
  }
});

test("a task goes to the first worker that can play, though another one is being started for it", async () => {
  const entrants = ["random", { name: "other", agent: "random" }];
  const plan = await planTournament({ name: "m", game: "nim", blocks: 1, entrants });
  let starts = 0;
  let startSecond = () => {};
  const second = new Promise<void>((resolve) => (startSecond = resolve));
  const never = new Promise<void>(() => {});
  /** The first worker plays until another one is started, which is never ready. */
  class Starting extends WorkerPool {
    protected override startProcess() {
      const isFirst = ++starts === 1;
      if (!isFirst) startSecond();
      const play = async (games: readonly ScheduledGame[]) => {
        await (isFirst ? second : never);
        return { records: games.map(({ id }) => ({ id }) as GameRecord), end: undefined };
      };
      const worker = { ready: isFirst ? Promise.resolve() : never, play, leave: () => {} };
      return worker as unknown as ReturnType<Pools.WorkerPool["startProcess"]>;
    }
  }
  const game = createGame("nim");
  const pool = new Starting(game, { plan, dir: "." }, 2);
  const parts = await Promise.all([...schedule(plan, game)].map(async (one) => pool.play([one])));
  expect(parts.map((records) => records.length)).toEqual([1, 1]);
  expect(starts).toBe(2);
  await pool.close();
});

slowTest("a kept process plays one tournament after another, each as a new process does", async () => {
  const processes: number[] = [];
  class Watched extends WorkerPool {
    protected override startProcess() {
      const worker = super.startProcess();
      processes.push(worker["child"].pid!);
      return worker;
    }
  }
  await keepingWorkers(async () => {
    for (const id of ["nim", "tic-tac-toe"]) {
      const entrants = ["random", "mcts:simulations=10"];
      const plan = await planTournament({ name: "m", game: id, blocks: 2, entrants });
      const [game, setup] = [createGame(id), { plan, dir: ".", writes: false }];
      const results = [];
      for (const players of [new Watched(game, setup, 1), await playHere(setup)]) {
        const records = await players.play([...schedule(plan, game)]);
        results.push(records.map(({ id: of, actions }) => [of, actions]));
        await players.close();
      }
      expect(results[0]).toEqual(results[1]);
    }
  });
  const [first, second] = processes;
  expect(second).toBe(first);
  await expect.poll(() => existsSync(`/proc/${first}/exe`)).toBe(false);
});

slowTest("the idle share is that of workers which could play and had no games", async () => {
  const plan = await planTournament({
    name: "idle",
    game: "nim",
    blocks: 4,
    entrants: ["random", "random"].map((agent, at) => ({ name: `r${at}`, agent })),
  });
  const game = createGame("nim");
  const games = [...schedule(plan, game)];
  const pool = new WorkerPool(game, { plan, dir: "." }, 1);
  const clock = vi.spyOn(performance, "now");
  try {
    expect(pool.idleShare).toBeUndefined();
    clock.mockReturnValue(1000);
    await pool.play(games.slice(0, 2));
    // The task took no time on this clock, and so does the next one; in between nothing is played.
    clock.mockReturnValue(1010);
    expect(pool.idleShare).toBe(1);
    const played = pool.play(games.slice(2));
    clock.mockReturnValue(1040);
    await played;
    expect(pool.idleShare).toBeCloseTo(10 / 40, 9);
    clock.mockReturnValue(1060);
    expect(pool.idleShare).toBeCloseTo(30 / 60, 9);
  } finally {
    clock.mockRestore();
    await pool.close();
  }
});
