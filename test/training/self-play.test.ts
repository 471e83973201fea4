import { expect, test } from "vitest";
import { createRandom } from "../../src/base/random.ts";
import type { Evaluator, State } from "../../src/games/game.ts";
import { createGame } from "../../src/games/index.ts";
import type { Learner } from "../../src/training/learner.ts";
import { SelfPlay } from "../../src/training/self-play.ts";

const game = createGame("tic-tac-toe");
const open = game.heuristics["open-lines"]!;

/** Writes down what a learner is shown. */
class Witness implements Learner {
  steps = 0;
  stepSize = 0;
  readonly starts: string[] = [];
  readonly seen: { state: string; explored: boolean }[] = [];

  begin(state: State): void {
    this.starts.push(game.formatState(state));
  }

  observe(state: State, explored: boolean): void {
    this.seen.push({ state: game.formatState(state), explored });
  }
}

function play(evaluator: Evaluator, games: number, { randomPlies = 0, epsilon = 0 }) {
  const learner = new Witness();
  const selfPlay = new SelfPlay(game, { evaluator, learner, random: createRandom("self-play test") });
  for (let number = 0; number < games; number++) selfPlay.playGame(randomPlies, epsilon);
  return { learner, selfPlay };
}

test("each player takes what the evaluator likes best for that player", () => {
  const { learner } = play(open, 20, {});
  const first = learner.seen.filter(({ state }) => (state.match(/[xo]/g) ?? []).length === 1);
  const second = learner.seen.filter(({ state }) => (state.match(/[xo]/g) ?? []).length === 2);
  // The centre leaves four lines to x alone; then a corner takes three of x's lines, an edge two.
  expect(new Set(first.map(({ state }) => state))).toEqual(new Set([".../.x./..."]));
  expect(new Set(second.map(({ state }) => state))).toEqual(
    new Set(["o../.x./...", "..o/.x./...", ".../.x./o..", ".../.x./..o"]),
  );
});

test("equal actions are equally likely: 9 cells, 9,000 games, within 4.5 standard errors of 1,000", () => {
  const indifferent: Evaluator = { evaluate: () => 0 };
  const { learner } = play(indifferent, 9000, {});
  const counts = new Map<string, number>();
  for (const { state } of learner.seen)
    if ((state.match(/[xo]/g) ?? []).length === 1) counts.set(state, (counts.get(state) ?? 0) + 1);
  expect(counts.size).toBe(9);
  for (const count of counts.values()) expect(Math.abs(count - 1000)).toBeLessThan(4.5 * Math.sqrt(1000));
});

test("random moves come as often as they should, and are said to be random", () => {
  const { learner, selfPlay } = play(open, 2000, { epsilon: 0.3 });
  // The last cell of nine is no choice.
  const choices = learner.seen.filter(({ state }) => (state.match(/[xo]/g) ?? []).length < 9);
  const explored = choices.filter((step) => step.explored).length;
  expect(learner.seen.length).toBe(selfPlay.decisions);
  expect(Math.abs(explored / choices.length - 0.3)).toBeLessThan(4 * Math.sqrt(0.21 / choices.length));
  expect(play(open, 50, {}).learner.seen.some((step) => step.explored)).toBe(false);
});

test("learning begins after the opening", () => {
  const { learner } = play(open, 200, { randomPlies: 3 });
  for (const state of learner.starts) expect(state.match(/[xo]/g)).toHaveLength(3);
  expect(new Set(learner.starts).size).toBeGreaterThan(50);
});

test("an opening that would end every game is left out", () => {
  const { learner } = play(open, 20, { randomPlies: 9 });
  expect(new Set(learner.starts)).toEqual(new Set([".../.../..."]));
});
