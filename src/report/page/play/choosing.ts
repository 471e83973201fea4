import type { Choice } from "./messages.ts";

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
