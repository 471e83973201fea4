import { PigTurn, solvePair, type PigDecision } from "./turn.ts";

/** The exact chance that the player who begins wins, each deciding by a rule; turns have no limit. */
export function firstWins(first: PigDecision, second: PigDecision, target: number): number {
  /** Chances to win with the turn, of who begins and of the other, at [own score * target + other's]. */
  const firsts = new Float64Array(target * target);
  const seconds = new Float64Array(target * target);
  const turn = new PigTurn(target);
  for (let sum = 2 * (target - 1); sum >= 0; sum--) {
    for (let own = Math.max(0, sum - target + 1); own <= Math.min(sum, target - 1); own++) {
      const other = sum - own;
      turn.follow(other, own, { others: firsts, rolls: second });
      const [won, ones] = [turn.won[0], turn.ones[0]];
      turn.follow(own, other, { others: seconds, rolls: first });
      const chance = solvePair(turn.won[0], turn.ones[0], won, ones);
      firsts[own * target + other] = chance;
      seconds[other * target + own] = won + ones * (1 - chance);
    }
  }
  return firsts[0];
}

/** The exact share of games that a rule wins against another when it begins in half of them. */
export function shareOfWins(rule: PigDecision, rival: PigDecision, target: number): number {
  return (firstWins(rule, rival, target) + 1 - firstWins(rival, rule, target)) / 2;
}
