import { countBits } from "../../base/hashing.ts";
import type { Random } from "../../base/random.ts";
import type { Policy, PolicyFamily } from "../contract/game.ts";
import { EMPTY, ROWS, WHITE, BLACK, EDGE } from "./board.ts";
import { eyeOwner } from "./judge.ts";
import { type GoState, NO_POINT } from "./state.ts";

/** The promises of moves, set by hand: 255 would be a move that always won. */
const OWN_EYE = 0;
const PASS = 25;
const SELF_ATARI = 60;
const CAPTURE = 215;
const SAVING = 215;
/** The promise of any other move, to which the rest is added. */
const UNKNOWN = 128;
const PATTERN = 30;
/** By the distance from the last move, in rows and columns together. */
const NEAR = [0, 35, 30, 15, 0];
/** By the distance from the edge, for a move with no stone near it. */
const ALONE = [-70, -40, 20, 10];

/** The playouts of MoGo. */
export const mogo: PolicyFamily<GoState> = {
  summary:
    "saves from atari, else 3x3 patterns near the last move, else captures, else no own eye (MoGo, Gelly et al. 2006)",
  create: () => new Mogo(),
};

/**
 * Plays as MoGo does in its playouts (Gelly, Wang, Munos and Teytaud 2006). The first of these kinds that has a move is
 * played, each of its moves as likely as the others:
 *
 * 1. a move that saves a chain which the last move put in atari: by a second liberty, or by capturing beside it;
 * 2. a move beside the last one, diagonals included, where one of the 3x3 patterns matches;
 * 3. a capture anywhere;
 * 4. any move.
 *
 * No move fills an eye of the player's own. Without a move it passes.
 */
class Mogo implements Policy<GoState> {
  private readonly matches = createMatcher();
  private readonly moves = new Int16Array(4 * ROWS * ROWS);
  private count = 0;
  /** Points not drawn yet, by row. */
  private readonly left = new Int32Array(ROWS);

  choose(state: GoState, random?: Random): number {
    const last = state.lastPoint;
    this.count = 0;
    if (last !== NO_POINT) {
      this.addSaving(state, last);
      if (this.count === 0) this.addPatterns(state, last);
    }
    if (this.count === 0) this.addCaptures(state);
    if (this.count === 0) return this.drawAny(state, random);
    const point = this.moves[random === undefined ? 0 : random.below(this.count)];
    return point - state.board.rowOf[point] - state.width;
  }

  promises(state: GoState, actions: Int32Array, at: number, end: number, out: Int32Array): void {
    const { pointOf } = state.board;
    const last = state.lastPoint;
    for (let index = at; index < end; index++) {
      const action = actions[index];
      out[index] = action === state.pass ? PASS : this.promiseOf(state, pointOf[action], last);
    }
  }

  /** The promise of a move: the kinds of moves above, and whether it is near the last move and the edge. */
  private promiseOf(state: GoState, point: number, last: number): number {
    const { turn } = state;
    if (eyeOwner(state, point) === turn) return OWN_EYE;
    if (state.captures(point, turn)) return CAPTURE;
    if (!state.hasTwoLibertiesAt(point)) return SELF_ATARI;
    if (this.isInAtariBeside(state, point)) return SAVING;
    const { rowOf, bitOf } = state.board;
    let promise = UNKNOWN;
    if (this.matches(state, point)) promise += PATTERN;
    if (last !== NO_POINT) {
      const rows = Math.abs(rowOf[point] - rowOf[last]);
      const columns = Math.abs(Math.clz32(bitOf[point]) - Math.clz32(bitOf[last]));
      promise += NEAR[Math.min(rows + columns, NEAR.length - 1)]!;
    }
    return isAlone(state, point)
      ? promise + ALONE[Math.min(lineOf(state, point), ALONE.length - 1)]!
      : promise;
  }

  /** True if a chain of the player to move beside a point is in atari. */
  private isInAtariBeside(state: GoState, point: number): boolean {
    const { width } = state;
    return (
      isInAtari(state, point - width) ||
      isInAtari(state, point - 1) ||
      isInAtari(state, point + 1) ||
      isInAtari(state, point + width)
    );
  }

  /** Adds the moves that save a chain beside the last move, which are in atari by it. */
  private addSaving(state: GoState, last: number): void {
    const { width } = state;
    this.addSavingOf(state, last - width);
    this.addSavingOf(state, last - 1);
    this.addSavingOf(state, last + 1);
    this.addSavingOf(state, last + width);
  }

  private addSavingOf(state: GoState, at: number): void {
    const { colour, chain, next, turn, width } = state;
    if (colour[at] !== turn) return;
    const liberty = state.onlyLiberty(chain[at]);
    if (liberty === NO_POINT) return;
    if (isPlayable(state, liberty) && state.hasTwoLibertiesAt(liberty)) this.add(liberty);
    let stone = at;
    do {
      this.addCaptureOf(state, stone - width);
      this.addCaptureOf(state, stone - 1);
      this.addCaptureOf(state, stone + 1);
      this.addCaptureOf(state, stone + width);
      stone = next[stone];
    } while (stone !== at);
  }

  /** Adds the capture of the other player's chain at a point, if there is one in atari. */
  private addCaptureOf(state: GoState, at: number): void {
    if (state.colour[at] !== 1 - state.turn) return;
    const liberty = state.onlyLiberty(state.chain[at]);
    if (liberty !== NO_POINT && isPlayable(state, liberty)) this.add(liberty);
  }

  private addPatterns(state: GoState, last: number): void {
    const { width } = state;
    this.addPattern(state, last - width - 1);
    this.addPattern(state, last - width);
    this.addPattern(state, last - width + 1);
    this.addPattern(state, last - 1);
    this.addPattern(state, last + 1);
    this.addPattern(state, last + width - 1);
    this.addPattern(state, last + width);
    this.addPattern(state, last + width + 1);
  }

  private addPattern(state: GoState, point: number): void {
    if (state.colour[point] !== EMPTY || !this.matches(state, point)) return;
    if (isPlayable(state, point)) this.moves[this.count++] = point;
  }

  private addCaptures(state: GoState): void {
    const { rows, size, width, chain, turn } = state;
    const other = 1 - turn;
    for (let row = 1; row <= size; row++) {
      for (let stones = rows[other * ROWS + row]; stones !== 0; stones &= stones - 1) {
        const point = row * width + 32 - Math.clz32(stones & (0 - stones));
        if (chain[point] === point) this.addCaptureOf(state, point);
      }
    }
  }

  /** Adds a move that may be there already. */
  private add(point: number): void {
    const { moves, count } = this;
    for (let at = 0; at < count; at++) if (moves[at] === point) return;
    moves[this.count++] = point;
  }

  /** Draws empty points until one is playable, so that each playable one is as likely; passes if none is. */
  private drawAny(state: GoState, random: Random | undefined): number {
    const { left } = this;
    const { rows, size, width } = state;
    let count = 0;
    for (let row = 1; row <= size; row++) count += countBits((left[row] = rows[EMPTY * ROWS + row]));
    for (; count > 0; count--) {
      let number = random === undefined ? 0 : random.below(count);
      let row = 1;
      for (let here = countBits(left[row]); number >= here; here = countBits(left[++row])) number -= here;
      let points = left[row];
      for (; number > 0; number--) points &= points - 1;
      const bit = points & (0 - points);
      left[row] ^= bit;
      const point = row * width + 32 - Math.clz32(bit);
      if (isPlayable(state, point)) return point - row - width;
    }
    return state.pass;
  }
}

function isInAtari(state: GoState, at: number): boolean {
  return state.colour[at] === state.turn && state.onlyLiberty(state.chain[at]) !== NO_POINT;
}

/** The distance of a point from the edge, 0 on the first line. */
function lineOf({ board, size }: GoState, point: number): number {
  const row = board.rowOf[point] - 1;
  const column = 31 - Math.clz32(board.bitOf[point]);
  return Math.min(row, column, size - 1 - row, size - 1 - column);
}

/** True if no stone is within two rows and two columns of a point. */
function isAlone({ rows, board, size }: GoState, point: number): boolean {
  const bit = board.bitOf[point];
  const row = board.rowOf[point];
  const near = bit | (bit << 1) | (bit << 2) | (bit >> 1) | (bit >> 2);
  for (let at = Math.max(1, row - 2); at <= Math.min(size, row + 2); at++)
    if (((rows[at] | rows[WHITE * ROWS + at]) & near) !== 0) return false;
  return true;
}

/** True if the player to move may play at an empty point, and has no eye there. */
function isPlayable(state: GoState, point: number): boolean {
  return eyeOwner(state, point) !== state.turn && state.isLegalAt(point);
}

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
 * @internal tests alone import it.
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
