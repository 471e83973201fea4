import { z } from "zod";
import type { Facets, FeatureSet, Heuristic } from "../contract/facets.ts";
import { defineGame } from "../contract/game.ts";
import { type Rules, CHANCE, TERMINAL } from "../contract/rules.ts";
import { historyPicture, historyNotation, othersDeal, viewOfHistory } from "../shared/history-state.ts";
import { CARDS, MAX_EVENTS, LeducState, CALL, FOLD } from "./state.ts";
import type { Privacy } from "../contract/privacy.ts";

const RANKS = "JQK";
const MOST_LOST = 13;

/** The rank of the public card from 1 on; 0 before it is dealt. */
function publicRank({ history, publicAt }: LeducState): number {
  return publicAt === 0 ? 0 : 1 + (history[publicAt]! >> 1);
}

/** One feature for each pair of own and public rank, and the chips of both players. */
const hand: FeatureSet<LeducState> = {
  summary: "own and public rank, one feature a pair, and the chips of both players",
  version: 1,
  size: 14,
  maxActive: 3,
  extract(state, player, index, value) {
    if (state.events <= player) return 0;
    index[0] = (state.history[player]! >> 1) * 4 + publicRank(state);
    value[0] = 1;
    for (const seat of [0, 1]) {
      index[1 + seat] = 12 + seat;
      value[1 + seat] = state.chips(seat === 0 ? player : 1 - player) / MOST_LOST;
    }
    return 3;
  },
  describe(index) {
    if (index >= 12) return index === 12 ? "own chips" : "chips of the other";
    const shared = index % 4;
    return `${RANKS[index >> 2]}, public ${shared === 0 ? "none" : RANKS[shared - 1]}`;
  },
};

const rank: Heuristic<LeducState> = {
  summary: "the player's own card: a pair 2, else -1, 0 or 1 chip",
  evaluate(state, player) {
    if (state.events <= player) return 0;
    const own = state.history[player]! >> 1;
    return own + 1 === publicRank(state) ? 2 : own - 1;
  },
};

const form = { maxActions: CARDS, start: () => new LeducState(), formatAction };

/**
 * Leduc poker (Southey and others, "Bayes' Bluff", 2005). Jack, queen and king of two suits, an ante of one chip, one card
 * each, a round of betting, a public card, and another round. A raise is 2 chips, then 4; there are at most two in a round. A
 * pair with the public card wins, else the higher rank. Actions: 0 fold, 1 call or check, 2 raise or bet; outcomes: the card.
 */
export const leduc = defineGame({
  id: "leduc",
  summary: "Leduc poker: six cards, two rounds of betting",
  options: z.strictObject({}),
  rules(): Rules<LeducState> {
    return {
      ...form,
      ...historyNotation<LeducState>(form, { maxReturn: MOST_LOST }),
      chance: true,
      hiddenInformation: true,
      minReturn: -MOST_LOST,
      maxReturn: MOST_LOST,
      maxPlies: 8,
      render,
    };
  },
  facets: (): Facets<LeducState> => ({
    featureSets: { hand },
    heuristics: { rank },
    privacy,
    picture: historyPicture(form, MAX_EVENTS, othersDeal),
  }),
});

/** Rank, then suit: `Ks`. */
function cardName(card: number): string {
  return "JQK"[card >> 1]! + "sh"[card & 1]!;
}

function formatAction(action: number, state: LeducState): string {
  if (state.toMove === CHANCE) return cardName(action);
  if (action === FOLD) return "fold";
  const isFree = state.chips(0) === state.chips(1);
  return action === CALL ? (isFree ? "check" : "call") : isFree ? "bet" : "raise";
}

/** The public card, and cards and chips of both players. */
function render(state: LeducState): string {
  const { history, events, publicAt, toMove } = state;
  const lines = [0, 1].map((player) => {
    const card = events > player ? cardName(history[player]!) : "no card";
    const turn = toMove === player ? ", to move" : "";
    return `player ${player + 1}: ${card}, ${state.chips(player)} in the pot${turn}`;
  });
  const shared = publicAt > 0 ? cardName(history[publicAt]!) : "none";
  return [`public card: ${shared}`, ...lines, ...(toMove === TERMINAL ? ["over"] : [])].join("\n");
}

/** The code of a card that another player gets. Cards are 0 to 5; fold, call and raise follow this code. */
const UNSEEN = CARDS;
const FIRST_ACTION = UNSEEN + 1;

/** Players see their own card, the public card and all actions. Every event gives each of them one code. */
const privacy: Privacy<LeducState> = {
  maxEvents: MAX_EVENTS,
  maxCodes: MAX_EVENTS,
  seen({ events, toMove }, action, player, out, at) {
    out[at] = toMove !== CHANCE ? FIRST_ACTION + action : events < 2 && events !== player ? UNSEEN : action;
    return 1;
  },
  worlds(codes, count, player) {
    const own = codes[player]!;
    let shared = -1;
    for (let at = 2; at < count; at++) if (codes[at] < CARDS) shared = codes[at];
    const unseen = Array.from({ length: CARDS }, (_, card) => card).filter(
      (card) => card !== own && card !== shared,
    );
    return {
      draw(random, out) {
        out[player] = own;
        out[1 - player] = unseen[random.below(unseen.length)]!;
        for (let at = 2; at < count; at++) out[at] = codes[at] < CARDS ? codes[at] : codes[at] - FIRST_ACTION;
        return count;
      },
    };
  },
  formatView: viewOfHistory({ start: () => new LeducState(), formatAction }, othersDeal),
};
