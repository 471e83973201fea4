import type { Played } from "../../../agents/agent.ts";
import { addressOf } from "../address.ts";
import type { TournamentData } from "../data.ts";

/*
 * A game that is played, in the page's address: a reload keeps it, and a link to it can be shared.
 */

/** The player of a seat: an entrant's index, or a person. */
export const PERSON = -1;

/** The play in an address: its moves, or a stored game up to a position. Undefined if the address has none. */
export function playedIn({ games }: TournamentData, query: URLSearchParams): Played | undefined {
  const [from, moves, id] = ["from", "moves", "game"].map((key) => query.get(key) ?? undefined);
  if (id !== undefined) {
    const game = games.find((one) => one.id === id);
    return game && { actions: game.actions.slice(0, Number(query.get("at") ?? game.actions.length)) };
  }
  if (from === undefined && moves === undefined) return undefined;
  const actions = moves === undefined || moves === "" ? [] : moves.split(".").map(Number);
  return { actions, ...(from !== undefined && { from }) };
}

/** The players of the seats in an address; undefined if it names none, or not one for each seat that can play. */
export function seatsIn(
  { entrants }: TournamentData,
  query: URLSearchParams,
  players: number,
): readonly number[] | undefined {
  const seats = query
    .getAll("seat")
    .map((name) => (name === "" ? PERSON : entrants.findIndex((one) => one.name === name)));
  const isWhole =
    seats.length === players && query.getAll("seat").every((name, at) => name === "" || seats[at]! >= 0);
  return isWhole ? seats : undefined;
}

/** The address of a game: its moves, and for each seat the entrant's name, empty for a person. */
export function playAddress(
  { folder, entrants }: TournamentData,
  { from, actions }: Played,
  seats: readonly number[],
): string {
  const query = new URLSearchParams();
  if (from !== undefined) query.set("from", from);
  query.set("moves", actions.join("."));
  for (const seat of seats) query.append("seat", seat === PERSON ? "" : entrants[seat]!.name);
  return `${addressOf(folder, "play")}?${query.toString()}`;
}
