import type { EndgameClass, Endgames, Game, State } from "../game/game.ts";
import { UNKNOWN } from "./verdict.ts";
import { notDeterministicDuel } from "../game/traits.ts";

/** What is known of positions of one game before it is played. */
export interface Tables<S extends State = State> {
  /** The verdict of a position in which a player is to move, or UNKNOWN. See verdict.ts. */
  probe(state: S): number;
}

/** The verdicts of all positions of one class, by their number. What stands where no position is means nothing. */
export interface ClassTable<S extends State = State> {
  readonly of: EndgameClass<S>;
  readonly verdicts: Int16Array;
}

/** What a table says in all: how many positions, by their verdict, and the most plies to a win or a loss. */
export interface TableCounts {
  readonly wins: number;
  readonly draws: number;
  readonly losses: number;
  readonly longest: number;
}

/** Counts verdicts; those that are UNKNOWN are left out. */
export function countVerdicts(verdicts: Int16Array): TableCounts {
  const counts = { wins: 0, draws: 0, losses: 0, longest: 0 };
  for (const verdict of verdicts) {
    if (verdict === UNKNOWN) continue;
    if (verdict > 0) counts.wins++;
    else if (verdict < 0) counts.losses++;
    else counts.draws++;
    counts.longest = Math.max(counts.longest, Math.abs(verdict));
  }
  return counts;
}

/** The tables of some classes of a game. */
export class EndgameTables<S extends State = State> implements Tables<S> {
  private readonly endgames: Endgames<S>;
  private readonly byKey = new Map<number, ClassTable<S>>();

  constructor(endgames: Endgames<S>, tables: Iterable<ClassTable<S>> = []) {
    this.endgames = endgames;
    for (const table of tables) this.add(table);
  }

  add(table: ClassTable<S>): void {
    this.byKey.set(table.of.key, table);
  }

  /** Wins and losses that a rule of the game's, such as that of 50 moves, might spoil are unknown. */
  probe(state: S): number {
    const key = this.endgames.keyOf(state);
    if (key < 0) return UNKNOWN;
    const table = this.byKey.get(key);
    if (table === undefined) return UNKNOWN;
    const verdict = table.verdicts[table.of.indexOf(state)];
    return verdict === 0 || this.endgames.isSafe(state, Math.abs(verdict)) ? verdict : UNKNOWN;
  }
}

/** The trait that keeps a game from having tables; undefined if nothing does. */
export function unsupportedByTables(game: Game): string | undefined {
  return notDeterministicDuel(game) ?? (game.rewardsAlongTheWay ? "rewards along the way" : undefined);
}
