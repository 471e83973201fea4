import { expect, test } from "vitest";
import { createReport } from "../../../src/ratings/report.ts";
import { RunGames } from "../../../src/arena/store/run-games.ts";
import { Store } from "../../../src/arena/store/store.ts";
import { createRandom } from "../../../src/base/random.ts";
import type { GameRecord } from "../../../src/ratings/record.ts";
import { randomGames } from "../../ratings/records.ts";
import { temporaryFolder } from "../../support/agon.ts";

function stored(records: readonly GameRecord[]): string {
  const dir = temporaryFolder();
  const store = Store.open(dir);
  store.add(records);
  store.close();
  return dir;
}

test.each([1, 2, 3])("runs read together give the report of their games in memory: %i players", (seats) => {
  const random = createRandom("run games", seats);
  const games = (count: number) =>
    randomGames(random, { entrants: 3, seats, games: count }).map((game) => ({
      ...game,
      actions: [random.below(2), random.below(2), random.below(2)],
      openingLength: 1,
      timeMs: game.seats.map(() => random.below(9)),
    }));
  // Blocks have the same names in all runs. The second run has some games of the first, which went another way.
  const first = games(80);
  const again = first
    .slice(0, 30)
    .map((game) => ({ ...game, returns: game.returns.map((value) => 0 - value), actions: [5, 5, 5] }));
  const runs = [first, [...again, ...games(40)], games(50)];
  const entrants = [
    [0, 1, 2],
    [0, 1, 2],
    [3, 1, 4],
  ];
  const seeds = ["a", "a", "b"];
  const together = new Map<string, GameRecord>();
  for (const [run, records] of runs.entries()) {
    for (const record of records)
      together.set(record.id, { ...record, seats: record.seats.map((seat) => entrants[run]![seat]!) });
  }
  const report = (records: readonly GameRecord[] | RunGames) =>
    createReport({ game: "g", entrants: ["v", "w", "x", "y", "z"], records });
  const source = new RunGames(
    runs.map((records, run) => ({ dir: stored(records), seed: seeds[run]!, entrants: entrants[run]! })),
    Infinity,
  );
  expect(report(source)).toEqual(report([...together.values()]));
  // And once more: a source can be gone through as often as needed.
  expect(report(source).games).toBe(together.size);
});
