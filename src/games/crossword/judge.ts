import type { FeatureSet, Heuristic } from "../contract/facets.ts";
import { squash } from "../shared/score-heuristic.ts";
import { type Form, KINDS, TILE_NAMES } from "./form.ts";
import { lettersOf } from "./lexicon.ts";
import type { CrosswordState } from "./state.ts";

/** The lead that is worth half of what is left to the winner. */
const HALF = 60;

/** The points of a player less those of the best other. */
function leadOf({ scores }: CrosswordState, player: number): number {
  let best = -Infinity;
  for (let other = 0; other < scores.length; other++)
    if (other !== player && scores[other]! > best) best = scores[other]!;
  return scores[player]! - best;
}

/** The points so far. Over all plays, the one with the most points is best. */
export function score({ players }: Form): Heuristic<CrosswordState> {
  return {
    summary: "the lead in points over the best other player; greedy then takes the play with the most points",
    evaluate(state, player) {
      const share = (1 + squash(leadOf(state, player), HALF)) / 2;
      return (players * share - 1) / (players - 1);
    },
  };
}

const VOWELS = lettersOf("aeiou").reduce((set, letter) => set | (1 << letter), 0);

/** Features after the kinds of tiles. */
const MORE = [
  "tiles held twice",
  "vowels less consonants, either way",
  "lead",
  "other to move",
  "points on the own rack, bag empty",
  "points on other racks, bag empty",
] as const;
const [TWICE, BALANCE, LEAD, WAITS, OWN_POINTS, OTHER_POINTS] = MORE.map((_, at) => KINDS + at) as [
  number,
  number,
  number,
  number,
  number,
  number,
];

/** Added to the unseen tiles, so that the scale stays finite at the end. */
const LEAST_UNSEEN = 7;
/** Points that are one unit of the lead. */
const LEAD_UNIT = 5;
/** The unit of tiles: a tile moves the estimate as much as some points do, so that learners give both steps of one size. */
const TILE_UNIT = 1 / 4;

/**
 * The tiles that a player keeps, and the lead. Tiles that it still draws count as the mean of those that it does not see, so that
 * the sum before drawing is the mean of the sums after it. All is divided by the root of the number of unseen tiles: the fewer are
 * left, the less the points to come vary.
 */
export function leave(form: Form): FeatureSet<CrosswordState> {
  const size = KINDS + MORE.length;
  return {
    summary:
      "the tiles on the rack by letter, pairs, balance of vowels, and the lead, by what is still to come",
    version: 1,
    size,
    maxActive: size,
    extract(state, player, index, value) {
      const { racks, bagged, held, toMove } = state;
      let hidden = bagged;
      for (let other = 0; other < form.players; other++) if (other !== player) hidden += held[other]!;
      const scale = 1 / Math.sqrt(hidden + LEAST_UNSEEN);
      let count = 0;
      const add = (feature: number, amount: number) => {
        if (amount === 0) return;
        index[count] = feature;
        value[count++] = amount * scale;
      };
      if (bagged > 0) {
        const missing = Math.max(0, Math.min(form.rack - held[player]!, bagged)) / Math.max(1, hidden);
        let twice = 0;
        let balance = 0;
        for (let kind = 0; kind < KINDS; kind++) {
          const own = racks[player * KINDS + kind]!;
          const expected = missing === 0 ? 0 : missing * state.unseen(player, kind);
          add(kind, (own + expected) / TILE_UNIT);
          if (own > 1) twice += own - 1;
          if (kind < KINDS - 1) balance += ((VOWELS >> kind) & 1) !== 0 ? own : -own;
        }
        add(TWICE, twice / TILE_UNIT);
        add(BALANCE, Math.abs(balance) / TILE_UNIT);
      }
      add(LEAD, leadOf(state, player) / LEAD_UNIT);
      add(WAITS, toMove === player ? 0 : 1);
      if (bagged === 0) {
        let others = 0;
        for (let other = 0; other < form.players; other++)
          if (other !== player) others += state.rackPoints(other);
        add(OWN_POINTS, state.rackPoints(player) / LEAD_UNIT);
        add(OTHER_POINTS, others / LEAD_UNIT);
      }
      return count;
    },
    describe: (index) => (index < KINDS ? `tile ${TILE_NAMES[index]!}` : MORE[index - KINDS]!),
  };
}
