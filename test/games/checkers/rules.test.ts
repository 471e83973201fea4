import { expect, test } from "vitest";
import { createRandom, type Random } from "../../../src/base/random.ts";
import { squaresOf } from "../../../src/games/checkers/board.ts";
import { checkers } from "../../../src/games/checkers/checkers.ts";
import type { CheckersState } from "../../../src/games/checkers/state.ts";
import { TERMINAL, type Game } from "../../../src/games/contract/game.ts";
import { possibleActions } from "../../../src/games/contract/notation.ts";
import { perft } from "../../../src/games/contract/perft.ts";
import { differences, readTraces } from "../traces.ts";
import { squaresFromColumns } from "./squares.ts";
import { twinMoves, twinStart, twinText, type TwinPosition } from "./twin.ts";
import { everyFew, slowTest } from "../../support/thorough.ts";

function create(options: Record<string, unknown> = {}): Game<CheckersState> {
  return checkers.create(checkers.options.parse(options)) as Game<CheckersState>;
}

const game = create();
const pathOf = (action: number) => squaresOf(action).map((square) => square + 1);

/** Published leaf counts (Bik), each capture path a move. */
const PERFT = [1, 7, 49, 302, 1469, 7361, 36768, 179740, 845931, 3963680];

test.each(
  everyFew(
    PERFT.map((leaves, depth) => [depth, leaves]),
    3,
  ),
)("perft to depth %i is %i", (depth, leaves) => {
  expect(perft(game, game.start(), depth)).toBe(leaves);
});

test.each(readTraces("checkers").map((trace, number) => [number, trace] as const))(
  "agrees with an independent program on game %i",
  (_, trace) => {
    const read = (move: string, state: CheckersState) => {
      const path = squaresFromColumns(move).join();
      return possibleActions(game, state).find((action) => pathOf(action).join() === path) ?? -1;
    };
    expect(differences(game, trace, read)).toEqual([]);
  },
);

/** Compares legal moves, and the position after each, with the twin's. */
function expectSameMoves(state: CheckersState, twin: TwinPosition): void {
  const actions = state.toMove === TERMINAL ? [] : Array.from(possibleActions(game, state));
  const moves = twinMoves(twin);
  const after = (action: number) => {
    state.apply(action);
    const text = game.formatState(state).replace(/:H\d+$/, "");
    state.undo();
    return `${pathOf(action).join("-")} ${text}`;
  };
  expect(actions.map(after).toSorted()).toEqual(
    moves.map((move) => `${move.path.join("-")} ${twinText(move.after)}`).toSorted(),
  );
}

slowTest("plays like its twin in random games", () => {
  for (let number = 0; number < 60; number++) {
    const random = createRandom("checkers twin", number);
    const state = game.start();
    let twin = twinStart;
    let quiet = 0;
    while (state.toMove !== TERMINAL) {
      expectSameMoves(state, twin);
      const moves = twinMoves(twin);
      const move = moves[random.below(moves.length)]!;
      const path = move.path.join();
      state.apply(possibleActions(game, state).find((action) => pathOf(action).join() === path)!);
      twin = move.after;
      quiet = move.captures ? 0 : quiet + 1;
    }
    if (quiet === 40) expect([state.returns(0), state.returns(1)]).toEqual([0, 0]);
    else {
      expect(twinMoves(twin)).toEqual([]);
      expect(state.returns(twin.turn === "B" ? 1 : 0)).toBe(1);
    }
  }
});

/** A position with few to many pieces, mostly kings, so that long and closed captures come up. */
function randomPosition(random: Random): TwinPosition {
  const squares = Int32Array.from({ length: 32 }, (_, index) => index + 1);
  random.shuffle(squares, 0, 32);
  const black = 1 + random.below(12);
  const white = 1 + random.below(12);
  const pieces = new Map<number, string>();
  squares.slice(0, black + white).forEach((square, index) => {
    const colour = index < black ? "b" : "w";
    const mustBeKing = colour === "b" ? square >= 29 : square <= 4;
    pieces.set(square, mustBeKing || random.below(3) > 0 ? colour.toUpperCase() : colour);
  });
  return { turn: random.below(2) === 0 ? "B" : "W", pieces };
}

slowTest("plays like its twin in random positions full of kings", () => {
  const random = createRandom("checkers twin positions");
  let longest = 0;
  for (let number = 0; number < 3000; number++) {
    const twin = randomPosition(random);
    const state = game.parseState(twinText(twin));
    expect(game.formatState(state)).toBe(twinText(twin));
    expectSameMoves(state, twin);
    longest = Math.max(longest, ...twinMoves(twin).map((move) => move.path.length));
  }
  expect(longest).toBeGreaterThan(5);
});

test("a king may return to where it started, and takes no piece twice", () => {
  const state = game.parseState("W:WK2:B6,7,14,15");
  const moves = Array.from(possibleActions(game, state), (action) => game.formatAction(action, state));
  expect(moves).toEqual(["2x9x18x11x2", "2x11x18x9x2"]);
  state.apply(possibleActions(game, state)[0]);
  expect(game.formatState(state)).toBe("B:WK2:B");
  expect(state.returns(1)).toBe(1);
});

test("a man that becomes a king stops there", () => {
  const state = game.parseState("B:W26,27:B22");
  expect(Array.from(possibleActions(game, state), (action) => game.formatAction(action, state))).toEqual([
    "22x31",
  ]);
});

test("forty moves without a capture are a draw, men or not, by default", () => {
  const state = game.parseState("B:W32,K20:B1,K28:H38");
  state.apply(game.parseAction("1-5", state));
  expect([state.quiet, state.toMove]).toEqual([39, 1]);
  state.apply(game.parseAction("32-27", state));
  expect([state.quiet, state.toMove, state.returns(0)]).toEqual([40, TERMINAL, 0]);
});

test("with progress: capture-or-man a man's move starts the count again", () => {
  const other = create({ progress: "capture-or-man", drawAfter: 80 });
  const state = other.parseState("B:W32,K20:B1,K28:H78");
  state.apply(other.parseAction("1-5", state));
  expect(state.quiet).toBe(0);
  state.apply(other.parseAction("20-16", state));
  expect(state.quiet).toBe(1);
});

test("with repetitions: 3 the third occurrence is a draw, and the past is part of the position", () => {
  const other = create({ repetitions: 3 });
  const state = other.parseState("B:WK32:BK1");
  const play = (...moves: string[]) => moves.forEach((move) => state.apply(other.parseAction(move, state)));
  const first = [state.hashLow, state.hashHigh];
  play("1-5", "32-28", "5-1", "28-32");
  expect(state.toMove).toBe(0);
  expect([state.hashLow, state.hashHigh]).not.toEqual(first);
  expect(other.formatState(state)).toBe("B:WK32:BK1 moves 1-5 32-28 5-1 28-32");
  play("1-5", "32-28", "5-1");
  expect(state.toMove).toBe(1);
  const copy = other.start();
  copy.copyFrom(state);
  const read = other.parseState(other.formatState(state));
  for (const again of [state, copy, read]) {
    again.apply(other.parseAction("28-32", again));
    expect([again.toMove, again.returns(0)]).toEqual([TERMINAL, 0]);
  }
  const without = game.parseState("B:WK32:BK1");
  for (const move of ["1-5", "32-28", "5-1", "28-32", "1-5", "32-28", "5-1", "28-32"])
    without.apply(game.parseAction(move, without));
  expect(without.toMove).toBe(0);
});
