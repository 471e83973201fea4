import { numberedRows } from "../../game/grid.ts";
import type { Picture, Shape } from "../../game/picture.ts";
import { squarePlaces } from "../../game/square-picture.ts";
import { formatCell } from "./notation.ts";
import type { TicTacToeState } from "./state.ts";

const SIZE = 3;

const rule = (x: number, y: number, w: number, h: number): Shape => ({
  kind: "rect",
  x,
  y,
  w,
  h,
  fill: "line",
});

/** Crosses and rings. */
export const picture: Picture<TicTacToeState> = {
  width: SIZE,
  height: SIZE,
  ground: [
    { kind: "rect", x: 0, y: 0, w: SIZE, h: SIZE, round: 0.1, fill: "board" },
    ...[1, 2].flatMap((at) => [
      rule(at - 0.02, 0.1, 0.04, SIZE - 0.2),
      rule(0.1, at - 0.02, SIZE - 0.2, 0.04),
    ]),
  ],
  places: squarePlaces(numberedRows(SIZE, SIZE), formatCell),
  draw(state) {
    const shapes: Shape[] = [];
    for (let cell = 0; cell < SIZE * SIZE; cell++) {
      const [x, y] = [cell % SIZE, Math.floor(cell / SIZE)];
      if (((state.first >>> cell) & 1) === 1)
        shapes.push({
          kind: "path",
          d: "M.25 .25 .75 .75M.75 .25 .25 .75",
          x,
          y,
          stroke: "player0",
          width: 0.14,
        });
      if (((state.second >>> cell) & 1) === 1)
        shapes.push({ kind: "circle", x: x + 0.5, y: y + 0.5, r: 0.28, stroke: "player2", width: 0.14 });
    }
    return shapes;
  },
  describe(state, cell) {
    return ((state.first >>> cell) & 1) === 1 ? "x" : ((state.second >>> cell) & 1) === 1 ? "o" : "";
  },
  touches: (_, cell) => [cell],
};
