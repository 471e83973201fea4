import { PLAYER_PAINTS, type Paint, type Painted, type Place, type Shape } from "../contract/picture.ts";

/* Shapes that the pictures of several games share. */

/** The colour of a text on a player's colour: the second blue is too dark for black. */
function paintOn(player: number): Paint {
  return player === 2 ? "hole" : "black";
}

export interface Spot {
  readonly x: number;
  readonly y: number;
}

/** An upright rectangle; the spot is its upper left corner. */
type Area = Spot & Pick<Place, "w" | "h">;

/** A rectangle; `round` is the radius of its corners. */
export function rect({ x, y, w, h }: Area, painted: Painted & { readonly round?: number }): Shape {
  return { kind: "rect", x, y, w, h, ...painted };
}

/** A circle around a spot. */
export function circle({ x, y }: Spot, r: number, painted: Painted): Shape {
  return { kind: "circle", x, y, r, ...painted };
}

/** A path in SVG's path data, with the spot as its origin. See Shape for `upright`. */
export function path(d: string, { x, y }: Spot, painted: Painted & { readonly upright?: number }): Shape {
  return { kind: "path", d, x, y, ...painted };
}

/** The area of a size around a spot. */
export function areaAround({ x, y }: Spot, w: number, h: number): Area {
  return { x: x - w / 2, y: y - h / 2, w, h };
}

/** The middle of an area. */
export function middleOf({ x, y, w, h }: Area): Spot {
  return { x: x + w / 2, y: y + h / 2 };
}

/** A text centred at a spot. */
export function label(
  { x, y }: Spot,
  text: string,
  {
    size,
    fill = "ink",
    bold = false,
  }: { readonly size: number; readonly fill?: Paint; readonly bold?: boolean },
): Shape {
  return { kind: "text", x, y, text, size, fill, ...(bold && { bold }) };
}

/** A disc of the player's colour with a text, which tells players apart without colours. */
export function playerDisc(
  { x, y, r }: Spot & { readonly r: number },
  player: number,
  text = String(player + 1),
): Shape[] {
  return [
    circle({ x, y }, r, { fill: PLAYER_PAINTS[player]!, stroke: "edge", width: 0.1 * r }),
    label({ x, y }, text, { size: 1.35 * r, fill: paintOn(player), bold: true }),
  ];
}

/** A triangle around a spot; `turn` is 0 where it points up, 1 right, 2 down, 3 left. */
export function trianglePoints({ x, y }: Spot, size: number, turn: number): number[] {
  const corners = [
    [0, -0.5],
    [0.5, 0.4],
    [-0.5, 0.4],
  ] as const;
  return corners.flatMap(([across, down]) => {
    const turned = [
      [across, down],
      [-down, across],
      [-across, -down],
      [down, -across],
    ][turn]!;
    return [x + size * turned[0]!, y + size * turned[1]!];
  });
}

/** By face: the nine places of a die row by row from the top, with an x for each pip. */
const PIPS = ["", "....x", "x.......x", "x...x...x", "x.x...x.x", "x.x.x.x.x", "x.xx.xx.x"] as const;

/** A die around a spot; with the face 0 it is still to be thrown. */
export function die(
  { x, y, size }: Spot & { readonly size: number },
  face: number,
  { fill = "white", pips = "black" }: { readonly fill?: Paint; readonly pips?: Paint } = {},
): Shape[] {
  const body = rect(areaAround({ x, y }, size, size), {
    round: 0.18 * size,
    fill,
    stroke: "edge",
    width: 0.05 * size,
  });
  if (face === 0) return [body, label({ x, y }, "?", { size: 0.7 * size, fill: pips, bold: true })];
  return [
    body,
    ...Array.from(PIPS[face]!).flatMap((sign, place) => {
      if (sign === ".") return [];
      const [right, below] = [(place % 3) - 1, Math.floor(place / 3) - 1];
      const spot = { x: x + 0.26 * size * right, y: y + 0.26 * size * below };
      return [circle(spot, 0.1 * size, { fill: pips })];
    }),
  ];
}
