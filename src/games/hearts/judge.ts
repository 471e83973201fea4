import { countBits, lowestBit } from "../../base/hashing.ts";
import type { FeatureSet, Heuristic } from "../contract/facets.ts";
import { TERMINAL } from "../contract/rules.ts";
import type { Pack } from "../shared/cards.ts";
import type { HeartsState } from "./state.ts";

/** Keeps estimates strictly inside the range of returns. */
const INSIDE = 0.99;

/**
 * Points so far, the trick on the table for the player who takes it, and the rest shared by the danger of the hands. The danger
 * of a card is the share of lower cards among the others' cards of its suit.
 * @param least the lowest return
 */
export function danger({ suits }: Pack, least: number): Heuristic<HeartsState> {
  const dangers = new Float64Array(4);
  return {
    summary: "points taken, and points to come, shared by how many lower cards others hold below each card",
    evaluate(state, player) {
      const { hands, points, total, worth, cards, seats, plays, takingPlay } = state;
      if (state.toMove === TERMINAL) return INSIDE * state.returns(player);
      let sum = 0;
      dangers.fill(0);
      for (let suit = 0; suit < suits; suit++) {
        const all = hands[suit]! | hands[4 + suit]! | hands[8 + suit]! | hands[12 + suit]!;
        for (let seat = 0; seat < 4; seat++) {
          const own = hands[4 * seat + suit]!;
          const others = all ^ own;
          const count = countBits(others);
          for (let rest = own; rest !== 0; rest &= rest - 1) {
            const lower = countBits(others & ((1 << lowestBit(rest)) - 1));
            const share = (1 + lower) / (1 + count);
            dangers[seat]! += share;
            sum += share;
          }
        }
      }
      let taken = 0;
      for (let seat = 0; seat < 4; seat++) taken += points[seat]!;
      let own = points[player]!;
      if (takingPlay >= 0) {
        let inTrick = 0;
        for (let at = plays - (plays % 4); at < plays; at++) inTrick += worth[cards[at]!]!;
        taken += inTrick;
        if (seats[takingPlay] === player) own += inTrick;
      }
      const share = sum === 0 ? 1 / 4 : dangers[player]! / sum;
      return INSIDE * Math.max(least, total / 4 - own - (total - taken) * share);
    },
  };
}

const WHOSE = ["own", "left", "opposite", "right"] as const;

/**
 * What the player knows: its cards, the cards that others hold, the points that each has taken, who takes the points in the trick,
 * and whether one player has all points so far.
 */
export function knowledge(pack: Pack): FeatureSet<HeartsState> {
  const { size, ranks, suits } = pack;
  const points = 2 * size;
  return {
    summary:
      "own and unseen cards; points taken, in the trick, and all of them with one player, by seat from one's own",
    version: 1,
    size: points + 12,
    maxActive: size + 12,
    extract(state, player, index, value) {
      const { hands, total, worth, cards, seats, plays, takingPlay } = state;
      let count = 0;
      const add = (feature: number, amount: number) => {
        if (amount === 0) return;
        index[count] = feature;
        value[count++] = amount;
      };
      for (let suit = 0; suit < suits; suit++) {
        const own = hands[4 * player + suit]!;
        const all = hands[suit]! | hands[4 + suit]! | hands[8 + suit]! | hands[12 + suit]!;
        for (let rest = own; rest !== 0; rest &= rest - 1) add(suit * ranks + lowestBit(rest), 1);
        for (let rest = all ^ own; rest !== 0; rest &= rest - 1)
          add(size + suit * ranks + lowestBit(rest), 1);
      }
      let taken = 0;
      for (let seat = 0; seat < 4; seat++) taken += state.points[seat]!;
      let inTrick = 0;
      for (let at = plays - (plays % 4); at < plays; at++) inTrick += worth[cards[at]!]!;
      for (let from = 0; from < 4; from++) {
        const seat = (player + from) % 4;
        add(points + from, state.points[seat]! / total);
        add(points + 4 + from, takingPlay >= 0 && seats[takingPlay] === seat ? inTrick / total : 0);
        add(points + 8 + from, taken > 0 && state.points[seat] === taken ? 1 : 0);
      }
      return count;
    },
    describe(index) {
      if (index < points) return `${index < size ? "own" : "unseen"} ${pack.cardName(index % size)}`;
      const kind = ["points", "points in the trick", "all points so far"][Math.floor((index - points) / 4)]!;
      return `${WHOSE[(index - points) % 4]!}: ${kind}`;
    },
  };
}
