import { countBits, lowestBit } from "../../base/hashing.ts";
import type { ExactValues, FeatureSet, Heuristic } from "../contract/facets.ts";
import type { Pack } from "../shared/cards.ts";
import { DoubleDummy } from "./double-dummy.ts";
import { type BridgeState, DUMMY, OWN_SEATS } from "./state.ts";

/** Keeps estimates strictly inside the range of returns. */
const INSIDE = 0.99;

/** The tricks so far, and the rest shared by the strength of both sides: of each card, the share of the others' cards that it beats. */
export function strength({ suits, hand }: Pack, trumps: number): Heuristic<BridgeState> {
  const sides = new Float64Array(2);
  return {
    summary: "tricks taken, and the rest, shared by how many cards of the other side each card beats",
    evaluate(state, player) {
      const { hands, tricks, plays } = state;
      sides.fill(0);
      for (let side = 0; side < 2; side++) {
        const ranksOf = (whose: number, suit: number) =>
          hands[4 * whose + suit]! | hands[4 * whose + 8 + suit]!;
        let others = 0;
        for (let suit = 0; suit < suits; suit++) others += countBits(ranksOf(1 - side, suit));
        for (let suit = 0; suit < suits; suit++) {
          const against = ranksOf(1 - side, suit);
          const count = countBits(against);
          for (let rest = ranksOf(side, suit); rest !== 0; rest &= rest - 1) {
            const lower = countBits(against & ((1 << lowestBit(rest)) - 1));
            sides[side]! +=
              suit === trumps ? (1 + others - count + lower) / (1 + others) : (1 + lower) / (1 + count);
          }
        }
      }
      const both = sides[0]! + sides[1]!;
      const share = both === 0 ? 1 / 2 : sides[0]! / both;
      const lead = INSIDE * (2 * (tricks + (hand - (plays >> 2)) * share) - hand);
      return player === 0 ? lead : lead / -2;
    },
  };
}

/** Larger hands take the solver seconds. */
const SOLVED = 8;

/** The result of best play with all hands open, as far as it is found fast. */
export function doubleDummy(pack: Pack, trumps: number): Heuristic<BridgeState> {
  const { hand } = pack;
  const estimate = strength(pack, trumps);
  let solver: DoubleDummy | undefined;
  let [low, high, tricks] = [0, 0, -1];
  return {
    summary: `double-dummy: best play with all hands open, from ${SOLVED} cards a hand on; before, strength`,
    evaluate(state, player) {
      if (state.seat < 0 || hand - (state.plays >> 2) > SOLVED) return estimate.evaluate(state, player);
      // One position is evaluated for each player in turn.
      if (tricks < 0 || state.hashLow !== low || state.hashHigh !== high) {
        solver ??= new DoubleDummy(pack, trumps);
        tricks = state.tricks + solver.solve(state);
        low = state.hashLow;
        high = state.hashHigh;
      }
      const lead = INSIDE * (2 * tricks - hand);
      return player === 0 ? lead : lead / -2;
    },
  };
}

const KINDS = ["own", "dummy's", "hidden"] as const;

/** What the player knows: its cards, those of dummy once they are shown, the cards that others hold, and the lead in tricks. */
export function knowledge(pack: Pack): FeatureSet<BridgeState> {
  const { size, ranks, suits, hand } = pack;
  return {
    summary: "own cards, dummy's cards and hidden cards; the lead in tricks",
    version: 1,
    size: 3 * size + 1,
    maxActive: size + 1,
    extract({ hands, plays, tricks }, player, index, value) {
      let count = 0;
      for (let seat = 0; seat < 4; seat++) {
        const kind = seat === OWN_SEATS[player] ? 0 : seat === DUMMY && plays > 0 ? 1 : 2;
        for (let suit = 0; suit < suits; suit++)
          for (let rest = hands[4 * seat + suit]!; rest !== 0; rest &= rest - 1) {
            index[count] = kind * size + suit * ranks + lowestBit(rest);
            value[count++] = 1;
          }
      }
      const lead = 2 * tricks - (plays >> 2);
      if (lead !== 0) {
        index[count] = 3 * size;
        value[count++] = (player === 0 ? lead : -lead) / hand;
      }
      return count;
    },
    describe: (index) =>
      index === 3 * size
        ? "lead in tricks"
        : `${KINDS[Math.floor(index / size)]} ${pack.cardName(index % size)}`,
  };
}

/** Solves double dummy, with all hands open; slow with many cards. */
export function createSolver(pack: Pack, trumps: number): ExactValues<BridgeState> {
  const solver = new DoubleDummy(pack, trumps);
  return {
    value(state, player) {
      const lead = 2 * (state.tricks + solver.solve(state)) - pack.hand;
      return player === 0 ? lead : lead / -2;
    },
  };
}
