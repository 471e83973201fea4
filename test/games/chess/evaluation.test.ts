import { describe, expect, test } from "vitest";
import { createRandom } from "../../../src/base/random.ts";
import { chess } from "../../../src/games/chess/chess.ts";
import { START_FEN } from "../../../src/games/chess/fen.ts";
import { shannonScore, pieceSquareScore } from "../../../src/games/chess/judge.ts";
import { countMoves } from "../../../src/games/chess/moves.ts";
import type { ChessState } from "../../../src/games/chess/state.ts";
import { TERMINAL, type Game } from "../../../src/games/contract/game.ts";
import { possibleActions } from "../../../src/games/contract/notation.ts";
import { twinFromFen, twinMoves } from "./twin.ts";

const game = chess.create(chess.options.parse({})) as Game<ChessState>;

/** The same position with colours exchanged: ranks reversed, capitals swapped, the other to move. */
function exchange(fen: string): string {
  const swap = (text: string) =>
    Array.from(text, (sign) => (sign === sign.toLowerCase() ? sign.toUpperCase() : sign.toLowerCase())).join(
      "",
    );
  const [pieces = "", side, castling = "", enPassant = "", ...counts] = fen.split(" ");
  const ranks = pieces.split("/").map(swap).toReversed().join("/");
  const square = enPassant === "-" ? "-" : `${enPassant[0]}${9 - Number(enPassant[1])}`;
  const rights = castling === "-" ? "-" : Array.from(swap(castling)).toSorted().join("");
  return [ranks, side === "w" ? "b" : "w", rights, square, ...counts].join(" ");
}

function randomPositions(count: number): ChessState[] {
  return Array.from({ length: count }, (_, number) => {
    const random = createRandom("chess evaluation", number);
    const state = game.start();
    for (let plies = random.below(120); plies > 0 && state.toMove !== TERMINAL; plies--) {
      const actions = possibleActions(game, state);
      state.apply(actions[random.below(actions.length)]);
    }
    return state;
  });
}

/** T15. */
describe("Turing's ratio of material", () => {
  test.each([
    [START_FEN, 1],
    // Queen and pawn against rook, bishop, knight and pawn: 10 / 12.
    ["rnb1k3/p7/8/8/8/8/P7/3QK3 w - - 0 1", 10 / 12],
    // Two rooks against a knight: 10 / 3.
    ["4k3/4n3/8/8/8/8/8/R3K2R b - - 0 1", 10 / 3],
    ["4k3/8/8/8/8/8/8/4K3 w - - 0 1", 1],
  ])("%s: %d", (fen, ratio) => {
    const state = game.parseState(fen);
    const turing = game.heuristics["turing"]!;
    expect(turing.evaluate(state, 0)).toBeCloseTo((0.999 * (ratio - 1)) / (ratio + 1), 12);
    expect(turing.evaluate(state, 1)).toBeCloseTo((0.999 * (1 - ratio)) / (ratio + 1), 12);
  });

  test("an infinite ratio stays short of a win", () => {
    const state = game.parseState("4k3/8/8/8/8/8/P7/4K3 w - - 0 1");
    expect(game.heuristics["turing"]!.evaluate(state, 0)).toBe(0.999);
    expect(game.heuristics["turing"]!.evaluate(state, 1)).toBe(-0.999);
  });
});

/** T15, each worked out by hand. */
describe("Shannon's score", () => {
  test.each([
    ["the start: all even", START_FEN, 0],
    // Material 1; the pawn is isolated, -0.5. White: 2 pawn moves, 5 by the king; black: 5 by the king.
    ["a lone pawn", "4k3/8/8/8/8/8/P7/4K3 w - - 0 1", 1 - 0.5 + (7 - 5) / 10],
    // Material 2; both isolated, one doubled: 3 x -0.5. White: a3 stands in the way, so a4 and 5 by the king.
    ["doubled and isolated", "4k3/8/8/8/8/P7/P7/4K3 w - - 0 1", 2 - 1.5 + (6 - 5) / 10],
    // White b2 c4 against black d7 b4: b2 has its neighbour ahead, and no black pawn attacks b3: not backward
    // (one pawn each is isolated or not: b2 and c4 support each other's files, b4 and d7 are isolated).
    // White: b3, c5, 5 by the king; black: b3, d6, d5, and 4 by the king (its own pawn stands on d7).
    ["isolated on one side only", "4k3/3p4/8/8/1pP5/8/1P6/4K3 w - - 0 1", 0 + 1 + (7 - 7) / 10],
    // White b2 c4 against black a4: a4 attacks b3, so b2 is backward; a4 is isolated. White 2 - 1 pawns.
    // White: b3, b4, bxa3 is none, c5, 5 by the king; black: a3, 5 by the king.
    ["backward", "4k3/8/8/8/p1P5/8/1P6/4K3 w - - 0 1", 1 - 0.5 + 0.5 + (8 - 6) / 10],
    // Rook against bishop: 5 - 3. White: 10 by the rook on a1's open lines (a2 to a8: 7; b1 to d1: 3), 5 by the
    // king; black, as if to move: 7 by the bishop on h8 (g7 to b2, and a1), 5 by the king.
    ["rook against bishop, black waiting", "4k2b/8/8/8/8/8/8/R3K3 w - - 0 1", 2 + (15 - 12) / 10],
  ])("%s", (_, fen, score) => {
    expect(shannonScore(game.parseState(fen))).toBeCloseTo(score, 12);
  });

  test("counting the other's moves leaves the position as it was", () => {
    for (const state of randomPositions(40)) {
      const before = [
        game.formatState(state),
        state.hashLow,
        state.hashHigh,
        ...possibleActions(game, state),
      ];
      shannonScore(state);
      expect([
        game.formatState(state),
        state.hashLow,
        state.hashHigh,
        ...possibleActions(game, state),
      ]).toEqual(before);
      if (state.toMove !== TERMINAL)
        expect(countMoves(state, state.turn)).toBe(possibleActions(game, state).length);
    }
  });

  test("the waiting player's moves are those of the position with the turn passed", () => {
    for (const state of randomPositions(40)) {
      if ((state.checkersLow | state.checkersHigh) !== 0) continue;
      const [pieces, side, castling] = game.formatState(state).split(" ");
      const passed = game.parseState(`${pieces} ${side === "w" ? "b" : "w"} ${castling} - 0 1`);
      expect(countMoves(state, state.turn ^ 1)).toBe(countMoves(passed, passed.turn));
    }
  });
});

describe("piece-squares", () => {
  test.each([
    [START_FEN, 0],
    // e2-e4: from -20 to +20.
    ["rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1", 40],
    // Endgame: pawn 100 + 50 on a7; king e4 +40, black king h8 -50.
    ["7k/P7/8/8/4K3/8/8/8 w - - 0 1", 150 + 40 + 50],
    // A queen and a rook: not an endgame. Queen d1 900 - 5, rook h1 500, king e1 0 against king e8 0.
    ["4k3/8/8/8/8/8/8/3QK2R w - - 0 1", 895 + 500],
    // A queen alone: an endgame, in which the king on e1 is worth -30, as is the one on e8.
    ["4k3/8/8/8/8/8/8/3QK3 w - - 0 1", 895],
    // The knight on a8 stands in a corner, the one on f3 well.
    ["n3k3/8/8/8/8/5N2/8/4K3 w - - 0 1", 10 + 50],
  ])("%s: %d hundredths", (fen, score) => {
    expect(pieceSquareScore(game.parseState(fen))).toBe(score);
  });
});

test("colours exchanged, every heuristic and feature set says the same of the other player", () => {
  const index = new Int32Array(500);
  const value = new Float32Array(500);
  for (const state of randomPositions(60)) {
    const exchanged = game.parseState(exchange(game.formatState(state)));
    for (const heuristic of Object.values(game.heuristics)) {
      expect(heuristic.evaluate(exchanged, 1)).toBe(heuristic.evaluate(state, 0));
    }
    for (const features of Object.values(game.featureSets)) {
      const read = (from: ChessState, player: number) => {
        const sums = new Map<number, number>();
        const count = features.extract(from, player, index, value);
        for (let at = 0; at < count; at++) sums.set(index[at], (sums.get(index[at]) ?? 0) + value[at]);
        return [...sums].filter(([, sum]) => sum !== 0).toSorted(([a], [b]) => a - b);
      };
      expect(read(exchanged, 1)).toEqual(read(state, 0));
    }
  }
});

/** The named features of white's view. */
function namedFeatures(set: string, fen: string): Record<string, number> {
  const features = game.featureSets[set]!;
  const index = new Int32Array(features.maxActive);
  const value = new Float32Array(features.maxActive);
  const count = features.extract(game.parseState(fen), 0, index, value);
  return Object.fromEntries(
    Array.from({ length: count }, (_, at) => [
      features.describe(index[at]),
      Math.round(value[at] * 1000) / 1000,
    ]),
  );
}

describe("features", () => {
  test("material counts the difference", () => {
    expect(namedFeatures("material", "rnb1k3/p7/8/8/8/8/PPP5/3QK3 w - - 0 1")).toEqual({
      pawns: 2,
      knights: -1,
      bishops: -1,
      rooks: -1,
      queens: 1,
    });
  });
});

test.each([
  ["the other player's pawns beside the square behind its own", "4k3/2p1p3/8/3pP3/8/8/8/4K3 w - d6 0 1"],
  ["the same for black", "4k3/8/8/8/3Pp3/8/2P1P3/4K3 b - d3 0 1"],
  ["with sliders about", "3rk3/2p1p3/8/3pP1Q1/q7/8/8/3RK3 w - d6 0 1"],
])("moves of the player who waits: no capture en passant, %s", (_, fen) => {
  const state = game.parseState(fen) as ChessState;
  expect(state.enPassant).not.toBe(0);
  const [pieces, side] = fen.split(" ");
  const passed = game.parseState(`${pieces} ${side === "w" ? "b" : "w"} - - 0 1`) as ChessState;
  const before = game.formatState(state);
  expect(countMoves(state, state.turn ^ 1)).toBe(twinMoves(twinFromFen(game.formatState(passed))).length);
  expect(game.formatState(state)).toBe(before);
  expect(state.enPassant).not.toBe(0);
});

test.each([
  ["one of two pawns is pinned along its file", "4r1k1/8/8/2PpP3/8/8/8/4K3 w - d6 0 1"],
  ["one of two pawns is pinned along its file, for black", "4k3/8/8/8/2pPp3/8/8/4R1K1 b - d3 0 1"],
  ["one of two pawns is pinned along a diagonal", "6k1/b7/8/2PpP3/8/4K3/8/8 w - d6 0 1"],
  ["both pawns leave the rank of king and rook", "8/8/8/K2pP2r/8/8/8/6k1 w - d6 0 1"],
  ["the captured pawn alone shields the king from a bishop", "b3k3/8/8/3pP3/4K3/8/8/8 w - d6 0 1"],
])("moves of the player to move: en passant does not expose the king, %s", (_, fen) => {
  const state = game.parseState(fen) as ChessState;
  expect(countMoves(state, state.turn)).toBe(twinMoves(twinFromFen(fen)).length);
});
