import { PLAYER_PAINTS, type Picture, type Shape } from "../contract/picture.ts";
import { TERMINAL } from "../contract/rules.ts";
import { circle, label, playerDisc } from "../shared/shapes.ts";
import { FROM_SHIFT, TO_MASK } from "./moves.ts";
import { MEN, roundOf } from "./notation.ts";
import type { Seating } from "./seating.ts";
import { POINTS } from "./star.ts";
import { EMPTY, PASS, type ChineseCheckersState } from "./state.ts";

/** The distance of two rows, when neighbouring cells are one unit apart. */
const ROW = Math.sqrt(3) / 2;
/** The distance from the middle of an outermost cell to the edge. */
const RIM = 1;

/** The star, its points tinted in the colours of the players who start there; men have a colour and a letter. */
export function createPicture(seating: Seating): Picture<ChineseCheckersState> {
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
