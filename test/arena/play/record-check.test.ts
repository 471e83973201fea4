import { describe, expect, test } from "vitest";
import { planTournament } from "../../../src/arena/plan/config.ts";
import { RecordCheck } from "../../../src/arena/play/record-check.ts";
import { RecordChecker } from "../../../src/arena/play/record-checker.ts";
import { runTournament } from "../../../src/arena/play/run.ts";
import { Store } from "../../../src/arena/store/store.ts";
import { createGame, games } from "../../../src/games/index.ts";
import type { GameRecord } from "../../../src/ratings/record.ts";
import { parseAgentSpec } from "../../../src/specs/agents.ts";
import { fixture } from "../../support/agon.ts";
import { everyFew, slowTest, thorough } from "../../support/thorough.ts";

const SEED = "check";

/** The records of a short tournament of a game. */
async function played(game: string, entrants: readonly string[]): Promise<GameRecord[]> {
  const { players } = createGame(game);
  const named = Array.from({ length: Math.max(2, players) }, (_, at) => ({
    name: `e${at}`,
    ...parseAgentSpec(entrants[at % entrants.length]!),
  }));
  const openings = { randomPlies: 2 };
  const config = { name: "check", game, seed: SEED, blocks: thorough(10, 2), openings, entrants: named };
  const plan = await planTournament(config);
  const store = Store.inMemory();
  await runTournament({ plan, store, workers: 0 });
  const records = store.records();
  store.close();
  return records;
}

const problemOf = (game: string, record: GameRecord) =>
  new RecordCheck(createGame(game), { seed: SEED }).problem(record);

describe("a record of the referee is a game", () => {
  const ids = Object.keys(games).filter((id) => id !== "tree");

  test.each(everyFew(ids, 11))("of %s", async (id) => {
    const records = await played(id, [
      "random",
      createGame(id).hiddenInformation ? "ismcts:simulations=3" : "mcts:simulations=3",
    ]);
    expect(records.length).toBeGreaterThan(0);
    for (const record of records) expect(problemOf(id, record)).toBeUndefined();
  });

  slowTest("that a player forfeits", async () => {
    const agent = fixture("agents/illegal.ts");
    const records = await played("tic-tac-toe", [agent, "random"]);
    expect(records.some(({ forfeitSeat }) => forfeitSeat >= 0)).toBe(true);
    for (const record of records) expect(problemOf("tic-tac-toe", record)).toBeUndefined();
  });
});

/** The actions of a record without its last `count`. */
const without = (record: GameRecord, count: number) => record.actions.slice(0, record.actions.length - count);

describe("a record is refused", () => {
  const LIES: [string, string, (record: GameRecord) => Partial<GameRecord>, RegExp][] = [
    [
      "with an action that is not legal",
      "connect-four",
      ({ actions }) => ({ actions: [...actions.slice(0, 4), 99, ...actions.slice(5)] }),
      /^action 5, 99, is not possible in /,
    ],
    [
      "that goes on after its end",
      "tic-tac-toe",
      ({ actions }) => ({ actions: [...actions, 0] }),
      /comes after the end/,
    ],
    [
      "that ends too soon",
      "tic-tac-toe",
      (record) => ({
        actions: without(record, 1),
        thoughts: [],
        decisions: record.decisions.map((count, seat) =>
          seat === (record.actions.length - 1) % 2 ? count - 1 : count,
        ),
      }),
      /^it ends before its end, in /,
    ],
    [
      "with the result of the other side",
      "connect-four",
      ({ returns }) => ({ returns: returns.map((one) => 0.5 - one) }),
      /^its returns are .*; the rules give /,
    ],
    [
      "with a forfeit after the end",
      "tic-tac-toe",
      () => ({ ending: "time-out", forfeitSeat: 1, returns: [1, -1] }),
      /^player 2 forfeits after the end/,
    ],
    ["with half a node", "tic-tac-toe", () => ({ nodes: [0.5, 0] }), /^its nodes are 0.5, 0$/],
    ["with nodes below 0", "tic-tac-toe", () => ({ nodes: [0, -1] }), /^its nodes are 0, -1$/],
    [
      "with decisions that nobody made",
      "tic-tac-toe",
      () => ({ decisions: [9, 9] }),
      /^its decisions are 9, 9/,
    ],
    [
      "with a thought too many",
      "connect-four",
      ({ thoughts }) => ({ thoughts: [...thoughts, { nodes: 0, timeMs: 0, line: [] }] }),
      /^it has \d+ thoughts for \d+ moves$/,
    ],
  ];
  test.each(LIES)("%s", async (_, game, lie, problem) => {
    const [record] = await played(game, ["random", "mcts:simulations=3"]);
    expect(problemOf(game, record!)).toBeUndefined();
    expect(problemOf(game, { ...record!, ...lie(record!) })).toMatch(problem);
  });

  test("with dice that were not thrown", async () => {
    const [record] = await played("pig", ["random", "mcts:simulations=3"]);
    const other = new RecordCheck(createGame("pig"), { seed: "another seed" });
    expect(other.problem(record!)).toMatch(/^action \d+, \d+, is not possible in /);
  });
});

slowTest("a checker parts games from others, in a thread", async () => {
  const records = await played("tic-tac-toe", ["random", "mcts:simulations=3"]);
  const plan = await planTournament({
    name: "c",
    game: "tic-tac-toe",
    seed: SEED,
    blocks: 1,
    entrants: ["random", "mcts:simulations=3"],
  });
  const checker = new RecordChecker(plan, ".");
  const bad = { ...records[1]!, nodes: [0.5, 0] };
  const [first, second] = await Promise.all([
    checker.part([records[0]!, bad]),
    checker.part(records.slice(2)),
  ]);
  expect(first).toEqual({ games: [records[0]], refused: [{ record: bad, problem: "its nodes are 0.5, 0" }] });
  expect(second).toEqual({ games: records.slice(2), refused: [] });
  checker.close();
});

test("records that are not replayed when the checker is closed are neither games nor refused", async () => {
  const config = {
    name: "check",
    game: "connect-four",
    seed: SEED,
    blocks: 1,
    entrants: ["random", "greedy:evaluator=threats"],
  };
  const checker = new RecordChecker(await planTournament(config), ".");
  const records = await played("connect-four", ["random"]);
  const parted = checker.part(records);
  checker.close();
  expect(await parted).toEqual({ games: [], refused: [] });
  expect(await checker.part(records)).toEqual({ games: [], refused: [] });
});
