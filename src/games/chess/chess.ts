import { z } from "zod";
import { InputError } from "../../base/errors.ts";
import type { Facets } from "../contract/facets.ts";
import { defineGame } from "../contract/game.ts";
import { parseLegal } from "../contract/notation.ts";
import type { Rules } from "../contract/rules.ts";
import { pgn } from "./pgn.ts";
import { describeEnding, findMove, formatSan, parsePosition, render, renderUnicode } from "./text.ts";
import { endgames } from "./endgames.ts";
import { materialFeatures, material, shannon, turing, pieceSquares } from "./judge.ts";
import { kingGoal, startFen, STARTS } from "./castling.ts";
import { formatFen, parseFen, START_FEN, uci } from "./fen.ts";
import { castlingOf, MAX_MOVES, moveFrom, moveTo } from "./moves.ts";
import { planes } from "./planes.ts";
import { polyglot } from "./polyglot.ts";
import { positionalFeatures } from "./positional.ts";
import { ChessState, MAX_REPETITIONS, type ChessRules } from "./state.ts";
import { tactics } from "./search.ts";
import type { Picture } from "../contract/picture.ts";
import { path } from "../shared/shapes.ts";
import { chequers, piecePicture, squareBoard } from "../shared/square-picture.ts";
import { canMate, EMPTY, KIND_NAMES, PLAYER_NAMES, squareName } from "./board.ts";

const options = z.strictObject({
  fen: z.string().default(START_FEN).describe("the position that the game starts from"),
  chess960: z.boolean().default(false).describe("true for Chess960: castling from any squares"),
  start: z
    .int()
    .min(0)
    .max(STARTS - 1)
    .optional()
    .describe("the number of the position that a game of Chess960 starts from, in place of fen"),
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
function parseStart(fen: string, rules: ChessRules): ChessState {
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
 * `from << 9 | to << 3 | promotion`; in Chess960 castling names the rook's square as `to`. It is written in SAN and read
 * from SAN or UCI.
 */
export const chess = defineGame({
  id: "chess",
  summary: "the game of kings, by the FIDE laws, with automatic draws",
  options,
  rules({ fen, chess960, start, quietMoves, repetitions, insufficientMaterial }): Rules<ChessState> {
    const rules = { chess960, quietPlies: 2 * quietMoves, repetitions, insufficientMaterial };
    if (start !== undefined && (!chess960 || fen !== START_FEN))
      throw new InputError([{ path: "start", message: "is for Chess960 without fen: give chess960: true" }]);
    const first = parseStart(start === undefined ? fen : startFen(start), rules);
    return {
      options: {
        fen: formatFen(first),
        // Absent in usual chess, so that the ids of its games do not change.
        ...(chess960 && { chess960 }),
        quietMoves,
        repetitions,
        insufficientMaterial,
      },
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
      canWin: canMate,
      plyOf: ({ ply }) => ply,
      render,
      renderUnicode,
      ...(chess960 && { starts: Array.from({ length: STARTS }, (_, number) => startFen(number)) }),
      pieces: ["PNBRQK♙♘♗♖♕♔", "pnbrqk♟♞♝♜♛♚"],
    };
  },
  facets({ chess960 }, game): Facets<ChessState> {
    return {
      featureSets: { material: materialFeatures, positional: positionalFeatures },
      heuristics: { turing, shannon, material, "piece-squares": pieceSquares },
      transcripts: { pgn: pgn(game) },
      books: { bin: polyglot(game) },
      protocols: { uci: { ...uci, settings: { UCI_Chess960: chess960, UCI_Variant: "chess" } } },
      tactics,
      policyHead: planes,
      picture,
      endgames,
    };
  },
});

const SIZE = 8;
const lines = Array.from({ length: SIZE }, (_, at) => at);

/** The board from White's side. A place is a square, 0 for a1. */
const board = squareBoard(
  {
    rows: lines.map((row) => lines.map((file) => SIZE * (SIZE - 1 - row) + file)),
    rowNames: lines.map((row) => String(SIZE - row)),
    columnNames: Array.from("abcdefgh"),
  },
  { nameOf: squareName },
);

/** The drawing of a kind of piece, in a square one unit wide. */
interface PieceShape {
  /** The silhouette, as SVG's path data. */
  readonly outline: string;
  /** Lines on it: the foot, the mitre, the mane. */
  readonly inner: string;
}

/** By kind of piece. */
const PIECE_SHAPES: readonly PieceShape[] = [
  // pawn
  {
    outline:
      "M.5 .22C.57 .22 .625 .275 .625 .34C.625 .385 .605 .42 .575 .435L.64 .435C.68 .435 .68 .51 .64 .51L.565 .51C.57 .6 .6 .67 .68 .72C.725 .745 .74 .775 .74 .81L.74 .87L.5 .87L.26 .87L.26 .81C.26 .775 .275 .745 .32 .72C.4 .67 .43 .6 .435 .51L.36 .51C.32 .51 .32 .435 .36 .435L.425 .435C.395 .42 .375 .385 .375 .34C.375 .275 .43 .22 .5 .22Z",
    inner: "M.34 .79H.66M.425 .435H.575M.435 .51H.565",
  },
  // knight
  {
    outline:
      "M.765 .87V.81C.765 .77 .745 .745 .71 .73C.775 .52 .715 .235 .51 .195L.455 .115 .41 .215C.355 .265 .32 .325 .285 .395C.255 .45 .185 .475 .175 .535C.165 .59 .205 .635 .255 .635C.3 .635 .315 .595 .36 .585C.41 .575 .45 .57 .485 .535C.5 .62 .345 .63 .335 .73C.28 .745 .255 .77 .255 .81V.87Z",
    inner: "M.335 .79H.685M.385 .35 .42 .335M.225 .55 .24 .54M.335 .73H.71M.565 .28C.635 .36 .66 .5 .64 .62",
  },
  // bishop
  {
    outline:
      "M.5 .12C.535 .12 .555 .145 .555 .17C.555 .195 .545 .21 .53 .22C.6 .28 .665 .38 .665 .47C.665 .53 .64 .565 .605 .585L.65 .585C.69 .585 .69 .66 .65 .66L.585 .66C.6 .695 .64 .715 .69 .73C.745 .745 .765 .775 .765 .81L.765 .87L.5 .87L.235 .87L.235 .81C.235 .775 .255 .745 .31 .73C.36 .715 .4 .695 .415 .66L.35 .66C.31 .66 .31 .585 .35 .585L.395 .585C.36 .565 .335 .53 .335 .47C.335 .38 .4 .28 .47 .22C.455 .21 .445 .195 .445 .17C.445 .145 .465 .12 .5 .12Z",
    inner: "M.33 .79H.67M.395 .66H.605M.395 .585H.605M.5 .32V.48M.425 .4H.575",
  },
  // rook
  {
    outline:
      "M.5 .19L.56 .19L.56 .25L.63 .25L.63 .19L.725 .19L.725 .35L.655 .42L.67 .65L.71 .71C.75 .735 .765 .77 .765 .805L.765 .87L.5 .87L.235 .87L.235 .805C.235 .77 .25 .735 .29 .71L.33 .65L.345 .42L.275 .35L.275 .19L.37 .19L.37 .25L.44 .25L.44 .19L.5 .19Z",
    inner: "M.345 .42H.655M.33 .65H.67M.33 .79H.67",
  },
  // queen
  {
    outline:
      "M.5 .225L.585 .45L.678 .255L.69 .47L.828 .325L.725 .61C.695 .65 .7 .69 .71 .71C.75 .735 .765 .77 .765 .805L.765 .87L.5 .87L.235 .87L.235 .805C.235 .77 .25 .735 .29 .71C.3 .69 .305 .65 .275 .61L.172 .325L.31 .47L.322 .255L.415 .45L.5 .225ZM.458 .165a.042 .042 0 1 1 .084 0a.042 .042 0 1 1 -.084 0ZM.643 .19a.042 .042 0 1 1 .084 0a.042 .042 0 1 1 -.084 0ZM.273 .19a.042 .042 0 1 1 .084 0a.042 .042 0 1 1 -.084 0ZM.813 .265a.042 .042 0 1 1 .084 0a.042 .042 0 1 1 -.084 0ZM.103 .265a.042 .042 0 1 1 .084 0a.042 .042 0 1 1 -.084 0Z",
    inner: "M.28 .61Q.5 .57 .72 .61M.29 .71Q.5 .67 .71 .71M.33 .79H.67",
  },
  // king
  {
    outline:
      "M.5 .06L.535 .06L.535 .115L.59 .115L.59 .18L.535 .18L.535 .25C.58 .27 .6 .3 .608 .345C.67 .25 .845 .27 .845 .42C.845 .5 .76 .54 .725 .61C.695 .65 .7 .69 .71 .71C.75 .735 .765 .77 .765 .805L.765 .87L.5 .87L.235 .87L.235 .805C.235 .77 .25 .735 .29 .71C.3 .69 .305 .65 .275 .61C.24 .54 .155 .5 .155 .42C.155 .27 .33 .25 .392 .345C.4 .3 .42 .27 .465 .25L.465 .18L.41 .18L.41 .115L.465 .115L.465 .06L.5 .06Z",
    inner:
      "M.28 .61Q.5 .57 .72 .61M.29 .71Q.5 .67 .71 .71M.33 .79H.67M.392 .345C.4 .42 .45 .5 .5 .58C.55 .5 .6 .42 .608 .345",
  },
];

/** Silhouettes on light and dark squares. Castling is touched on the king's squares, in Chess960 also on king and rook. */
const picture: Picture<ChessState> = piecePicture(board, {
  players: PLAYER_NAMES,
  below: 0,
  ground: chequers(board),
  pieceAt({ board: pieces }, square) {
    const piece = pieces[square];
    return piece === EMPTY ? undefined : piece;
  },
  draw(piece, place) {
    const { outline, inner } = PIECE_SHAPES[piece & 7]!;
    const [fill, line] = piece < 8 ? (["white", "edge"] as const) : (["black", "white"] as const);
    return [
      path(outline, place, { fill, stroke: "edge", width: 0.035, upright: 0.5 }),
      path(inner, place, { stroke: line, width: 0.03, upright: 0.5 }),
    ];
  },
  nameOf: (piece) => `${PLAYER_NAMES[piece >>> 3]} ${KIND_NAMES[piece & 7]}`,
  touches: (_, action) => [moveFrom(action), moveTo(action)],
  otherTouches(state, action) {
    const from = moveFrom(action);
    if (!state.rules.chess960 || castlingOf(state, action) < 0) return undefined;
    const goal = kingGoal(from, moveTo(action));
    // A step of the king, or its other castling, comes before.
    const isFree =
      state.board[goal] === EMPTY &&
      uci.parseAction(squareName(from) + squareName(goal), state) === undefined;
    return isFree ? [from, goal] : undefined;
  },
});
