import type { Heuristic } from "../facets.ts";
import { pubevalScore } from "./pubeval.ts";
import type { BackgammonState } from "./state.ts";

/** What the player about to roll is ahead by: half of the 8 1/6 pips of an average roll, rounded. */
const ROLL_LEAD_PIPS = 4;
/** The lead in pips that is worth half of the most there is to win. */
const HALF_LEAD_PIPS = 100;

/** The score at which two pubevals come out even in positions with contact, found by self-play. */
const EVEN_SCORE = 15;
/** How far from there the estimate reaches half of the most there is to win. */
const HALF_SCORE = 20;

/** The difference of the pip counts, with half a roll for the player on roll. */
export function pipCount(maxPoints: number): Heuristic<BackgammonState> {
  return {
    summary: "lead in the race: the other's pips less the own, half a roll for being on roll",
    evaluate(state, player) {
      const turn = state.opening ? 0 : state.onRoll === 0 ? ROLL_LEAD_PIPS : 0 - ROLL_LEAD_PIPS;
      const value = squash(state.pips(1) - state.pips(0) + turn, HALF_LEAD_PIPS) * maxPoints;
      return player === 0 ? value : 0 - value;
    },
  };
}

/**
 * pubeval for agents that look ahead: its score of the player who has just moved, pressed into the
 * bounds in order, so that ranking a player's own turns by it ranks them as pubeval does. Whether
 * the race weights apply is decided on the position itself, as an evaluator knows no other; only
 * turns that end the contact can be ranked unlike `pubevalTurn`, which decides it before the turn.
 * The score was made to compare the turns of one roll: between positions far apart, and between
 * contact and race, it says little about who is ahead.
 */
export function pubeval(maxPoints: number): Heuristic<BackgammonState> {
  return {
    summary: "Tesauro's pubeval (1993): a linear benchmark player, ranks the positions after a turn",
    evaluate(state, player) {
      if (state.opening) return 0;
      const mover = 1 - state.onRoll;
      const score = pubevalScore(state, mover, state.isRace());
      const value = squash(score - EVEN_SCORE, HALF_SCORE) * maxPoints;
      return player === mover ? value : 0 - value;
    },
  };
}

/** From the real line into (-1, 1), odd and ascending; 1/2 at `half`. */
function squash(value: number, half: number): number {
  return value / (half + Math.abs(value));
}
