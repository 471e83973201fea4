import { countBits, lowestBit } from "../../base/bits.ts";
import type { FeatureSet } from "../../game/facets.ts";
import { findReach, KING_REACH, reached } from "./attacks.ts";
import {
  ALL,
  BISHOP,
  BLACK,
  countSquares,
  hasSeveral,
  KIND_NAMES,
  KING,
  KNIGHT,
  PAWN,
  ROOK,
  squareName,
} from "./board.ts";
import {
  BACKWARD,
  canPawnsAttack,
  classifyPawn,
  DOUBLED,
  hasPawnOnFile,
  ISOLATED,
  PASSED,
  PROTECTED,
} from "./heuristics.ts";
import { findPawnAttacks, kingSquare } from "./king.ts";
import { HIGH, type Position } from "./position.ts";
import type { ChessState } from "./state.ts";

const MEN = KIND_NAMES.slice(PAWN, KING);

/** `material`: for each kind of piece but the king, how many `player` has more than the other. */
export const materialFeatures: FeatureSet<ChessState> = {
  summary: "pieces by kind, less the other's",
  version: 1,
  size: KING,
  maxActive: KING,
  extract({ bits }, player, index, value) {
    const own = player << 3;
    let end = 0;
    for (let kind = PAWN; kind < KING; kind++) {
      const more =
        countSquares(bits[own | kind], bits[HIGH | own | kind]) -
        countSquares(bits[(own ^ BLACK) | kind], bits[HIGH | (own ^ BLACK) | kind]);
      if (more === 0) continue;
      index[end] = kind;
      value[end++] = more;
    }
    return end;
  },
  describe: (feature) => `${KIND_NAMES[feature]}s`,
  pieces: MEN.map((name, kind) => ({ name, features: [kind] })),
};

const SQUARES_TURN = 6 * 64;
const FILES = [0, 1, 2, 3, 4, 5, 6, 7];
/** From the top of a picture, the owner's side below. */
const RANKS = FILES.toReversed();

/**
 * `piece-squares`: one feature for each kind of piece on each square, seen from its owner's side of
 * the board, +1 for `player`'s, -1 for the other's; and whose turn it is.
 */
export const pieceSquareFeatures: FeatureSet<ChessState> = {
  summary: "each piece on each square, seen from its owner's side; turn",
  version: 1,
  size: SQUARES_TURN + 1,
  maxActive: 33,
  extract({ bits, board, turn }, player, index, value) {
    let end = 0;
    for (let half = 0; half < 64; half += 32) {
      let pieces = bits[(half >>> 1) | ALL] | bits[(half >>> 1) | BLACK | ALL];
      for (; pieces !== 0; pieces &= pieces - 1) {
        const square = half + lowestBit(pieces);
        const piece = board[square];
        const owner = piece >>> 3;
        index[end] = ((piece & 7) << 6) | (square ^ (56 * owner));
        value[end++] = owner === player ? 1 : -1;
      }
    }
    index[end] = SQUARES_TURN;
    value[end++] = turn === player ? 1 : -1;
    return end;
  },
  describe: (feature) =>
    feature === SQUARES_TURN ? "to move" : `${KIND_NAMES[feature >>> 6]} on ${squareName(feature & 63)}`,
  // Pawns are on the ranks 2 to 7.
  pieces: MEN.map((name, kind) => {
    const squares = Array.from({ length: 64 }, (_, square) => square).filter(
      (square) => kind !== PAWN || (square >= 8 && square < 56),
    );
    return { name, features: squares.map((square) => (kind << 6) | square) };
  }),
  grids: KIND_NAMES.map((name, kind) => ({
    name,
    rows: RANKS.map((rank) => FILES.map((file) => (kind << 6) | (8 * rank + file))),
    rowNames: RANKS.map((rank) => String(rank + 1)),
    columnNames: FILES.map((file) => "abcdefgh"[file]!),
  })),
};

const names: string[] = [];
/** Adds features by their names; returns the index of the first. */
const feature = (...added: string[]): number => names.push(...added) - added.length;

const PIECES = feature(...MEN.map((kind) => `${kind}s`));
const BISHOP_PAIR = feature("bishop pair");
const PAWN_TRAITS = [DOUBLED, ISOLATED, BACKWARD, PROTECTED];
const PAWN_KINDS = feature("doubled pawns", "isolated pawns", "backward pawns", "protected pawns");
const PASSED_PAWNS = feature(...[2, 3, 4, 5, 6, 7].map((rank) => `passed pawns on rank ${rank}`));
const OUTPOSTS = feature("knights on ranks 4 to 6, protected by a pawn, where no pawn can attack them");
const OPEN_ROOKS = feature("rooks on files without pawns");
const HALF_OPEN_ROOKS = feature("rooks on files with no own pawn");
const SEVENTH = feature("rooks on rank 7");
const MOBILITY = feature(
  ...KIND_NAMES.slice(KNIGHT, KING).map(
    (kind) => `tens of squares open to ${kind}s and not attacked by pawns`,
  ),
);
const SHIELD = feature("pawns beside the king");
const BARE_FILES = feature("files at the king with no own pawn");
const KING_ATTACKS = feature("tens of attacks on squares beside the other king");
const PAWN_THREATS = feature("pieces of the other that pawns attack");
const HANGING = feature("pieces of the other attacked and not defended");
const CASTLING = feature("castling rights");
const CENTRALITY = feature("tens of steps that the king is away from the edge");
const CHECK = feature("check given");
const TURN = feature("to move");

/** By feature: the value of a count of one. Squares and steps are counted in tens. */
const UNIT = new Float64Array(names.length).fill(1);
UNIT.fill(0.1, MOBILITY, MOBILITY + 4);
UNIT[KING_ATTACKS] = UNIT[CENTRALITY] = 0.1;

/** The counts of one `extract`: `player`'s less the other's. */
const tally = new Int32Array(names.length);
/** The squares that each player's pawns attack, and that all its pieces attack: halves at 2 * player. */
const pawnAttacks = new Int32Array(4);
const attacks = new Int32Array(4);

/** `positional`: the features that textbooks weigh, each `player`'s count less the other's. */
export const positionalFeatures: FeatureSet<ChessState> = {
  summary: "material, pawn structure, outposts, rooks, mobility, king safety, threats; turn",
  version: 1,
  size: names.length,
  maxActive: names.length,
  extract(state, player, index, value) {
    tally.fill(0);
    for (let side = 0; side < 2; side++) {
      findPawnAttacks(state, side);
      attacks[2 * side] = pawnAttacks[2 * side] = reached[0];
      attacks[2 * side + 1] = pawnAttacks[2 * side + 1] = reached[1];
    }
    for (let side = 0; side < 2; side++) tallyPieces(state, side, side === player ? 1 : -1);
    for (let side = 0; side < 2; side++) tallySide(state, side, side === player ? 1 : -1);
    let end = 0;
    for (let at = 0; at < names.length; at++) {
      if (tally[at] === 0) continue;
      index[end] = at;
      value[end++] = tally[at] * UNIT[at];
    }
    return end;
  },
  describe: (at) => names[at]!,
  pieces: MEN.map((name, kind) => ({ name, features: [PIECES + kind] })),
};

/** Counts the features of single pieces, and fills `attacks`. */
function tallyPieces(position: Position, side: number, sign: number): void {
  const { bits, board } = position;
  const us = side << 3;
  const low = bits[ALL] | bits[BLACK | ALL];
  const high = bits[HIGH | ALL] | bits[HIGH | BLACK | ALL];
  const openLow = ~(bits[us | ALL] | pawnAttacks[2 - 2 * side]);
  const openHigh = ~(bits[HIGH | us | ALL] | pawnAttacks[3 - 2 * side]);
  const ring = 2 * kingSquare(position, side ^ 1);
  for (let half = 0; half < 64; half += 32) {
    for (let pieces = bits[(half >>> 1) | us | ALL]; pieces !== 0; pieces &= pieces - 1) {
      const square = half + lowestBit(pieces);
      const kind = board[square] & 7;
      if (kind !== KING) tally[PIECES + kind]! += sign;
      if (kind === PAWN) {
        tallyPawn(position, side, square, sign);
        continue;
      }
      findReach(kind, square, low, high);
      const toLow = reached[0];
      const toHigh = reached[1];
      attacks[2 * side]! |= toLow;
      attacks[2 * side + 1]! |= toHigh;
      if (kind === KING) continue;
      tally[MOBILITY + kind - KNIGHT]! += sign * countSquares(toLow & openLow, toHigh & openHigh);
      const near = countSquares(toLow & KING_REACH[ring], toHigh & KING_REACH[ring + 1]);
      tally[KING_ATTACKS]! += sign * near;
      if (kind === ROOK) tallyRook(position, side, square, sign);
      else if (kind === KNIGHT && isOutpost(position, side, square)) tally[OUTPOSTS]! += sign;
    }
  }
}

/** The rank of a square as the player counts, from 0. */
function ownRank(side: number, square: number): number {
  return side === 0 ? square >>> 3 : 7 - (square >>> 3);
}

function tallyPawn(position: Position, side: number, square: number, sign: number): void {
  const traits = classifyPawn(position, side, square);
  for (let trait = 0; trait < PAWN_TRAITS.length; trait++) {
    if ((traits & PAWN_TRAITS[trait]!) !== 0) tally[PAWN_KINDS + trait]! += sign;
  }
  if ((traits & PASSED) !== 0) tally[PASSED_PAWNS + ownRank(side, square) - 1]! += sign;
}

function tallyRook(position: Position, side: number, square: number, sign: number): void {
  if (!hasPawnOnFile(position, side, square)) {
    tally[hasPawnOnFile(position, side ^ 1, square) ? HALF_OPEN_ROOKS : OPEN_ROOKS]! += sign;
  }
  if (ownRank(side, square) === 6) tally[SEVENTH]! += sign;
}

function isOutpost(position: Position, side: number, square: number): boolean {
  const rank = ownRank(side, square);
  return (
    rank >= 3 &&
    rank <= 5 &&
    ((pawnAttacks[2 * side + (square >>> 5)] >>> square) & 1) === 1 &&
    !canPawnsAttack(position, side, square)
  );
}

/** Counts the features of a player as a whole; needs `attacks` of both players. */
function tallySide(state: ChessState, side: number, sign: number): void {
  const { bits } = state;
  const us = side << 3;
  const them = us ^ BLACK;
  if (hasSeveral(bits[us | BISHOP], bits[HIGH | us | BISHOP])) tally[BISHOP_PAIR]! += sign;
  const king = kingSquare(state, side);
  tally[SHIELD]! +=
    sign *
    countSquares(KING_REACH[2 * king] & bits[us | PAWN], KING_REACH[2 * king + 1] & bits[HIGH | us | PAWN]);
  const file = king & 7;
  for (let near = Math.max(0, file - 1); near <= Math.min(7, file + 1); near++) {
    if (!hasPawnOnFile(state, side, near)) tally[BARE_FILES]! += sign;
  }
  const rank = king >>> 3;
  tally[CENTRALITY]! += sign * (Math.min(file, 7 - file) + Math.min(rank, 7 - rank));
  const prizeLow = bits[them | ALL] & ~bits[them | PAWN] & ~bits[them | KING];
  const prizeHigh = bits[HIGH | them | ALL] & ~bits[HIGH | them | PAWN] & ~bits[HIGH | them | KING];
  tally[PAWN_THREATS]! +=
    sign * countSquares(prizeLow & pawnAttacks[2 * side], prizeHigh & pawnAttacks[2 * side + 1]);
  tally[HANGING]! +=
    sign *
    countSquares(
      prizeLow & attacks[2 * side] & ~attacks[2 - 2 * side],
      prizeHigh & attacks[2 * side + 1] & ~attacks[3 - 2 * side],
    );
  tally[CASTLING]! += sign * countBits((state.castling >>> (2 * side)) & 3);
  if (state.turn === side) tally[TURN]! += sign;
  else if ((state.checkersLow | state.checkersHigh) !== 0) tally[CHECK]! += sign;
}
