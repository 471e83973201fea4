import type { SVGAttributes, TargetedPointerEvent } from "preact";
import { useRef, useState } from "preact/hooks";
import type { BoardData } from "./board-data.ts";

/** A pointer that has moved less than this, in units of the board, has touched and not drawn. */
const LEAST = 0.25;

/** A point in units of the board. */
export interface Spot {
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
export function useDrag(
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
