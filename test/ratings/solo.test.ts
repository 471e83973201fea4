import { describe, expect, test } from "vitest";
import { contests, type GameRecord } from "../../src/ratings/record.ts";
import { createReport } from "../../src/ratings/report.ts";

function game(block: string, entrant: number, score: number): GameRecord {
  return {
    id: `${block}/${entrant}`,
    block,
    seats: [entrant],
    actions: [entrant, score],
    openingLength: 0,
    returns: [score],
    ending: "finished",
    forfeitSeat: -1,
    detail: "",
    decisions: [10],
    nodes: [20],
    timeMs: [1],
    thoughts: [],
  };
}

describe("games of one player", () => {
  const records = [game("a", 2, 50), game("a", 0, 100), game("a", 1, 50), game("b", 0, 10), game("b", 1, 30)];

  test("every two entrants of a block are compared once", () => {
    const pairs = contests(records).map(({ block, seats, returns }) => {
      const order = seats[0]! < seats[1]! ? [0, 1] : [1, 0];
      return [block, order.map((seat) => seats[seat]).join(), order.map((seat) => returns[seat]).join()];
    });
    expect(pairs.toSorted((a, b) => (a.join() < b.join() ? -1 : 1))).toEqual([
      ["a", "0,1", "100,50"],
      ["a", "0,2", "100,50"],
      ["a", "1,2", "50,50"],
      ["b", "0,1", "10,30"],
    ]);
  });

  test("the table counts games as games and places by comparison", () => {
    const { games, entrants } = createReport({ game: "solo", entrants: ["x", "y", "z"], records });
    expect(games).toBe(5);
    const find = (name: string) => entrants.find((entrant) => entrant.name === name)!;
    expect(find("x")).toMatchObject({
      games: 2,
      wins: 2,
      draws: 0,
      losses: 1,
      meanReturn: 55,
      nodesPerMove: 2,
    });
    expect(find("y")).toMatchObject({ games: 2, wins: 1, draws: 1, losses: 1, meanReturn: 40 });
    expect(find("z")).toMatchObject({ games: 1, wins: 0, draws: 1, losses: 1, meanReturn: 50 });
  });

  test("games of more players are compared as they are", () => {
    const two = [{ ...game("a", 0, 1), seats: [0, 1], returns: [1, -1] }];
    expect(contests(two)).toBe(two);
  });
});
