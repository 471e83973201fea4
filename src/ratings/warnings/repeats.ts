import type { GameLine } from "../record.ts";

/** A match in which whole games repeat. */
export interface RepeatedMatch {
  /** The entrants, ascending. */
  readonly entrants: readonly number[];
  readonly games: number;
  /** Games that are the same, move for move, as an earlier one. */
  readonly repeats: number;
}

/** Repeats below this share of a match do not change its interval visibly. */
const MIN_SHARE = 0.05;

/**
 * Finds matches whose games repeat: the players are deterministic, and there are too few openings. If all games with the
 * same seats and opening are equal, they count as one game. If some differ, the players vary, and equal games are fair
 * samples. The games must be ordered by opening, so that only one opening's games are in memory.
 */
export function findRepeats(lines: Iterable<GameLine>): RepeatedMatch[] {
  const matches = new Map<string, Match>();
  /** The matches by the text of their seats. */
  const matchOf = new Map<string, Match>();
  const starts = new Map<string, Start>();
  let opening: string | undefined;
  const endOpening = (): void => {
    for (const { match, games, varied } of starts.values()) if (!varied) match.repeats += games - 1;
    starts.clear();
  };
  for (const { seats, actions, openingLength } of lines) {
    const own = openingOf(actions, openingLength);
    if (own !== opening) endOpening();
    opening = own;
    const key = seats.join();
    const match = getOrAdd(matchOf, key, () => {
      const entrants = seats.toSorted((a, b) => a - b);
      return getOrAdd(matches, entrants.join(), () => ({ entrants, games: 0, repeats: 0 }));
    });
    match.games++;
    const start = getOrAdd(starts, key, () => ({ match, line: actions, games: 0, varied: false }));
    start.games++;
    if (start.line !== actions) start.varied = true;
  }
  endOpening();
  return [...matches.values()]
    .filter(({ games, repeats }) => repeats > 0 && repeats >= MIN_SHARE * games)
    .toSorted((a, b) => compareLists(a.entrants, b.entrants));
}

interface Match extends RepeatedMatch {
  games: number;
  repeats: number;
}

/** The begin of games: the seats and the opening. */
interface Start {
  readonly match: Match;
  readonly line: string;
  games: number;
  varied: boolean;
}

/** The key of an opening: the number of its actions and their text. */
function openingOf(actions: string, count: number): string {
  let end = 0;
  for (let comma = 0; comma < count && end >= 0; comma++) end = actions.indexOf(",", end) + 1 || -1;
  return `${count}:${end < 0 ? `${actions},` : actions.slice(0, end)}`;
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
