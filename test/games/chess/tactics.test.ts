import { describe, expect, test } from "vitest";
import { exchangeValue } from "../../../src/games/chess/search.ts";
import type { ChessState } from "../../../src/games/chess/state.ts";
import type { Game } from "../../../src/games/contract/game.ts";
import { createGame } from "../../../src/games/index.ts";
import { possibleActions } from "../../../src/games/contract/notation.ts";
import { decide, randomPositions } from "../../agents/play.ts";
import { watchActions } from "../../agents/watch.ts";
import { slowTest } from "../../support/thorough.ts";

const game = createGame("chess") as Game<ChessState>;
const tactics = game.tactics!;

describe("static exchange evaluation", () => {
  test.each([
    // A pawn that nothing defends; a defended one, taken by a rook.
    ["1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1", "Rxe5", 100],
    ["1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1", "Nxe5", 100 - 320],
    // Equal trades, by pawns; a queen for a defended pawn.
    ["4k3/8/3p4/4p3/3P4/8/8/4K3 w - - 0 1", "dxe5", 0],
    ["4k3/8/3p4/4p3/8/8/4Q3/4K3 w - - 0 1", "Qxe5+", 100 - 900],
    // Two rooks on one file against one: the second one stands behind the first.
    ["4r1k1/8/8/4p3/8/8/4R3/4R1K1 w - - 0 1", "Rxe5", 100],
    ["4r1k1/4r3/8/4p3/8/8/4R3/4R1K1 w - - 0 1", "Rxe5", 100 - 500],
    // The king may take only what is not defended any more.
    ["8/8/3k4/4p3/8/8/4R3/4R1K1 w - - 0 1", "Rxe5", 100],
    ["8/8/3k4/4p3/8/8/4R3/6K1 w - - 0 1", "Rxe5", 100 - 500],
    ["4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "exd6", 100],
    ["4k3/2p5/8/3pP3/8/8/8/4K3 w - d6 0 1", "exd6", 0],
    ["1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "axb8=Q+", 320 + 800],
    ["rn2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "axb8=Q", 320 - 100],
    ["3k4/8/8/8/8/8/4Q3/4K3 w - - 0 1", "Qe4", 0],
  ])("%s %s: %i", (fen, move, value) => {
    const state = game.parseState(fen);
    expect(exchangeValue(state, game.parseAction(move, state))).toBe(value);
  });
});

slowTest("noisy are the captures and promotions, in check all moves", () => {
  const noisy = new Int32Array(game.maxActions);
  for (const state of randomPositions(game, 300) as ChessState[]) {
    const isCheck = (state.checkersLow | state.checkersHigh) !== 0;
    const wanted = Array.from(possibleActions(game, state)).filter((action) => {
      const san = game.formatAction(action, state);
      return isCheck || san.includes("x") || san.includes("=");
    });
    expect(Array.from(noisy.subarray(0, tactics.noisyActions(state, noisy, 0)))).toEqual(wanted);
  }
});

describe("T18, the horizon", () => {
  test("a fixed depth takes a defended pawn with the queen, quiescence does not", () => {
    const state = game.parseState("4k3/8/3p4/4p3/8/8/4Q3/4K3 w - - 0 1");
    const name = (quiescence: boolean) => {
      const spec = `alpha-beta:depth=1,evaluator=material,ties=first,extensions=false,quiescence=${quiescence}`;
      return game.formatAction(decide(game, spec, state).action, state);
    };
    expect([name(false), name(true) === "Qxe5+"]).toEqual(["Qxe5+", false]);
  });
});

describe("extensions", () => {
  const OTHERWISE_EXACT = "quiescence=false,reductions=false,nullMove=false,futility=0,evaluator=material";

  test("a mate by checks alone is seen at a depth that does not count the checks but the last one", () => {
    const state = game.parseState("8/8/6k1/R7/8/8/8/1R4K1 w - - 0 1");
    const plies = (depth: number, extensions: boolean) =>
      decide(game, `alpha-beta:depth=${depth},extensions=${extensions},${OTHERWISE_EXACT}`, state).pliesToEnd;
    expect([plies(3, true), plies(4, false), plies(5, false)]).toEqual([5, undefined, 5]);
  });

  test("no path gets longer than twice the depth, however many checks there are", () => {
    // Each queen can go on checking for a long time.
    const state = game.parseState("7k/8/8/1q6/1Q6/8/8/K7 w - - 0 1") as ChessState;
    let longest = 0;
    const watched = watchActions(game, (_action, at) => {
      longest = Math.max(longest, (at as ChessState).ply + 1 - state.ply);
    });
    for (let depth = 1; depth <= 4; depth++) {
      longest = 0;
      decide(watched, `alpha-beta:depth=${depth},${OTHERWISE_EXACT}`, state);
      expect(longest).toBeGreaterThan(depth === 1 ? 0 : depth);
      expect(longest).toBeLessThanOrEqual(2 * depth);
    }
  });
});

test("futility spares a mating check of a player who is far behind", () => {
  // Nxh1 takes the queen at once, so nothing else looks worth its while but what mates.
  const state = game.parseState("8/7k/R7/K7/8/1R4N1/6nn/6nq w - - 0 1");
  const how = "depth=3,futility=0.1,evaluator=material";
  expect(decide(game, `alpha-beta:${how}`, state).pliesToEnd).toBe(3);
});
