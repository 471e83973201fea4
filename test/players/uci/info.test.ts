import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseInfo, centipawnsOf, valueOf } from "../../../src/players/uci/info.ts";

describe("info", () => {
  test.each([
    // The examples of the protocol's text, but for lines that it gives as parts.
    ["info depth 1 seldepth 0", { depth: 1, line: [] }],
    [
      "info score cp 13  depth 1 nodes 13 time 15 pv f1b5",
      { depth: 1, nodes: 13, score: { centipawns: 13 }, line: ["f1b5"] },
    ],
    ["info nps 15937", { line: [] }],
    [
      "info score cp 14  depth 2 nodes 26 time 15 pv f1b5 f8b4",
      { depth: 2, nodes: 26, score: { centipawns: 14 }, line: ["f1b5", "f8b4"] },
    ],
    ["info currmove d2d1 currmovenumber 8 refutation d1h5 g6h5", { line: [] }],
    // Stockfish 15.1.
    [
      "info depth 9 seldepth 14 multipv 1 score cp -35 wdl 21 905 74 nodes 4116 nps 588000 tbhits 0 time 7 pv e7e5 e2e4",
      { depth: 9, nodes: 4116, score: { centipawns: -35 }, line: ["e7e5", "e2e4"] },
    ],
    [
      "info depth 245 score mate -1 nodes 12 pv a7a8q",
      { depth: 245, nodes: 12, score: { mate: -1 }, line: ["a7a8q"] },
    ],
    ["info depth 7 score cp 90 lowerbound nodes 800 pv e2e4", { depth: 7, nodes: 800, line: ["e2e4"] }],
    ["info depth 7 score cp 90 upperbound", { depth: 7, line: [] }],
    ["info depth 3 pv e2e4 e7e5 score cp 8", { depth: 3, score: { centipawns: 8 }, line: ["e2e4", "e7e5"] }],
    ["info depth three nodes -4 score cp many pv (none)", { line: [] }],
  ])("%s", (line, info) => expect(parseInfo(line)).toEqual(info));

  test.each([
    "info string depth 4 is reached",
    "info depth 3 multipv 2 score cp 3 pv a2a3",
    "bestmove e2e4",
    "",
    "readyok",
  ])("%s is not read", (line) => expect(parseInfo(line)).toBeUndefined());

  test("no text makes it throw", () => {
    const words = fc.constantFrom(
      "info",
      "score",
      "cp",
      "mate",
      "pv",
      "depth",
      "nodes",
      "multipv",
      "1",
      "e2e4",
      "x",
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(words, fc.string()), { maxLength: 12 }), (line) => {
        parseInfo(line.join(" "));
      }),
    );
  });
});

describe("scores", () => {
  const chess = { minReturn: -1, maxReturn: 1 };

  test("in centipawns are on a logistic: 400 are odds of ten to one", () => {
    expect(valueOf({ centipawns: 0 }, chess)).toBe(0);
    expect(valueOf({ centipawns: 400 }, chess)).toBeCloseTo(10 / 11 - 1 / 11, 12);
    expect(valueOf({ centipawns: -400 }, chess)).toBeCloseTo(1 / 11 - 10 / 11, 12);
    expect(valueOf({ centipawns: 400 }, { minReturn: 0, maxReturn: 1 })).toBeCloseTo(10 / 11, 12);
  });

  test("keep their order, mates outermost, and stay inside the range", () => {
    const pawns = [-1e9, -1000, -3, 0, 1, 250, 1599, 1e9].map((centipawns) => ({ centipawns }));
    const scores = [0, -1, -2, -300].map((mate) => ({ mate })).concat();
    const wins = [300, 2, 1].map((mate) => ({ mate }));
    const values = [...scores, ...pawns, ...wins].map((score) => valueOf(score, chess));
    expect(values.toSorted((a, b) => a - b)).toEqual(values);
    expect(new Set(values).size).toBe(values.length);
    expect(Math.max(...values)).toBeLessThan(1);
    expect(Math.min(...values)).toBeGreaterThan(-1);
  });

  test("are read again as they were written", () => {
    for (const range of [chess, { minReturn: 0, maxReturn: 1 }])
      for (let centipawns = -1600; centipawns <= 1600; centipawns += 7)
        expect(centipawnsOf(valueOf({ centipawns }, range), range)).toBe(centipawns);
    expect([centipawnsOf(1, chess), centipawnsOf(-1, chess)]).toEqual([1600, -1600]);
  });
});
