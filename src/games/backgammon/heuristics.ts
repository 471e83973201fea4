import { squash } from "../shared/score-heuristic.ts";
import type { Heuristic } from "../contract/facets.ts";
import { pubevalScore } from "./pubeval.ts";
import type { BackgammonState } from "./state.ts";

/** The lead of the player about to roll, in pips: half of the 8 1/6 pips of an average roll, rounded. */
const ROLL_LEAD_PIPS = 4;
/** The lead in pips that is worth half of the most points. */
const HALF_LEAD_PIPS = 100;

/** The score of an even position with contact, found by self-play of pubeval. */
const EVEN_SCORE = 15;
/** The distance from EVEN_SCORE that is worth half of the most points. */
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
 * pubeval for agents that look ahead. The value is the score of the player who has just moved, mapped into the range of
 * returns in the same order: so it ranks a player's own turns as pubeval does. The race weights apply if this position is a
 * race; `pubevalTurn` asks the position before the turn, so that turns which end the contact may be ranked differently. The
 * score was made to compare the turns of one roll. It hardly compares positions that are far apart, or contact with race.
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
