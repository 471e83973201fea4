import type { Abstraction } from "../contract/facets.ts";
import { CHANCE } from "../contract/rules.ts";
import type { Strength } from "./judge.ts";
import type { HoldemState } from "./state.ts";

/** The most steps that are remembered by cards: a search comes back to the same cards on each way of betting. */
const REMEMBERED = 64;

/** The strength of the own cards in equal steps, and all bets so far: what a player forgets is its cards' earlier strength. */
export function strengthBuckets(strength: Strength): Abstraction<HoldemState> {
  return {
    summary: "the strength of the own cards against random ones in equal steps, the street, and all bets",
    create(buckets) {
      const known = new Map<string, number>();
      return {
        keyOf(state) {
          const player = state.toMove;
          const { board, boardCount, form } = state;
          let cards = "";
          for (let at = 0; at < form.hole; at++) cards += `${state.holeCard(player, at)} `;
          for (let at = 0; at < boardCount; at++) cards += `${board[at]} `;
          let step = known.get(cards);
          if (step === undefined) {
            step = strength.stepOf(state, player, buckets);
            if (known.size >= REMEMBERED) known.clear();
            known.set(cards, step);
          }
          return `${state.street} ${step} ${betsOf(state)}`;
        },
      };
    },
  };
}

/** All actions of players since the cards were dealt, streets apart: `2 1/1 3`. */
function betsOf(state: HoldemState): string {
  const { form, history, events } = state;
  let bets = "";
  for (let event = form.players * form.hole; event < events; event++) {
    const isCard = state.moverAt(event) === CHANCE;
    if (!isCard) bets += `${history[event]} `;
    else if (!bets.endsWith("/")) bets += "/";
  }
  return bets;
}
