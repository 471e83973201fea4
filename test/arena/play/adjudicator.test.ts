import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { adjudicationSchema, type Adjudication } from "../../../src/arena/plan/adjudication.ts";
import { planTournament } from "../../../src/arena/plan/config.ts";
import { Adjudicator } from "../../../src/arena/play/adjudicator.ts";
import { RecordCheck } from "../../../src/arena/play/record-check.ts";
import { Referee, type GameResult, type Seat } from "../../../src/arena/play/referee.ts";
import { verifyRun } from "../../../src/arena/play/verify.ts";
import { exportRun } from "../../../src/arena/results/export.ts";
import { reportRun } from "../../../src/arena/results/runs.ts";
import { openRun } from "../../../src/arena/store/run-folder.ts";
import { Store } from "../../../src/arena/store/store.ts";
import { playTournament } from "../../../src/arena/tournament.ts";
import { TERMINAL, type Game } from "../../../src/games/contract/game.ts";
import { createGame } from "../../../src/games/index.ts";
import { readRecords } from "../../../src/queue/records.ts";
import { packRecords } from "../../../src/arena/play/worker-messages.ts";
import type { GameRecord } from "../../../src/ratings/record.ts";
import { agon, fixture, temporaryFolder, writeInto } from "../../support/agon.ts";
import { agonEngine } from "../../support/players.ts";
import { storedGames } from "../../support/stored-games.ts";
import { slowTest } from "../../support/thorough.ts";

const connectFour = createGame("connect-four");

/**
 * A game of connect four in which nobody wins for 21 plies: the columns are filled in turn. `values` has the value that
 * the mover reports at each ply, from 1.
 */
async function play(
  adjudicate: object,
  values: (ply: number) => number | undefined,
  { opening = [], thoughts = true }: { opening?: number[]; thoughts?: boolean } = {},
): Promise<GameResult> {
  const seat: Seat = {
    agent: {
      choose(_, turn) {
        const ply = turn.played!().actions.length + 1;
        const value = values(ply);
        return { action: (ply - 1) % 7, nodes: 1, line: [], ...(value !== undefined && { value }) };
      },
    },
    budget: {},
  };
  const rules = adjudicationSchema.parse(adjudicate);
  const referee = new Referee(connectFour, () => 0, { adjudicate: rules, thoughts });
  const setup = { id: "game", seed: "seed", block: "block", opening };
  // A referee plays one game after the other: nothing of the first one may be left in the second.
  const first = await referee.play([seat, seat], setup);
  const again = await referee.play([seat, seat], setup);
  expect(again).toEqual(first);
  return again;
}

/** The plies after which the game was adjudicated; undefined if it was not. */
async function endOf(...given: Parameters<typeof play>): Promise<number | undefined> {
  const { ending, actions } = await play(...given);
  return ending === "adjudicated" ? actions.length : undefined;
}

describe("a resignation", () => {
  // Player 1 gives up from ply 5 on, player 2 is sure from ply 6 on.
  const lost = (ply: number) => (ply < 5 ? 0 : ply % 2 === 1 ? -0.96 : 0.96);
  const resign = { value: 0.95, plies: 3 };

  test("comes when both players have agreed for as long", async () => {
    const result = await play({ resign }, lost);
    expect(result).toMatchObject({
      ending: "adjudicated",
      forfeitSeat: -1,
      returns: [-1, 1],
      decisions: [5, 5],
    });
    expect(result.actions).toHaveLength(10);
    expect(result.detail).toBe(
      "player 1 resigns: its last 3 values were at most -0.95, those of player 2 at least 0.95",
    );
  });

  test("needs the loser alone without `both`", async () => {
    const alone = { resign: { ...resign, both: false } };
    expect(await endOf(alone, lost)).toBe(9);
    expect(await endOf(alone, (ply) => (ply % 2 === 1 ? -1 : undefined))).toBe(5);
    const { returns, detail } = await play(alone, (ply) => (ply % 2 === 1 ? 0.5 : -0.95));
    expect(returns).toEqual([1, -1]);
    expect(detail).toBe("player 2 resigns: its last 3 values were at most -0.95");
  });

  test("counts values in a row, and the value itself", async () => {
    const at = (ply: number, value: number | undefined) => (one: number) => (one === ply ? value : lost(one));
    expect(await endOf({ resign }, at(7, -0.949))).toBe(13);
    expect(await endOf({ resign }, at(7, -0.95))).toBe(10);
    // Thoughts keep six digits, and records are checked by their thoughts.
    expect(await endOf({ resign }, at(7, -0.94999999))).toBe(10);
    expect(await endOf({ resign }, at(7, undefined))).toBe(13);
    expect(await endOf({ resign }, at(8, 0.94))).toBe(14);
    expect(await endOf({ resign }, at(4, 1))).toBe(9);
  });

  test("does not come while the other player sees it otherwise", async () => {
    expect(await endOf({ resign }, (ply) => (ply % 2 === 1 ? -1 : -1))).toBeUndefined();
    expect(await endOf({ resign }, (ply) => (ply % 2 === 1 ? -1 : undefined))).toBeUndefined();
  });

  test("is the least win of that value in games with several", () => {
    const resigned = (value: number) =>
      new Adjudicator(createGame("backgammon"), { resign: { value, plies: 1, both: true } }).resigned(1);
    expect([0.95, 1, 1.2, 2.5].map(resigned)).toEqual([
      [1, -1],
      [1, -1],
      [2, -2],
      [3, -3],
    ]);
  });
});

describe("a draw", () => {
  const draw = { value: 0.02, plies: 4, from: 6 };

  test("comes after so many plies near zero in a row, of both players", async () => {
    const result = await play({ draw }, () => 0.02);
    expect(result).toMatchObject({ ending: "adjudicated", returns: [0, 0] });
    expect(result.detail).toBe("a draw: the values of the last 4 plies were at most 0.02 from zero");
    expect(result.actions).toHaveLength(10);
    expect(await endOf({ draw: { ...draw, from: 0 } }, () => -0.02)).toBe(4);
  });

  test("is put off by a value beyond, and by a player without one", async () => {
    for (const value of [0.021, -0.021, undefined])
      expect(await endOf({ draw }, (ply) => (ply === 8 ? value : 0))).toBe(12);
    expect(await endOf({ draw }, (ply) => (ply % 2 === 1 ? 0 : undefined))).toBeUndefined();
  });

  test("counts the plies of the opening, but no values there", async () => {
    const opening = [0, 1, 2, 3, 4, 5, 6];
    expect(await endOf({ draw }, () => 0, { opening })).toBe(11);
  });
});

describe("the most plies", () => {
  test("are a draw in zero-sum games, the opening included", async () => {
    const result = await play({ maxPlies: 12 }, () => undefined, { opening: [0, 1] });
    expect(result).toMatchObject({
      ending: "adjudicated",
      returns: [0, 0],
      detail: "a draw: 12 plies were played",
    });
    expect(result.actions).toHaveLength(12);
  });

  test("take nothing from a game that ends with them", async () => {
    const rules = { maxPlies: 7 };
    const column = (action: number): Seat => ({
      agent: { choose: () => ({ action, nodes: 0, line: [] }) },
      budget: {},
    });
    const referee = new Referee(connectFour, () => 0, { adjudicate: rules });
    const setup = { id: "game", seed: "seed", block: "block", opening: [] };
    expect(await referee.play([column(0), column(1)], setup)).toMatchObject({
      ending: "finished",
      returns: [1, -1],
    });
  });

  test("leave a player what it has collected in a game of scores", async () => {
    const { records } = await playTournament(
      {
        name: "t",
        game: "2048",
        blocks: 1,
        adjudicate: { maxPlies: 30 },
        entrants: ["random", "greedy:evaluator=order"],
      },
      { workers: 0 },
    );
    const game = createGame("2048");
    for (const { actions, returns, ending, decisions } of records) {
      const state = game.start();
      for (const action of actions) state.apply(action);
      expect({ ending, decisions, returns }).toEqual({
        ending: "adjudicated",
        decisions: [30],
        returns: [state.returns(0)],
      });
      expect(returns[0]).toBeGreaterThan(0);
    }
  });
});

test("without thoughts in the store games end as with them", async () => {
  const rules = { resign: { value: 0.95, plies: 2 }, draw: { value: 0.1, plies: 6 } };
  const values = (ply: number) => (ply % 2 === 1 ? -1 : 1);
  const kept = await play(rules, values);
  const { thoughts, ...silent } = await play(rules, values, { thoughts: false });
  expect(thoughts).toEqual([]);
  expect({ ...silent, thoughts: kept.thoughts }).toEqual(kept);
  expect(silent.ending).toBe("adjudicated");
});

const config = {
  name: "adjudicated",
  game: "connect-four",
  blocks: 6,
  openings: { randomPlies: 4 },
  adjudicate: {
    maxPlies: 24,
    resign: { value: 0.5, plies: 2, both: false },
    draw: { value: 0.1, plies: 3, from: 8 },
  },
  entrants: [
    "alpha-beta:depth=2,evaluator=threats",
    "alpha-beta:depth=3,evaluator=threats",
    "mcts:simulations=60",
  ],
};

describe("an adjudicated run", () => {
  slowTest("is the same with one worker and with two, is verified, and says what happened", async () => {
    const folder = temporaryFolder();
    const path = writeInto(folder, "config.json", config);
    const played = async (workers: string): Promise<GameRecord[]> => {
      const out = join(folder, workers);
      const { code, stderr } = await agon(["run", path, "--out", out, "--workers", workers, "--quiet"]);
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      return storedGames(out).toSorted((a, b) => (a.id < b.id ? -1 : 1));
    };
    const records = await played("1");
    expect(await played("2")).toEqual(records);
    const dir = join(folder, "1");
    const store = Store.openExisting(dir);
    const plan = store.requirePlan(dir);
    const report = reportRun(plan, store);
    const adjudicated = records.filter(({ ending }) => ending === "adjudicated");
    const kinds = adjudicated.map(({ detail }) => /resigns|values|were played/.exec(detail)![0]);
    // All rules were at work, and so were those of the game.
    expect(new Set(kinds).size).toBe(3);
    expect(kinds.length).toBeLessThan(records.length);
    expect(report.adjudicated).toBe(kinds.length);
    expect(report.game).toBe("connect-four, adjudicated");
    expect(report.entrants.every(({ forfeits }) => forfeits === 0)).toBe(true);
    expect(await verifyRun(store, dir, { sample: 100, workers: 0 })).toMatchObject({
      sampled: 36,
      verified: 36,
      differences: [],
    });
    const jsonl = [...(await exportRun(store, dir, "jsonl"))].map((line) => JSON.parse(line) as object);
    expect(jsonl.filter((line) => "adjudication" in line)).toHaveLength(kinds.length);
    store.close();
    const check = new RecordCheck(connectFour, plan);
    for (const record of records) expect(check.problem(record)).toBeUndefined();
    expect(readRecords(packRecords(records))).toEqual(records);
  });

  test("has ids of its own, and goes on by the same rules alone", async () => {
    const { adjudicate, ...plain } = config;
    const ids = async (tournament: object) =>
      (await playTournament(await planTournament(tournament), { workers: 0 })).records.map(({ id }) => id);
    const small = { blocks: 1, entrants: ["random", "greedy:evaluator=threats"] };
    const [with1, with2, without] = [
      await ids({ ...config, ...small }),
      await ids({ ...config, ...small, adjudicate: { ...adjudicate, maxPlies: 25 } }),
      await ids({ ...plain, ...small }),
    ];
    expect(new Set([...with1, ...with2, ...without]).size).toBe(6);
    const dir = join(temporaryFolder(), "run");
    openRun(dir, await planTournament(config), { resume: false }).store.close();
    openRun(dir, await planTournament(config), { resume: true }).store.close();
    const other = await planTournament({ ...config, adjudicate: { ...adjudicate, maxPlies: 25 } });
    expect(() => openRun(dir, other, { resume: true })).toThrow(
      "adjudicate.maxPlies: the run was begun with another config: 24 there, 25 now",
    );
  });

  test("is exported as PGN with its termination, and as SGF without a forfeit", async () => {
    const exported = async (game: object | string, as: string) => {
      const dir = join(temporaryFolder(), "run");
      const entrants = ["random", "random:name=other"].map((spec, at) => ({
        name: `e${at}`,
        agent: spec.split(":")[0]!,
      }));
      await playTournament(
        { name: "t", game: game as "chess", blocks: 1, adjudicate: { maxPlies: 6 }, entrants },
        { outDir: dir, workers: 0 },
      );
      const store = Store.openExisting(dir);
      const text = [...(await exportRun(store, dir, as))].join("");
      store.close();
      return text;
    };
    const pgn = await exported("chess", "pgn");
    expect(pgn.match(/\[Result "1\/2-1\/2"\]/g)).toHaveLength(2);
    expect(pgn.match(/\[Termination "adjudication"\]/g)).toHaveLength(2);
    expect(pgn.match(/\{a draw: 6 plies were played\} 1\/2-1\/2/g)).toHaveLength(2);
    const sgf = await exported("go", "sgf");
    expect(sgf.match(/GC\[a draw: 6 plies were played\]RE\[0\]/g)).toHaveLength(2);
  });
});

describe("players in processes", () => {
  const certain = (value: number) => ({
    name: `sure of ${value}`,
    agent: fixture("agents/certain.ts"),
    value,
  });
  const hosted = (entrants: readonly object[], adjudicate: object) =>
    playTournament(
      { name: "hosted", game: "connect-four", blocks: 1, adjudicate, entrants: entrants as never },
      { workers: 0 },
    );

  slowTest("resign by the values that they report, and agree to draws", async () => {
    const resigned = await hosted([certain(-1), certain(1)], { resign: { value: 0.9, plies: 2 } });
    for (const { ending, seats, returns, decisions } of resigned.records) {
      expect(ending).toBe("adjudicated");
      expect(returns[seats.indexOf(0)]).toBe(-1);
      expect(decisions).toEqual([2, 2]);
    }
    const drawn = await hosted([certain(0), certain(0.01)], { draw: { value: 0.01, plies: 3 } });
    for (const { ending, returns, actions } of drawn.records)
      expect({ ending, returns, plies: actions.length }).toEqual({
        ending: "adjudicated",
        returns: [0, 0],
        plies: 3,
      });
  });

  slowTest("may be programs of any kind", async () => {
    const program = {
      name: "p",
      agent: "program",
      command: agonEngine("--agent", "alpha-beta:depth=1,evaluator=threats"),
    };
    const { records } = await hosted([certain(-1), program], { resign: { value: 1, plies: 2, both: false } });
    for (const { ending, seats, returns } of records) {
      expect(ending).toBe("adjudicated");
      expect(returns[seats.indexOf(0)]).toBe(-1);
    }
  });
});

describe("a record is refused", () => {
  const rules: Adjudication = { resign: { value: 0.5, plies: 2, both: true }, maxPlies: 20 };
  const values = (ply: number) => (ply % 2 === 1 ? -0.6 : 0.6);
  const base = { id: "a", block: "block", seats: [0, 1], openingLength: 0 };
  const problem = (record: GameRecord, change: object = {}, game: Game = connectFour) =>
    new RecordCheck(game, { seed: "seed", adjudicate: rules, ...change }).problem(record);

  test("that was adjudicated otherwise than the rules do", async () => {
    const record = { ...base, ...(await play(rules, values)) };
    expect(problem(record)).toBeUndefined();
    expect(problem({ ...record, returns: [1, -1] })).toMatch(/^its returns are 1, -1; the rules give -1, 1$/);
    expect(problem({ ...record, ending: "finished" })).toMatch(
      /^it goes on after its adjudication: player 1 resigns/,
    );
    expect(problem(record, { adjudicate: undefined })).toBe(
      "it is adjudicated, and no rule of the run does so",
    );
    expect(problem(record, { adjudicate: { maxPlies: 20 } })).toBe(
      "it is adjudicated, and no rule of the run does so",
    );
    const longer = await play({ maxPlies: 20 }, values);
    expect(problem({ ...base, ...longer })).toMatch(
      /^action 5 comes after the adjudication: player 1 resigns/,
    );
  });

  test("that has no value for it, unless the run keeps none", async () => {
    const record = { ...base, ...(await play(rules, values, { thoughts: false })) };
    expect(problem(record)).toBe("it is adjudicated, and no rule of the run does so");
    expect(problem(record, { thoughts: false })).toBeUndefined();
    expect(problem({ ...record, returns: [0, 0] }, { thoughts: false })).toMatch(/no rule of the run/);
  });

  test("from a queue, if its ending does not fit its forfeit", async () => {
    const ids = { id: "a".repeat(24), block: "b".repeat(24) };
    const record = { ...base, ...(await play(rules, values)), ...ids };
    expect(readRecords(packRecords([record]))).toEqual([record]);
    expect(readRecords(packRecords([{ ...record, forfeitSeat: 0 }]))).toEqual([]);
  });
});

test.each<[object | string, object, RegExp]>([
  ["connect-four", {}, /^adjudicate: has no rule; allowed: maxPlies, resign, draw/],
  [
    { id: "nim", players: 3 },
    { resign: { value: 0.9, plies: 2 } },
    /^adjudicate\.resign: needs two players .*nim has 3 players/,
  ],
  ["2048", { draw: { value: 0.9, plies: 2 } }, /^adjudicate\.draw: needs two players .*; 2048 has 1 player$/],
  [
    "connect-four",
    { resign: { value: 1.5, plies: 2 } },
    /^adjudicate\.resign\.value: must be at most 1, the highest return/,
  ],
  [
    "connect-four",
    { maxPlies: 4 },
    /^adjudicate\.maxPlies: must be more than 4, the plies of the longest opening/,
  ],
  ["connect-four", { resign: { value: 0.9 } }, /^adjudicate\.resign\.plies: missing/],
])("rules that do not fit are refused: %j, %j", async (game, adjudicate, message) => {
  const entrants = ["random", "greedy:evaluator=none", "mcts:simulations=2"].slice(
    0,
    game === "2048" ? 2 : 3,
  );
  const given = { name: "t", game, blocks: 1, openings: { randomPlies: 4 }, adjudicate, entrants };
  await expect(planTournament(given)).rejects.toThrow(message);
});

describe("perfect play", () => {
  test("gives the result that Bouton's rule gives, after the plies of the rule", async () => {
    const { records } = await playTournament(
      {
        name: "perfect",
        game: { id: "nim", piles: [3, 4, 5] },
        blocks: 20,
        adjudicate: { perfect: 2 },
        entrants: ["random", { name: "other", agent: "random" }],
      },
      { workers: 0 },
    );
    const game = createGame({ id: "nim", piles: [3, 4, 5] });
    let adjudicated = 0;
    for (const { actions, returns, ending } of records) {
      if (ending !== "adjudicated") continue;
      adjudicated++;
      expect(actions).toHaveLength(2);
      const state = game.start();
      for (const action of actions) state.apply(action);
      const piles = game.formatState(state).match(/\d+/g)!.map(Number);
      // Whoever takes the last counter wins: player 1 is to move, and wins unless the nim sum is zero.
      expect({ piles, first: returns[0] }).toEqual({
        piles,
        first: piles.reduce((sum, pile) => sum ^ pile, 0) === 0 ? -1 : 1,
      });
    }
    expect(adjudicated).toBeGreaterThan(30);
  });

  test("is the value that a search of the whole game finds", async () => {
    const game = createGame("tic-tac-toe");
    const { records } = await playTournament(
      {
        name: "perfect",
        game: "tic-tac-toe",
        blocks: 40,
        adjudicate: { perfect: 4 },
        entrants: ["random", { name: "other", agent: "random" }],
      },
      { workers: 0 },
    );
    const state = game.start();
    /** The best return of player 1. */
    const search = (): number => {
      if (state.toMove === TERMINAL) return state.returns(0);
      const player = state.toMove;
      const actions = new Int32Array(game.maxActions);
      const values = Array.from(actions.subarray(0, state.legalActions(actions, 0)), (action) => {
        state.apply(action);
        const value = search();
        state.undo();
        return value;
      });
      return player === 0 ? Math.max(...values) : Math.min(...values);
    };
    for (const record of records) {
      state.copyFrom(game.start());
      for (const action of record.actions) state.apply(action);
      expect(record.returns[0]).toBe(search());
      expect(record.actions).toHaveLength(4);
    }
    expect(new Set(records.map(({ returns }) => returns[0])).size).toBe(3);
  });

  test.each([
    [
      "pig",
      { perfect: 4 },
      /adjudicate\.perfect: needs a game without chance that has the policy perfect.*pig has chance/,
    ],
    ["chess", { perfect: 4 }, /adjudicate\.perfect: needs a game .*chess has none/],
    ["tic-tac-toe", { perfect: 2 }, /adjudicate\.perfect: must be more than 2/],
  ])("%s with %j is refused", async (game, adjudicate, message) => {
    const config = {
      name: "x",
      game,
      blocks: 1,
      adjudicate,
      openings: { randomPlies: 2 },
      entrants: ["random", { name: "b", agent: "random" }],
    };
    await expect(planTournament(config)).rejects.toThrow(message);
  });
});
