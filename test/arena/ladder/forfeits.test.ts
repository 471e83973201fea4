import { expect, onTestFinished, test } from "vitest";
import { Forfeits } from "../../../src/arena/ladder/forfeits.ts";
import { Store } from "../../../src/arena/store/store.ts";
import type { GameRecord } from "../../../src/ratings/record.ts";

/** A game of the entrants 4, 5 and 6, which one of them forfeits, or nobody. */
function gameOf(number: number, loser: number | undefined): GameRecord {
  const seats = [4, 5, 6];
  const forfeitSeat = loser === undefined ? -1 : seats.indexOf(loser);
  const zeros = [0, 0, 0];
  return {
    id: number.toString(16).padStart(32, "0"),
    block: "0".repeat(32),
    seats,
    actions: [],
    openingLength: 0,
    returns: zeros,
    ending: forfeitSeat < 0 ? "finished" : "exception",
    forfeitSeat,
    detail: forfeitSeat < 0 ? "" : "it gave up",
    decisions: zeros,
    nodes: zeros,
    timeMs: zeros,
    thoughts: [],
  };
}

test("a row of forfeits is ended by a game that nobody forfeits, and by no game of another's forfeit", () => {
  const store = Store.inMemory();
  onTestFinished(() => store.close());
  const forfeits = new Forfeits(store);
  let number = 0;
  const play = (...losers: (number | undefined)[]) => {
    store.add(losers.map((loser) => gameOf(++number, loser)));
    return forfeits.update(3);
  };
  // 4 and 5 sit at one table, and forfeit in turn.
  expect(play(4, 5, 4, 5)).toBe(false);
  expect(play(4)).toBe(true);
  expect(forfeits.reason(4)).toBe("3 forfeits in a row, the last one by exception: it gave up");
  expect(forfeits.reason(5)).toBeUndefined();
  expect(play(undefined, 5, 5)).toBe(false);
  expect(play(5)).toBe(true);
  expect(forfeits.reason(6)).toBeUndefined();
  expect(forfeits.lastOf(5)).toHaveLength(5);
});
