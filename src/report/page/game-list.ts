import type { GameData } from "./data.ts";

/*
 * The list of games: which pass, and in which order. The page chooses among the games of a file, the server among all
 * games of a run.
 */

/** The number of games on a page of the list. */
export const GAMES_A_PAGE = 50;

/** A choice of games and their order. An empty text lets all games pass. */
export interface GameQuery {
  readonly entrant: string;
  readonly opponent: string;
  readonly result: string;
  /** The actions of an opening, separated by commas. */
  readonly opening: string;
  readonly longest: string;
  readonly shortest: string;
  /** `number`, `result`, `actions`, or `seat-1` for the name of the entrant at the first seat. */
  readonly sort: string;
  readonly isDescending: boolean;
  /** From 1. */
  readonly page: number;
}

/** A page of the list. */
export interface GamesPage {
  /** The number of games that pass, on all pages. */
  readonly found: number;
  readonly games: readonly GameData[];
}

/** The part of a game that the list looks at. */
export interface ListedGame extends Pick<GameData, "number" | "seats" | "returns" | "forfeitSeat"> {
  /** The number of its actions. */
  readonly length: number;
  /** The actions of its opening, separated by commas. */
  readonly opening: string;
}

const TEXTS = ["entrant", "opponent", "result", "opening", "longest", "shortest"] as const;

/** Reads a query; what it does not say is not asked for. */
export function parseGameQuery(parameters: URLSearchParams): GameQuery {
  const text = (name: string) => parameters.get(name) ?? "";
  const page = Number(text("page"));
  return {
    entrant: text("entrant"),
    opponent: text("opponent"),
    result: text("result"),
    opening: text("opening"),
    longest: text("longest"),
    shortest: text("shortest"),
    sort: text("sort") === "" ? "number" : text("sort"),
    isDescending: text("order") !== "ascending",
    page: Number.isSafeInteger(page) && page > 0 ? page : 1,
  };
}

/** Writes a query for an address, without what is usual. */
export function formatGameQuery({ sort, isDescending, page, ...texts }: GameQuery): Record<string, string> {
  const all = {
    ...texts,
    sort: sort === "number" ? "" : sort,
    order: isDescending ? "" : "ascending",
    page: page === 1 ? "" : String(page),
  };
  return Object.fromEntries(Object.entries(all).filter(([, text]) => text !== ""));
}

/** True if a query lets all games pass, in the order of storing. */
export function asksForAll(query: GameQuery): boolean {
  return query.sort === "number" && TEXTS.every((name) => query[name] === "");
}

/** The first game of a query's page, counted from 0, and the game after its last one. */
export function boundsOfPage({ page }: GameQuery): [from: number, to: number] {
  return [(page - 1) * GAMES_A_PAGE, page * GAMES_A_PAGE];
}

/**
 * The numbers of the games that pass, in the order of the query; equal ones in the order of storing, the newest first.
 * @param names of the entrants, in the plan's order
 */
export function chooseGames(
  games: Iterable<ListedGame>,
  names: readonly string[],
  query: GameQuery,
): number[] {
  const found: { number: number; key: number | string }[] = [];
  const keyOf = keyOfGames(query.sort, names);
  for (const game of games)
    if (passes(game, names, query)) found.push({ number: game.number, key: keyOf(game) });
  const sign = query.isDescending ? -1 : 1;
  const sorted = found.toSorted((a, b) =>
    a.key < b.key ? -sign : a.key > b.key ? sign : b.number - a.number,
  );
  return sorted.map(({ number }) => number);
}

function keyOfGames(sort: string, names: readonly string[]): (game: ListedGame) => number | string {
  if (sort === "actions") return ({ length }) => length;
  if (sort === "result") return ({ returns }) => returns[0]!;
  const [, seat] = /^seat-(\d+)$/.exec(sort) ?? [];
  return seat === undefined
    ? ({ number }) => number
    : ({ seats }) => names[seats[Number(seat) - 1] ?? -1] ?? "";
}

function passes(game: ListedGame, names: readonly string[], query: GameQuery): boolean {
  const { seats, returns, forfeitSeat, length, opening } = game;
  const { entrant, opponent } = query;
  const isAt = (name: string, but = -1) =>
    seats.findIndex((one, seat) => seat !== but && names[one] === name);
  const seat = entrant === "" ? -1 : isAt(entrant);
  if (entrant !== "" && seat < 0) return false;
  if (opponent !== "" && isAt(opponent, seat) < 0) return false;
  if (query.shortest !== "" && length < Number(query.shortest)) return false;
  if (query.longest !== "" && length > Number(query.longest)) return false;
  if (query.opening !== "" && opening !== query.opening) return false;
  const best = Math.max(...returns.slice(1), -Infinity);
  switch (query.result) {
    case "won":
      return returns[0]! > best;
    case "drawn":
      return returns[0] === best;
    case "lost":
      return returns[0]! < best;
    case "forfeit":
      return forfeitSeat >= 0;
    default:
      return true;
  }
}
