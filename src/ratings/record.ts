/**
 * One finished game, as it is stored: what determined it, what happened, how it ended. Seats are
 * player indexes of the game; entrants are indexes into the run's list.
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
  /** How many of `actions` are the opening. */
  readonly openingLength: number;
  /** Utility of each seat, forfeits settled. */
  readonly returns: readonly number[];
  /** How it ended: `finished`, or `illegal action`, `exception`, `time-out`, `out of memory`, `worker died`. */
  readonly ending: Ending;
  /** The seat that forfeited, or -1. */
  readonly forfeitSeat: number;
  /** For a forfeit: what happened, for people. Empty otherwise. */
  readonly detail: string;
  /** Decisions, visited nodes and milliseconds of each seat. */
  readonly decisions: readonly number[];
  readonly nodes: readonly number[];
  readonly timeMs: readonly number[];
}

export const ENDINGS = [
  "finished",
  "illegal action",
  "exception",
  "time-out",
  "out of memory",
  "worker died",
] as const;
export type Ending = (typeof ENDINGS)[number];

/**
 * The games that are ranked. Games of one player are compared in pairs: two games of one block, which have the same
 * opening and the same chance events, count as one game between the two players.
 */
export function contests(records: readonly GameRecord[]): readonly GameRecord[] {
  if (records.every(({ seats }) => seats.length > 1)) return records;
  const blocks = new Map<string, GameRecord[]>();
  for (const record of records) {
    const block = blocks.get(record.block);
    if (block === undefined) blocks.set(record.block, [record]);
    else block.push(record);
  }
  return [...blocks.values()].flatMap((block) =>
    block.flatMap((one, index) => block.slice(index + 1).map((other) => meeting(one, other))),
  );
}

/** The game with the smaller id comes first. Ids are hashes, so neither player has the first seat more often. */
function meeting(one: GameRecord, other: GameRecord): GameRecord {
  const [first, second] = one.id < other.id ? [one, other] : [other, one];
  return {
    ...first,
    id: `${first.id}/${second.id}`,
    seats: [first.seats[0], second.seats[0]],
    actions: [...first.actions, ...second.actions],
    returns: [first.returns[0], second.returns[0]],
    forfeitSeat: -1,
    decisions: [first.decisions[0], second.decisions[0]],
    nodes: [first.nodes[0], second.nodes[0]],
    timeMs: [first.timeMs[0], second.timeMs[0]],
  };
}
