import { firstWins, type PigDecision } from "../../src/games/pig/state.ts";

/** The exact share of games that a rule wins against another when it begins in half of them. */
export function shareOfWins(rule: PigDecision, rival: PigDecision, target: number): number {
  return (firstWins(rule, rival, target) + 1 - firstWins(rival, rule, target)) / 2;
}
