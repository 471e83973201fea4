import { z } from "zod";
import type { Facets } from "../contract/facets.ts";
import { defineGame } from "../contract/game.ts";
import type { Paint, Picture, Shape } from "../contract/picture.ts";
import type { Rules } from "../contract/rules.ts";
import { areaAround, circle, label, playerDisc } from "../shared/shapes.ts";
import { MAX_ARMIES } from "./battle.ts";
import { holdingsFeatures, strength } from "./judge.ts";
import { MAPS } from "./maps.ts";
import {
  ACCEPT,
  ALLY,
  BREAK,
  type ConquestRules,
  ConquestState,
  DECLINE,
  END,
  PLACE,
  REGION_BITS,
  REGION_MASK,
} from "./state.ts";
import { alliancesOf, describeTurn, formatAction, formatState, LETTERS, parseState, render } from "./text.ts";

const MAX_PLAYERS = 6;

const options = z.strictObject({
  players: z.int().min(3).max(MAX_PLAYERS).default(3).describe("number of players, who take turns"),
  map: z
    .enum(["tiny", "small", "large"])
    .default("small")
    .describe("the map: tiny, 6 regions; small, 12 in 4 continents; large, 40 in 6 continents"),
  armies: z.int().min(1).max(5).default(2).describe("armies of each region at the start"),
  maxArmies: z
    .int()
    .min(5)
    .max(MAX_ARMIES)
    .default(12)
    .describe("the most armies of a region; what is beyond is lost"),
  placements: z
    .int()
    .min(1)
    .max(5)
    .default(2)
    .describe("actions in which the armies of a turn are placed, in equal parts"),
  battles: z
    .enum(["dice", "decided", "exchange"])
    .default("dice")
    .describe(
      "an attack: dice, one throw; decided, throws until one side is gone; exchange, one for one, no chance",
    ),
  maxRounds: z
    .int()
    .min(1)
    .max(1000)
    .default(20)
    .describe("turns of each player after which the game ends and regions count"),
  alliances: z.boolean().default(true).describe("true if players may offer alliances"),
  allianceRounds: z
    .int()
    .min(0)
    .max(1000)
    .default(3)
    .describe("rounds after which an alliance ends; 0 for never"),
  breakPrice: z
    .int()
    .min(0)
    .max(MAX_ARMIES)
    .default(2)
    .describe("armies to place that breaking an alliance costs"),
  score: z
    .enum(["rank", "share"])
    .default("rank")
    .describe("the return: rank, the others behind less those ahead; share, by the share of regions"),
});

/** The kind of an action about alliances, in the order of `deeds`; -1 for all others. */
function kindOfTalk(action: number): number {
  if (action < ALLY) return -1;
  if (action === ACCEPT) return 1;
  return action === DECLINE ? 2 : action < BREAK ? 0 : 3;
}

/**
 * Conquest: place armies, attack neighbours by dice, march once, and offer alliances, which hold attacks off. A player
 * with all regions wins; after `maxRounds` regions count. The actions are in `state.ts`.
 */
export const conquest = defineGame({
  id: "conquest",
  summary: "place armies, attack by dice, make and break alliances; more regions win",
  options,
  rules(variant): Rules<ConquestState> {
    const rules = rulesOf(variant);
    const { players, map, maxArmies, maxRounds, placements, score } = rules;
    const regions = map.names.length;
    const borders = map.neighbours.reduce((sum, { length }) => sum + length, 0);
    return {
      players,
      chance: rules.battles !== "exchange",
      minReturn: score === "rank" ? -1 : -1 / (players - 1),
      maxActions: Math.max(borders + 1, 2 * maxArmies) + players,
      // An offer, its answer, placements, the end, and attacks, each of which costs an army.
      maxPlies: players * maxRounds * (3 + placements + regions * maxArmies),
      start: () => new ConquestState(rules),
      formatAction,
      formatState,
      parseState: (text) => parseState(text, rules),
      render,
    };
  },
  facets(variant): Facets<ConquestState> {
    const rules = rulesOf(variant);
    return {
      featureSets: { holdings: holdingsFeatures(rules) },
      heuristics: { strength },
      deeds: { kinds: ["offers", "accepts", "declines", "breaks"], kindOf: kindOfTalk },
      picture: createPicture(rules),
    };
  },
});

function rulesOf(variant: z.output<typeof options>): ConquestRules {
  return { ...variant, map: MAPS[variant.map] };
}

/** The grounds of continents, in their order. */
const GROUNDS: readonly Paint[] = ["light", "wood", "felt", "frame", "dark", "faint"];
const DISC = 0.46;
const HEADER = 0.7;

/** Regions as discs with owner and armies on the ground of their continent, and lines between neighbours. */
function createPicture({ map }: ConquestRules): Picture<ConquestState> {
  const spots = map.spots.map(({ x, y }) => ({ x, y: y + HEADER }));
  const width = Math.max(...spots.map(({ x }) => x)) + 1;
  const height = Math.max(...spots.map(({ y }) => y)) + 1;
  const lines = map.neighbours.flatMap((borders, from) =>
    Array.from(borders).flatMap((to): Shape[] => {
      const [a, b] = [spots[from]!, spots[to]!];
      if (to < from) return [];
      return [
        { kind: "path", d: `M${a.x} ${a.y}L${b.x} ${b.y}`, stroke: "faint", width: 0.05, opacity: 0.6 },
      ];
    }),
  );
  return {
    width,
    height,
    ground: [
      ...map.continents.flatMap(({ regions }, continent) =>
        regions.map((region) => circle(spots[region]!, 0.9, { fill: GROUNDS[continent]!, opacity: 0.45 })),
      ),
      ...lines,
      ...map.names.map((name, region) => {
        const { x, y } = spots[region]!;
        return label({ x, y: y + 0.68 }, name, { size: 0.3 });
      }),
    ],
    places: map.names.map((name, region) => ({
      name,
      ...areaAround(spots[region]!, 2 * DISC, 2 * DISC),
      isRound: true,
    })),
    draw(state) {
      const said = [describeTurn(state), ...alliancesOf(state)].join("  ");
      return [
        label({ x: width / 2, y: 0.4 }, said, {
          size: Math.min(0.4, (1.7 * width) / said.length),
          bold: true,
        }),
        ...spots.flatMap((spot, region) => {
          const owner = state.ownerOf(region);
          const [disc, text] = playerDisc(
            { ...spot, r: DISC },
            owner,
            `${LETTERS[owner]}${state.armiesOf(region)}`,
          );
          return [disc!, { ...text!, size: 0.4 } as Shape];
        }),
      ];
    },
    describe: (state, region) => `${state.armiesOf(region)} armies of ${LETTERS[state.ownerOf(region)]}`,
    touches(_, action) {
      if (action === END || action >= ALLY) return [];
      return action >= PLACE ? [action - PLACE] : [action >> REGION_BITS, action & REGION_MASK];
    },
  };
}
