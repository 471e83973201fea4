import { zobristTable } from "../../base/hashing.ts";

/*
 * Castling by the rules of Chess960 (FIDE Laws of Chess, Guidelines II), of which the usual castling is a case: king and
 * rook may stand anywhere on their rank, and go to the squares that they go to in usual chess.
 */

/** A right is a number: 0 white's short castling, 1 its long one, 2 and 3 black's. Rights together are a bit each. */
const RIGHTS = [0, 1, 2, 3] as const;

/** The files that king and rook castle to: short, long. */
const KING_GOALS = [6, 2] as const;
const ROOK_GOALS = [5, 3] as const;

/** By right and file of the rook in Chess960: a pair of random words for the hash. */
const words960 = zobristTable("chess/castling", 2 * 4 * 8);

/** The squares that kings and rooks castle from. They stay the same in one game. */
export class Homes {
  /** True in Chess960, where castling is written as the king taking its rook. */
  readonly isChess960: boolean;
  /** By right: the square of the rook. Without the right it has no meaning. */
  readonly rooks: readonly number[];
  /** By right: the files of the rank that must be empty, as bits. */
  readonly path: Int32Array;
  /** By right: the files that must not be attacked: the king's way. */
  readonly way: Int32Array;
  /** By right: the file that the action names as the king's target: its goal, or in Chess960 the rook. */
  readonly target: Int32Array;
  /** By square: the rights that survive a move from or to it. */
  readonly kept: Int32Array = new Int32Array(64).fill(15);
  /** By set of rights: a pair of words for the hash. */
  readonly words: Int32Array;

  /**
   * @param kings by player: the square of the king
   * @param rooks by right: the square of the rook
   * @param words the words of usual chess; absent in Chess960
   */
  constructor(kings: readonly number[], rooks: readonly number[], words?: Int32Array) {
    this.isChess960 = words === undefined;
    this.rooks = rooks;
    const byRight = (bits: (king: number, rook: number, side: number) => number) =>
      Int32Array.from(RIGHTS, (right) => bits(kings[right >> 1]! & 7, rooks[right]! & 7, right & 1));
    this.path = byRight((king, rook, side) => {
      const ways = filesFrom(king, KING_GOALS[side]!) | filesFrom(rook, ROOK_GOALS[side]!);
      return ways & ~(1 << king) & ~(1 << rook);
    });
    this.way = byRight((king, _, side) => filesFrom(king, KING_GOALS[side]!));
    this.target = byRight((_, rook, side) => 1 << (this.isChess960 ? rook : KING_GOALS[side]!));
    for (const right of RIGHTS) {
      this.kept[kings[right >> 1]!]! &= ~(1 << right);
      this.kept[rooks[right]!]! &= ~(1 << right);
    }
    this.words = words ?? this.combineWords();
  }

  /** Equal rights have equal words, whatever stands for rights that are lost. */
  private combineWords(): Int32Array {
    const words = new Int32Array(2 * 16);
    for (let rights = 0; rights < 16; rights++) {
      for (const right of RIGHTS) {
        if (((rights >>> right) & 1) === 0) continue;
        const at = 2 * (8 * right + (this.rooks[right]! & 7));
        words[2 * rights]! ^= words960[at];
        words[2 * rights + 1]! ^= words960[at + 1];
      }
    }
    return words;
  }
}

/** The files from one to another, both included, as bits. */
function filesFrom(one: number, other: number): number {
  return (2 << Math.max(one, other)) - (1 << Math.min(one, other));
}

/** The square that the king goes to when it castles along the rank of `king` towards `target`. */
export function kingGoal(king: number, target: number): number {
  return (king & 56) + KING_GOALS[target > king ? 0 : 1]!;
}

/** The square that the rook goes to. */
export function rookGoal(king: number, target: number): number {
  return (king & 56) + ROOK_GOALS[target > king ? 0 : 1]!;
}

/** The start position of Chess960 with this number, 0 to 959, as a FEN (numbering by Scharnagl); 518 is the usual one. */
export function startFen(number: number): string {
  const files: string[] = Array.from({ length: 8 }, () => "");
  const free = (nth: number) => files.flatMap((piece, file) => (piece === "" ? [file] : []))[nth]!;
  let rest = number;
  const digit = (base: number) => {
    const value = rest % base;
    rest = Math.floor(rest / base);
    return value;
  };
  files[2 * digit(4) + 1] = "b";
  files[2 * digit(4)] = "b";
  files[free(digit(6))] = "q";
  const [first, second] = KNIGHTS[rest]!;
  const [one, other] = [free(first), free(second)];
  files[one] = files[other] = "n";
  for (const piece of "rkr") files[free(0)] = piece;
  const rank = files.join("");
  return `${rank}/pppppppp/8/8/8/8/PPPPPPPP/${rank.toUpperCase()} w KQkq - 0 1`;
}

/** The places of the knights among the five that bishops and queen leave free. */
const KNIGHTS = [0, 1, 2, 3].flatMap((one) =>
  [1, 2, 3, 4].filter((other) => other > one).map((other) => [one, other] as const),
);

/** The number of start positions. */
export const STARTS = 960;
