import { expect, test } from "vitest";
import { isSolved, readTestSuite } from "../../bench/epd.ts";
import { createGame } from "../../src/games/index.ts";

const chess = createGame("chess");
const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
/** White can castle to both sides, promote, take en passant, and check on d8. */
const OPEN = "4k3/P7/8/4pP2/8/8/3Q4/R3K2R w KQ e6";

/** The moves of one record in SAN, or why it could not be read. */
function read(record: string): { best?: string[] | undefined; avoid: string[] } | string {
  const { positions, unread } = readTestSuite(record, chess);
  expect(positions.length + unread.length).toBe(1);
  if (unread.length === 1) return unread[0]!.why;
  const { state, best, avoid } = positions[0]!;
  const san = (actions: readonly number[]) => actions.map((action) => chess.formatAction(action, state));
  return { best: best && san(best), avoid: san(avoid) };
}

test.each<[string, { best?: string[]; avoid?: string[] }]>([
  [`${START} bm e4; id "one";`, { best: ["e4"] }],
  [`${START} bm e4 d4`, { best: ["e4", "d4"] }],
  [`${START} bm e4, d4;`, { best: ["e4", "d4"] }],
  [`${START} 0 1 bm Nf3!; c0 "a ; in a text; bm h4;";`, { best: ["Nf3"] }],
  [`${START} am f3?? 1. g4 ; id "avoid"`, { avoid: ["f3", "g4"] }],
  [`${START}  am f3;bm  e4 ;`, { best: ["e4"], avoid: ["f3"] }],
  [`${START} id "two"; bm 1.e4;\r`, { best: ["e4"] }],
  [`${OPEN} bm Qd8 + Qe3;`, { best: ["Qd8+", "Qe3"] }],
  [`${OPEN} bm 0-0 O-O-O;`, { best: ["O-O", "O-O-O"] }],
  [`${OPEN} bm a8=Q+ a8 = N fxe6 e.p.`, { best: ["a8=Q+", "a8=N", "fxe6"] }],
])("%s", (record, { best, avoid = [] }) => {
  expect(read(record)).toEqual({ best, avoid });
});

test.each([
  ["nonsense", /^does not begin with a position: board, side to move, castling, en passant$/],
  [START, /^has neither bm nor am$/],
  [`${START} id "no moves";`, /^has neither bm nor am$/],
  [`${START} bm;`, /^bm names no move$/],
  [`${START} bm Qd4;`, /^"Qd4" is not possible here; allowed: /],
  [`${START} am Qd4;`, /^"Qd4" is not possible here/],
  [`${START} bm e4; c0 "not closed; am d4;`, /^"c0 .* is no operation, such as bm Qd1\+;$/],
  [START.replace("w", "x"), /^does not begin with a position/],
  [START.replace("8/8", "9/8").concat(" bm e4;"), /9/],
])("%s cannot be read, and why", (record, why) => {
  expect(read(record)).toMatch(why);
});

test("lines are counted from 1; blank lines and remarks are no records", () => {
  const text = ["# a suite", "", `${START} bm e4;`, "broken", `${START} am e4;`].join("\n");
  const { positions, unread } = readTestSuite(text, chess);
  expect(positions.map(({ line }) => line)).toEqual([3, 5]);
  expect(unread.map(({ line }) => line)).toEqual([4]);
});

test("solved is a best move that is none to avoid; without best moves any other one", () => {
  const { positions } = readTestSuite(
    [`${START} bm e4 d4;`, `${START} am e4;`, `${START} bm e4 d4; am d4;`].join("\n"),
    chess,
  );
  const solved = (move: string) =>
    positions.map((position) => isSolved(position, chess.parseAction(move, position.state)));
  expect(solved("e4")).toEqual([true, false, true]);
  expect(solved("d4")).toEqual([true, true, false]);
  expect(solved("h4")).toEqual([false, true, false]);
});
