import { countBits, reverseBits } from "../../base/hashing.ts";
import { InputError } from "../../base/errors.ts";
import type { EndgameClass, Endgames } from "../contract/facets.ts";
import { SQUARES } from "./board.ts";
import { BLACK, CheckersState } from "./state.ts";

/** The most pieces of a class, of both players together. */
const MOST_PIECES = 6;
/** The number of squares where a man can stand: all but those where it becomes a king. */
const MEN_SQUARES = 28;

/** The rules in a class: no counter draws a game. */
const UNCOUNTED = { drawAfter: 2 ** 20, menProgress: false, repetitions: 0 };

/** The pieces of one player. */
interface Force {
  readonly kings: number;
  readonly men: number;
}

/** A code below 64 that orders forces: first by pieces, then by kings. */
function codeOf(kings: number, men: number): number {
  return 8 * (kings + men) + kings;
}

function keyOfCodes(one: number, other: number): number {
  return one >= other ? 64 * one + other : 64 * other + one;
}

/** Classes by the kings and men of both players, the stronger first: `KKM-KM`. */
export const endgames: Endgames<CheckersState> = {
  summary: `kings and men of both players, such as KK-K or KKM-KM; up to ${MOST_PIECES}`,
  version: 1,
  createState: () => new CheckersState(UNCOUNTED),
  classNamed(name) {
    const [, one, other] = /^([KM]+)-([KM]+)$/i.exec(name.trim().toUpperCase()) ?? [];
    if (one === undefined || other === undefined || one.length + other.length > MOST_PIECES) {
      throw new InputError(
        `"${name}" names no endgame; allowed: kings and men of both players, such as KK-K or KKM-KM, up to ${MOST_PIECES}`,
      );
    }
    return createClass(forceOf(one), forceOf(other));
  },
  keyOf({ black, white, kings }) {
    if (countBits(black | white) > MOST_PIECES) return -1;
    return keyOfCodes(
      codeOf(countBits(black & kings), countBits(black & ~kings)),
      codeOf(countBits(white & kings), countBits(white & ~kings)),
    );
  },
  /** The end must come before the draw by the counter: a game where both are due at once is a draw. */
  isSafe(state, plies) {
    return state.quiet + plies < state.rules.drawAfter && state.reversible === 0;
  },
};

function forceOf(letters: string): Force {
  const kings = letters.replaceAll("M", "").length;
  return { kings, men: letters.length - kings };
}

function nameOf(one: Force, other: Force): string {
  const letters = ({ kings, men }: Force) => "K".repeat(kings) + "M".repeat(men);
  const isFirst = codeOf(one.kings, one.men) >= codeOf(other.kings, other.men);
  return isFirst ? `${letters(one)}-${letters(other)}` : `${letters(other)}-${letters(one)}`;
}

function createClass(one: Force, other: Force): EndgameClass<CheckersState> {
  const codes = [one, other].map(({ kings, men }) => codeOf(kings, men));
  const [strong, weak] = codes[0]! >= codes[1]! ? [one, other] : [other, one];
  const strongMoves = new Numbering(strong, weak);
  const isEven = codes[0] === codes[1];
  const weakMoves = isEven ? undefined : new Numbering(weak, strong);
  const strongCode = Math.max(codes[0]!, codes[1]!);
  return {
    name: nameOf(one, other),
    key: keyOfCodes(codes[0]!, codes[1]!),
    size: strongMoves.size + (weakMoves?.size ?? 0),
    leadsTo: neighboursOf(strong, weak),
    place(state, index) {
      return index < strongMoves.size || weakMoves === undefined
        ? strongMoves.place(state, index)
        : weakMoves.place(state, index - strongMoves.size);
    },
    indexOf(state) {
      const own = state.turn === BLACK ? state.black : state.white;
      const code = codeOf(countBits(own & state.kings), countBits(own & ~state.kings));
      return weakMoves === undefined || code === strongCode
        ? strongMoves.indexOf(state)
        : strongMoves.size + weakMoves.indexOf(state);
    },
  };
}

/** The classes after a promotion, after captures, and after both at once. */
function neighboursOf(strong: Force, weak: Force): string[] {
  const names = new Set<string>();
  for (const [mover, other] of [
    [strong, weak],
    [weak, strong],
  ] as const) {
    const movers = [mover, ...(mover.men > 0 ? [{ kings: mover.kings + 1, men: mover.men - 1 }] : [])];
    for (const after of movers)
      for (let kings = 0; kings <= other.kings; kings++)
        for (let men = 0; men <= other.men; men++) {
          const isAll = kings === other.kings && men === other.men;
          if (kings + men > 0 && !(isAll && after === mover)) names.add(nameOf(after, { kings, men }));
        }
  }
  return [...names];
}

/**
 * Numbers the positions in which the player to move has the pieces `own`, and the other player `other`. The board is
 * turned so that black moves. The four sets, men and kings of both players, are numbered independently, so that
 * numbers whose sets overlap stand for no position.
 */
class Numbering {
  readonly size: number;
  private readonly own: Force;
  private readonly other: Force;

  constructor(own: Force, other: Force) {
    this.own = own;
    this.other = other;
    this.size =
      binomial(MEN_SQUARES, own.men) *
      binomial(MEN_SQUARES, other.men) *
      binomial(SQUARES, own.kings) *
      binomial(SQUARES, other.kings);
  }

  place(state: CheckersState, index: number): boolean {
    const { own, other } = this;
    let rest = index;
    const next = (members: number, squares: number) => {
      const count = binomial(squares, members);
      const rank = rest % count;
      rest = Math.floor(rest / count);
      return setOfRank(rank, members, squares);
    };
    const whiteKings = next(other.kings, SQUARES);
    const blackKings = next(own.kings, SQUARES);
    const whiteMen = next(other.men, MEN_SQUARES) << (SQUARES - MEN_SQUARES);
    const blackMen = next(own.men, MEN_SQUARES);
    const kings = blackKings | whiteKings;
    if ((blackKings & whiteKings) !== 0 || (blackMen & whiteMen) !== 0) return false;
    if ((kings & (blackMen | whiteMen)) !== 0) return false;
    state.turn = BLACK;
    state.black = blackKings | blackMen;
    state.white = whiteKings | whiteMen;
    state.kings = kings;
    state.quiet = 0;
    state.settle();
    return true;
  }

  indexOf({ turn, black, white, kings: allKings }: CheckersState): number {
    const { own, other } = this;
    const mine = turn === BLACK ? black : reverseBits(white);
    const theirs = turn === BLACK ? white : reverseBits(black);
    const kings = turn === BLACK ? allKings : reverseBits(allKings);
    let index = rankOfSet(mine & ~kings);
    index =
      index * binomial(MEN_SQUARES, other.men) + rankOfSet((theirs & ~kings) >>> (SQUARES - MEN_SQUARES));
    index = index * binomial(SQUARES, own.kings) + rankOfSet(mine & kings);
    return index * binomial(SQUARES, other.kings) + rankOfSet(theirs & kings);
  }
}

/** The most elements of a set, and the most members of a subset. */
const MOST_ELEMENTS = 32;
const MOST_MEMBERS = 12;

/** At 16 * elements + members: the number of subsets with this number of members. */
const BINOMIALS = new Float64Array(16 * (MOST_ELEMENTS + 1));
for (let elements = 0; elements <= MOST_ELEMENTS; elements++) {
  BINOMIALS[16 * elements] = 1;
  for (let members = 1; members <= MOST_MEMBERS && elements > 0; members++) {
    const before = 16 * (elements - 1) + members;
    BINOMIALS[16 * elements + members] = BINOMIALS[before] + BINOMIALS[before - 1];
  }
}

/**
 * The number of subsets with `members` members of a set of `elements` elements; at most 12 and 32.
 * @internal tests alone import it.
 */
export function binomial(elements: number, members: number): number {
  return BINOMIALS[16 * elements + members];
}

/**
 * The rank of a set, as bits of an int32, among all sets with the same number of members: 0 to binomial - 1, ordered by
 * the greatest member first (the combinatorial number system; Lehmer 1964).
 * @internal tests alone import it.
 */
export function rankOfSet(set: number): number {
  let rank = 0;
  let member = 1;
  for (let rest = set; rest !== 0; rest &= rest - 1)
    rank += BINOMIALS[16 * (31 - Math.clz32(rest & (0 - rest))) + member++];
  return rank;
}

/**
 * The inverse of `rankOfSet`, for sets of `members` bits among the bits 0 to elements - 1.
 * @internal tests alone import it.
 */
export function setOfRank(rank: number, members: number, elements: number): number {
  let set = 0;
  let left = rank;
  let bit = elements - 1;
  for (let member = members; member > 0; member--) {
    while (BINOMIALS[16 * bit + member] > left) bit--;
    left -= BINOMIALS[16 * bit + member];
    set |= 1 << bit;
    bit--;
  }
  return set;
}
