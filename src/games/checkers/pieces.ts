import { countBits, lowestBit } from "../../base/bits.ts";
import { scoreHeuristic } from "../shared/score-heuristic.ts";
import type { FeatureSet, Heuristic } from "../contract/facets.ts";
import { SQUARES } from "./board.ts";
import { BLACK, WHITE, type CheckersState } from "./state.ts";

/** The worth of a king in men. */
const KING_WORTH = 5;
/** The lead, in men, that is worth half a win. */
const HALF_WIN = 5;

/**
 * Black's material less White's: five for each king and one for each man.
 * @internal tests count in men, before the value is brought between -1 and 1.
 */
export function materialLead({ black, white, kings }: CheckersState): number {
  return (
    countBits(black) -
    countBits(white) +
    (KING_WORTH - 1) * (countBits(black & kings) - countBits(white & kings))
  );
}

/** `materialLead`, brought between -1 and 1. */
export const material: Heuristic<CheckersState> = scoreHeuristic(
  "5 kings + men, less the other's",
  HALF_WIN,
  materialLead,
);

const KINGS = SQUARES;
const TURN = 2 * SQUARES;
const ROWS = [0, 1, 2, 3, 4, 5, 6, 7];
/** The squares of each row, the owner's side on top. */
export const ROW_NAMES: readonly string[] = ROWS.map((row) => `${4 * row + 1}-${4 * row + 4}`);

/** The rows of the board, the owner's side on top: square s + 1 is number `first + s`; undefined on light squares. */
export function squareRows(first: number): (number | undefined)[][] {
  return ROWS.map((row) => {
    const squares = [0, 1, 2, 3].map((place) => first + 4 * row + place);
    return squares.flatMap((square) => (row % 2 === 0 ? [undefined, square] : [square, undefined]));
  });
}

/**
 * `squares`: one feature for a man and one for a king on each square, numbered from its owner's side
 * (a man starts on 1 to 12), and whose turn it is. +1 for `player`'s, -1 for the other's.
 */
export const squareFeatures: FeatureSet<CheckersState> = {
  summary: "men and kings by square, seen from their owner's side; turn",
  version: 1,
  size: TURN + 1,
  maxActive: 25,
  extract(state, player, index, value) {
    const { black, white, kings } = state;
    const blackSign = player === BLACK ? 1 : -1;
    let end = 0;
    for (let rest = black; rest !== 0; rest &= rest - 1) {
      const square = lowestBit(rest);
      index[end] = square + ((kings >>> square) & 1) * KINGS;
      value[end++] = blackSign;
    }
    for (let rest = white; rest !== 0; rest &= rest - 1) {
      const square = lowestBit(rest);
      index[end] = SQUARES - 1 - square + ((kings >>> square) & 1) * KINGS;
      value[end++] = 0 - blackSign;
    }
    if (state.toMove === BLACK || state.toMove === WHITE) {
      index[end] = TURN;
      value[end++] = state.toMove === player ? 1 : -1;
    }
    return end;
  },
  describe(feature) {
    if (feature === TURN) return "to move";
    return `${feature < KINGS ? "man" : "king"} on ${(feature % SQUARES) + 1}`;
  },
  // No man stands on the last four squares, where it is crowned.
  pieces: ["man", "king"].map((name, kind) => ({
    name,
    features: Array.from({ length: SQUARES - (kind === 0 ? 4 : 0) }, (_, square) => kind * KINGS + square),
  })),
  grids: ["man", "king"].map((name, kind) => ({
    name,
    rows: squareRows(kind * KINGS),
    rowNames: ROW_NAMES,
  })),
};
