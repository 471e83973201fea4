import { describe, expect, test } from "vitest";
import { findGroups } from "../../src/ratings/counts/groups.ts";
import { tallyGames } from "../../src/ratings/counts/tally.ts";
import { Repeats } from "../../src/ratings/warnings/repeats.ts";
import { Forfeits, readDetail } from "../../src/ratings/warnings/forfeits.ts";
import { findWarnings } from "../../src/ratings/warnings/warnings.ts";
import { sourceOf, type GameRecord } from "../../src/ratings/record.ts";
import { createRandom } from "../../src/base/random.ts";
import { duels, gameRecord, randomGames } from "./records.ts";
import { slowTest } from "../support/thorough.ts";

const NAMES = ["ann", "bob", "cid", "dan", "eve"];

function warnings(records: readonly GameRecord[], count: number): string[] {
  return warningsOf(records, NAMES.slice(0, count));
}

function warningsOf(records: readonly GameRecord[], entrants: readonly string[]): string[] {
  const tally = tallyGames(records, entrants.length);
  const forfeits = new Forfeits();
  for (const record of records) forfeits.add(record);
  const repeats = new Repeats();
  for (const game of [...sourceOf(records).blocks()].flat()) repeats.add(game);
  return findWarnings({ entrants, tally, groups: findGroups(tally), forfeits, repeats: repeats.found() });
}

const even = (one: number, other: number) => duels([one, other], { won: 10, lost: 10 });
const whitewash = (one: number, other: number) => duels([one, other], { won: 20 });

test("a sound tournament has none", () => {
  expect(warnings([...even(0, 1), ...even(1, 2), ...even(2, 0)], 3)).toEqual([]);
});

describe("connection", () => {
  test("groups that no game connects are named", () => {
    expect(warnings([...even(0, 3), ...even(1, 2), ...even(2, 4)], 5)).toEqual([
      "no game connects {ann, dan} with {bob, cid, eve}: ratings compare only inside a group",
    ]);
  });

  test("entrants without games are named", () => {
    expect(warnings(even(0, 2), 4)).toEqual(["bob and dan played no game: the rating says nothing"]);
  });

  test("of groups with gaps between them the stronger comes first, whatever its size", () => {
    const games = [
      ...whitewash(3, 2),
      ...whitewash(2, 0),
      ...whitewash(2, 1),
      ...even(0, 1),
      ...whitewash(1, 4),
    ];
    expect(warnings(games, 5)).toContain(
      "{cid} > {ann, bob}: the stronger never lost or drew against the weaker, so the distance between them is not known",
    );
  });

  test("who won or lost everything is named", () => {
    expect(warnings([...even(1, 2), ...whitewash(0, 1), ...whitewash(0, 2), ...whitewash(1, 3)], 4)).toEqual([
      "ann won all its games: only the lower end of its interval is known",
      "dan lost all its games: only the upper end of its interval is known",
    ]);
  });

  test("one draw is enough to say nothing", () => {
    const draw = duels([0, 1], { drawn: 1 });
    expect(warnings([...even(1, 2), ...whitewash(0, 1), ...draw], 3)).toEqual([]);
  });

  test("a group that never lost against the rest is named", () => {
    expect(warnings([...even(0, 1), ...even(2, 3), ...whitewash(0, 2), ...whitewash(1, 3)], 4)).toEqual([
      "{ann, bob} > {cid, dan}: the stronger never lost or drew against the weaker, so the distance between " +
        "them is not known",
    ]);
  });

  test("a ladder: the ends by themselves, the gap inside as well", () => {
    const ladder = [...whitewash(3, 2), ...whitewash(2, 1), ...whitewash(1, 0)];
    expect(warnings(ladder, 4)).toEqual([
      "dan won all its games: only the lower end of its interval is known",
      "ann lost all its games: only the upper end of its interval is known",
      "{cid} > {bob}: the stronger never lost or drew against the weaker, so the distance between them is not known",
    ]);
  });

  test("three players: last but level once with another is not lost", () => {
    const game = (returns: readonly number[], number: number) =>
      gameRecord({ seats: [0, 1, 2], returns, block: `${number}` });
    const lost = Array.from({ length: 20 }, (_, number) => game(number % 2 ? [2, 1, 0] : [1, 2, 0], number));
    expect(warnings(lost, 3)).toEqual([
      "cid lost all its games: only the upper end of its interval is known",
    ]);
    expect(warnings([...lost, game([2, 1, 1], 20)], 3)).toEqual([]);
  });
});

test("few blocks are told with their number", () => {
  const few = duels([2, 0], { won: 3, lost: 4 });
  expect(warnings([...even(0, 1), ...few], 3)).toEqual([
    "fewer than 10 blocks, so intervals are rough: cid (7)",
  ]);
});

test("ten blocks are not few, nine are", () => {
  expect(warnings(duels([0, 1], { won: 5, lost: 5 }), 2)).toEqual([]);
  expect(warnings(duels([0, 1], { won: 5, lost: 4 }), 2)).toEqual([
    "fewer than 10 blocks, so intervals are rough: ann (9); bob (9)",
  ]);
});

describe("repeated games", () => {
  const played = (actions: readonly number[], number: number, openingLength = 1) =>
    gameRecord({
      seats: number % 2 ? [0, 1] : [1, 0],
      returns: Math.floor(number / 2) % 2 ? [1, -1] : [-1, 1],
      block: `${number >> 1}`,
      actions,
      openingLength,
    });
  const count = 40;
  const match = (actions: (number: number) => readonly number[], openingLength?: number) =>
    Array.from({ length: count }, (_, number) => played(actions(number), number, openingLength));

  test("are told when every game from an opening is the same", () => {
    expect(
      warnings(
        match(() => [1, 2, 3]),
        2,
      ),
    ).toEqual([
      "games repeat move for move, so intervals are too narrow; use more openings: ann - bob (38 of 40)",
    ]);
    // Five openings: 40 games are 10 different ones.
    expect(
      warnings(
        match((number) => [(number >> 1) % 5, 2, 3]),
        2,
      ),
    ).toEqual([
      "games repeat move for move, so intervals are too narrow; use more openings: ann - bob (30 of 40)",
    ]);
  });

  slowTest(
    "are counted like those of the same seats and opening that are all equal, for many games in any order",
    () => {
      const random = createRandom("repeats");
      const games = randomGames(random, { entrants: 4, seats: 2, games: 5000 }).map((game) => {
        const openingLength = random.below(6);
        const opening = Array.from({ length: openingLength }, () => random.below(4));
        // Some always go on alike, some mostly, some never.
        const move = random.below(1 + 3 * game.seats[0]!) === 0 ? 7 : random.below(20);
        return { ...game, openingLength, line: [...opening, move].join() };
      });
      const repeats = new Repeats();
      for (const game of games) repeats.add(game);
      const starts = new Map<string, string[]>();
      for (const { seats, openingLength, line } of games) {
        const key = `${seats.join()} ${line.split(",").slice(0, openingLength).join()} ${openingLength}`;
        starts.set(key, [...(starts.get(key) ?? []), line]);
      }
      const expected = new Map<string, number>();
      for (const [key, lines] of starts) {
        const match = key.split(" ")[0]!.split(",").toSorted().join();
        const equal = new Set(lines).size === 1 ? lines.length - 1 : 0;
        expected.set(match, (expected.get(match) ?? 0) + equal);
      }
      const found = repeats.found();
      expect(found.length).toBeGreaterThan(1);
      for (const { entrants, repeats: count } of found) expect(count).toBe(expected.get(entrants.join()));
    },
  );

  test("are no matter when players vary, and not after different openings", () => {
    expect(
      warnings(
        match((number) => [1, 2, (number >> 1) % 4]),
        2,
      ),
    ).toEqual([]);
    expect(
      warnings(
        match((number) => [number >> 1, 2, 3]),
        2,
      ),
    ).toEqual([]);
  });
});

test("a damaged game that names a seat and no forfeit is no forfeit", () => {
  const damaged = gameRecord({
    id: "x",
    seats: [0, 1],
    returns: [1, -1],
    block: "x",
    forfeitSeat: 1,
    ending: "finished",
  });
  expect(warnings([...even(0, 1), damaged], 2)).toEqual(warnings(even(0, 1), 2));
});

test("forfeits are counted by entrant and reason, with one detail", () => {
  const forfeit = (id: string, seat: number, ending: GameRecord["ending"], detail: string) =>
    gameRecord({
      id,
      seats: [0, 1],
      returns: seat === 0 ? [-1, 1] : [1, -1],
      block: id,
      forfeitSeat: seat,
      ending,
      detail,
    });
  const records = [
    ...even(0, 1),
    forfeit("b", 1, "time-out", "over 5000 ms"),
    forfeit("a", 1, "time-out", "over 4000 ms"),
    forfeit("c", 1, "exception", "oh no"),
    forfeit("d", 0, "worker died", ""),
  ];
  expect(warnings(records, 2)).toEqual([
    "ann: 1 crash",
    'bob: 1 exception ("oh no"), 2 time-outs ("over 4000 ms")',
  ]);
});

test("a detail has a reason, and the last lines of a dialogue; a crash ends with the error", () => {
  expect(readDetail("over 5000 ms")).toEqual({ reason: "over 5000 ms", lines: [] });
  const said = ['> {"type":"decide"}', "! ValueError: no idea"];
  expect(readDetail(`its process ended: exit code 1; the last lines: ${said.join(" | ")}`)).toEqual({
    reason: "its process ended: exit code 1; ValueError: no idea",
    lines: said,
  });
  expect(readDetail(`z9 is not legal; the last lines: > {} | < z9`).reason).toBe("z9 is not legal");
});

test("long lists are cut", () => {
  const records = Array.from({ length: 8 }, (_, number) =>
    duels([number, (number + 1) % 8], { won: 1, lost: 1 }),
  ).flat();
  const names = Array.from({ length: 8 }, (_, number) => `e${number}`);
  expect(warningsOf(records, names)).toEqual([
    "fewer than 10 blocks, so intervals are rough: e0 (4); e1 (4); e2 (4); e3 (4); e4 (4); and 3 more entrants",
  ]);
});
