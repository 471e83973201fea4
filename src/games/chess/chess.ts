import { z } from "zod";
import { InputError } from "../../base/errors.ts";
import type { Facets } from "../contract/facets.ts";
import { defineGame } from "../contract/game.ts";
import { parseLegal } from "../contract/notation.ts";
import type { Rules } from "../contract/rules.ts";
import { describeEnding, findMove, formatSan, parsePosition, render, renderUnicode } from "./notation.ts";
import { endgames } from "./endgames.ts";
import { materialFeatures, pieceSquareFeatures } from "./features.ts";
import { formatFen, parseFen, START_FEN } from "./fen.ts";
import { material, shannon, turing } from "./heuristics.ts";
import { MAX_MOVES } from "./moves.ts";
import { picture } from "./picture.ts";
import { pieceSquares } from "./piece-squares.ts";
import { positionalFeatures } from "./positional.ts";
import { ChessState, MAX_REPETITIONS, type DrawRules } from "./state.ts";
import { pgn } from "./pgn.ts";
import { tactics } from "./tactics.ts";
import { uci } from "./uci.ts";

const options = z.strictObject({
  fen: z.string().default(START_FEN).describe("the position that the game starts from"),
  quietMoves: z
    .int()
    .min(1)
    .max(1000)
    .default(50)
    .describe("moves by each side without capture or pawn move that make a draw"),
  repetitions: z
    .int()
    .min(0)
    .max(MAX_REPETITIONS)
    .refine((count) => count !== 1, "must be at least 2, or 0 for no such rule")
    .default(3)
    .describe("occurrences of a position that make a draw; 0 for no such rule"),
  insufficientMaterial: z
    .boolean()
    .default(true)
    .describe("true if it is a draw when too little material is left to mate"),
});

/**
 * The most pawn moves and captures in one game. The rules limit the quiet plies between any two of them.
 */
const MAX_IRREVERSIBLE = 2 * 8 * 6 + 30;

/** The start position that the options name; throws InputError when the game would be over at once. */
function parseStart(fen: string, rules: DrawRules): ChessState {
  const fail = (message: string) => new InputError([{ path: "fen", message }]);
  let state: ChessState;
  try {
    state = parseFen(fen, rules);
  } catch (error) {
    throw error instanceof InputError ? fail(error.message) : error;
  }
  const ending = describeEnding(state);
  if (ending !== undefined) throw fail(`the game is over in "${fen}": ${ending}`);
  return state;
}

/**
 * Chess by the FIDE laws, except that a draw need not be claimed. The game ends at the third occurrence
 * of a position, after 50 quiet moves by each side (unless the last one mates), or when too little
 * material is left. So every game ends within (96 pawn moves + 30 captures + 1) * 100 plies. An action is
 * `from << 9 | to << 3 | promotion`. It is written in SAN and read from SAN or UCI.
 */
export const chess = defineGame({
  id: "chess",
  summary: "the game of kings, by the FIDE laws, with automatic draws",
  options,
  rules({ fen, quietMoves, repetitions, insufficientMaterial }): Rules<ChessState> {
    const rules = { quietPlies: 2 * quietMoves, repetitions, insufficientMaterial };
    const first = parseStart(fen, rules);
    return {
      options: { fen: formatFen(first), quietMoves, repetitions, insufficientMaterial },
      maxActions: MAX_MOVES,
      maxPlies: (MAX_IRREVERSIBLE + 1) * rules.quietPlies,
      start() {
        const state = new ChessState(rules);
        state.copyFrom(first);
        return state;
      },
      formatAction: formatSan,
      parseAction(text, state) {
        return findMove(text, state) ?? parseLegal(this, text, state);
      },
      formatState: formatFen,
      parseState: (text) => parsePosition(text, rules),
      describeEnding,
      render,
      renderUnicode,
      pieces: ["PNBRQK♙♘♗♖♕♔", "pnbrqk♟♞♝♜♛♚"],
    };
  },
  facets(_options, game): Facets<ChessState> {
    return {
      featureSets: {
        material: materialFeatures,
        "piece-squares": pieceSquareFeatures,
        positional: positionalFeatures,
      },
      heuristics: { turing, shannon, material, "piece-squares": pieceSquares },
      transcripts: { pgn: pgn(game) },
      protocols: { uci },
      tactics,
      picture,
      endgames,
    };
  },
});
