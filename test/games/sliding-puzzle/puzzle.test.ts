import { expect, test } from "vitest";
import { createRandom } from "../../../src/base/random.ts";
import { CHANCE, TERMINAL, type Game } from "../../../src/games/contract/game.ts";
import { possibleActions } from "../../../src/games/contract/notation.ts";
import { createGame } from "../../../src/games/index.ts";
import { SolutionLengths } from "../../../src/games/sliding-puzzle/search.ts";
import type { SlidingPuzzleState } from "../../../src/games/sliding-puzzle/state.ts";
import { slowTest } from "../../support/thorough.ts";

/** Positions of the 8-puzzle by the length of their shortest solution: OEIS A089473. */
const PUBLISHED = [
  1, 2, 4, 8, 16, 20, 39, 62, 116, 152, 286, 396, 748, 1024, 1893, 2512, 4485, 5638, 9529, 10_878, 16_993,
  17_110, 23_952, 20_224, 24_047, 15_578, 14_560, 6274, 3910, 760, 221, 2,
];

/** Calls `visit` after every deal, with its probability. */
function forEachDeal(
  game: Game<SlidingPuzzleState>,
  visit: (state: SlidingPuzzleState, probability: number) => void,
) {
  const state = game.start();
  const deal = (probability: number): void => {
    if (state.toMove !== CHANCE) {
      visit(state, probability);
      return;
    }
    const outcomes = new Int32Array(game.maxActions);
    const probabilities = new Float64Array(game.maxActions);
    const count = state.chanceOutcomes(outcomes, probabilities, 0);
    for (let at = 0; at < count; at++) {
      state.apply(outcomes[at]!);
      deal(probability * probabilities[at]!);
      state.undo();
    }
  };
  deal(1);
}

slowTest(
  "chance deals each of 181,440 positions with the same probability; they are solved in at most 31 moves, as published",
  () => {
    const game = createGame("sliding-puzzle") as unknown as Game<SlidingPuzzleState>;
    const lengths = new SolutionLengths(3);
    const counts: number[] = PUBLISHED.map(() => 0);
    const seen = new Set<string>();
    let wrong = 0;
    forEachDeal(game, (state, probability) => {
      const length = lengths.of(state.tiles);
      counts[length]!++;
      seen.add(state.tiles.join(""));
      // Distances are a lower bound, and every move changes them by one.
      const isBound = state.distance <= length && (length - state.distance) % 2 === 0;
      if (
        !isBound ||
        Math.abs(probability * 181_440 - 1) > 1e-9 ||
        (state.toMove === TERMINAL) !== (length === 0)
      )
        wrong++;
    });
    expect(counts).toEqual(PUBLISHED);
    expect(seen.size).toBe(181_440);
    expect(wrong).toBe(0);
  },
);

test("the 3-puzzle has 12 positions and at most 6 moves", () => {
  const lengths = new SolutionLengths(2);
  const found = Array.from(lengths.lengths).filter((length) => length < 255);
  expect(found.toSorted((a, b) => a - b)).toEqual([0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6]);
});

test("deals of the 15-puzzle are scrambles of the goal: moves and their parity agree", () => {
  const game = createGame({ id: "sliding-puzzle", size: 4 }) as unknown as Game<SlidingPuzzleState>;
  const random = createRandom("15");
  for (let number = 0; number < 200; number++) {
    const state = game.parseState("1 2 3 4 / 5 6 7 8 / 9 10 11 . / 13 14 15 12");
    for (let move = 0; move < 90 && state.toMove === 0; move++) {
      const actions = possibleActions(game, state);
      state.apply(actions[random.below(actions.length)]!);
    }
    expect(game.formatState(game.parseState(game.formatState(state)))).toBe(game.formatState(state));
    expect((state.distance + state.moves) % 2).toBe(1);
  }
});

slowTest("the policy perfect solves one of the two hardest positions in 31 moves", () => {
  const game = createGame({ id: "sliding-puzzle", start: "8 6 7 / 2 5 4 / 3 . 1" });
  const policy = game.policies["perfect"]!.create();
  const state = game.start();
  while (state.toMove === 0) state.apply(policy.choose(state));
  expect(state.returns(0)).toBe(-31);
  expect(game.describeEnding!(state)).toBe("solved");
});

test("wrong positions are refused with what is wrong", () => {
  const refusal = (start: string) => () => createGame({ id: "sliding-puzzle", start });
  expect(refusal("1 2 3 / 4 5 6 / 8 7 .")).toThrow(/no moves lead from it to the goal/);
  expect(refusal("1 2 3 / 4 5 6 / 7 7 .")).toThrow(/tile 7 is there twice/);
  expect(refusal("1 2 3 / 4 5 6 / 7 9 .")).toThrow(/"9" is no tile; allowed: "\." and 1 to 8/);
  expect(refusal("1 2 3 / 4 5 6")).toThrow(/not 3 rows of 3 tiles/);
  expect(refusal("1 2 3 / 4 5 6 / 7 8 . moves 201")).toThrow(/201 moves; the game ends after 200/);
  expect(refusal("1 2 3 / 4 5 6 / 7 8 .")).toThrow(/no position before a move/);
});
