import { h, type JSX, type SVGAttributes, type TargetedPointerEvent } from "preact";
import {
  markOf,
  PICTURE_MARGIN,
  shapeElement,
  type Place,
  type Shape,
} from "../../games/contract/picture.ts";
import { framesOf, piecesOn, type BoardData, type BoardPlace } from "./board-data.ts";
import { useRef, useState } from "preact/hooks";

/** More open places than this are shown as dots: as coloured places they would hide the board. */
const MOST_COLOURED = 24;
const DOT = 0.09;

/** A move of a search, drawn translucent: the larger its share of all, the larger it is. */
export interface Mark {
  readonly touches: readonly number[];
  readonly share: number;
  readonly name: string;
}

interface BoardProps {
  readonly board: BoardData;
  /** Places that a person may touch now. */
  readonly open?: readonly number[];
  /** Places that were touched already for this move. */
  readonly touched?: readonly number[];
  /** Places of a move that is proposed, in its order. */
  readonly hinted?: readonly number[];
  /** Moves that a search has looked at. */
  readonly marks?: readonly Mark[];
  readonly onTouch?: (place: number) => void;
  /** A piece was drawn from an open place to another place. */
  readonly onDrag?: (from: number, to: number) => void;
}

/** A position: drawn if the game has a picture, else as text. */
export function Board({
  board,
  open = [],
  touched = [],
  hinted = [],
  marks = [],
  ...on
}: BoardProps): JSX.Element {
  const { text, width, height, places, label } = board;
  const margin = PICTURE_MARGIN;
  const drag = useDrag(board, open, on.onDrag);
  if (text !== undefined)
    return (
      <pre class="board text" tabindex={0}>
        {text}
      </pre>
    );
  const areMany = open.length > MOST_COLOURED;
  const lifted = drag.from === undefined ? new Set<Shape>() : piecesOn(board, places[drag.from]!);
  return (
    <svg
      class={on.onDrag === undefined ? "board" : "board drawn"}
      viewBox={[-margin, -margin, width + 2 * margin, height + 2 * margin].join(" ")}
      role="group"
      tabindex={-1}
      aria-label={label}
      style={`--ratio:${width / height}`}
      {...drag.listeners}
    >
      {board.ground.map(element)}
      {board.pieces.filter((shape) => !lifted.has(shape)).map(element)}
      {framesOf(board).map(element)}
      {board.won.map((place) => (
        <g key={`won${place}`} class="won" data-won={place}>
          {element(frame(places[place]!, 0.13))}
        </g>
      ))}
      {touched.map((place) => element(frame(places[place]!, 0.12)))}
      <Marks board={board} marks={marks} />
      <Hint places={hinted.map((place) => places[place]!)} />
      {areMany &&
        open.map((place) => {
          const { x, y } = middleOf(places[place]!);
          return <circle key={place} class="dot" cx={x} cy={y} r={DOT} />;
        })}
      {open.map((place) => (
        <TouchArea
          key={place}
          place={places[place]!}
          number={place}
          areMany={areMany}
          onTouch={() => on.onTouch?.(place)}
        />
      ))}
      {drag.from !== undefined && (
        <g class="lifted" transform={`translate(${drag.by.x} ${drag.by.y})`}>
          {Array.from(lifted, element)}
        </g>
      )}
    </svg>
  );
}

/** The part of the board that touches a place, and the place itself if it is a part of that alone. */
function TouchArea({
  place: { name, holds, area, isRound, ...own },
  number,
  areMany,
  onTouch,
}: {
  place: BoardPlace;
  number: number;
  areMany: boolean;
  onTouch: () => void;
}): JSX.Element {
  const { x, y, w, h: tall } = area ?? own;
  const corners = (round: boolean | undefined) => (round === true ? own.w / 2 : 0.08);
  return (
    <>
      <rect
        class={areMany || area !== undefined ? "touch many" : "touch"}
        x={x}
        y={y}
        width={w}
        height={tall}
        rx={corners(isRound && area === undefined)}
        role="button"
        tabindex={0}
        aria-label={holds === "" ? name : `${name}, ${holds}`}
        data-place={number}
        onClick={onTouch}
        onKeyDown={(event) => {
          if (event.key !== "Enter" && event.key !== " ") return;
          event.preventDefault();
          onTouch();
        }}
      />
      {area !== undefined && (
        <rect class="spot" x={own.x} y={own.y} width={own.w} height={own.h} rx={corners(isRound)} />
      )}
    </>
  );
}

/** A proposed move: the way of each piece from place to place, or a frame around its only place. */
function Hint({ places }: { places: readonly BoardPlace[] }): JSX.Element | null {
  if (places.length === 0) return null;
  return (
    <g class="hint" data-hint={places.map(({ name }) => name).join(" ")}>
      {element(frame(places[0]!, 0.1))}
      {waysOf(places).map((way, at) => (
        <g key={at}>
          <polyline points={way.map(({ x, y }) => `${x},${y}`).join(" ")} />
          <circle class="end" cx={way.at(-1)!.x} cy={way.at(-1)!.y} r={0.17} />
        </g>
      ))}
    </g>
  );
}

/** A disc at the end of each move, whose area is its share, and the way to it, whose width is. */
function Marks({ board: { places }, marks }: { board: BoardData; marks: readonly Mark[] }): JSX.Element {
  const most = Math.max(...marks.map(({ share }) => share), Number.MIN_VALUE);
  const shown = marks.filter(({ touches, share }) => touches.length > 0 && share > 0);
  return (
    <>
      {shown.map(({ touches, share, name }) => {
        const touched = touches.map((place) => places[place]!);
        const { x, y } = middleOf(touched.at(-1)!);
        const size = share / most;
        return (
          <g key={name} class="mark" data-mark={name}>
            <title>{name}</title>
            {waysOf(touched).map((way, at) => (
              <polyline
                key={at}
                points={way.map((spot) => `${spot.x},${spot.y}`).join(" ")}
                stroke-width={0.25 * size}
              />
            ))}
            <circle cx={x} cy={y} r={0.4 * Math.sqrt(size)} />
          </g>
        );
      })}
    </>
  );
}

/** The ways of the pieces that a move touches: where it touches another piece in its turn, that piece's way begins. */
function waysOf(places: readonly BoardPlace[]): Spot[][] {
  const ways: Spot[][] = [];
  places.forEach((place, at) => {
    if (at === 0 || (at % 2 === 0 && place.holds !== "")) ways.push([]);
    ways.at(-1)!.push(middleOf(place));
  });
  return ways.filter((way) => way.length > 1);
}

function frame(place: Place, width: number): Shape {
  return { ...markOf(place), width };
}

function middleOf({ x, y, w, h: tall }: Place): Spot {
  return { x: x + w / 2, y: y + tall / 2 };
}

function element(shape: Shape, key?: number): JSX.Element {
  const { tag, attributes, text } = shapeElement(shape);
  return h(tag, { key, ...attributes }, text);
}

/** A pointer that has moved less than this, in units of the board, has touched and not drawn. */
const LEAST = 0.25;

/** A point in units of the board. */
interface Spot {
  readonly x: number;
  readonly y: number;
}

/** The piece that is drawn over the board at the moment. */
interface Drag {
  /** The place where the piece stood; undefined while nothing is drawn. */
  readonly from?: number;
  /** The way from there, in units of the board. */
  readonly by: Spot;
  /** For the board's element. */
  readonly listeners: SVGAttributes<SVGSVGElement>;
}

/** Pieces are drawn from open places to others, by mouse or finger. */
function useDrag(
  { places }: BoardData,
  open: readonly number[],
  onDrag: ((from: number, to: number) => void) | undefined,
): Drag {
  const start = useRef<Spot & { from: number }>(undefined);
  const [by, setBy] = useState<Spot>();
  if (onDrag === undefined) return { by: { x: 0, y: 0 }, listeners: {} };
  const placeAt = ({ x, y }: Spot) =>
    places.findIndex(
      (place) => x >= place.x && x < place.x + place.w && y >= place.y && y < place.y + place.h,
    );
  const end = () => {
    start.current = undefined;
    setBy(undefined);
  };
  const listeners: Drag["listeners"] = {
    onPointerDown(event) {
      if (!event.isPrimary || event.button !== 0) return;
      const spot = spotOf(event);
      const from = placeAt(spot);
      if (open.includes(from)) start.current = { ...spot, from };
    },
    onPointerMove(event) {
      const begun = start.current;
      if (begun === undefined) return;
      const spot = spotOf(event);
      const way = { x: spot.x - begun.x, y: spot.y - begun.y };
      if (by === undefined) {
        if (Math.hypot(way.x, way.y) < LEAST) return;
        // From now on the board has all events of this pointer, so that its end is no click on a place.
        event.currentTarget.setPointerCapture(event.pointerId);
      }
      setBy(way);
    },
    onPointerUp(event) {
      const begun = start.current;
      const to = placeAt(spotOf(event));
      end();
      if (begun !== undefined && by !== undefined && to >= 0 && to !== begun.from) onDrag(begun.from, to);
    },
    onPointerCancel: end,
  };
  const from = by === undefined ? undefined : start.current?.from;
  return { ...(from !== undefined && { from }), by: by ?? { x: 0, y: 0 }, listeners };
}

/** The place of a pointer in the board's units. */
function spotOf(event: TargetedPointerEvent<SVGSVGElement>): Spot {
  const matrix = event.currentTarget.getScreenCTM()!.inverse();
  const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix);
  return { x, y };
}
