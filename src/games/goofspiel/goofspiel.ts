import { z } from "zod";
import type { Facets, FeatureSet, Heuristic } from "../contract/facets.ts";
import { defineGame } from "../contract/game.ts";
import type { Rules } from "../contract/rules.ts";
import { historyPicture } from "../shared/history-picture.ts";
import { historyNotation } from "../shared/history-state.ts";
import { createPrivacy } from "./privacy.ts";
import { GoofspielState, maxEventsOf } from "./state.ts";

const options = z.strictObject({
  cards: z.int().min(2).max(13).default(13).describe("cards of each player, and prizes"),
});

/** The player's own cards and its lead, which it knows. */
function hand(cards: number): FeatureSet<GoofspielState> {
  const prizes = (cards * (cards + 1)) / 2;
  return {
    summary: "own cards, and the lead in points",
    version: 1,
    size: cards + 1,
    maxActive: cards + 1,
    extract({ hands, lead }, player, index, value) {
      let count = 0;
      for (let card = 0; card < cards; card++) {
        if ((hands[player]! & (1 << card)) === 0) continue;
        index[count] = card;
        value[count++] = 1;
      }
      index[count] = cards;
      value[count++] = (player === 0 ? lead : 0 - lead) / prizes;
      return count;
    },
    describe: (index) => (index === cards ? "lead" : `own ${index + 1}`),
  };
}

function points(cards: number): Heuristic<GoofspielState> {
  const prizes = (cards * (cards + 1)) / 2;
  return {
    summary: "the lead in points",
    evaluate: ({ lead }, player) => (player === 0 ? lead : 0 - lead) / (prizes + 1),
  };
}

function basicRules(cards: number) {
  return {
    maxActions: cards,
    start: () => new GoofspielState(cards),
    formatAction: (card: number) => String(card + 1),
  };
}

/** The other's card as a player knows it: `<5` if the own 5 has won, `?` before both have chosen. */
function rivalCard({ history, events }: GoofspielState, event: number, player: number): string | undefined {
  if (event % 2 === player) return undefined;
  const own = event + 1 - 2 * (event % 2);
  if (own >= events) return "?";
  return `${"<=>"[1 + Math.sign(history[event]! - history[own]!)]}${history[own]! + 1}`;
}

/**
 * Goofspiel, the game of pure strategy (Ross 1971), with hidden bids. Prizes go down to 1. For each, both players choose one of
 * their cards unseen; the higher card wins the prize, and a tie loses it. Players learn who has won, not the card. The last
 * card plays itself. More points win. Actions: the card less 1; player 1 chooses after player 0, without seeing its card.
 */
export const goofspiel = defineGame({
  id: "goofspiel",
  summary: "goofspiel: hidden bids for descending prizes",
  options,
  rules({ cards }): Rules<GoofspielState> {
    const form = basicRules(cards);
    return {
      ...form,
      ...historyNotation<GoofspielState>(form),
      hiddenInformation: true,
      outcomes: [-1, 0, 1],
      maxPlies: maxEventsOf(cards),
      render({ hands, lead, toMove }) {
        const lines = [0, 1].map((player) => {
          const held = Array.from({ length: cards }, (_, card) => card).filter(
            (card) => (hands[player]! & (1 << card)) !== 0,
          );
          const turn = toMove === player ? ", to move" : "";
          return `player ${player + 1}: ${held.map((card) => card + 1).join(" ")}${turn}`;
        });
        return [...lines, `lead of player 1: ${lead}`].join("\n");
      },
    };
  },
  facets: ({ cards }): Facets<GoofspielState> => ({
    featureSets: { hand: hand(cards) },
    heuristics: { points: points(cards) },
    privacy: createPrivacy(cards),
    picture: historyPicture(basicRules(cards), maxEventsOf(cards), rivalCard),
  }),
});
