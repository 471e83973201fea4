import { z } from "zod";
import type { Facets, FeatureSet, Heuristic } from "../contract/facets.ts";
import { defineGame } from "../contract/game.ts";
import type { Rules } from "../contract/rules.ts";
import { historyNotation } from "../shared/history-state.ts";
import { type Battleship, battleshipOf, hasRoom, WORDS } from "./fleet.ts";
import { drawBoards, formatAction, squareName } from "./notation.ts";
import { createPicture } from "./picture.ts";
import { createPrivacy } from "./privacy.ts";
import { BattleshipState, maxEventsOf } from "./state.ts";

const side = z.int().min(2).max(10).default(10);
const options = z
  .strictObject({
    width: side.describe("columns"),
    height: side.describe("rows"),
    ships: z
      .array(z.int().min(1).max(10))
      .min(1)
      .max(6)
      .default([5, 4, 3, 3, 2])
      .describe("the length of each ship, in the order of placing"),
    shots: z.int().min(1).max(100).optional().describe("shots of each player; as many as squares by default"),
  })
  .refine((given) => hasRoom(battleshipOf(given), new Int32Array(WORDS), 0, 0), {
    path: ["ships"],
    message: "do not fit on the board",
  });

/** Own shots by square and result, and the squares of ships that are left. */
function knowledge({ squares, width, fleet }: Battleship): FeatureSet<BattleshipState> {
  return {
    summary: "own misses and hits by square, and the squares of both fleets that are left",
    version: 1,
    size: 2 * squares + 2,
    maxActive: squares + 2,
    extract({ ships, shots, hits }, player, index, value) {
      const target = (1 - player) * squares;
      let count = 0;
      for (let square = 0; square < squares; square++) {
        if (shots[target + square] === 0) continue;
        index[count] = square + (ships[target + square] === 0 ? 0 : squares);
        value[count++] = 1;
      }
      for (let other = 0; other < 2; other++) {
        index[count] = 2 * squares + other;
        value[count++] = 1 - hits[other === 0 ? 1 - player : player] / fleet;
      }
      return count;
    },
    describe: (index) =>
      index >= 2 * squares
        ? `${index === 2 * squares ? "own" : "other's"} squares left`
        : `${index < squares ? "miss" : "hit"} at ${squareName(index % squares, width)}`,
  };
}

/** In drawn worlds, the mean over worlds after a shot is the probability that it hits. */
function hits({ fleet }: Battleship): Heuristic<BattleshipState> {
  return {
    summary: "the lead in hits; over many worlds, the probability that a shot hits",
    evaluate: (state, player) => (state.hits[player]! - state.hits[1 - player]!) / (fleet + 1),
  };
}

/**
 * Battleship. In turn both players place their ships unseen, one after the other in a fixed order; ships may touch. Then they shoot
 * in turn, each at a square once. A shot misses, hits or sinks; a ship that is sunk is not named. A player whose ships are all
 * sunk has lost. When both have no shots left, more hits win. Actions: a shot is its square; a ship is twice its
 * first square, 1 more if it lies downwards.
 */
export const battleship = defineGame({
  id: "battleship",
  summary: "battleship: hidden fleets, shots in turn",
  options,
  rules(given): Rules<BattleshipState> {
    const form = battleshipOf(given);
    const rules = {
      maxActions: 2 * form.squares,
      start: () => new BattleshipState(form),
      formatAction,
    };
    return {
      ...rules,
      ...historyNotation<BattleshipState>(rules),
      hiddenInformation: true,
      outcomes: [-1, 0, 1],
      maxPlies: maxEventsOf(form),
      render: (state) => drawBoards(state),
    };
  },
  facets(given): Facets<BattleshipState> {
    const form = battleshipOf(given);
    return {
      featureSets: { knowledge: knowledge(form) },
      heuristics: { hits: hits(form) },
      picture: createPicture(form),
      privacy: createPrivacy(form),
    };
  },
});
