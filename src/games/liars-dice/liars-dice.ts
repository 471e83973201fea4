import { z } from "zod";
import type { Facets, FeatureSet, Heuristic } from "../contract/facets.ts";
import { defineGame } from "../contract/game.ts";
import type { Privacy } from "../contract/privacy.ts";
import { TERMINAL, type Rules } from "../contract/rules.ts";
import { historyPicture, historyNotation, othersDeal, viewOfHistory } from "../shared/history-state.ts";
import { type LiarsDice, liarsDiceOf, LiarsDiceState, maxEventsOf } from "./state.ts";

const options = z.strictObject({
  dice: z.int().min(1).max(3).default(1).describe("dice of each player"),
  sides: z.int().min(2).max(6).default(6).describe("faces of a die; the highest is wild"),
});

/** The faces of a hand, ascending: `36`. */
function handName(hand: number, { hands }: LiarsDice): string {
  return hands[hand]!.counts.map((count, face) => String(face + 1).repeat(count)).join("");
}

function bidName(bid: number, { sides, bids }: LiarsDice): string {
  return bid === bids ? "liar" : `${1 + Math.floor(bid / sides)}x${1 + (bid % sides)}`;
}

/** The code of the other player's hand. Own hands and, after the rolls, bids have their numbers. */
const UNSEEN = -1;

/** Players see their own dice and all bids. Every event gives each of them one code. */
function createPrivacy(form: LiarsDice): Privacy<LiarsDiceState> {
  const probabilities = Float64Array.from(form.hands, ({ probability }) => probability);
  return {
    maxEvents: maxEventsOf(form),
    maxCodes: maxEventsOf(form),
    seen({ events }, action, player, out, at) {
      out[at] = events < 2 && events !== player ? UNSEEN : action;
      return 1;
    },
    worlds: (codes, count, player) => ({
      draw(random, out) {
        for (let at = 0; at < count; at++) out[at] = codes[at];
        out[1 - player] = random.weighted(probabilities, 0, probabilities.length);
        return count;
      },
    }),
    formatView: viewOfHistory(basicRules(form), othersDeal),
  };
}

/** Own dice by face, and the last bid. */
function handAndBid(form: LiarsDice): FeatureSet<LiarsDiceState> {
  const { sides, bids } = form;
  return {
    summary: "own dice by face, and the last bid",
    version: 1,
    size: sides + bids,
    maxActive: sides + 1,
    extract(state, player, index, value) {
      let count = 0;
      if (state.events > player) {
        for (const [face, dice] of form.hands[state.history[player]!]!.counts.entries()) {
          if (dice === 0) continue;
          index[count] = face;
          value[count++] = dice;
        }
      }
      if (state.bid >= 0) {
        index[count] = sides + state.bid;
        value[count++] = 1;
      }
      return count;
    },
    describe: (index) => (index < sides ? `own ${index + 1}` : `bid ${bidName(index - sides, form)}`),
  };
}

/** One feature for each hand, last two bids and player to move. */
function handAndTwoBids(form: LiarsDice): FeatureSet<LiarsDiceState> {
  const { bids, hands } = form;
  const values = bids + 1;
  const name = (bid: number) => (bid === bids ? "none" : bidName(bid, form));
  return {
    summary: "own hand, the last two bids, and who made the last",
    version: 1,
    size: 2 * hands.length * values ** 2,
    maxActive: 1,
    unit: true,
    extract(state, player, index, value) {
      const { history, events } = state;
      if (events <= player) return 0;
      // A challenge is no bid.
      const last = events > 2 && history[events - 1] === bids ? events - 2 : events - 1;
      const bid = (at: number) => (at < 2 ? bids : history[at]!);
      const side = last % 2 === player ? 0 : 1;
      index[0] = ((side * hands.length + history[player]!) * values + bid(last)) * values + bid(last - 1);
      value[0] = 1;
      return 1;
    },
    describe(index) {
      const [before, last] = [index % values, Math.floor(index / values) % values];
      const hand = Math.floor(index / values ** 2);
      const whose = hand < hands.length ? "own" : "other's";
      return `hand ${handName(hand % hands.length, form)}, ${whose} bid ${name(last)} after ${name(before)}`;
    },
  };
}

/** Keeps estimates strictly inside the range of returns. */
const INSIDE = 0.99;

/** The last bid's chance, as the player sees it. */
function bidChance(form: LiarsDice): Heuristic<LiarsDiceState> {
  return {
    summary: "the probability that the last bid is true, given the player's own dice",
    evaluate(state, player) {
      const { bid, events, history, toMove } = state;
      if (bid < 0) return 0;
      const missing = 1 + Math.floor(bid / form.sides) - state.matches(history[player]!, bid);
      let chance = 0;
      for (const [hand, { probability }] of form.hands.entries())
        if (state.matches(hand, bid) >= missing) chance += probability;
      const bidder = (events - (toMove === TERMINAL ? 2 : 1)) % 2;
      return INSIDE * (2 * chance - 1) * (bidder === player ? 1 : -1);
    },
  };
}

function basicRules(form: LiarsDice) {
  return {
    maxActions: Math.max(form.bids + 1, form.hands.length),
    start: () => new LiarsDiceState(form),
    formatAction: (action: number, { events }: LiarsDiceState) =>
      events < 2 ? handName(action, form) : bidName(action, form),
  };
}

/**
 * Liar's dice of two players with one round. Each rolls unseen. In turn they bid that all dice together show a face at least
 * so often, each bid higher than the last (more dice, or as many of a higher face), until one calls the other a liar: the
 * bidder wins if the bid is true. The highest face counts as every face. Actions: (dice - 1) x sides + face - 1, then the
 * challenge; outcomes: the sorted hands by number.
 */
export const liarsDice = defineGame({
  id: "liars-dice",
  summary: "liar's dice: bids on the dice of both players",
  options,
  rules(given): Rules<LiarsDiceState> {
    const form = liarsDiceOf(given);
    const rules = basicRules(form);
    return {
      ...rules,
      ...historyNotation<LiarsDiceState>(rules),
      chance: true,
      dealt: true,
      hiddenInformation: true,
      outcomes: [-1, 1],
      maxPlies: form.bids + 1,
      render({ history, events, toMove, bid }) {
        const lines = [0, 1].map((player) => {
          const dice = events > player ? handName(history[player]!, form) : "none";
          return `player ${player + 1}: dice ${dice}${toMove === player ? ", to move" : ""}`;
        });
        const last = `last bid: ${bid < 0 ? "none" : bidName(bid, form)}`;
        return [...lines, last, ...(toMove === TERMINAL ? ["liar: over"] : [])].join("\n");
      },
    };
  },
  facets(given): Facets<LiarsDiceState> {
    const form = liarsDiceOf(given);
    return {
      featureSets: { "hand-and-bid": handAndBid(form), "hand-and-two-bids": handAndTwoBids(form) },
      heuristics: { "bid-chance": bidChance(form) },
      privacy: createPrivacy(form),
      picture: historyPicture(basicRules(form), maxEventsOf(form), othersDeal),
    };
  },
});
