import type { Picture, Shape } from "../contract/picture.ts";
import { TERMINAL } from "../contract/rules.ts";
import { areaAround, circle, label, middleOf, playerDisc, rect } from "../shared/shapes.ts";
import { COUNT_BITS, COUNT_MASK, type NimState } from "./state.ts";

/** The most counters in one column; a larger pile has several columns. */
const MOST_HIGH = 12;
/** The space between piles. */
const GAP = 0.6;
const NARROWEST = 7;
const RADIUS = 0.42;

/** Piles of counters. A touched counter is taken with all above it and with the columns to its right. */
export function createPicture(piles: readonly number[], misere: boolean): Picture<NimState> {
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
