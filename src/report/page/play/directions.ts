import type { HTMLAttributes } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { Choice } from "./messages.ts";

/** The names of actions that go in a direction, as in 2048, with their keys. */
const DIRECTIONS = { up: "ArrowUp", right: "ArrowRight", down: "ArrowDown", left: "ArrowLeft" } as const;

type Direction = keyof typeof DIRECTIONS;

/** A finger that moves less than this, in pixels, gives no direction. */
const LEAST = 30;

/**
 * Lets arrow keys and swipes choose among actions that are all directions.
 * @returns listeners for the element of the board
 */
export function useDirections(
  choices: readonly Choice[],
  choose: (action: number) => void,
): HTMLAttributes<HTMLDivElement> {
  const start = useRef<{ x: number; y: number }>(undefined);
  const isAsked = choices.length > 0 && choices.every(({ name }) => Object.hasOwn(DIRECTIONS, name));
  const go = (direction: Direction | undefined) => {
    const choice = choices.find(({ name }) => name === direction);
    if (choice !== undefined) choose(choice.action);
  };
  useLayoutEffect(() => {
    if (!isAsked) return;
    const press = (event: KeyboardEvent) => {
      const { altKey, ctrlKey, metaKey, target, key } = event;
      const isElsewhere = target instanceof HTMLElement && target.matches("input, select, textarea");
      const direction = (Object.keys(DIRECTIONS) as Direction[]).find((name) => DIRECTIONS[name] === key);
      if (direction === undefined || isElsewhere || altKey || ctrlKey || metaKey) return;
      // The page does not scroll.
      event.preventDefault();
      go(direction);
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  });
  if (!isAsked) return {};
  return {
    class: "swiped",
    onPointerDown({ clientX, clientY }) {
      start.current = { x: clientX, y: clientY };
    },
    onPointerUp({ clientX, clientY }) {
      if (start.current === undefined) return;
      const [across, down] = [clientX - start.current.x, clientY - start.current.y];
      start.current = undefined;
      if (Math.max(Math.abs(across), Math.abs(down)) < LEAST) return;
      if (Math.abs(across) > Math.abs(down)) go(across > 0 ? "right" : "left");
      else go(down > 0 ? "down" : "up");
    },
  };
}
