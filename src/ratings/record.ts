import type { Thought } from "../base/thought.ts";
import type { SprtCounts } from "./sprt/sequential-test.ts";

/**
 * One finished game as it is stored: its conditions, its moves and its result. Seats are player indexes of the game;
 * entrants are indexes into the run's list.
 */
export interface GameRecord {
  /** Hash of everything that determines the game; see `arena/schedule/schedule.ts`. */
  readonly id: string;
  /** Hash of what all seat rotations of a block share: the sampling unit of the statistics. */
  readonly block: string;
  /** Entrant at each seat. */
  readonly seats: readonly number[];
  /** Every action from the start on: opening, decisions and chance outcomes. */
  readonly actions: readonly number[];
  /** The number of `actions` that are the opening. */
  readonly openingLength: number;
  /** Utility of each seat, forfeits settled. */
  readonly returns: readonly number[];
  /** `finished`, `adjudicated` by the rules of the tournament, or the kind of forfeit. */
  readonly ending: Ending;
  readonly forfeitSeat: number;
  /** A sentence about the forfeit or the adjudication, for people; empty without one. */
  readonly detail: string;
  /** Decisions, visited nodes and milliseconds of each seat. */
  readonly decisions: readonly number[];
  readonly nodes: readonly number[];
  readonly timeMs: readonly number[];
  /**
   * The agents' thoughts: one for each decision in `actions`, in order; openings and chance have none. Empty if no agent
   * of the game reported any, and in runs that do not keep them.
   */
  readonly thoughts: readonly Thought[];
}

export const ENDINGS = [
  "finished",
  "adjudicated",
  "illegal action",
  "exception",
  "time-out",
  "out of memory",
  "worker died",
] as const;
export type Ending = (typeof ENDINGS)[number];
/** The kinds of forfeits. */
export type ForfeitEnding = Exclude<Ending, "finished" | "adjudicated">;

/** The part of a record that the statistics read: the result, without the moves. */
export type RatedGame = Omit<GameRecord, "actions" | "openingLength" | "thoughts">;

/** The part of a record that says who leads. */
export type GameScore = Pick<GameRecord, "seats" | "returns" | "forfeitSeat">;

/** The part of a record that a report reads. */
export interface CountedGame extends RatedGame, Pick<GameRecord, "openingLength"> {
  /** The actions as text, separated by commas. */
  readonly line: string;
}

/** A game of a source; of games played elsewhere the moves are not known. */
export type SourceGame = RatedGame & Partial<Pick<CountedGame, "line" | "openingLength">>;

/** Games that can be read without being in memory. */
export interface GameSource {
  /** The games block by block, each with all its games, in any order. */
  blocks(): Iterable<readonly SourceGame[]>;
  /** The blocks of the sequential test that the games were played for. */
  readonly sprt?: SprtCounts | undefined;
}

/** Games that are in memory, as a source. */
export function sourceOf(games: readonly GameRecord[] | GameSource): GameSource {
  if (!Array.isArray(games)) return games as GameSource;
  const records = games as readonly GameRecord[];
  return { blocks: () => blocksOf(records.map((record) => ({ ...record, line: record.actions.join() }))) };
}

/** The blocks of games that are in memory. */
export function blocksOf<Game extends RatedGame>(games: readonly Game[]): Game[][] {
  return [...collectBlocks(games, Infinity)];
}

/**
 * The blocks of games that come in any order. Only blocks that are not whole yet are in memory.
 * @param whole the number of games of a whole block; blocks with fewer come last
 */
export function* collectBlocks<Game extends RatedGame>(
  games: Iterable<Game>,
  whole: number,
): Generator<Game[]> {
  const blocks = new Map<string, Game[]>();
  let block: Game[] = [];
  for (const game of games) {
    // Games of one block mostly come one after the other, and looking up a name is slow.
    if (block[0]?.block !== game.block) {
      const known = blocks.get(game.block);
      block = known ?? [];
      if (known === undefined) blocks.set(game.block, block);
    }
    block.push(game);
    if (block.length < whole) continue;
    yield block;
    blocks.delete(game.block);
    block = [];
  }
  yield* blocks.values();
}

/**
 * The games that are ranked. Games of one player are compared in pairs: two games of one block, which have the same
 * opening and the same chance events, count as one game between the two players.
 */
export function contests<Game extends RatedGame>(games: readonly Game[]): readonly Game[] {
  if (games.every(({ seats }) => seats.length > 1)) return games;
  return blocksOf(games).flatMap((block) =>
    block.flatMap((one, index) => block.slice(index + 1).map((other) => meeting(one, other))),
  );
}

/**
 * One contest of two games. The game with the smaller id has the first seat: ids are hashes, so no player is favoured.
 * Fields without a meaning for two games, such as the actions, are those of the first game.
 */
function meeting<Game extends RatedGame>(one: Game, other: Game): Game {
  const [first, second] = one.id < other.id ? [one, other] : [other, one];
  return {
    ...first,
    id: `${first.id}/${second.id}`,
    seats: [first.seats[0], second.seats[0]],
    returns: [first.returns[0], second.returns[0]],
    forfeitSeat: -1,
    decisions: [first.decisions[0], second.decisions[0]],
    nodes: [first.nodes[0], second.nodes[0]],
    timeMs: [first.timeMs[0], second.timeMs[0]],
  };
}
