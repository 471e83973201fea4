import { escapeText } from "../../base/text.ts";
import type { State } from "./rules.ts";

/*
 * Positions as pictures: shapes by their roles, from which a file is written (`formatPicture`) or a page drawn.
 */

/** The role of a shape; `PAINTS` gives each role its colours. */
export type Paint = keyof typeof PAINTS;

/**
 * The colours of each role on light and on dark ground. Colour-blind people tell them all apart (Okabe and Ito 2008).
 */
export const PAINTS = {
  board: ["#f3ead9", "#3a342b"],
  light: ["#efe6d2", "#b9a888"],
  dark: ["#b8936a", "#7c5c3d"],
  wood: ["#dfb878", "#a9834f"],
  felt: ["#3f8f63", "#2c6647"],
  frame: ["#2f5d8a", "#27496b"],
  hole: ["#f7f7f4", "#16181c"],
  line: ["#4b4436", "#a89c86"],
  ink: ["#1d1f23", "#e8e8e6"],
  faint: ["#736d61", "#8f8a7f"],
  white: ["#fbfaf6", "#f4f1e8"],
  black: ["#26282d", "#14161a"],
  edge: ["#26282d", "#0b0c0e"],
  player0: ["#d55e00", "#e8762a"],
  player1: ["#f0c419", "#f2d04f"],
  player2: ["#0072b2", "#3b9bd8"],
  player3: ["#009e73", "#2cc197"],
  player4: ["#cc79a7", "#dd93bd"],
  player5: ["#56b4e9", "#8accf0"],
  mark: ["#1f78ff", "#6aa8ff"],
} as const satisfies Record<string, readonly [light: string, dark: string]>;

/** The paints of players whose pieces have no colours of their own. */
export const PLAYER_PAINTS = ["player0", "player1", "player2", "player3", "player4", "player5"] as const;

/** The paint of a player's pieces: that of the picture, if it names one. */
export function playerPaint(picture: Pick<Picture, "players"> | undefined, player: number): Paint {
  const own = picture?.players?.[player];
  return own !== undefined && Object.hasOwn(PAINTS, own)
    ? own
    : PLAYER_PAINTS[player % PLAYER_PAINTS.length]!;
}

/** The paint of a shape's inside, its line, or both. */
export interface Painted {
  readonly fill?: Paint;
  readonly stroke?: Paint;
  /** Width of the line in units. [0.04] */
  readonly width?: number;
  /** 0, not seen, to 1. [1] */
  readonly opacity?: number;
}

/** One shape. Lengths are in the picture's units, of which a square of a board is one; y grows downwards. */
export type Shape = Painted &
  (
    | {
        readonly kind: "rect";
        readonly x: number;
        readonly y: number;
        readonly w: number;
        readonly h: number;
        readonly round?: number;
      }
    | { readonly kind: "circle"; readonly x: number; readonly y: number; readonly r: number }
    | { readonly kind: "polygon"; readonly points: readonly number[] }
    /** SVG's path data; `x`, `y` and `scale` place it. */
    | {
        readonly kind: "path";
        readonly d: string;
        readonly x?: number;
        readonly y?: number;
        readonly scale?: number;
        /** The path's own point (upright, upright) about which it stays upright on a board that is turned. Absent: it turns too. */
        readonly upright?: number;
      }
    /** Centred at x, y. */
    | {
        readonly kind: "text";
        readonly x: number;
        readonly y: number;
        readonly text: string;
        readonly size: number;
        readonly bold?: boolean;
      }
  );

/** A place that a person can touch, and that can be marked. */
export interface Place {
  /** For people and screen readers, such as `e4`. */
  readonly name: string;
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
  readonly isRound?: boolean;
  /** The area in which a touch means this place, if it is larger than the place. */
  readonly area?: Pick<Place, "x" | "y" | "w" | "h">;
}

/** The drawing of a game's positions, and the places that a person touches to move. */
export interface Picture<S extends State = State> {
  readonly width: number;
  readonly height: number;
  /** The shapes of every position, such as the squares. They are drawn first. */
  readonly ground: readonly Shape[];
  /** The shapes of one position: pieces, dice, numbers. The method does not keep the state. */
  draw(state: S): readonly Shape[];
  /** The paint of each player's pieces, which charts take too. [`PLAYER_PAINTS`] */
  readonly players?: readonly Paint[];
  /** The players' names beside the board, such as White. [`player 1`, `player 2`, ...] */
  readonly names?: readonly string[];
  /** All places; a place's number is its index. */
  readonly places: readonly Place[];
  /** The thing on a place in words, such as `white knight`; empty for an empty place. */
  describe(state: S, place: number): string;
  /**
   * The places that a person touches, one after the other, to play a legal action; they are also marked after it was
   * played. Actions with the same places, such as promotions, are then chosen by name. Without places an action, such as
   * a pass or a roll of dice, can be chosen by its name alone.
   */
  touches(state: S, action: number): readonly number[];
  /** Other places by which the same action can be chosen; undefined if there are none. Absent: there never are. */
  otherTouches?(state: S, action: number): readonly number[] | undefined;
  /**
   * In games of hidden information: what `player` sees, the same for all positions that it cannot tell apart. Without it a
   * player's view is shown as text.
   */
  readonly view?: {
    draw(state: S, player: number): readonly Shape[];
    describe(state: S, place: number, player: number): string;
  };
  /** The player who sits below the board, so that it can be turned for the one who sits above. Absent: all sides are alike. */
  readonly below?: number;
  /** The places that decided a finished game, such as the four in a row; none if no place did. */
  won?(state: S): readonly number[];
}

const DEFAULT_LINE = 0.04;
/** The margin around a picture, in its units. */
export const PICTURE_MARGIN = 0.15;

/** The picture of a position as the text of an SVG file, light or dark as its reader likes. */
export function formatPicture<S extends State>(
  picture: Picture<S>,
  state: S,
  { marked = [], title = "" }: { readonly marked?: readonly number[]; readonly title?: string } = {},
): string {
  const { width, height } = picture;
  const marks = marked.map((place) => formatShape(markOf(picture.places[place]!)));
  const box = [-PICTURE_MARGIN, -PICTURE_MARGIN, width + 2 * PICTURE_MARGIN, height + 2 * PICTURE_MARGIN]
    .map(formatNumber)
    .join(" ");
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${box}" role="img" font-family="sans-serif" stroke-linecap="round" stroke-linejoin="round">`,
    ...(title === "" ? [] : [`<title>${escapeText(title)}</title>`]),
    `<style>${paintRules()}</style>`,
    ...picture.ground.map(formatShape),
    ...picture.draw(state).map(formatShape),
    ...marks,
    "</svg>\n",
  ].join("\n");
}

/** The frame around a place that is part of the last move. */
export function markOf({ x, y, w, h, isRound }: Place): Shape {
  const painted = { stroke: "mark", width: 0.07 } as const;
  return isRound
    ? { kind: "circle", x: x + w / 2, y: y + h / 2, r: w / 2 - 0.04, ...painted }
    : { kind: "rect", x: x + 0.04, y: y + 0.04, w: w - 0.08, h: h - 0.08, round: 0.06, ...painted };
}

/** CSS that gives each role its colour, for light and dark. */
export function paintRules(): string {
  const rules = (at: 0 | 1) =>
    Object.entries(PAINTS)
      .map(([paint, colours]) => `.f-${paint}{fill:${colours[at]}}.s-${paint}{stroke:${colours[at]}}`)
      .join("");
  return `${rules(0)}@media(prefers-color-scheme:dark){${rules(1)}}`;
}

/** CSS that names the colour of each role, `--paint-ROLE`, for light and dark. */
export function paintVariables(): string {
  const variables = (at: 0 | 1) =>
    Object.entries(PAINTS)
      .map(([paint, colours]) => `--paint-${paint}:${colours[at]}`)
      .join(";");
  return `:root{${variables(0)}}@media(prefers-color-scheme:dark){:root{${variables(1)}}}`;
}

/** A shape's element in SVG and its attributes; `text` is the content of a text element. */
export function shapeElement(shape: Shape): {
  tag: string;
  attributes: Record<string, string>;
  text?: string;
} {
  const { fill, stroke, width = DEFAULT_LINE, opacity } = shape;
  const classes = [
    ...(fill === undefined ? [] : [`f-${fill}`]),
    ...(stroke === undefined ? [] : [`s-${stroke}`]),
  ];
  const painted = {
    class: classes.join(" "),
    ...(fill === undefined && { fill: "none" }),
    ...(stroke !== undefined && { "stroke-width": formatNumber(width) }),
    ...(opacity !== undefined && { opacity: formatNumber(opacity) }),
  };
  const at = (names: Readonly<Record<string, number>>) => ({
    ...Object.fromEntries(Object.entries(names).map(([name, value]) => [name, formatNumber(value)])),
    ...painted,
  });
  switch (shape.kind) {
    case "rect": {
      const { x, y, w, h, round } = shape;
      return {
        tag: "rect",
        attributes: at({ x, y, width: w, height: h, ...(round !== undefined && { rx: round }) }),
      };
    }
    case "circle":
      return { tag: "circle", attributes: at({ cx: shape.x, cy: shape.y, r: shape.r }) };
    case "polygon":
      return { tag: "polygon", attributes: { points: shape.points.map(formatNumber).join(" "), ...painted } };
    case "path": {
      const { d, x = 0, y = 0, scale = 1 } = shape;
      const transform = `translate(${formatNumber(x)} ${formatNumber(y)}) scale(${formatNumber(scale)})`;
      return { tag: "path", attributes: { d, transform, ...painted } };
    }
    case "text": {
      const { x, y, size, bold, text } = shape;
      const font = {
        "text-anchor": "middle",
        "dominant-baseline": "central",
        ...(bold && { "font-weight": "bold" }),
      };
      return { tag: "text", attributes: { ...at({ x, y, "font-size": size }), ...font }, text };
    }
  }
}

/** The shape on a picture that is turned by half a circle. Texts and what is `upright` stay so. */
export function turnedShape(
  shape: Shape,
  { width, height }: { readonly width: number; readonly height: number },
): Shape {
  switch (shape.kind) {
    case "rect":
      return { ...shape, ...turnedArea(shape, { width, height }) };
    case "polygon":
      return { ...shape, points: shape.points.map((value, at) => (at % 2 === 0 ? width : height) - value) };
    case "path": {
      const { x = 0, y = 0, scale = 1, upright } = shape;
      if (upright === undefined) return { ...shape, x: width - x, y: height - y, scale: -scale };
      const shift = 2 * upright * scale;
      return { ...shape, x: width - x - shift, y: height - y - shift };
    }
    case "circle":
    case "text":
      return { ...shape, x: width - shape.x, y: height - shape.y };
  }
}

/** The area of a rectangle, such as a place, on a picture that is turned by half a circle. */
export function turnedArea<Area extends Pick<Place, "x" | "y" | "w" | "h">>(
  area: Area,
  { width, height }: { readonly width: number; readonly height: number },
): Area {
  return { ...area, x: width - area.x - area.w, y: height - area.y - area.h };
}

/** True if a plain value is a shape that can be drawn. */
export function isShape(given: unknown): given is Shape {
  try {
    const { attributes, text = "" } = shapeElement(given as Shape);
    return [...Object.values(attributes), text].every((one) => typeof one === "string");
  } catch {
    return false;
  }
}

function formatShape(shape: Shape): string {
  const { tag, attributes, text } = shapeElement(shape);
  const list = Object.entries(attributes).map(([name, value]) => ` ${name}="${escapeText(value)}"`);
  return text === undefined
    ? `<${tag}${list.join("")}/>`
    : `<${tag}${list.join("")}>${escapeText(text)}</${tag}>`;
}

function formatNumber(value: number): string {
  return String(Number(value.toFixed(4)));
}
