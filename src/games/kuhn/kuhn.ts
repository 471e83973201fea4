import { z } from "zod";
import type { Facets, FeatureSet, Heuristic } from "../contract/facets.ts";
import { defineGame } from "../contract/game.ts";
import { type Rules, TERMINAL, CHANCE } from "../contract/rules.ts";
import {
  historyPicture,
  historyNotation,
  othersDeal,
  viewOfHistory,
  HistoryState,
} from "../shared/history-state.ts";
import type { Privacy } from "../contract/privacy.ts";

/** Actions: pass is to check or to fold, bet is to bet or to call. */
const PASS = 0;
const BET = 1;
const CARDS = 3;
/** Two cards, and at most three actions: pass, bet, pass or bet. */
const MAX_EVENTS = 5;

/** A position of Kuhn poker. Events 0 and 1 deal a card, 0 to 2, to each player. */
export class KuhnState extends HistoryState {
  constructor() {
    super(MAX_EVENTS);
  }

  legalActions(out: Int32Array, at: number): number {
    out[at] = PASS;
    out[at + 1] = BET;
    return 2;
  }

  chanceOutcomes(out: Int32Array, probabilities: Float64Array, at: number): number {
    const dealt = this.events === 0 ? -1 : this.history[0];
    const count = this.events === 0 ? CARDS : CARDS - 1;
    let next = at;
    for (let card = 0; card < CARDS; card++) {
      if (card === dealt) continue;
      out[next] = card;
      probabilities[next++] = 1 / count;
    }
    return count;
  }

  returns(player: number): number {
    if (this.toMove !== TERMINAL) return 0;
    const { history, events } = this;
    const last = history[events - 1];
    const isBet = history[events - 2] === BET;
    // A fold: the player of the last action loses its ante.
    if (isBet && last === PASS) return (events - 1) % 2 === player ? -1 : 1;
    const stake = isBet ? 2 : 1;
    return history[player]! > history[1 - player]! ? stake : -stake;
  }

  protected advance(action: number): void {
    this.settle();
    const { events, history } = this;
    // The game ends with the second action of two that are alike, and with any answer to a bet.
    if (events >= 4 && (history[events - 2] === BET || action === PASS)) this.toMove = TERMINAL;
  }

  protected retreat(): void {
    this.settle();
  }

  /** Sets the mover of a game that goes on. */
  private settle(): void {
    this.toMove = this.events < 2 ? CHANCE : this.events % 2;
  }
}

/** The betting before a decision. */
const SITUATIONS = ["first to act", "after a check", "after a bet", "after check and bet"] as const;

function situationOf({ history, events }: KuhnState): number {
  return events <= 2 ? 0 : events === 3 ? 1 + history[2]! : 3;
}

/** One feature for each pair of own card and betting so far: what a player knows. */
const information: FeatureSet<KuhnState> = {
  summary: "the player's own card and the betting so far, one feature a pair",
  version: 1,
  size: CARDS * SITUATIONS.length,
  maxActive: 1,
  unit: true,
  extract(state, player, index) {
    if (state.events <= player) return 0;
    index[0] = state.history[player]! * SITUATIONS.length + situationOf(state);
    return 1;
  },
  describe: (index) =>
    `${cardName(Math.floor(index / SITUATIONS.length))}, ${SITUATIONS[index % SITUATIONS.length]}`,
};

const card: Heuristic<KuhnState> = {
  summary: "the player's own card: -1, 0 or 1 chip",
  evaluate: ({ history, events }, player) => (events <= player ? 0 : history[player]! - 1),
};

const form = { maxActions: CARDS, start: () => new KuhnState(), formatAction };

/**
 * Kuhn poker (Kuhn 1950). Three cards, an ante of one chip each, and one bet of one chip: the first player passes or bets;
 * after a bet the other player folds or calls. Actions: 0 pass, 1 bet; outcomes: the card, 0 to 2, first of player 0, then
 * of player 1. Player 0 loses 1/18 of a chip a game between perfect players.
 */
export const kuhn = defineGame({
  id: "kuhn",
  summary: "Kuhn poker: three cards and one bet",
  options: z.strictObject({}),
  rules(): Rules<KuhnState> {
    return {
      ...form,
      ...historyNotation<KuhnState>(form, { maxReturn: 2 }),
      chance: true,
      dealt: true,
      hiddenInformation: true,
      minReturn: -2,
      maxReturn: 2,
      outcomes: [-2, -1, 1, 2],
      maxPlies: 3,
      render,
    };
  },
  facets: (): Facets<KuhnState> => ({
    featureSets: { information },
    heuristics: { card },
    privacy,
    picture: historyPicture(form, MAX_EVENTS, othersDeal),
  }),
});

/** The card of a number, 0 to 2: jack, queen, king. */
function cardName(card: number): string {
  return "JQK"[card]!;
}

function formatAction(action: number, { history, events }: KuhnState): string {
  if (events < 2) return cardName(action);
  const isBet = events > 2 && history[events - 1] === BET;
  if (action === PASS) return isBet ? "fold" : "check";
  return isBet ? "call" : "bet";
}

/** Cards and chips of both players. */
function render({ history, events, toMove }: KuhnState): string {
  const lines = [0, 1].map((player) => {
    let chips = 1;
    for (let at = 2 + player; at < events; at += 2) chips += history[at] === BET ? 1 : 0;
    const card = events > player ? cardName(history[player]!) : "no card";
    const turn = toMove === player ? ", to move" : "";
    return `player ${player + 1}: ${card}, ${chips} in the pot${turn}`;
  });
  return [...lines, ...(toMove === TERMINAL ? ["over"] : [])].join("\n");
}

/** The code of a card that another player gets. Cards are 0 to 2; pass and bet follow this code. */
const UNSEEN = CARDS;
const FIRST_ACTION = UNSEEN + 1;

/** Players see their own card and all actions. Every event gives each of them one code. */
const privacy: Privacy<KuhnState> = {
  maxEvents: MAX_EVENTS,
  maxCodes: MAX_EVENTS,
  seen({ events }, action, player, out, at) {
    out[at] = events >= 2 ? FIRST_ACTION + action : events === player ? action : UNSEEN;
    return 1;
  },
  worlds(codes, count, player) {
    const own = codes[player]!;
    return {
      draw(random, out) {
        out[player] = own;
        out[1 - player] = (own + 1 + random.below(CARDS - 1)) % CARDS;
        for (let at = 2; at < count; at++) out[at] = codes[at] - FIRST_ACTION;
        return count;
      },
    };
  },
  formatView: viewOfHistory({ start: () => new KuhnState(), formatAction }, othersDeal),
};
