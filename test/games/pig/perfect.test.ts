import { describe, expect, test } from "vitest";
import { CHANCE, TERMINAL } from "../../../src/games/contract/game.ts";
import { createGame } from "../../../src/games/index.ts";
import { OptimalPig } from "../../../src/games/pig/judge.ts";
import { HOLD, ROLL, type PigState, firstWins, type PigDecision } from "../../../src/games/pig/state.ts";
import { neller } from "./neller.ts";
import { shareOfWins } from "../../support/pig.ts";
import { slowTest } from "../../support/thorough.ts";

const optimal = new OptimalPig(100);

/** Calls `visit` at every position with a player to move. */
function forEachPosition(target: number, visit: (own: number, other: number, total: number) => void): void {
  for (let own = 0; own < target; own++)
    for (let other = 0; other < target; other++)
      for (let total = 0; total < target - own; total++) visit(own, other, total);
}

slowTest.each([10, 23, 60])(
  "target %i: the chances solve the equations, as value iteration does",
  (target) => {
    const solved = new OptimalPig(target);
    const wins = neller(target);
    let worst = 0;
    let wrong = 0;
    forEachPosition(target, (own, other, total) => {
      worst = Math.max(worst, Math.abs(solved.wins(own, other, total) - wins(own, other, total)));
      if (total === 0) return;
      let roll = 1 - wins(other, own, 0);
      for (let face = 2; face <= 6; face++) roll += wins(own, other, total + face);
      const gain = roll / 6 - (1 - wins(other, own + total, 0));
      if (Math.abs(gain) > 1e-8 && solved.rolls(own, other, total) !== gain > 0) wrong++;
    });
    expect(worst).toBeLessThan(1e-9);
    expect(wrong).toBe(0);
  },
);

slowTest(
  "target 100: nothing is better than what is done, to 1e-12, wherever a turn begins or has brought 20",
  () => {
    let worst = 0;
    forEachPosition(100, (own, other, total) => {
      if (total !== 0 && total !== 20) return;
      let roll = 0;
      for (let face = 2; face <= 6; face++) roll += optimal.wins(own, other, total + face);
      roll += 1 - optimal.wins(other, own, 0);
      const hold = total === 0 ? 0 : 1 - optimal.wins(other, own + total, 0);
      worst = Math.max(worst, Math.abs(optimal.wins(own, other, total) - Math.max(roll / 6, hold)));
    });
    expect(worst).toBeLessThan(1e-12);
  },
);

describe("published", () => {
  /** The totals up to 40 at which the player rolls on. */
  const rolled = (own: number, other: number) =>
    Array.from({ length: 40 }, (_, at) => at + 1).filter((total) => optimal.rolls(own, other, total));
  const upTo = (last: number) => Array.from({ length: last }, (_, at) => at + 1);
  /** The percentage of wins minus that of losses, for optimal play against a rule. */
  const deficit = (rule: PigDecision) => 100 * (1 - 2 * shareOfWins(rule, optimal.rolls, 100));

  slowTest(
    "the first player wins 53.06% (Neller and Presser 2004), 53.47% if both hold at 20 (Neller)",
    () => {
      expect(optimal.wins(0, 0, 0)).toBeCloseTo(0.5306, 4);
      expect(firstWins(optimal.rolls, optimal.rolls, 100)).toBeCloseTo(optimal.wins(0, 0, 0), 12);
      const hold20: PigDecision = (_own, _other, total) => total < 20;
      expect(firstWins(hold20, hold20, 100)).toBeCloseTo(0.5347, 4);
    },
  );

  test("at 41 to 49 one holds from 22 on, but not at 27 (possiblywrong 2014)", () => {
    expect(rolled(41, 49)).toEqual([...upTo(21), 27]);
  });

  test("with 20 rolled at 78 to 99 one rolls on (Peterson, Science News 2005)", () => {
    expect(optimal.rolls(78, 99, 20)).toBe(true);
  });

  slowTest(
    "to end the race or keep pace costs 0.922% (Neller and Presser, Practical play of Pig, 2010)",
    () => {
      const keepPace: PigDecision = (own, other, total) =>
        own >= 71 || other >= 71 || total < 21 + Math.round((other - own) / 8);
      expect(deficit(keepPace)).toBeCloseTo(0.922, 3);
    },
  );
});

slowTest("exact shares of wins are those of playing it out through the rules", () => {
  const target = 12;
  const bold: PigDecision = (own, _other, total) => own > 7 || total < 6;
  const timid: PigDecision = (own, other, total) => total < 3 + (other > own ? 2 : 0);
  const game = createGame({ id: "pig", target, maxTurns: 80 });
  /** The chance that player 0 wins, each player deciding by a rule. */
  const play = (rules: readonly PigDecision[]): number => {
    const known = new Map<string, number>();
    const wins = (state: PigState): number => {
      if (state.toMove === TERMINAL) return state.returns(0) > 0 ? 1 : 0;
      const key = game.formatState(state);
      const before = known.get(key);
      if (before !== undefined) return before;
      const { scores, toMove, turnTotal } = state;
      const rolls = (player: number) =>
        turnTotal === 0 || rules[player]!(scores[player], scores[1 - player], turnTotal);
      const actions = toMove === CHANCE ? [1, 2, 3, 4, 5, 6] : [rolls(toMove) ? ROLL : HOLD];
      let sum = 0;
      for (const action of actions) {
        state.apply(action);
        sum += wins(state);
        state.undo();
      }
      known.set(key, sum / actions.length);
      return sum / actions.length;
    };
    return wins(game.start() as PigState);
  };
  // After 80 turns hardly a game still goes on.
  const [begun, followed] = [play([bold, timid]), play([timid, bold])];
  expect(firstWins(bold, timid, target)).toBeCloseTo(begun, 9);
  expect(firstWins(timid, bold, target)).toBeCloseTo(followed, 9);
  expect(shareOfWins(bold, timid, target)).toBeCloseTo((begun + 1 - followed) / 2, 9);
});

slowTest("the policy plays it, in both seats; three players have none", () => {
  const game = createGame({ id: "pig", target: 40 });
  const policy = game.policies["perfect"]!.create();
  const wins = neller(40);
  const state = game.start() as PigState;
  forEachPosition(40, (own, other, total) => {
    for (const seat of [0, 1]) {
      state.place(seat === 0 ? [own, other] : [other, own], { turnTotal: total, turns: seat });
      const action = policy.choose(state);
      if (total === 0) expect(action).toBe(ROLL);
      else if (action === HOLD)
        expect(1 - wins(other, own + total, 0)).toBeGreaterThan(wins(own, other, total) - 1e-8);
      else expect(wins(own, other, total)).toBeGreaterThan(1 - wins(other, own + total, 0) - 1e-8);
    }
  });
  expect(createGame({ id: "pig", players: 3 }).policies).toEqual({});
});
