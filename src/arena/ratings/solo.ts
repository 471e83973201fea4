import type { GameRecord } from "../record.ts";

/**
 * What is to be ranked: the games themselves, but for games of one player, where every two of a block -
 * the same opening and chance stream - are compared as if the players had met.
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

/** Ids are hashes, so who is put first is left to chance, and the first seat has no advantage. */
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
