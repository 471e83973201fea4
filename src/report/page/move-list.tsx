import type { JSX, RefObject } from "preact";
import type { MoveData } from "./game-text.ts";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";

/** The moves of a game, of which the one before the shown position stands out. A touch goes to the position after a move. */
export function MoveList({
  moves,
  openingLength = 0,
  at,
  go,
}: {
  moves: readonly MoveData[];
  /** The first moves, which no agent chose. */
  openingLength?: number;
  /** The shown position: the number of moves before it. */
  at: number;
  go: (at: number) => void;
}): JSX.Element {
  const list = useEntryInView(at - 1);
  const numbers = numbersOf(moves);
  return (
    <ol class="moves" aria-label="Moves" ref={list} tabIndex={moves.length === 0 ? 0 : undefined}>
      {moves.map(({ text }, index) => (
        <li key={index} class={index < openingLength ? "faint" : ""} data-number={numbers[index]}>
          <button
            type="button"
            aria-current={index === at - 1 ? "step" : undefined}
            onClick={() => go(index + 1)}
          >
            {text}
          </button>
        </li>
      ))}
    </ol>
  );
}

/**
 * The number before each move: of two players who take turns both moves have one number, as in chess; else each move has
 * its own. The numbers go on from those of the position that a game begins at. An empty text is no number.
 */
function numbersOf(moves: readonly MoveData[]): string[] {
  const setups = moves.filter(({ isSetup }) => isSetup === true);
  const played = moves.slice(setups.length);
  const first = played[0]?.mover ?? 0;
  const ply = played[0]?.ply ?? Math.max(0, first);
  const areTurns = first >= 0 && played.every(({ mover }, index) => mover === (first + index) % 2);
  const numbers = played.map((_, index) => {
    if (!areTurns) return `${index + 1}.`;
    const place = ply + index;
    return place % 2 === 0 ? `${place / 2 + 1}.` : index === 0 ? `${(place + 1) / 2}…` : "";
  });
  return [...setups.map(() => ""), ...numbers];
}

/** Scrolls a list, and not the page, so that an entry is visible. */
function useEntryInView(current: number): RefObject<HTMLOListElement | null> {
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    const entry = list.current?.children[Math.max(0, current)];
    if (entry === undefined) return;
    const [outer, inner] = [list.current!.getBoundingClientRect(), entry.getBoundingClientRect()];
    if (inner.top < outer.top) list.current!.scrollTop -= outer.top - inner.top;
    else if (inner.bottom > outer.bottom) list.current!.scrollTop += inner.bottom - outer.bottom;
  }, [current]);
  return list;
}

/**
 * Keeps the keyboard's focus on a board, whose touched places often disappear with the move. The board has the focus until
 * a place can be touched again; then the place nearest to the last one has it, or the first button with a choice.
 * @param isChoosing true if the places are touched and buttons choose among moves
 * @returns a function to call before the touched element disappears, and a reference for the element around the board
 */
export function useKeptFocus({
  isChoosing,
}: {
  isChoosing: boolean;
}): [keep: () => void, around: RefObject<HTMLDivElement | null>] {
  const around = useRef<HTMLDivElement>(null);
  const mayBeLost = useRef(false);
  const touched = useRef({ x: 0, y: 0 });
  useLayoutEffect(() => {
    const board = around.current?.querySelector<SVGElement | HTMLElement>(".board");
    if (!mayBeLost.current || board == null) return;
    const { activeElement } = document;
    // The touched element is still there, or its user has moved the focus.
    mayBeLost.current = activeElement === document.body || activeElement === board;
    if (!mayBeLost.current) return;
    const place = nearest(board.querySelectorAll<SVGElement>("[data-place]"), touched.current);
    const choice = around.current!.querySelector<HTMLElement>("[data-action]");
    ((isChoosing ? choice : undefined) ?? place ?? choice ?? board).focus({ preventScroll: true });
  });
  const keep = () => {
    const { activeElement } = document;
    if (activeElement === null || around.current?.contains(activeElement) !== true) return;
    mayBeLost.current = true;
    if (activeElement.matches("[data-place]")) touched.current = activeElement.getBoundingClientRect();
  };
  return [keep, around];
}

function nearest<E extends Element>(
  elements: Iterable<E>,
  { x, y }: { x: number; y: number },
): E | undefined {
  let [found, least]: [E | undefined, number] = [undefined, Infinity];
  for (const element of elements) {
    const at = element.getBoundingClientRect();
    const distance = Math.hypot(at.x - x, at.y - y);
    if (distance < least) [found, least] = [element, distance];
  }
  return found;
}
