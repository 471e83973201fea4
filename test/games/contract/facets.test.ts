import { expect, test } from "vitest";
import { createRandom } from "../../../src/base/random.ts";
import { takeBest } from "../../../src/games/contract/facets.ts";
import { createGame } from "../../../src/games/index.ts";
import { expectFrequencies } from "../../support/frequencies.ts";

test("of equally good actions each is as likely", () => {
  const game = createGame("connect-four");
  // Columns 2, 4 and 7 are best.
  const policy = takeBest(7, (_, column) => ([1, 3, 6].includes(column) ? 5 : column === 0 ? 4 : -1));
  const random = createRandom("equals");
  const counts = new Map<number, number>();
  for (let draw = 0; draw < 9000; draw++) {
    const column = policy.choose(game.start(), random);
    counts.set(column, (counts.get(column) ?? 0) + 1);
  }
  expect([...counts.keys()].toSorted((a, b) => a - b)).toEqual([1, 3, 6]);
  expectFrequencies([...counts.values()]);
  expect(policy.choose(game.start())).toBe(1);
});
