import type { Shape } from "./picture.ts";

/* Shapes that the pictures of several games share. */

/** The name of a role; see `PAINTS`. */
export type Paint = NonNullable<Shape["fill"]>;

/** By player, where a game has up to six. */
export const PLAYER_PAINTS = ["player0", "player1", "player2", "player3", "player4", "player5"] as const;

/** What can be read on a player's colour: the second blue is too dark for black. */
function paintOn(player: number): Paint {
  return player === 2 ? "hole" : "black";
}

interface Spot {
  readonly x: number;
  readonly y: number;
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
    { kind: "circle", x, y, r, fill: PLAYER_PAINTS[player]!, stroke: "edge", width: 0.1 * r },
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

/** By face: where its pips are, in quarters of the die to the right of its middle and below it. */
const PIPS: Readonly<Record<number, readonly (readonly [right: number, below: number])[]>> = {
  1: [[0, 0]],
  2: [
    [-1, -1],
    [1, 1],
  ],
  3: [
    [-1, -1],
    [0, 0],
    [1, 1],
  ],
  4: [
    [-1, -1],
    [1, -1],
    [-1, 1],
    [1, 1],
  ],
  5: [
    [-1, -1],
    [1, -1],
    [0, 0],
    [-1, 1],
    [1, 1],
  ],
  6: [
    [-1, -1],
    [1, -1],
    [-1, 0],
    [1, 0],
    [-1, 1],
    [1, 1],
  ],
};

/** A die around a spot; with the face 0 it is still to be thrown. */
export function die(
  { x, y, size }: Spot & { readonly size: number },
  face: number,
  { fill = "white", pips = "black" }: { readonly fill?: Paint; readonly pips?: Paint } = {},
): Shape[] {
  const body: Shape = {
    kind: "rect",
    x: x - size / 2,
    y: y - size / 2,
    w: size,
    h: size,
    round: 0.18 * size,
    fill,
    stroke: "edge",
    width: 0.05 * size,
  };
  if (face === 0) return [body, label({ x, y }, "?", { size: 0.7 * size, fill: pips, bold: true })];
  return [
    body,
    ...PIPS[face]!.map(([right, below]): Shape => {
      return {
        kind: "circle",
        x: x + 0.26 * size * right,
        y: y + 0.26 * size * below,
        r: 0.1 * size,
        fill: pips,
      };
    }),
  ];
}
