import { z } from "zod";
import { InputError } from "../../base/errors.ts";
import type { Facets } from "../contract/facets.ts";
import { defineGame } from "../contract/game.ts";
import { type Rules, TERMINAL } from "../contract/rules.ts";
import { parityFeatures, exact, perfect, solved } from "./judge.ts";
import { COUNT_BITS, MAX_COUNTERS, MAX_PILES, MAX_PLAYERS, NimState, COUNT_MASK } from "./state.ts";
import type { Picture, Shape } from "../contract/picture.ts";
import { areaAround, circle, label, middleOf, playerDisc, rect } from "../shared/shapes.ts";

const options = z.strictObject({
  piles: z
    .array(z.int().min(1).max(MAX_COUNTERS))
    .min(1)
    .max(MAX_PILES)
    .default([3, 5, 7])
    .describe("counters in each pile"),
  players: z.int().min(2).max(MAX_PLAYERS).default(2).describe("number of players, who take turns"),
  misere: z.boolean().default(false).describe("true if taking the last counter loses instead of wins"),
});

/**
 * Nim (Bouton 1902): take any number of counters from one pile. An action is `256 * pile + counters` with
 * piles counted from 0; `1-3` takes three counters from the first pile. In normal play the player who
 * takes the last counter gets +1, and each other player gets -1 / (players - 1). In misere nim all signs
 * are opposite.
 */
export const nim = defineGame({
  id: "nim",
  summary: "take counters from one pile; the last counter wins, or loses (misere)",
  options,
  rules({ piles, players, misere }): Rules<NimState> {
    const counters = piles.reduce((sum, pile) => sum + pile, 0);
    const share = 1 / (players - 1);
    return {
      players,
      minReturn: misere ? -1 : -share,
      maxReturn: misere ? share : 1,
      maxActions: counters,
      maxPlies: counters,
      start: () => new NimState(piles, players, misere),
      formatAction: (action) => `${(action >> COUNT_BITS) + 1}-${action & MAX_COUNTERS}`,
      formatState: (state) => `${state.piles.join(",")} ${state.turn}`,
      parseState: (text) => parseState(text, { piles, players, misere }),
      render,
    };
  },
  facets({ piles, players, misere }, { maxActions: counters }): Facets<NimState> {
    return {
      featureSets: { parity: parityFeatures(players) },
      heuristics: { exact },
      // Bouton's rule is for two.
      policies: players === 2 ? { perfect: perfect(counters) } : {},
      policyHead: {
        version: 1,
        size: piles.length * counters,
        index: (action) => (action >> COUNT_BITS) * counters + (action & COUNT_MASK) - 1,
      },
      solver: players === 2 ? () => solved : undefined,
      picture: createPicture(piles, misere),
    };
  },
});

/** Reads the piles and the player whose turn it is: `3,5,7 0`; the first player when none is named. */
function parseState(text: string, { piles, players, misere }: z.output<typeof options>): NimState {
  const [left = "", turn = "0", ...rest] = text.trim().split(/\s+/);
  const counters = left.split(",").map((pile) => (/^\d+$/.test(pile) ? Number(pile) : -1));
  if (rest.length > 0 || counters.includes(-1)) {
    throw new InputError(
      `"${text}" is not of the form "3,5,7 0": counters left in each pile, player to move`,
    );
  }
  if (counters.length !== piles.length || counters.some((count, pile) => count > piles[pile]!)) {
    throw new InputError(`"${text}" cannot come from piles of ${piles.join(",")}`);
  }
  if (!/^\d$/.test(turn) || Number(turn) >= players) {
    throw new InputError(`"${turn}" in "${text}" is not a player; allowed: 0 to ${players - 1}`);
  }
  const state = new NimState(piles, players, misere);
  state.place(counters, Number(turn));
  return state;
}

function render({ piles, left, turn }: NimState): string {
  const rows = Array.from(piles, (count, pile) => `${pile + 1}: ${"|".repeat(count)} ${count}`);
  return [...rows, `player ${turn + 1} ${left === 0 ? "cannot move" : "to move"}`].join("\n");
}

/** The most counters in one column; a larger pile has several columns. */
const MOST_HIGH = 12;
/** The space between piles. */
const GAP = 0.6;
const NARROWEST = 7;
const RADIUS = 0.42;

/** Piles of counters. A touched counter is taken with all above it and with the columns to its right. */
function createPicture(piles: readonly number[], misere: boolean): Picture<NimState> {
  const most = Math.max(...piles);
  const high = most <= MOST_HIGH ? most : Math.max(MOST_HIGH, Math.ceil(Math.sqrt(most)));
  const widths = piles.map((counters) => Math.ceil(counters / high));
  const taken = widths.reduce((sum, width) => sum + width + GAP, GAP);
  const width = Math.max(NARROWEST, taken);
  /** Texts grow with the picture's width. */
  const scale = Math.max(1, width / 11);
  const top = 1.1 * scale;
  const height = top + high + 0.75 * scale;
  /** By pile: its left edge, and the place of its lowest counter. */
  const starts: number[] = [];
  const firsts: number[] = [];
  let [x, first] = [(width - taken) / 2 + GAP, 0];
  piles.forEach((counters, pile) => {
    starts.push(x);
    firsts.push(first);
    x += widths[pile]! + GAP;
    first += counters;
  });
  const spot = (pile: number, counter: number) => ({
    x: starts[pile]! + Math.floor(counter / high),
    y: top + high - 1 - (counter % high),
  });
  const everyCounter = piles.flatMap((counters, pile) =>
    Array.from({ length: counters }, (_, counter) => ({ pile, counter })),
  );
  const middleOfCounter = (pile: number, counter: number) => middleOf({ ...spot(pile, counter), w: 1, h: 1 });
  const pileMiddle = (pile: number) => starts[pile]! + widths[pile]! / 2;

  return {
    width,
    height,
    ground: [
      ...piles.map((_, pile) => {
        const foot = areaAround({ x: pileMiddle(pile), y: top + high + 0.075 }, widths[pile]! + 0.3, 0.07);
        return rect(foot, { round: 0.03, fill: "line" });
      }),
      ...everyCounter.map(({ pile, counter }) =>
        circle(middleOfCounter(pile, counter), RADIUS, { stroke: "faint", width: 0.03, opacity: 0.5 }),
      ),
      label({ x: width - 1.75 * scale, y: 0.5 * scale }, `last one ${misere ? "loses" : "wins"}`, {
        size: 0.4 * scale,
        fill: "faint",
      }),
    ],
    places: everyCounter.map(({ pile, counter }) => ({
      name: `counter ${counter + 1} of pile ${pile + 1}`,
      ...spot(pile, counter),
      w: 1,
      h: 1,
      isRound: true,
    })),
    draw({ piles: left, turn, toMove, players }) {
      const isOver = toMove === TERMINAL;
      const last = (turn + players - 1) % players;
      const shown = isOver ? last : turn;
      return [
        ...everyCounter.flatMap(({ pile, counter }): Shape[] =>
          counter < left[pile]!
            ? [circle(middleOfCounter(pile, counter), RADIUS, { fill: "dark", stroke: "edge", width: 0.05 })]
            : [],
        ),
        ...Array.from(left, (count, pile) =>
          label({ x: pileMiddle(pile), y: top + high + 0.45 * scale }, String(count), {
            size: 0.5 * scale,
            bold: true,
          }),
        ),
        ...playerDisc({ x: 0.55 * scale, y: 0.5 * scale, r: 0.38 * scale }, shown),
        label({ x: 2.1 * scale, y: 0.5 * scale }, isOver ? `has ${misere ? "lost" : "won"}` : "to move", {
          size: 0.45 * scale,
          bold: true,
        }),
      ];
    },
    describe: ({ piles: left }, place) => {
      const { pile, counter } = everyCounter[place]!;
      return counter < left[pile]! ? "counter" : "";
    },
    touches({ piles: left }, action) {
      const pile = action >> COUNT_BITS;
      return [firsts[pile]! + left[pile]! - (action & COUNT_MASK)];
    },
  };
}
