import type { FeatureSet, Heuristic } from "../contract/facets.ts";
import { type ConquestRules, type ConquestState, TO_PLACE } from "./state.ts";

/** Keeps estimates strictly within the returns. */
const NEARLY = 0.999;

/**
 * A player's strength is the mean of three shares: of the regions, of the armies and of all players' income. The player on
 * turn has the armies that it still places. Strengths sum to 1, and estimates to zero.
 */
export const strength: Heuristic<ConquestState> = {
  summary: "the mean share of regions, armies and income",
  evaluate(state, player) {
    const { players, map } = state.rules;
    let armies = 0;
    let income = 0;
    for (let other = 0; other < players; other++) {
      armies += armiesOf(state, other);
      income += incomeOf(state, other);
    }
    const share =
      state.regionsOf(player) / map.names.length +
      armiesOf(state, player) / armies +
      incomeOf(state, player) / income;
    return (NEARLY * ((players * share) / 3 - 1)) / (players - 1);
  },
};

/** The armies of a player, with those that it still places. */
function armiesOf(state: ConquestState, player: number): number {
  const regions = state.rules.map.names.length;
  let armies = player === state.turn ? state.slots[TO_PLACE] : 0;
  for (let region = 0; region < regions; region++)
    if (state.ownerOf(region) === player) armies += state.armiesOf(region);
  return armies;
}

function incomeOf(state: ConquestState, player: number): number {
  return state.regionsOf(player) === 0 ? 0 : state.incomeOf(player);
}

const HOLDINGS = [
  "regions",
  "armies",
  "armies on borders",
  "regions on borders",
  "bonus of continents",
  "income",
  "on turn",
  "allied with me",
  "allies",
] as const;
const SIZE = HOLDINGS.length;

/** `holdings`: what each player has, one block of features for each distance in the order of turns. */
export function holdingsFeatures({ players, map }: ConquestRules): FeatureSet<ConquestState> {
  const regions = map.names.length;
  const isOnBorder = (state: ConquestState, region: number): boolean => {
    const owner = state.ownerOf(region);
    const borders = map.neighbours[region]!;
    for (let border = 0; border < borders.length; border++)
      if (state.ownerOf(borders[border]) !== owner) return true;
    return false;
  };
  return {
    summary: "each player's regions, armies, borders, continents, income, turn and alliances",
    version: 1,
    size: players * SIZE,
    maxActive: players * SIZE,
    extract(state, player, index, value) {
      let end = 0;
      const add = (feature: number, amount: number) => {
        if (amount === 0) return;
        index[end] = feature;
        value[end++] = amount;
      };
      for (let distance = 0; distance < players; distance++) {
        const other = (player + distance) % players;
        const first = distance * SIZE;
        let armies = 0;
        let borders = 0;
        for (let region = 0; region < regions; region++) {
          if (state.ownerOf(region) !== other || !isOnBorder(state, region)) continue;
          borders++;
          armies += state.armiesOf(region);
        }
        let allies = 0;
        for (let third = 0; third < players; third++)
          if (third !== other && state.allianceOf(other, third) !== 0) allies++;
        add(first, state.regionsOf(other));
        add(first + 1, armiesOf(state, other));
        add(first + 2, armies);
        add(first + 3, borders);
        add(first + 4, state.bonusOf(other));
        add(first + 5, incomeOf(state, other));
        add(first + 6, other === state.turn ? 1 : 0);
        add(first + 7, distance > 0 && state.allianceOf(player, other) !== 0 ? 1 : 0);
        add(first + 8, allies);
      }
      return end;
    },
    describe(feature) {
      const distance = Math.floor(feature / SIZE);
      const name = HOLDINGS[feature % SIZE]!;
      return distance === 0 ? `own ${name}` : `${distance} seat${distance === 1 ? "" : "s"} on: ${name}`;
    },
  };
}
