import { describe, expect, test } from "vitest";
import { packRecords } from "../../src/arena/play/worker-messages.ts";
import { parseJob } from "../../src/queue/jobs.ts";
import { matching, readRecords } from "../../src/queue/records.ts";
import type { GameRecord } from "../../src/ratings/record.ts";
import { DAMAGE } from "../support/damaged-records.ts";

const RECORD: GameRecord = {
  id: "1".repeat(24),
  block: "2".repeat(24),
  seats: [0, 1],
  openingLength: 2,
  actions: [4, 0, 8, 1],
  returns: [1, -1],
  ending: "finished",
  forfeitSeat: -1,
  detail: "",
  decisions: [1, 1],
  nodes: [5, 0],
  timeMs: [0.5, 0],
  thoughts: [
    { nodes: 5, timeMs: 0.5, line: [8, 1], value: 0.25, depth: 2 },
    { nodes: 0, timeMs: 0, line: [] },
  ],
};
const GAME = { id: RECORD.id, block: RECORD.block, seats: RECORD.seats, opening: [4, 0] };

describe("a record from a worker", () => {
  test("is read as it was played, without or with a forfeit", () => {
    const forfeit = { ...RECORD, ending: "time-out", forfeitSeat: 1, detail: "thought for 9 s" } as const;
    expect(readRecords(packRecords([RECORD, forfeit]))).toEqual([RECORD, forfeit]);
  });

  test.each(DAMAGE.map((damage) => [damage]))("with %j is none; others beside it are", (damage) => {
    const [packed] = JSON.parse(packRecords([RECORD])) as object[];
    expect(readRecords(JSON.stringify([{ ...packed, ...damage }]))).toEqual([]);
  });

  test("belongs to its game alone: the same id, block, seats in the same order, and opening", () => {
    expect(matching([RECORD], [GAME])).toEqual([RECORD]);
    for (const other of [
      { id: "3".repeat(24) },
      { block: "3".repeat(24) },
      { seats: [1, 0] },
      { seats: [0, 2] },
      { seats: [2, 1] },
      { seats: [0] },
      { seats: [0, 1, 2] },
      { opening: [4] },
      { opening: [4, 0, 8] },
      { opening: [4, 1] },
      { opening: [0, 4] },
      { opening: [] },
    ])
      expect(matching([RECORD], [{ ...GAME, ...other }]), JSON.stringify(other)).toEqual([]);
  });

  test("comes in the order of the games, each game once", () => {
    const other = { ...RECORD, id: "3".repeat(24) };
    const games = [{ ...GAME, id: other.id }, GAME, { ...GAME, id: "4".repeat(24) }];
    expect(matching([RECORD, other, RECORD], games)).toEqual([other, RECORD]);
  });
});

describe("options of a job's games", () => {
  const jobWith = (options: object) => ({
    run: GAME.id,
    bundle: "3".repeat(64),
    games: [{ ...GAME, options }],
  });

  test("are numbers, and mappings of names to numbers", () => {
    const job = jobWith({ 0: { futility: 0.2, weights: { "to move": 1 } } });
    expect(parseJob(job)).toEqual(job);
  });

  test.each([{ command: ["sh"] }, { evaluator: "./mine.ts" }, { options: { path: "a" } }])(
    "cannot name programs or files: %j",
    (options) => {
      expect(() => parseJob(jobWith({ 1: options }))).toThrow(/games\[0\]\.options/);
    },
  );
});
