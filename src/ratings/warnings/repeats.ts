import type { GameRecord } from "../record.ts";

/** A match in which whole games came again and again. */
export interface RepeatedMatch {
  /** The entrants, ascending. */
  readonly entrants: readonly number[];
  readonly games: number;
  /** Games that are the same, move for move, as an earlier one. */
  readonly repeats: number;
}

/** Below this share of a match, repeats do not change an interval that one could see. */
const MIN_SHARE = 0.05;

/**
 * Matches in which the players always answer alike and there are too few openings, so that games repeat. If all games
 * from the same seats and opening are equal, they count as one game. If some of them differ, the players vary, and
 * games that happen to be equal are fair samples.
 */
export function findRepeats(records: readonly GameRecord[]): RepeatedMatch[] {
  const matches = new Map<string, { entrants: number[]; games: number; starts: Map<string, Start> }>();
  for (const { seats, actions, openingLength } of records) {
    const entrants = seats.toSorted((a, b) => a - b);
    const match = getOrAdd(matches, entrants.join(), () => ({
      entrants,
      games: 0,
      starts: new Map<string, Start>(),
    }));
    match.games++;
    const line = actions.join();
    const opening = `${seats.join()}:${actions.slice(0, openingLength).join()}`;
    const start = getOrAdd(match.starts, opening, () => ({ line, games: 0, varied: false }));
    start.games++;
    if (start.line !== line) start.varied = true;
  }
  return [...matches.values()]
    .map(({ entrants, games, starts }) => {
      const alike = [...starts.values()].filter((start) => !start.varied);
      return { entrants, games, repeats: alike.reduce((sum, start) => sum + start.games - 1, 0) };
    })
    .filter(({ games, repeats }) => repeats > 0 && repeats >= MIN_SHARE * games)
    .toSorted((a, b) => compareLists(a.entrants, b.entrants));
}

/** Where games begin: the seats and the opening. */
interface Start {
  readonly line: string;
  games: number;
  varied: boolean;
}

function getOrAdd<Value>(map: Map<string, Value>, key: string, create: () => Value): Value {
  let value = map.get(key);
  if (value === undefined) map.set(key, (value = create()));
  return value;
}

function compareLists(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((value, index) => value !== b[index]);
  return at < 0 ? 0 : a[at] - b[at];
}
