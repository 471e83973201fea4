import type { Choice } from "./messages.ts";
import type { HTMLAttributes } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

/*
 * Choosing an action by places: those of the action are touched one after the other, or a piece is drawn from one to
 * another.
 */

/** The choice that is made, or the places that are touched for it so far. */
export type Chosen = { readonly action: number } | { readonly touched: readonly number[] };

/** The effect of a touch. */
export function touch(choices: readonly Choice[], touched: readonly number[], place: number): Chosen {
  const next = [...touched, place];
  const chosen = chosenBy(choices, next);
  if (chosen !== undefined) return chosen;
  // Another piece than before, or none.
  return { touched: choices.some(({ touches }) => touches[0] === place) ? [place] : [] };
}

/** The effect of drawing a piece from a place to another one, also over places between them. */
export function drag(
  choices: readonly Choice[],
  touched: readonly number[],
  [from, to]: readonly [from: number, to: number],
): Chosen {
  const goesOn = fitting(choices, [...touched, from]).length > 0;
  const begun = touched.at(-1) === from ? touched : goesOn ? [...touched, from] : [from];
  const chosen = chosenBy(choices, [...begun, to]);
  if (chosen !== undefined) return chosen;
  const ending = fitting(choices, begun).filter(({ touches }) => touches.at(-1) === to);
  return ending.length === 1 ? { action: ending[0]!.action } : { touched: [] };
}

/** The choices whose touches begin with these. */
function fitting(choices: readonly Choice[], touched: readonly number[]): readonly Choice[] {
  return choices.filter(({ touches }) => touched.every((place, at) => touches[at] === place));
}

/** The places that can be touched next: those that go on, and pieces that can be taken up instead. */
export function openPlaces(choices: readonly Choice[], touched: readonly number[]): number[] {
  const next = fitting(choices, touched).map(({ touches }) => touches[touched.length]);
  const others = touched.length > 0 ? choices.map(({ touches }) => touches[0]) : [];
  const places = [...next, ...others].filter((place) => place !== undefined);
  return [...new Set(places)].toSorted((one, other) => one - other);
}

/** The choices that are left to be made by name: those whose places are all touched. */
export function namedChoices(choices: readonly Choice[], touched: readonly number[]): readonly Choice[] {
  const fits = fitting(choices, touched);
  const named = fits.filter(({ touches }) => touches.length <= touched.length);
  return named.length > 0 || fits.some(({ touches }) => touches.length > touched.length) ? named : choices;
}

/** The effect of these touches; undefined if no action begins with them. */
function chosenBy(choices: readonly Choice[], touched: readonly number[]): Chosen | undefined {
  const fits = fitting(choices, touched);
  if (fits.length === 0) return undefined;
  const [only] = fits;
  // A piece is taken up before it goes to the one place that it can go to.
  const isMade = fits.length === 1 && (touched.length > 1 || only!.touches.length <= touched.length);
  return isMade ? { action: only!.action } : { touched };
}

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
