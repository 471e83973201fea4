import { lowestBit } from "../../base/bits.ts";
import { InputError } from "../../base/errors.ts";
import type { EndgameClass, Endgames } from "../contract/facets.ts";
import { ALL, BLACK, countSquares, KING, KNIGHT, PAWN, PIECE_LETTERS, QUEEN } from "./board.ts";
import { EndgameNumbering } from "./endgame-numbering.ts";
import { HIGH } from "./position.ts";
import { ChessState } from "./state.ts";

/** The most pieces of a class, kings included. */
const MOST_PIECES = 4;
/** The number that a piece of each kind adds to the number of a player's pieces besides the king. */
const WORTH = Int32Array.from([1, 5, 25, 125, 625, 0]);
const WORTHS = 5 * 625;

/** The rules in a class: no counter draws a game. */
const UNCOUNTED = { quietPlies: 1 << 13, repetitions: 0, insufficientMaterial: true };

/** The pieces of the player besides the king, as a number. */
function worthOf({ bits, board }: ChessState, player: number): number {
  const all = (player << 3) | ALL;
  let sum = 0;
  for (let rest = bits[all]; rest !== 0; rest &= rest - 1) sum += WORTH[board[lowestBit(rest)] & 7];
  for (let rest = bits[HIGH | all]; rest !== 0; rest &= rest - 1)
    sum += WORTH[board[32 + lowestBit(rest)] & 7];
  return sum;
}

/** Classes by the pieces of both players, the stronger first: `KBNK`, `KPKP`. */
export const endgames: Endgames<ChessState> = {
  summary: `pieces of both players, the stronger first, such as KQK or KBNK; up to ${MOST_PIECES}`,
  version: 1,
  createState: () => new ChessState(UNCOUNTED),
  classNamed(name) {
    const [, first, second] = /^(K[QRBNP]*)(K[QRBNP]*)$/i.exec(name.trim().toUpperCase()) ?? [];
    if (first === undefined || second === undefined || first.length + second.length > MOST_PIECES) {
      throw new InputError(
        `"${name}" names no endgame; allowed: the pieces of both players, such as KQK or KBNK, up to ${MOST_PIECES}`,
      );
    }
    return createClass(kindsOf(first), kindsOf(second));
  },
  keyOf(state) {
    const { bits } = state;
    const white = countSquares(bits[ALL], bits[HIGH | ALL]);
    const black = countSquares(bits[BLACK | ALL], bits[HIGH | BLACK | ALL]);
    if (white + black > MOST_PIECES || state.castling !== 0) return -1;
    return keyOfWorths(worthOf(state, 0), worthOf(state, 1));
  },
  /** A mate by the last quiet ply counts. No position since the last progress may be one repetition from a draw. */
  isSafe(state, plies) {
    return state.quiet + plies <= state.rules.quietPlies && !state.isNearRepetition();
  },
};

function keyOfWorths(one: number, other: number): number {
  return one >= other ? one * WORTHS + other : other * WORTHS + one;
}

/** The pieces besides the king that letters name, the strongest first. */
function kindsOf(letters: string): number[] {
  return Array.from(letters.slice(1), (letter) => PIECE_LETTERS.indexOf(letter)).toSorted((a, b) => b - a);
}

function createClass(one: readonly number[], other: readonly number[]): EndgameClass<ChessState> {
  const sum = (kinds: readonly number[]) => kinds.reduce((worth, kind) => worth + WORTH[kind]!, 0);
  const [strong, weak] = sum(one) >= sum(other) ? [one, other] : [other, one];
  const numbering = new EndgameNumbering(strong, weak);
  const strongWorth = sum(strong);
  const isEven = strongWorth === sum(weak);
  return {
    name: nameOf(strong, weak),
    key: keyOfWorths(strongWorth, sum(weak)),
    size: isEven ? numbering.size : 2 * numbering.size,
    leadsTo: neighboursOf(strong, weak),
    place(state, index) {
      const weakMoves = index >= numbering.size;
      return numbering.place(state, weakMoves ? index - numbering.size : index, weakMoves ? 1 : 0);
    },
    indexOf(state) {
      // If both players have the same pieces, the player to move counts as the stronger.
      const player = isEven ? state.turn : worthOf(state, 0) === strongWorth ? 0 : 1;
      return numbering.indexOf(state, player) + (state.turn === player ? 0 : numbering.size);
    },
  };
}

function nameOf(strong: readonly number[], weak: readonly number[]): string {
  return [KING, ...strong, KING, ...weak].map((kind) => PIECE_LETTERS[kind]).join("");
}

/** The classes after a capture, a promotion, or both. */
function neighboursOf(strong: readonly number[], weak: readonly number[]): string[] {
  const names = new Set<string>();
  const add = (one: readonly number[], other: readonly number[]) => {
    const order = (kinds: readonly number[]) => kinds.toSorted((a, b) => b - a);
    const sum = (kinds: readonly number[]) => kinds.reduce((worth, kind) => worth + WORTH[kind]!, 0);
    const [first, second] = sum(one) >= sum(other) ? [one, other] : [other, one];
    names.add(nameOf(order(first), order(second)));
  };
  for (const [own, others] of [
    [strong, weak],
    [weak, strong],
  ] as const) {
    const left = others.map((_, at) => others.filter((__, index) => index !== at));
    for (const rest of left) add(own, rest);
    const pawn = own.indexOf(PAWN);
    if (pawn < 0) continue;
    for (let kind = KNIGHT; kind <= QUEEN; kind++)
      for (const rest of [others, ...left])
        add(
          own.map((piece, at) => (at === pawn ? kind : piece)),
          rest,
        );
  }
  return [...names];
}
