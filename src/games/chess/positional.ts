import { countBits, lowestBit } from "../../base/hashing.ts";
import type { FeatureSet } from "../contract/facets.ts";
import {
  findReach,
  KING_REACH,
  reached,
  ALL,
  BISHOP,
  BLACK,
  countSquares,
  EMPTY,
  hasSeveral,
  KIND_NAMES,
  KING,
  KNIGHT,
  PAWN,
  QUEEN,
  ROOK,
  squareName,
  HIGH,
  type Position,
} from "./board.ts";
import { BACKWARD, canPawnsAttack, classifyPawn, DOUBLED, ISOLATED, PASSED, PROTECTED } from "./judge.ts";
import { findPawnAttacks, kingSquare } from "./king.ts";
import type { ChessState } from "./state.ts";

const names: string[] = [];
/** Groups of features: each begins at an index, and ends where the next one begins. */
const groups: { readonly name: string; readonly first: number }[] = [];
const group = (name: string): number => groups.push({ name, first: names.length });
/** Adds features by their names; returns the index of the first. */
const feature = (...added: string[]): number => names.push(...added) - added.length;
/** Adds features for the numbers from `first` to `last`. */
const numbered = (first: number, last: number, name: (number: number) => string): number =>
  feature(...Array.from({ length: last - first + 1 }, (_, at) => name(first + at)));

const MEN = KIND_NAMES.slice(PAWN, KING);
group("material");
const PIECES = feature(...MEN.map((kind) => `${kind}s`));
group("squares");
/** For each kind, 32 squares: the files a to d stand for the files h to e, too. */
const SQUARES = feature(
  ...KIND_NAMES.flatMap((kind) =>
    Array.from({ length: 32 }, (_, at) => {
      const square = ((at >>> 2) << 3) | (at & 3);
      return `${kind} on ${squareName(square)} or ${squareName(square ^ 7)}`;
    }),
  ),
);
const PAWN_TRAITS = [DOUBLED, ISOLATED, BACKWARD, PROTECTED];
group("pawns");
const PAWN_KINDS = feature("doubled pawn", "isolated pawn", "backward pawn", "protected pawn");
group("passed pawns");
const PASSED_PAWNS = numbered(2, 7, (rank) => `passed pawn on rank ${rank}`);
const BLOCKED = numbered(2, 7, (rank) => `passed pawn on rank ${rank}, blocked`);
const STOPPED = feature("passed pawn whose next square the other attacks");
const OWN_KING = numbered(0, 7, (steps) => `own king ${steps} steps from a passed pawn's next square`);
const OTHER_KING = numbered(0, 7, (steps) => `other king ${steps} steps from a passed pawn's next square`);
group("pieces");
const BISHOP_PAIR = feature("bishop pair");
const OUTPOSTS = feature("knight outpost", "bishop outpost");
const OPEN_ROOK = feature("rook on a file without pawns");
const HALF_OPEN_ROOK = feature("rook on a file with no own pawn");
const SEVENTH = feature("rook on rank 7");
const mobility = (kind: string, most: number) =>
  numbered(0, most, (squares) => `${kind} with ${squares} squares, not attacked by pawns`);
group("mobility");
const MOBILITY = Int32Array.of(
  0,
  mobility("knight", 8),
  mobility("bishop", 13),
  mobility("rook", 14),
  numbered(0, 14, (half) => `queen with ${2 * half} or ${2 * half + 1} squares, not attacked by pawns`),
);
group("king safety");
const SHIELD = numbered(0, 3, (pawns) => `king with ${pawns} pawns beside it`);
const BARE_FILE = feature("file at the king with no own pawn");
const OPEN_FILE = feature("file at the king without pawns");
const ATTACKER = feature(...MEN.slice(KNIGHT).map((kind) => `${kind} that attacks squares beside the king`));
const KING_ATTACKS = numbered(1, 8, (count) => `${2 * count} attacks on squares beside the king, or more`);
group("threats");
const PAWN_THREAT = feature("piece attacked by a pawn");
const MINOR_THREAT = feature("rook or queen attacked by a knight or bishop");
const HANGING = feature("piece attacked and not defended");
group("turn and castling");
const CASTLING = feature("castling right");
const CHECK = feature("check given");
const TURN = feature("to move");

/** By kind: its part of the phase. All pieces of the start make 24. */
const PHASE = [0, 1, 1, 2, 4];
/** By phase: the share of the middle game, in 256ths so that sums are exact. */
const MIDDLE = Float64Array.from({ length: 25 }, (_, phase) => Math.round((256 * phase) / 24) / 256);
/** Promoted pieces may bring more; the phase is cut here. */
const MAX_PHASE = 24;

/** At player << 6 | square: the place among the 32 squares, seen from the player's side. */
const FOLDED = Int32Array.from({ length: 128 }, (_, at) => {
  const square = at < 64 ? at : (at & 63) ^ 56;
  return ((square >>> 3) << 2) | Math.min(square & 7, 7 - (square & 7));
});
/** By file: it and its neighbours, as bits. */
const NEAR_FILES = Int32Array.from({ length: 8 }, (_, file) => ((7 << file) >>> 1) & 255);

/**
 * The features found in a position, from 1 on: feature << 1 | player, once for each time that the player has the feature.
 * At 0 the phase: 24 in the middle game, 0 with kings and pawns alone.
 */
const found = new Int32Array(512);
/** Each piece has at most 12 features, each player 30 more. */
const MOST_FOUND = 2 * (16 * 12 + 30);
/** Sets of squares, halves at 2 * player: those that pawns attack, knights and bishops, and all pieces. */
const pawnAttacks = new Int32Array(4);
const minorAttacks = new Int32Array(4);
const attacks = new Int32Array(4);
/** The passed pawns: halves at 2 * player. */
const passed = new Int32Array(4);
/** By player: the files with pawns, as bits. */
const pawnFiles = new Int32Array(2);

/** Finds the features of a position; returns the end of `found`. */
function find(state: ChessState): number {
  found[0] = 0;
  let end = recallPawns(state);
  for (let side = 0; side < 2; side++) {
    findPawnAttacks(state, side);
    attacks[2 * side] = pawnAttacks[2 * side] = reached[0];
    attacks[2 * side + 1] = pawnAttacks[2 * side + 1] = reached[1];
    let files = state.bits[(side << 3) | PAWN] | state.bits[HIGH | (side << 3) | PAWN];
    files |= files >>> 16;
    pawnFiles[side] = (files | (files >>> 8)) & 255;
  }
  for (let side = 0; side < 2; side++) end = findPieces(state, side, end);
  for (let side = 0; side < 2; side++) end = findSide(state, side, end);
  return end;
}

/** `positional`: what textbooks weigh, each with a weight for the middle game and one for the endgame. */
export const positionalFeatures: FeatureSet<ChessState> = {
  summary: "material, squares, pawns, mobility, king safety, threats, each by phase; turn",
  version: 2,
  size: 2 * names.length,
  maxActive: 2 * MOST_FOUND,
  extract(state, player, index, value) {
    const last = find(state);
    const middle = MIDDLE[Math.min(found[0], MAX_PHASE)];
    let end = 0;
    for (let at = 1; at < last; at++) {
      const sign = (found[at] & 1) === player ? 1 : -1;
      index[end] = found[at] & ~1;
      value[end++] = sign * middle;
      index[end] = found[at] | 1;
      value[end++] = sign * (1 - middle);
    }
    return end;
  },
  weigh(state, player, weights, offset) {
    const last = find(state);
    let middle = 0;
    let endgame = 0;
    for (let at = 1; at < last; at++) {
      const one = found[at];
      const sign = 1 - ((one & 1) << 1);
      middle += sign * weights[offset + (one & ~1)];
      endgame += sign * weights[offset + (one | 1)];
    }
    const sum = endgame + MIDDLE[Math.min(found[0], MAX_PHASE)] * (middle - endgame);
    return player === 0 ? sum : 0 - sum;
  },
  describe: (at) => `${names[at >>> 1]!}, ${(at & 1) === 0 ? "middle game" : "endgame"}`,
  groupOf: (at) => groups.findLast(({ first }) => first <= at >>> 1)!.name,
  pieces: MEN.map((name, kind) => ({ name, features: [2 * (PIECES + kind), 2 * (PIECES + kind) + 1] })),
  grids: KIND_NAMES.flatMap((name, kind) =>
    ["middle game", "endgame"].map((phase, at) => ({
      name: `${name}, ${phase}`,
      rows: [7, 6, 5, 4, 3, 2, 1, 0].map((rank) =>
        [0, 1, 2, 3, 3, 2, 1, 0].map((file) => 2 * (SQUARES + 32 * kind + 4 * rank + file) + at),
      ),
      rowNames: Array.from("87654321"),
      columnNames: Array.from("abcdefgh"),
    })),
  ),
};

/**
 * The features of pawns depend on pawns alone, and pawns seldom move: they are kept, the last structure of each of these
 * slots. A slot has the pawns (4 words), the passed pawns (4), the end of its features, and features.
 */
const SLOTS = 1024;
const SLOT = 128;
const FIRST = 9;
const kept = new Int32Array(SLOTS * SLOT);

/** Writes the features of the pawns to `found` and `passed`; returns the end of `found`. */
function recallPawns(position: Position): number {
  const { bits } = position;
  const whiteLow = bits[PAWN];
  const whiteHigh = bits[HIGH | PAWN];
  const blackLow = bits[BLACK | PAWN];
  const blackHigh = bits[HIGH | BLACK | PAWN];
  const mixed =
    Math.imul(whiteLow, 0x2c1b3c6d) ^
    Math.imul(whiteHigh, 0x297a2d39) ^
    Math.imul(blackLow, 0x85ebca6b) ^
    Math.imul(blackHigh, 0xc2b2ae35);
  const slot = SLOT * (Math.imul(mixed ^ (mixed >>> 15), 0x9e3779b1) >>> 22);
  if (
    kept[slot] !== whiteLow ||
    kept[slot + 1] !== whiteHigh ||
    kept[slot + 2] !== blackLow ||
    kept[slot + 3] !== blackHigh
  ) {
    const end = findPawns(position);
    kept[slot] = whiteLow;
    kept[slot + 1] = whiteHigh;
    kept[slot + 2] = blackLow;
    kept[slot + 3] = blackHigh;
    for (let at = 0; at < 4; at++) kept[slot + 4 + at] = passed[at];
    kept[slot + 8] = end;
    for (let at = 1; at < end; at++) kept[slot + FIRST - 1 + at] = found[at];
    return end;
  }
  for (let at = 0; at < 4; at++) passed[at] = kept[slot + 4 + at];
  // An empty slot is that of no pawns.
  const end = Math.max(1, kept[slot + 8]);
  for (let at = 1; at < end; at++) found[at] = kept[slot + FIRST - 1 + at];
  return end;
}

function findPawns(position: Position): number {
  const { bits } = position;
  let end = 1;
  for (let side = 0; side < 2; side++) {
    for (let half = 0; half < 2; half++) {
      passed[2 * side + half] = 0;
      for (let pawns = bits[(half << 4) | (side << 3) | PAWN]; pawns !== 0; pawns &= pawns - 1) {
        const square = (half << 5) | lowestBit(pawns);
        const traits = classifyPawn(position, side, square);
        found[end++] = (PIECES << 1) | side;
        found[end++] = ((SQUARES + FOLDED[(side << 6) | square]) << 1) | side;
        for (let trait = 0; trait < PAWN_TRAITS.length; trait++) {
          if ((traits & PAWN_TRAITS[trait]!) !== 0) found[end++] = ((PAWN_KINDS + trait) << 1) | side;
        }
        if ((traits & PASSED) === 0) continue;
        passed[2 * side + half]! |= 1 << square;
        found[end++] = ((PASSED_PAWNS + ownRank(side, square) - 1) << 1) | side;
      }
    }
  }
  return end;
}

/** The rank of a square as the player counts, from 0. */
function ownRank(side: number, square: number): number {
  return side === 0 ? square >>> 3 : 7 - (square >>> 3);
}

/** Finds the features of a player's knights to queens, and of their attacks on the king; fills the sets of attacks. */
function findPieces(position: Position, side: number, end: number): number {
  const { bits } = position;
  const us = side << 3;
  const low = bits[ALL] | bits[BLACK | ALL];
  const high = bits[HIGH | ALL] | bits[HIGH | BLACK | ALL];
  const openLow = ~(bits[us | ALL] | pawnAttacks[2 - 2 * side]);
  const openHigh = ~(bits[HIGH | us | ALL] | pawnAttacks[3 - 2 * side]);
  const ring = 2 * kingSquare(position, side ^ 1);
  const ringLow = KING_REACH[ring];
  const ringHigh = KING_REACH[ring + 1];
  let attackedLow = attacks[2 * side];
  let attackedHigh = attacks[2 * side + 1];
  let near = 0;
  let phase = 0;
  for (let kind = KNIGHT; kind <= QUEEN; kind++) {
    for (let half = 0; half < 2; half++) {
      for (let pieces = bits[(half << 4) | us | kind]; pieces !== 0; pieces &= pieces - 1) {
        const square = (half << 5) | lowestBit(pieces);
        phase += PHASE[kind]!;
        found[end++] = ((PIECES + kind) << 1) | side;
        found[end++] = ((SQUARES + (kind << 5) + FOLDED[(side << 6) | square]) << 1) | side;
        findReach(kind, square, low, high);
        const toLow = reached[0];
        const toHigh = reached[1];
        attackedLow |= toLow;
        attackedHigh |= toHigh;
        const squares = countSquares(toLow & openLow, toHigh & openHigh);
        found[end++] = ((MOBILITY[kind] + (kind === QUEEN ? squares >>> 1 : squares)) << 1) | side;
        const nearLow = toLow & ringLow;
        const nearHigh = toHigh & ringHigh;
        if ((nearLow | nearHigh) !== 0) {
          found[end++] = ((ATTACKER + kind - KNIGHT) << 1) | side;
          near += countSquares(nearLow, nearHigh);
        }
        if (kind === ROOK) end = findRook(side, square, end);
        else if (kind < ROOK && isOutpost(position, side, square))
          found[end++] = ((OUTPOSTS + kind - KNIGHT) << 1) | side;
      }
    }
    if (kind === BISHOP) {
      minorAttacks[2 * side] = attackedLow & ~pawnAttacks[2 * side];
      minorAttacks[2 * side + 1] = attackedHigh & ~pawnAttacks[2 * side + 1];
    }
  }
  found[0]! += phase;
  for (let count = Math.min(near >>> 1, 8); count > 0; count--)
    found[end++] = ((KING_ATTACKS + count - 1) << 1) | side;
  const king = 2 * kingSquare(position, side);
  attacks[2 * side] = attackedLow | KING_REACH[king];
  attacks[2 * side + 1] = attackedHigh | KING_REACH[king + 1];
  return end;
}

function findRook(side: number, square: number, end: number): number {
  const file = 1 << (square & 7);
  if ((pawnFiles[side] & file) === 0)
    found[end++] = (((pawnFiles[side ^ 1] & file) === 0 ? OPEN_ROOK : HALF_OPEN_ROOK) << 1) | side;
  if (ownRank(side, square) === 6) found[end++] = (SEVENTH << 1) | side;
  return end;
}

/** True on ranks 4 to 6, protected by a pawn, where no pawn of the other can attack. */
function isOutpost(position: Position, side: number, square: number): boolean {
  const rank = ownRank(side, square);
  return (
    rank >= 3 &&
    rank <= 5 &&
    ((pawnAttacks[2 * side + (square >>> 5)] >>> square) & 1) === 1 &&
    !canPawnsAttack(position, side, square)
  );
}

/** Finds the features of a player as a whole; needs the attacks of both players. */
function findSide(state: ChessState, side: number, end: number): number {
  const { bits } = state;
  const us = side << 3;
  const them = us ^ BLACK;
  const king = kingSquare(state, side);
  found[end++] = ((SQUARES + (KING << 5) + FOLDED[(side << 6) | king]) << 1) | side;
  if (hasSeveral(bits[us | BISHOP], bits[HIGH | us | BISHOP])) found[end++] = (BISHOP_PAIR << 1) | side;
  const shield = countSquares(
    KING_REACH[2 * king] & bits[us | PAWN],
    KING_REACH[2 * king + 1] & bits[HIGH | us | PAWN],
  );
  found[end++] = ((SHIELD + Math.min(shield, 3)) << 1) | side;
  const bare = NEAR_FILES[king & 7] & ~pawnFiles[side];
  end = repeat(BARE_FILE, side, countBits(bare), end);
  end = repeat(OPEN_FILE, side, countBits(bare & ~pawnFiles[side ^ 1]), end);
  const heavyLow = bits[them | ROOK] | bits[them | QUEEN];
  const heavyHigh = bits[HIGH | them | ROOK] | bits[HIGH | them | QUEEN];
  const prizeLow = heavyLow | bits[them | KNIGHT] | bits[them | BISHOP];
  const prizeHigh = heavyHigh | bits[HIGH | them | KNIGHT] | bits[HIGH | them | BISHOP];
  const low = 2 * side;
  const high = low + 1;
  const hit = countSquares(prizeLow & pawnAttacks[low], prizeHigh & pawnAttacks[high]);
  end = repeat(PAWN_THREAT, side, hit, end);
  const struck = countSquares(heavyLow & minorAttacks[low], heavyHigh & minorAttacks[high]);
  end = repeat(MINOR_THREAT, side, struck, end);
  const hanging = countSquares(
    prizeLow & attacks[low] & ~attacks[low ^ 2],
    prizeHigh & attacks[high] & ~attacks[high ^ 2],
  );
  end = repeat(HANGING, side, hanging, end);
  end = repeat(CASTLING, side, countBits((state.castling >>> (2 * side)) & 3), end);
  if (state.turn === side) found[end++] = (TURN << 1) | side;
  else if ((state.checkersLow | state.checkersHigh) !== 0) found[end++] = (CHECK << 1) | side;
  for (let half = 0; half < 2; half++) {
    for (let pawns = passed[2 * side + half]; pawns !== 0; pawns &= pawns - 1)
      end = findPassed(state, side, (half << 5) | lowestBit(pawns), end);
  }
  return end;
}

function repeat(one: number, side: number, times: number, end: number): number {
  for (; times > 0; times--) found[end++] = (one << 1) | side;
  return end;
}

/** Finds how the other player and the kings stand to the square in front of a passed pawn. */
function findPassed(position: Position, side: number, square: number, end: number): number {
  const stop = square + (side === 0 ? 8 : -8);
  if (position.board[stop] !== EMPTY) found[end++] = ((BLOCKED + ownRank(side, square) - 1) << 1) | side;
  else if (((attacks[(2 - 2 * side) | (stop >>> 5)] >>> stop) & 1) === 1)
    found[end++] = (STOPPED << 1) | side;
  found[end++] = ((OWN_KING + steps(kingSquare(position, side), stop)) << 1) | side;
  found[end++] = ((OTHER_KING + steps(kingSquare(position, side ^ 1), stop)) << 1) | side;
  return end;
}

/** The moves of a king between two squares of an empty board. */
function steps(from: number, to: number): number {
  return Math.max(Math.abs((from & 7) - (to & 7)), Math.abs((from >>> 3) - (to >>> 3)));
}
