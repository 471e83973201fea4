import type { EndgameClass, Endgames, Game, State } from "../contract/game.ts";
import { notDeterministicDuel } from "../contract/traits.ts";
import { UNKNOWN } from "./distance.ts";

/** Tables that know the results of some positions of one game. */
export interface EndgameTables<S extends State = State> {
  /** The distance of a position in which a player is to move, or UNKNOWN; see distance.ts. */
  probe(state: S): number;
}

/** The distances of all positions of one class, by their number. Numbers without a position have any value. */
export interface ClassTable<S extends State = State> {
  readonly of: EndgameClass<S>;
  readonly distances: Int16Array;
}

/** The numbers of won, drawn and lost positions of a table, and the most plies to a win or a loss. */
export interface TableCounts {
  readonly wins: number;
  readonly draws: number;
  readonly losses: number;
  readonly longest: number;
}

/** Counts distances, without those that are UNKNOWN. */
export function countDistances(distances: Int16Array): TableCounts {
  const counts = { wins: 0, draws: 0, losses: 0, longest: 0 };
  for (const distance of distances) {
    if (distance === UNKNOWN) continue;
    if (distance > 0) counts.wins++;
    else if (distance < 0) counts.losses++;
    else counts.draws++;
    counts.longest = Math.max(counts.longest, Math.abs(distance));
  }
  return counts;
}

/** The endgame tables of some classes of a game. */
export class ClassTables<S extends State = State> implements EndgameTables<S> {
  private readonly endgames: Endgames<S>;
  private readonly byKey = new Map<number, ClassTable<S>>();

  constructor(endgames: Endgames<S>, tables: Iterable<ClassTable<S>> = []) {
    this.endgames = endgames;
    for (const table of tables) this.add(table);
  }

  add(table: ClassTable<S>): void {
    this.byKey.set(table.of.key, table);
  }

  /** A win or a loss is UNKNOWN where a rule of the game, such as the 50-move rule, might spoil it. */
  probe(state: S): number {
    const key = this.endgames.keyOf(state);
    if (key < 0) return UNKNOWN;
    const table = this.byKey.get(key);
    if (table === undefined) return UNKNOWN;
    const distance = table.distances[table.of.indexOf(state)];
    return distance === 0 || this.endgames.isSafe(state, Math.abs(distance)) ? distance : UNKNOWN;
  }
}

/** The trait that keeps a game from having endgame tables; undefined if the game can have them. */
export function unsupportedByTables(game: Game): string | undefined {
  return notDeterministicDuel(game) ?? (game.rewardsAlongTheWay ? "rewards along the way" : undefined);
}
