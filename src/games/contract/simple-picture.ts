import type { Paint, Picture, Place, Shape } from "./picture.ts";
import type { State } from "./rules.ts";

/** The content of a place: a colour, a text on it, or both. */
interface Content {
  readonly fill?: Paint;
  readonly text?: string;
  /** The content in words, for people who do not see it. Default: the text, or the colour's name. */
  readonly words?: string;
}

/** A picture of places, each of which shows its content. */
export interface SimplePicture<Position> {
  /** Default: the reach of the places. */
  readonly width?: number;
  readonly height?: number;
  /** The paint of each player's pieces, which charts take too. Default: player0, player1, ... */
  readonly players?: readonly Paint[];
  /** See Picture. */
  readonly names?: readonly string[];
  /** The shapes of every position. Default: the empty places. */
  readonly ground?: readonly Shape[];
  readonly places: readonly Place[];
  /** Undefined if the place is empty. */
  content(position: Position, place: number): Content | undefined;
  /** In games of hidden information: the content that `player` sees, and nothing else of the position is drawn for it. */
  seen?(position: Position, place: number, player: number): Content | undefined;
  /** Further shapes, over the contents; they tell what all players know. */
  draw?(position: Position): readonly Shape[];
  /** See Picture. Default: the place that has the action's number, or none. */
  touches?(position: Position, action: number): readonly number[];
  readonly below?: number;
  won?(position: Position): readonly number[];
}

/** Text is this part of the shorter side of its place. */
const TEXT_SIZE = 0.5;

/** The picture for states, whose position `positionOf` gives. */
export function toPicture<Position, S extends State>(
  picture: SimplePicture<Position>,
  positionOf: (state: S) => Position,
): Picture<S> {
  const { places } = picture;
  const reach = (edges: readonly number[]) => Math.max(...edges);
  const shapesOf = (position: Position, contentOf: (place: number) => Content | undefined) => [
    ...places.flatMap((place, at) => contentShapes(place, contentOf(at))),
    ...(picture.draw?.(position) ?? []),
  ];
  const wordsOf = ({ words, text, fill }: Content = {}) => words ?? text ?? fill ?? "";
  return {
    width: picture.width ?? reach(places.map(({ x, w }) => x + w)),
    height: picture.height ?? reach(places.map(({ y, h }) => y + h)),
    ...(picture.players && { players: picture.players }),
    ...(picture.names && { names: picture.names }),
    ...(picture.below !== undefined && { below: picture.below }),
    ...(picture.won && { won: (state: S) => picture.won!(positionOf(state)) }),
    ground: picture.ground ?? places.map((place) => placeShape(place, "board")),
    places,
    draw(state) {
      const position = positionOf(state);
      return shapesOf(position, (place) => picture.content(position, place));
    },
    describe: (state, place) => wordsOf(picture.content(positionOf(state), place)),
    ...(picture.seen && {
      view: {
        draw(state: S, player: number) {
          const position = positionOf(state);
          return shapesOf(position, (place) => picture.seen!(position, place, player));
        },
        describe: (state: S, place: number, player: number) =>
          wordsOf(picture.seen!(positionOf(state), place, player)),
      },
    }),
    touches(state, action) {
      if (picture.touches !== undefined) return picture.touches(positionOf(state), action);
      return action >= 0 && action < places.length ? [action] : [];
    },
  };
}

function placeShape({ x, y, w, h, isRound }: Place, fill: Paint): Shape {
  const painted = { fill, stroke: "line" } as const;
  return isRound
    ? { kind: "circle", x: x + w / 2, y: y + h / 2, r: w / 2 - 0.05, ...painted }
    : { kind: "rect", x: x + 0.05, y: y + 0.05, w: w - 0.1, h: h - 0.1, round: 0.1, ...painted };
}

function contentShapes(place: Place, { fill, text }: Content = {}): Shape[] {
  const { x, y, w, h } = place;
  const shapes = fill === undefined ? [] : [placeShape(place, fill)];
  if (text === undefined || text === "") return shapes;
  const size = TEXT_SIZE * Math.min(w, h);
  return [...shapes, { kind: "text", x: x + w / 2, y: y + h / 2, text, size, fill: "ink", bold: true }];
}
