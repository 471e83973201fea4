import type { Game, State } from "../../games/contract/game.ts";
import {
  markOf,
  turnedArea,
  turnedShape,
  type Paint,
  type Place,
  type Shape,
} from "../../games/contract/picture.ts";

/** A position to be shown, as plain data: drawn, or as text if the game has no picture. */
export interface BoardData {
  /** The position in words. */
  readonly label: string;
  /** The position as text; absent if it is drawn. */
  readonly text?: string;
  readonly width: number;
  readonly height: number;
  readonly ground: readonly Shape[];
  /** The shapes over the ground: pieces, numbers, and frames of the last move. */
  readonly pieces: readonly Shape[];
  readonly places: readonly BoardPlace[];
  /** The places of the last move, and those that decided the game. */
  readonly marked: readonly number[];
  readonly won: readonly number[];
}

/** A place with the thing on it in words, empty for an empty place. */
export interface BoardPlace extends Place {
  readonly holds: string;
}

/** A board with nothing on it. */
const EMPTY = { width: 0, height: 0, ground: [], pieces: [], places: [], marked: [], won: [] };

/**
 * A position of a game, with the places of the last move.
 * @param viewer the player whose view is shown, in games of hidden information [all is shown]
 */
export function boardOf(
  game: Game,
  state: State,
  marked: readonly number[],
  viewer: number | undefined,
): BoardData {
  const { picture, privacy } = game;
  if (viewer !== undefined && privacy !== undefined) return viewOf(game, privacy, state, viewer);
  const label = `${game.id}: ${game.formatState(state)}`;
  if (picture === undefined) return { ...EMPTY, label, text: game.render(state) };
  const { width, height, ground, places } = picture;
  return {
    label,
    width,
    height,
    ground,
    pieces: picture.draw(state),
    places: places.map((place, at) => ({ ...place, holds: picture.describe(state, at) })),
    marked,
    won: picture.won?.(state) ?? [],
  };
}

/** What a player sees: drawn if the game's picture has a view, else as text. */
function viewOf(
  { id, picture }: Game,
  privacy: NonNullable<Game["privacy"]>,
  state: State,
  viewer: number,
): BoardData {
  const text = privacy.formatView(state, viewer);
  if (picture?.view === undefined) return { ...EMPTY, label: id, text };
  const { width, height, ground, places, view } = picture;
  return {
    ...EMPTY,
    label: `${id}: ${text}`,
    width,
    height,
    ground,
    pieces: view.draw(state, viewer),
    places: places.map((place, at) => ({ ...place, holds: view.describe(state, at, viewer) })),
  };
}

/** The positions of a game, drawn by its own code. A drawn position is a list of indexes in `shapes`. */
export interface DrawnGame {
  /** The size of the picture, in its units; 0 if the game has no picture. */
  readonly width: number;
  readonly height: number;
  readonly ground: readonly number[];
  readonly shapes: readonly Shape[];
  /** From the start to the end; texts if the game has no picture. */
  readonly positions: readonly (readonly number[] | string)[];
  /** The player on turn in each position; below 0 for chance and the end. */
  readonly movers: readonly number[];
  /** The players' names, and the paint of each one's pieces. */
  readonly names: readonly string[];
  readonly paints: readonly Paint[];
  /** The traits that a chart of values needs. */
  readonly isDuel: boolean;
  readonly minReturn: number;
  readonly maxReturn: number;
  /** The player on turn in each position; the result in the last one. */
  readonly turns: readonly string[];
}

/** A position of a game whose code the page does not have, as it was drawn before. */
export function boardDrawn(drawn: DrawnGame, at: number, label: string): BoardData {
  const { shapes, ground, positions, width, height } = drawn;
  const position = positions[at]!;
  if (typeof position === "string") return { ...EMPTY, label, text: position };
  const shapesOf = (numbers: readonly number[]) => numbers.map((number) => shapes[number]!);
  return { ...EMPTY, label, width, height, ground: shapesOf(ground), pieces: shapesOf(position) };
}

/** The board turned by half a circle, as the player above sees it. */
export function turnedBoard(board: BoardData): BoardData {
  return {
    ...board,
    ground: board.ground.map((shape) => turnedShape(shape, board)),
    pieces: board.pieces.map((shape) => turnedShape(shape, board)),
    places: board.places.map((place) => ({
      ...turnedArea(place, board),
      ...(place.area && { area: turnedArea(place.area, board) }),
    })),
  };
}

/** The pieces that stand on a place: those whose middle lies within it. */
export function piecesOn({ pieces }: BoardData, { x, y, w, h }: Place): Set<Shape> {
  const isWithin = (shape: Shape) => {
    const middle = middleOf(shape);
    return middle.x > x && middle.x < x + w && middle.y > y && middle.y < y + h;
  };
  return new Set(pieces.filter(isWithin));
}

function middleOf(shape: Shape): { x: number; y: number } {
  switch (shape.kind) {
    case "rect":
      return { x: shape.x + shape.w / 2, y: shape.y + shape.h / 2 };
    case "polygon": {
      const [x, y] = [0, 1].map((axis) => {
        const values = shape.points.filter((_, at) => at % 2 === axis);
        return values.reduce((sum, value) => sum + value, 0) / values.length;
      });
      return { x: x!, y: y! };
    }
    case "path": {
      const { x = 0, y = 0, scale = 1, upright = 0 } = shape;
      return { x: x + upright * scale, y: y + upright * scale };
    }
    case "circle":
    case "text":
      return shape;
  }
}

/** The frames around places that are no part of the position, such as those of the last move. */
export function framesOf({ places, marked }: BoardData): Shape[] {
  return marked.map((place) => markOf(places[place]!));
}
