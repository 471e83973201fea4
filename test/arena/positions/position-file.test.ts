import { expect, test } from "vitest";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  formatPositions,
  gameOfPositions,
  readPositions,
} from "../../../src/arena/positions/position-file.ts";
import { createGame } from "../../../src/games/index.ts";
import { temporaryFolder } from "../../support/agon.ts";

const chess = createGame("chess");
const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
/** White can castle to both sides, promote, take en passant, and check on d8. */
const OPEN = "4k3/P7/8/4pP2/8/8/3Q4/R3K2R w KQ e6";

/** A file with these lines. */
function fileOf(ending: string, ...lines: readonly string[]): string {
  const path = join(temporaryFolder(), `positions.${ending}`);
  writeFileSync(path, lines.join("\n"));
  return path;
}

/** The right moves of a record in SAN. */
async function rightOf(record: string): Promise<string[]> {
  const { positions } = await readPositions(chess, fileOf("epd", record));
  const [{ text, right }] = positions as [(typeof positions)[0]];
  const state = chess.parseState(text);
  return right.map((action) => chess.formatAction(action, state));
}

test.each<[string, string[]]>([
  [`${START} bm e4; id "one";`, ["e4"]],
  [`${START} bm e4 d4`, ["e4", "d4"]],
  [`${START} bm e4, d4;`, ["e4", "d4"]],
  [`${START} 0 1 bm Nf3!; c0 "a ; in a text; bm h4;";`, ["Nf3"]],
  [`${START}  am f3;bm  e4 ;`, ["e4"]],
  [`${START} bm e4 d4; am d4;`, ["e4"]],
  [`${START} c0 "e4=10, Nf3=7, d4=10"; acd 12;`, ["e4", "d4"]],
  [`${START} id "two"; bm 1.e4;\r`, ["e4"]],
  [`${OPEN} bm Qd8 + Qe3;`, ["Qd8+", "Qe3"]],
  [`${OPEN} bm 0-0 O-O-O;`, ["O-O", "O-O-O"]],
  [`${OPEN} bm a8=Q+ a8 = N fxe6 e.p.`, ["a8=Q+", "a8=N", "fxe6"]],
])("%s", async (record, right) => {
  expect((await rightOf(record)).toSorted()).toEqual(right.toSorted());
});

test("am without bm: all other moves are right", async () => {
  const right = await rightOf(`${START} am f3?? 1. g4 ; id "avoid"`);
  expect(right).toHaveLength(18);
  expect(right).not.toContain("g4");
});

test.each([
  ["nonsense", /does not begin with a position: board, side to move, castling, en passant$/],
  [START, /has neither bm nor am nor points/],
  [`${START} id "no moves";`, /has neither bm nor am nor points/],
  [`${START} bm;`, /bm names no action/],
  [`${START} bm Qd4;`, /"Qd4" is not possible here; allowed: /],
  [`${START} am Qd4;`, /"Qd4" is not possible here/],
  [`${START} bm e4; c0 "not closed; am d4;`, /"c0 .* is no operation, such as bm Qd1\+;$/],
  [START.replace("w", "x"), /does not begin with a position/],
  [START.replace("8/8", "9/8").concat(" bm e4;"), /9/],
  [`${START} bm e4; value +-;`, /value is "\+-"; it must be a number/],
  [`${START} c0 "e4=10, e5=2";`, /"e5" is not possible here/],
  [`${START} bm e4; acd deep;`, /acd is "deep"/],
])("%s cannot be read, and why", async (record, why) => {
  await expect(readPositions(chess, fileOf("epd", record))).rejects.toThrow(why);
});

test("records that cannot be read are passed over and noted; blank lines and remarks are none", async () => {
  const path = fileOf("epd", "# a suite", "", `${START} bm e4; id "first";`, "broken", `${START} am e4;`);
  const { positions, notes } = await readPositions(chess, path);
  expect(positions.map(({ name }) => name)).toEqual(["first", "line 5"]);
  expect(notes).toEqual([expect.stringContaining("1 fault passed over: line 4: does not begin")]);
});

test("a text file names its game, and has positions in the game's notation", async () => {
  const path = fileOf(
    "txt",
    "game: nim:piles=3-5-7",
    '3,5,7 0; bm 1-1, 3-1; id "start";',
    "1,0,2 1; am 1-1;",
  );
  expect(await gameOfPositions(path)).toBe("nim:piles=3-5-7");
  expect(await gameOfPositions("any.epd")).toBe("chess");
  const nim = createGame("nim");
  const { positions } = await readPositions(nim, path);
  const texts = positions.map(({ text, right }) =>
    right.map((action) => nim.formatAction(action, nim.parseState(text))),
  );
  expect(texts).toEqual([
    ["1-1", "3-1"],
    ["3-1", "3-2"],
  ]);
});

test("what is written is read again", async () => {
  const nim = createGame("nim");
  const { positions } = await readPositions(
    nim,
    fileOf("txt", '3,5,7 0; c0 "1-1=1, 1-2=-0.5, 2-1=1"; value 1;', "1,0,2 1; bm 3-1; value -0.5;"),
  );
  const again = await readPositions(nim, fileOf("txt", formatPositions(nim, "nim", positions, "a remark")));
  const bare = (list: typeof positions) => list.map((one) => ({ ...one, name: "" }));
  expect(bare(again.positions)).toEqual(bare(positions));
  expect(again.positions[0]!.right).toHaveLength(2);
  expect(again.positions.map(({ value }) => value)).toEqual([1, -0.5]);
});
