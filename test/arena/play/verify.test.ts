import { beforeAll, describe, expect, test } from "vitest";
import { planTournament } from "../../../src/arena/plan/config.ts";
import { planTime } from "../../../src/arena/plan/time-control.ts";
import type { TournamentPlan } from "../../../src/arena/plan/plan.ts";
import { runTournament } from "../../../src/arena/play/run.ts";
import { verifyRun } from "../../../src/arena/play/verify.ts";
import { Store } from "../../../src/arena/store/store.ts";
import type { Thought } from "../../../src/base/thought.ts";
import type { GameRecord } from "../../../src/ratings/record.ts";

let plan: TournamentPlan;
let records: GameRecord[];

beforeAll(async () => {
  const config = {
    name: "verified",
    game: { id: "pig", target: 20 },
    blocks: 4,
    openings: { randomPlies: 2 },
    entrants: ["random", "mcts:simulations=10"],
  };
  plan = await planTournament(config, { baseDir: "." });
  const store = Store.inMemory();
  await runTournament({ plan, store, workers: 0 });
  records = store.records();
});

/** A run that has these games; `changed` takes the place of the first one. */
function runWith(changed: Partial<GameRecord> = {}, change: Partial<TournamentPlan> = {}): Store {
  const store = Store.inMemory();
  store.savePlan({ ...plan, ...change });
  store.add(records.map((record, at) => (at === 0 ? { ...record, ...changed } : record)));
  return store;
}

test("games played again come out the same", async () => {
  expect(await verifyRun(runWith(), ".", { sample: 100, workers: 0 })).toEqual({
    stored: 8,
    sampled: 8,
    verified: 8,
    differences: [],
    skipped: [],
  });
  expect(await verifyRun(runWith(), ".", { sample: 3, workers: 0 })).toMatchObject({
    stored: 8,
    sampled: 3,
    verified: 3,
  });
});

test("agents that remember over a game play whole games again", async () => {
  const config = {
    name: "remembered",
    game: "connect-four",
    blocks: 2,
    openings: { randomPlies: 4 },
    entrants: ["mcts:simulations=40,memory=game", "mcts:simulations=30,memory=game,maxNodes=1000"],
  };
  const store = Store.inMemory();
  const remembered = await planTournament(config, { baseDir: "." });
  store.savePlan(remembered);
  await runTournament({ plan: remembered, store, workers: 0 });
  expect(await verifyRun(store, ".", { workers: 0 })).toMatchObject({ sampled: 4, verified: 4 });
});

describe("a stored game that was changed is found", () => {
  test.each<[keyof GameRecord, (record: GameRecord) => Partial<GameRecord>]>([
    ["block", () => ({ block: "another" })],
    ["seats", ({ seats }) => ({ seats: seats.toReversed() })],
    ["openingLength", ({ openingLength }) => ({ openingLength: openingLength + 1 })],
    ["actions", ({ actions }) => ({ actions: actions.slice(0, -1) })],
    ["ending", () => ({ ending: "exception" })],
    ["forfeitSeat", () => ({ forfeitSeat: 1 })],
    ["returns", ({ returns }) => ({ returns: returns.toReversed() })],
    ["nodes", ({ nodes }) => ({ nodes: nodes.map((count) => count + 1) })],
  ])("%s", async (key, change) => {
    const { differences, ...counts } = await verifyRun(runWith(change(records[0]!)), ".", {
      sample: 100,
      workers: 0,
    });
    expect(counts).toEqual({ stored: 8, sampled: 8, verified: 7, skipped: [] });
    const what =
      key === "actions"
        ? new RegExp(
            `^actions differ from the ${records[0]!.actions.length}\\. on: stored the end, played again \\d+$`,
          )
        : new RegExp(`^${key} differ: stored .*, played again `);
    expect(differences).toEqual([{ id: records[0]!.id, what: expect.stringMatching(what) as string }]);
  });

  test.each<[string, (thought: Thought) => Partial<Thought>, RegExp]>([
    ["value", () => ({ value: 0.125 }), /: value stored 0.125, played again -?[\d.]+$/],
    ["depth", () => ({ depth: 99 }), /: depth stored 99, played again \d+$/],
    ["nodes", ({ nodes }) => ({ nodes: nodes + 1 }), /: nodes stored 11, played again 10$/],
    ["line", ({ line }) => ({ line: [...line, 1] }), /: line stored \[[\d,]*1\], played again \[[\d,]*\]$/],
  ])("%s of a thought, with the decision", async (_, change, what) => {
    const [first] = records;
    const at = first!.thoughts.findLastIndex(({ nodes }) => nodes > 0);
    const thoughts = first!.thoughts.with(at, { ...first!.thoughts[at]!, ...change(first!.thoughts[at]!) });
    const { differences } = await verifyRun(runWith({ thoughts }), ".", { workers: 0 });
    expect(differences).toEqual([{ id: first!.id, what: expect.stringMatching(what) as string }]);
    expect(differences[0]!.what).toMatch(
      new RegExp(`^thoughts differ at decision ${at + 1}, (roll|hold) by mcts:simulations=10: `),
    );
  });

  test("thoughts that are missing at the end", async () => {
    const thoughts = records[0]!.thoughts.slice(0, 1);
    const { differences } = await verifyRun(runWith({ thoughts }), ".", { workers: 0 });
    expect(differences[0]!.what).toMatch(/^thoughts differ at decision 2, .*: .* stored none, played again /);
  });

  test("but not the time of a thought, nor where one side has none", async () => {
    const [first] = records;
    const slower = first!.thoughts.map((thought) => ({ ...thought, timeMs: thought.timeMs + 1 }));
    for (const run of [
      runWith({ thoughts: slower }),
      runWith({ thoughts: [] }),
      runWith({}, { thoughts: false }),
    ])
      expect(await verifyRun(run, ".", { workers: 0 })).toMatchObject({ verified: 8, differences: [] });
  });

  test("a game that the plan does not have", async () => {
    const { differences, verified } = await verifyRun(runWith({ id: "0" }), ".", { sample: 100, workers: 0 });
    expect(differences).toEqual([{ id: "0", what: "is not in the plan" }]);
    expect(verified).toBe(7);
  });
});

test.each(["time-out", "worker died"] as const)(
  "a game that ended by %s is not played again",
  async (ending) => {
    expect(await verifyRun(runWith({ ending }), ".", { sample: 100, workers: 0 })).toEqual({
      stored: 8,
      sampled: 8,
      verified: 7,
      differences: [],
      skipped: [{ reason: `${ending}, which depends on the machine`, games: 1 }],
    });
  },
);

test.each([
  [{ timeMs: 1 }, "a time budget, which depends on the machine"],
  [{ simulations: 5, threads: 2 }, "threads, which depend on the machine"],
])("games of an agent with %o are not played again", async (options, reason) => {
  const [random, mcts] = plan.entrants;
  const changed = {
    ...plan,
    entrants: [random!, { ...mcts!, spec: { agent: "mcts", ...options } }],
    blocks: 1,
  };
  const store = Store.inMemory();
  await runTournament({ plan: changed, store, workers: 0 });
  store.savePlan(changed);
  expect(await verifyRun(store, ".", { sample: 100, workers: 0 })).toEqual({
    stored: 2,
    sampled: 2,
    verified: 0,
    differences: [],
    skipped: [{ reason, games: 2 }],
  });
});

test("games with a time control are not played again", async () => {
  const timed = { ...plan, time: planTime("60+1"), blocks: 1 };
  const store = Store.inMemory();
  await runTournament({ plan: timed, store, workers: 0 });
  store.savePlan(timed);
  expect(await verifyRun(store, ".", { sample: 100, workers: 0 })).toMatchObject({
    sampled: 2,
    verified: 0,
    skipped: [{ reason: "a time control, which makes play depend on the machine", games: 2 }],
  });
});

test("a run without a plan, or of another version of the game, is refused", async () => {
  await expect(verifyRun(Store.inMemory(), "there", { sample: 1, workers: 0 })).rejects.toThrow(
    "there: has no plan",
  );
  const older = runWith({}, { gameVersion: plan.gameVersion + 1 });
  await expect(verifyRun(older, "there", { sample: 1, workers: 0 })).rejects.toThrow(
    `there: was played by version ${plan.gameVersion + 1} of pig; this is version ${plan.gameVersion}`,
  );
});
