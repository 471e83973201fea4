import { BLACK, EDGE, EMPTY, WHITE } from "./board.ts";
import type { GoState } from "./state.ts";

/** One of the patterns: three rows, the point to play in the middle. */
interface MogoPattern {
  readonly name: string;
  /**
   * X and O are the two players, either way round; `.` is empty, `x` X or empty, `o` O or empty, `s` a stone, `?` any
   * point of the board, `#` beyond its edge.
   */
  readonly cells: string;
  /** True if it counts for X alone. */
  readonly forX?: boolean;
}

/**
 * The 3x3 patterns of MoGo (Gelly, Wang, Munos and Teytaud 2006, figures 2 to 5). A cut of the first kind is the paper's
 * first pattern without the other two, written out here.
 */
const PATTERNS: readonly MogoPattern[] = [
  { name: "hane", cells: "XOX ... ???" },
  { name: "hane", cells: "XO. ... ?.?" },
  { name: "hane", cells: "XO? X.. ?.?" },
  { name: "hane", cells: "XOO ... ?.?", forX: true },
  { name: "cut", cells: "XO? O.X ???" },
  { name: "cut", cells: "XO? O.O ?s?" },
  { name: "cut", cells: "XO? O.. ?x?" },
  { name: "cut", cells: "?X? O.O xxx" },
  { name: "side", cells: "X.? O.? ###" },
  { name: "side", cells: "?X? o.O ###" },
  { name: "side", cells: "?XO ?.? ###", forX: true },
  { name: "side", cells: "?OX ?.x ###", forX: true },
  { name: "side", cells: "?OX O.X ###", forX: true },
];

/** Colours of points by the letter of a cell, X being Black. */
const COLOURS: Readonly<Record<string, readonly number[]>> = {
  X: [BLACK],
  O: [WHITE],
  ".": [EMPTY],
  x: [BLACK, EMPTY],
  o: [WHITE, EMPTY],
  s: [BLACK, WHITE],
  "?": [BLACK, WHITE, EMPTY],
  "#": [EDGE],
};

/** The cells of a pattern after a quarter turn, and mirrored: its rows one after the other. */
const QUARTER_TURN = [6, 3, 0, 7, 4, 1, 8, 5, 2];
const MIRROR = [2, 1, 0, 5, 4, 3, 8, 7, 6];
const MIDDLE = 4;

/** Two bits for each point around the middle one. */
const CODES = 2 ** 16;

/** By player to move and code of the points around a point: 1 if a pattern is there. Made at the first use. */
let matches: Uint8Array | undefined;

function createMatches(): Uint8Array {
  const table = new Uint8Array(2 * CODES);
  for (const { cells, forX = false } of PATTERNS) {
    let turned = Array.from(cells.replaceAll(" ", ""));
    for (let symmetry = 0; symmetry < 8; symmetry++) {
      turned = (symmetry === 4 ? MIRROR : QUARTER_TURN).map((from) => turned[from]!);
      const around = turned.filter((_, at) => at !== MIDDLE).map((letter) => COLOURS[letter]!);
      for (const x of [BLACK, WHITE]) {
        for (const code of codesOf(around, x)) {
          table[x * CODES + code] = 1;
          if (!forX) table[(1 - x) * CODES + code] = 1;
        }
      }
    }
  }
  return table;
}

/** The codes of all points around a point with one of the colours each, with player `x` in the place of Black. */
function codesOf(around: readonly (readonly number[])[], x: number): number[] {
  let codes = [0];
  for (const colours of around) {
    const digits = colours.map((colour) => digitOf(colour <= WHITE ? colour ^ x : colour));
    codes = codes.flatMap((code) => digits.map((digit) => (code << 2) | digit));
  }
  return codes;
}

/** The two bits of a colour: 3 for EDGE. */
function digitOf(colour: number): number {
  return colour - (colour >> 2);
}

/**
 * Makes a function that tells whether one of MoGo's patterns is around an empty point, for the player to move. It has
 * no pattern for a corner.
 */
export function createMatcher(): (state: GoState, point: number) => boolean {
  const table = (matches ??= createMatches());
  return ({ colour, width, turn }, point) => {
    const north = point + width;
    const south = point - width;
    let code = digitOf(colour[north - 1]);
    code = (code << 2) | digitOf(colour[north]);
    code = (code << 2) | digitOf(colour[north + 1]);
    code = (code << 2) | digitOf(colour[point - 1]);
    code = (code << 2) | digitOf(colour[point + 1]);
    code = (code << 2) | digitOf(colour[south - 1]);
    code = (code << 2) | digitOf(colour[south]);
    code = (code << 2) | digitOf(colour[south + 1]);
    return table[turn * CODES + code] === 1;
  };
}
