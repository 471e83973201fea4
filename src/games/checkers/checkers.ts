import { z } from "zod";
import type { Facets, TupleBoard } from "../contract/facets.ts";
import { defineGame } from "../contract/game.ts";
import type { Tactics } from "../contract/tactics.ts";
import type { Rules } from "../contract/rules.ts";
import { samuelFeatures, material } from "./judge.ts";
import { describeEnding, formatAction, formatState, parseAction, parseState, render, pdn } from "./text.ts";
import { endgames } from "./endgames.ts";
import { CheckersState, type DrawRules, BLACK } from "./state.ts";
import { jumpsOf, squaresOf, SQUARES } from "./board.ts";
import type { Picture, Shape } from "../contract/picture.ts";
import { circle, middleOf, path } from "../shared/shapes.ts";
import { chequers, disc, piecePicture, squareBoard } from "../shared/square-picture.ts";
import { adjacentCells } from "../contract/grid.ts";

/** The pieces on the board, and the rows that each can advance as a man. */
const PIECES = 24;
const ROWS_AHEAD = 7;

const options = z.strictObject({
  drawAfter: z
    .int()
    .min(1)
    .max(1000)
    .default(40)
    .describe("moves in a row, of both players together, without progress: a draw"),
  progress: z
    .enum(["capture", "capture-or-man"])
    .default("capture")
    .describe("the moves that count as progress: captures only, or moves of men too"),
  repetitions: z
    .union([z.literal(0), z.int().min(2).max(10)])
    .default(0)
    .describe("the occurrences of the same position that make a draw; 0: no such rule"),
});

/** Captures are forced. A pass would mislead a search: having to move is often bad. */
const tactics: Tactics<CheckersState> = {
  summary: "captures, which are forced",
  isForced: (state) => state.canJump(),
  noisyActions: (state, out, at) => (state.canJump() ? state.legalActions(out, at) : 0),
  gain: (_state, action) => jumpsOf(action),
  futility: 0.1,
};

/**
 * English draughts. Black, the first player, has men on 1 to 12 and moves toward 32. A player who can
 * capture must capture, and go on capturing with the same piece as long as possible; the way is free to
 * choose. A player who cannot move has lost.
 */
export const checkers = defineGame({
  id: "checkers",
  summary: "English draughts: forced captures, kings, 32 squares",
  options,
  rules({ drawAfter, progress, repetitions }): Rules<CheckersState> {
    const rules: DrawRules = { drawAfter, menProgress: progress === "capture-or-man", repetitions };
    const mostProgress = rules.menProgress ? PIECES * (1 + ROWS_AHEAD) : PIECES;
    return {
      // Twelve kings with four moves each; there are never more than 40 ways to capture.
      maxActions: 48,
      maxPlies: (mostProgress + 1) * drawAfter,
      start: () => new CheckersState(rules),
      formatAction(action, state) {
        return formatAction(action, state, this);
      },
      parseAction(text, state) {
        return parseAction(text, state, this);
      },
      formatState,
      parseState(text) {
        return parseState(text, this, rules);
      },
      describeEnding,
      render,
      pieces: ["⛂⛃", "⛀⛁"],
    };
  },
  facets(_options, game): Facets<CheckersState> {
    return {
      featureSets: { samuel: samuelFeatures },
      heuristics: { material },
      transcripts: { pdn: pdn(game) },
      tupleBoard,
      tactics,
      picture,
      endgames,
    };
  },
});

const SIZE = 8;

/** The board from White's side, square 1 at the top; light squares have no number. */
const rows = Array.from({ length: SIZE }, (_, row) =>
  Array.from({ length: SIZE }, (__, column) =>
    (row + column) % 2 === 1 ? (SIZE / 2) * row + (column >> 1) : undefined,
  ),
);
const board = squareBoard({ rows }, { nameOf: (square) => String(square + 1) });

const COLOURS = ["black", "white"] as const;

/** A crown around 0, 0. */
const CROWN = "M-.19 .13-.23 -.12-.1 0 0 -.17.1 0 .23 -.12.19 .13Z";

/** Discs with a rim; kings carry a crown. A place is a dark square, 0 for the one that is written 1. */
const picture: Picture<CheckersState> = piecePicture(board, {
  players: COLOURS,
  below: 1,
  ground: [
    ...chequers(board),
    ...board.places.map(({ x, y }, square): Shape => {
      const text = String(square + 1);
      return { kind: "text", x: x + 0.15, y: y + 0.13, text, size: 0.19, fill: "edge", opacity: 0.75 };
    }),
  ],
  pieceAt({ black, white, kings }, square) {
    if (!has(black | white, square)) return undefined;
    return { colour: COLOURS[has(black, square) ? 0 : 1], isKing: has(kings, square) };
  },
  draw({ colour, isKing }, place) {
    const middle = middleOf(place);
    const other = colour === "black" ? "white" : "black";
    const ring = { stroke: other, width: 0.03, opacity: 0.6 } as const;
    return [
      disc(place, colour, 0.36),
      circle(middle, 0.28, ring),
      isKing ? path(CROWN, middle, { fill: other, upright: 0 }) : circle(middle, 0.18, ring),
    ];
  },
  nameOf: ({ colour, isKing }) => `${colour} ${isKing ? "king" : "man"}`,
  touches: (_, action) => squaresOf(action),
});

function has(set: number, square: number): boolean {
  return ((set >>> square) & 1) === 1;
}

const NAMES = [".", "own-man", "own-king", "other-man", "other-king"];
const OWN = 1;
const OTHERS = 3;

/** The first of each two rows or columns side by side. */
const besideEachOther = Array.from({ length: SIZE - 1 }, (_, first) => first);
const filled = (squares: readonly (number | undefined)[]): number[] =>
  squares.filter((square) => square !== undefined);

const cells = Array.from({ length: SQUARES }, (_, square) => square);
/**
 * The dark squares, numbered from the player's own side, as the player sees them who has just moved. So both players
 * share their weights. The board has no mirror image: it would have the dark squares in other places.
 */
const tupleBoard: TupleBoard<CheckersState> = {
  cells: SQUARES,
  digits: NAMES.length,
  symmetries: [cells],
  neighbours: adjacentCells(rows),
  layout: { rows, rowNames: rows.map((_, row) => `${4 * row + 1}-${4 * row + 4}`) },
  tupleSets: {
    columns: {
      summary: "two columns side by side",
      tuples: besideEachOther.map((column) =>
        rows.flatMap((line) => filled([line[column], line[column + 1]])),
      ),
    },
    fronts: {
      summary: "two rows, one behind the other",
      tuples: besideEachOther.map((row) => filled([...rows[row]!, ...rows[row + 1]!])),
    },
  },
  viewer: (state) => 1 - state.turn,
  read({ black, white, kings }, player, digits) {
    const own = player === BLACK ? black : white;
    const other = player === BLACK ? white : black;
    for (let cell = 0; cell < SQUARES; cell++) {
      const square = player === BLACK ? cell : SQUARES - 1 - cell;
      const isKing = (kings >>> square) & 1;
      digits[cell] = ((own >>> square) & 1) * (OWN + isKing) + ((other >>> square) & 1) * (OTHERS + isKing);
    }
  },
  cellName: (cell) => String(cell + 1),
  digitName: (digit) => NAMES[digit]!,
};
