import type { Random } from "../../src/base/random.ts";
import type { GameRecord } from "../../src/ratings/record.ts";

let serial = 0;

/** A finished game of which only what a test names is particular; its actions are like no other game's. */
export function gameRecord(
  particular: Pick<GameRecord, "seats" | "returns" | "block"> & Partial<GameRecord>,
): GameRecord {
  const each = (value: number) => particular.seats.map(() => value);
  return {
    id: `game ${serial}`,
    actions: [serial++],
    openingLength: 0,
    ending: "finished",
    forfeitSeat: -1,
    detail: "",
    decisions: each(1),
    nodes: each(0),
    timeMs: each(0),
    thoughts: [],
    ...particular,
  };
}

/** Games of two entrants, one a block: how often seat 0 won, drew and lost. */
export function duels(
  seats: readonly [number, number],
  { won = 0, drawn = 0, lost = 0 }: { won?: number; drawn?: number; lost?: number },
): GameRecord[] {
  const games = (count: number, result: number) =>
    Array.from({ length: count }, () =>
      gameRecord({ seats, returns: [result, 0 - result], block: `block of ${serial}` }),
    );
  return [...games(won, 1), ...games(drawn, 0), ...games(lost, -1)];
}

/** Blocks of two games with seats changed; `results` are those of `one` in each of the two. */
export function pairs(
  one: number,
  other: number,
  results: readonly (readonly [number, number])[],
): GameRecord[] {
  return results.flatMap(([first, second]) => {
    const block = `block of ${serial}`;
    return [
      gameRecord({ seats: [one, other], returns: [first, 0 - first], block }),
      gameRecord({ seats: [other, one], returns: [0 - second, second], block }),
    ];
  });
}

/** A random set of games among a few entrants, with ties, repeated seats and blocks of any size. */
export function randomGames(
  random: Random,
  { entrants, seats, games }: { entrants: number; seats: number; games: number },
): GameRecord[] {
  return Array.from({ length: games }, () =>
    gameRecord({
      seats: Array.from({ length: seats }, () => random.below(entrants)),
      returns: Array.from({ length: seats }, () => random.below(3) - 1),
      block: `block ${random.below(Math.ceil(games / 2))}`,
      timeMs: Array.from({ length: seats }, () => random.float()),
    }),
  );
}

export function shuffled<Item>(items: readonly Item[], random: Random): Item[] {
  const order = Int32Array.from(items.keys());
  random.shuffle(order, 0, order.length);
  return Array.from(order, (index) => items[index]!);
}
