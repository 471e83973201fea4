import { z } from "zod";
import type { Facets } from "../contract/facets.ts";
import { defineGame } from "../contract/game.ts";
import { type Rules, TERMINAL } from "../contract/rules.ts";
import { distance, progressFeatures } from "./judge.ts";
import { formatAction, formatState, parseAction, parseState, render, MEN, roundOf } from "./text.ts";
import { createSeating, PLAYER_COUNTS, type Seating, createStar, MAX_SIDE, POINTS } from "./star.ts";
import { ChineseCheckersState, EMPTY, PASS } from "./state.ts";
import { PLAYER_PAINTS, type Picture, type Shape } from "../contract/picture.ts";
import { circle, label, playerDisc } from "../shared/shapes.ts";
import { FROM_SHIFT, TO_MASK } from "./moves.ts";

const options = z.strictObject({
  players: z.literal(PLAYER_COUNTS).default(2).describe("number of players, who take turns clockwise"),
  side: z
    .int()
    .min(2)
    .max(MAX_SIDE)
    .default(MAX_SIDE)
    .describe("cells along a side of a point: 4 for 10 men on 121 cells, 3 for 6 on 73, 2 for 3 on 37"),
  maxRounds: z
    .int()
    .min(1)
    .max(1000)
    .default(100)
    .describe("moves of each player after which the game ends, ranked by the steps left"),
});

/**
 * Chinese checkers (Stern-Halma 1892): bring all men to the opposite point of the star, by steps and
 * chains of jumps. An action is `128 * from + to`, with cells counted from 0 in reading order; 0 is the
 * pass of a player who has no move.
 *
 * A player wins as soon as the target is full and at least one man in it is the player's own. Otherwise
 * one man left at home could keep the opponent from winning for ever. The game ends with a winner, or
 * after `maxRounds`. All players but the winner are ranked by the steps that they have left, so that
 * playing on without end never pays. Returns go down in equal parts from +1 for the first to -1 for the
 * last; equal players share. A man may stop in any point of the star, and may leave the target.
 */
export const chineseCheckers = defineGame({
  id: "chinese-checkers",
  summary: "step and jump across the star; the first to fill the opposite point wins",
  options,
  rules({ players, side, maxRounds }): Rules<ChineseCheckersState> {
    const star = createStar(side);
    const seating = createSeating(star, players, maxRounds);
    return {
      players,
      maxActions: seating.maxActions,
      maxPlies: players * maxRounds,
      start: () => new ChineseCheckersState(seating),
      formatAction: (action) => formatAction(action, star),
      parseAction(text, state) {
        return parseAction(this, text, state);
      },
      formatState,
      parseState: (text) => parseState(text, seating),
      render,
      pieces: Array.from(MEN).slice(0, players),
    };
  },
  facets({ players, side, maxRounds }): Facets<ChineseCheckersState> {
    const seating = createSeating(createStar(side), players, maxRounds);
    return {
      featureSets: { progress: progressFeatures(seating) },
      heuristics: { distance: distance(seating) },
      picture: createPicture(seating),
    };
  },
});

/** The distance of two rows, when neighbouring cells are one unit apart. */
const ROW = Math.sqrt(3) / 2;
/** The distance from the middle of an outermost cell to the edge. */
const RIM = 1;

/** The star, its points tinted in the colours of the players who start there; men have a colour and a letter. */
function createPicture(seating: Seating): Picture<ChineseCheckersState> {
  const { star, homes, maxRounds } = seating;
  const rowOf = Array.from({ length: star.cells }, (_, cell) =>
    star.rows.findIndex((row) => row.includes(cell)),
  );
  const widest = Math.max(...star.rows.map((row) => row.length));
  const width = widest - 1 + 2 * RIM;
  const height = (star.rows.length - 1) * ROW + 2 * RIM;
  const middle = { x: width / 2, y: height / 2 };
  const spots = rowOf.map((row, cell) => ({ x: middle.x + star.offset[cell] / 2, y: RIM + row * ROW }));
  const tips = star.points.map(([tip]) => spots[tip!]!);
  /** A spot moved away from the middle by a length. */
  const outwards = ({ x, y }: { x: number; y: number }, by: number) => {
    const [right, below] = [x - middle.x, y - middle.y];
    const length = Math.hypot(right, below);
    return [middle.x + (right * (length + by)) / length, middle.y + (below * (length + by)) / length];
  };
  // The corners between two points of the star.
  const notches = tips.map((tip, point) => {
    const next = tips[(point + 1) % POINTS]!;
    return {
      x: middle.x + (tip.x + next.x - 2 * middle.x) / 3,
      y: middle.y + (tip.y + next.y - 2 * middle.y) / 3,
    };
  });
  const outline = tips.flatMap((tip, point) => [...outwards(tip, 1), ...outwards(notches[point]!, 0.6)]);
  const tinted = homes.map((home, player): Shape => {
    const before = notches[(home + POINTS - 1) % POINTS]!;
    return {
      kind: "polygon",
      points: [...outwards(tips[home]!, 1), ...outwards(notches[home]!, 0.6), ...outwards(before, 0.6)],
      fill: PLAYER_PAINTS[player]!,
      opacity: 0.35,
    };
  });
  const corner = { left: 0.14 * width, right: 0.86 * width };

  return {
    width,
    height,
    ground: [
      { kind: "polygon", points: outline, fill: "board", stroke: "line", width: 0.06 },
      ...tinted,
      ...spots.map((spot) => circle(spot, 0.3, { fill: "hole", stroke: "line", width: 0.04 })),
    ],
    places: spots.map(({ x, y }, cell) => ({
      name: star.names[cell]!,
      x: x - 0.5,
      y: y - 0.5,
      w: 1,
      h: 1,
      isRound: true,
    })),
    draw(state) {
      const { cells, turn, winner, toMove } = state;
      const men = spots.flatMap((spot, cell) => {
        const owner = cells[cell];
        return owner === EMPTY ? [] : playerDisc({ ...spot, r: 0.42 }, owner - 1, MEN[owner - 1]);
      });
      const isOver = toMove === TERMINAL;
      const shown = winner >= 0 ? winner : turn;
      const said = winner >= 0 ? "has won" : isOver ? "over" : "to move";
      const size = 0.042 * width;
      const who =
        isOver && winner < 0 ? [] : playerDisc({ x: corner.left, y: 1.2 * size, r: size }, shown, MEN[shown]);
      const round = Math.min(roundOf(state), maxRounds);
      return [
        ...men,
        ...who,
        label({ x: corner.left, y: 3 * size }, said, { size, bold: true }),
        label({ x: corner.right, y: 1.2 * size }, "round", { size }),
        label({ x: corner.right, y: 2.5 * size }, `${round} of ${maxRounds}`, { size }),
      ];
    },
    describe({ cells }, cell) {
      const owner = cells[cell];
      return owner === EMPTY ? "" : `man of ${MEN[owner - 1]}`;
    },
    // All ways of one man to one cell are a single action.
    touches: (_, action) => (action === PASS ? [] : [action >> FROM_SHIFT, action & TO_MASK]),
  };
}
