import { countBits } from "../../base/hashing.ts";
import { scoreHeuristic } from "../shared/score-heuristic.ts";
import type { FeatureSet, Heuristic } from "../contract/facets.ts";
import { downLeft, downRight, jumping, SHIFTS, upLeft, upRight } from "./board.ts";
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

/** A set of squares from their numbers, 1 to 32. */
function squares(...numbers: number[]): number {
  return numbers.reduce((set, number) => set | (1 << (number - 1)), 0);
}

const CENTRE = squares(10, 11, 14, 15, 18, 19, 22, 23);
const DOUBLE_CORNER_FILES = squares(1, 5, 6, 9, 10, 14, 15, 18, 19, 23, 24, 27, 28, 32);
/** Squares without a neighbour on some side. */
const EDGE = squares(1, 2, 3, 4, 5, 12, 13, 20, 21, 28, 29, 30, 31, 32);
/** By player: the two squares of the bridge, and the three squares of the triangle of Oreo. */
const BRIDGE = [squares(1, 3), squares(30, 32)] as const;
const OREO = [squares(2, 3, 7), squares(26, 30, 31)] as const;
/** By player: the third and fourth row, and the fifth and sixth. */
const NEAR_ROWS = [0x0000ff00, 0x00ff0000] as const;
const FAR_ROWS = [0x00ff0000, 0x0000ff00] as const;

/** One side of a position as sets of squares. `up` and `down` hold the pieces that may move that way. */
interface Side {
  player: number;
  own: number;
  other: number;
  kings: number;
  otherKings: number;
  empty: number;
  up: number;
  down: number;
}

/** The counts of a side, with Samuel's abbreviations. The value of a feature is `player`'s count less the other's. */
const TERMS: readonly { readonly name: string; count(side: Side): number }[] = [
  { name: "men", count: (side) => countBits(side.own & ~side.kings) },
  { name: "kings", count: (side) => countBits(side.kings) },
  {
    name: "men on rows 5 and 6 less men on rows 3 and 4 (ADV)",
    count: ({ player, own, kings }) =>
      countBits(own & ~kings & FAR_ROWS[player]!) - countBits(own & ~kings & NEAR_ROWS[player]!),
  },
  {
    name: "bridge on the back row against no kings (BACK)",
    count: ({ player, own, otherKings }) => Number(otherKings === 0 && holds(own, BRIDGE[player]!)),
  },
  {
    name: "triangle of Oreo against no kings (OREO)",
    count: ({ player, own, otherKings }) => Number(otherKings === 0 && holds(own, OREO[player]!)),
  },
  { name: "men in the centre (CENT)", count: ({ own, kings }) => countBits(own & ~kings & CENTRE) },
  { name: "kings in the centre (KCENT)", count: ({ kings }) => countBits(kings & CENTRE) },
  { name: "centre held or reached (CNTR)", count: (side) => countBits((side.own | reach(side)) & CENTRE) },
  { name: "on the double-corner files (DIA)", count: ({ own }) => countBits(own & DOUBLE_CORNER_FILES) },
  { name: "squares reached (MOB)", count: (side) => countBits(reach(side)) },
  {
    name: "pieces that can capture",
    count: ({ up, down, other, empty }) => countBits(jumping(up, down, other, empty)),
  },
  {
    name: "three in a diagonal (DYKE)",
    count: ({ own }) =>
      countBits(own & upLeft(own) & downRight(own)) + countBits(own & upRight(own) & downLeft(own)),
  },
  {
    name: "pieces flanked by two empty squares (EXPOS)",
    count: ({ own, empty }) =>
      countBits(own & ((upLeft(empty) & downRight(empty)) | (upRight(empty) & downLeft(empty)))),
  },
  {
    name: "empty squares between two pieces, or a piece and the edge (GAP)",
    count: ({ own, empty }) =>
      countBits(
        empty &
          ((upLeft(own) & downRight(own)) |
            (upRight(own) & downLeft(own)) |
            (EDGE & (upLeft(own) | upRight(own) | downLeft(own) | downRight(own)))),
      ),
  },
  {
    name: "empty squares beside three or more pieces (HOLE)",
    count: ({ own, empty }) => countBits(empty & besideThree(own)),
  },
  {
    name: "pieces beside three or more empty squares (NODE)",
    count: ({ own, empty }) => countBits(own & besideThree(empty)),
  },
  {
    name: "men beside empty squares only (POLE)",
    count: ({ own, kings, other }) => countBits(own & ~kings & ~beside(own | other)),
  },
];

const TURN = TERMS.length;

function holds(own: number, wanted: number): boolean {
  return (own & wanted) === wanted;
}

/** The squares that pieces can move to, captures aside. */
function reach({ up, down, empty }: Side): number {
  return empty & (upLeft(up) | upRight(up) | downLeft(down) | downRight(down));
}

function beside(set: number): number {
  return upLeft(set) | upRight(set) | downLeft(set) | downRight(set);
}

/** The squares with at least three neighbours in the set. */
function besideThree(set: number): number {
  let one = 0;
  let two = 0;
  let three = 0;
  for (const shift of SHIFTS) {
    const next = shift(set);
    three |= two & next;
    two |= one & next;
    one |= next;
  }
  return three;
}

const sides: readonly [Side, Side] = [newSide(BLACK), newSide(WHITE)];

function newSide(player: number): Side {
  return { player, own: 0, other: 0, kings: 0, otherKings: 0, empty: 0, up: 0, down: 0 };
}

function readSide(side: Side, state: CheckersState): void {
  const { black, white, kings } = state;
  side.own = side.player === BLACK ? black : white;
  side.other = side.player === BLACK ? white : black;
  side.kings = side.own & kings;
  side.otherKings = side.other & kings;
  side.empty = ~(black | white);
  side.up = side.player === BLACK ? side.kings : side.own;
  side.down = side.player === BLACK ? side.own : side.kings;
}

/**
 * `samuel`: men, kings, and terms after the appendix of Samuel, "Some studies in machine learning
 * using the game of checkers" (1959), each as `player`'s count less the other's, and whose turn it is.
 */
export const samuelFeatures: FeatureSet<CheckersState> = {
  summary: "men, kings, advancement, back row, centre, mobility, exposure, ... (Samuel 1959); turn",
  version: 1,
  size: TURN + 1,
  maxActive: TURN + 1,
  extract(state, player, index, value) {
    readSide(sides[0], state);
    readSide(sides[1], state);
    const own = sides[player]!;
    const other = sides[1 - player]!;
    let end = 0;
    for (let term = 0; term < TURN; term++) {
      const lead = TERMS[term]!.count(own) - TERMS[term]!.count(other);
      if (lead === 0) continue;
      index[end] = term;
      value[end++] = lead;
    }
    if (state.toMove === BLACK || state.toMove === WHITE) {
      index[end] = TURN;
      value[end++] = state.toMove === player ? 1 : -1;
    }
    return end;
  },
  describe: (feature) => (feature === TURN ? "to move" : TERMS[feature]!.name),
};
