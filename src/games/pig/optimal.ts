import type { PolicyFamily } from "../contract/facets.ts";
import { HOLD, ROLL, type PigState } from "./state.ts";
import { PigTurn, solvePair, type PigDecision } from "./turn.ts";

/** The calculation ends when a round changes the chances to win by less than this. */
const EXACT = 1e-13;

/**
 * Two-player pig without a limit of turns, solved (Neller and Presser, "Optimal play of the dice game
 * Pig", 2004). After a turn, the scores are the same with the players exchanged, or their sum is higher.
 * So positions are solved in pairs, from the highest sum down. Each pair is solved by policy iteration
 * (Howard 1960): find the best decisions for the values so far, then the values of those decisions, and
 * repeat.
 */
export class OptimalPig {
  readonly target: number;
  /** The chance to win of the player whose turn begins, at [own score * target + the other's]. */
  private readonly starts: Float64Array;
  private readonly turn: PigTurn;
  /** The scores for which `turn` was played last, as an index of `starts`. */
  private shown = -1;

  constructor(target: number) {
    this.target = target;
    this.starts = new Float64Array(target * target);
    this.turn = new PigTurn(target);
    for (let sum = 2 * (target - 1); sum >= 0; sum--)
      for (let own = Math.max(0, sum - target + 1); 2 * own <= sum; own++) this.solve(own, sum - own);
  }

  /** The chance to win of the player on turn, by the banked points of both players and the points of this turn. */
  wins(own: number, other: number, total: number): number {
    if (own + total >= this.target) return 1;
    this.show(own, other);
    return this.turn.won[total] + this.turn.ones[total] * this.afterOne(own, other);
  }

  /** True if rolling is better than holding. If both are equally good, rounding decides. */
  readonly rolls: PigDecision = (own, other, total) => {
    if (total === 0) return true;
    this.show(own, other);
    // A player who holds cannot lose the turn to a 1; one who rolls can.
    return this.turn.ones[total] > 0;
  };

  private show(own: number, other: number): void {
    const place = own * this.target + other;
    if (place === this.shown) return;
    this.turn.play(own, other, { others: this.starts, c: this.afterOne(own, other) });
    this.shown = place;
  }

  private afterOne(own: number, other: number): number {
    return 1 - this.starts[other * this.target + own];
  }

  private solve(own: number, other: number): void {
    const { starts, target, turn } = this;
    const here = own * target + other;
    const there = other * target + own;
    // Known neighbours are a good first guess.
    starts[here] = own + 1 < target ? starts[here + target] : 1;
    starts[there] = own + 1 < target ? starts[there + 1] : 0.5;
    for (let change = 1; change > EXACT;) {
      turn.play(other, own, { others: starts, c: 1 - starts[here] });
      const [won, ones] = [turn.won[0], turn.ones[0]];
      turn.play(own, other, { others: starts, c: 1 - starts[there] });
      const x = solvePair(turn.won[0], turn.ones[0], won, ones);
      const y = won + ones * (1 - x);
      change = Math.max(Math.abs(x - starts[here]), Math.abs(y - starts[there]));
      starts[here] = x;
      starts[there] = y;
    }
  }
}

/** Optimal play of the game without a limit of turns. */
export function perfect(target: number): PolicyFamily<PigState> {
  return {
    summary: "the best chance to win, solved exactly (Neller and Presser 2004), as if turns had no limit",
    create() {
      const optimal = new OptimalPig(target);
      return {
        choose({ scores, turnPlayer, turnTotal }) {
          return optimal.rolls(scores[turnPlayer], scores[1 - turnPlayer], turnTotal) ? ROLL : HOLD;
        },
      };
    },
  };
}
