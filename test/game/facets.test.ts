import { expect, test } from "vitest";
import { createRandom } from "../../src/base/random.ts";
import { takeBest } from "../../src/game/facets.ts";
import { createGame } from "../../src/games/index.ts";

test("of equally good actions each is as likely", () => {
  const game = createGame("connect-four");
  // Columns 2, 4 and 7 are best.
  const policy = takeBest(7, (_, column) => ([1, 3, 6].includes(column) ? 5 : column === 0 ? 4 : -1));
  const random = createRandom("equals");
  const counts = new Map<number, number>();
  for (let draw = 0; draw < 3000; draw++) {
    const column = policy.choose(game.start(), random);
    counts.set(column, (counts.get(column) ?? 0) + 1);
  }
  expect([...counts.keys()].toSorted((a, b) => a - b)).toEqual([1, 3, 6]);
  // 3,000 draws over 3: chi-square with 2 degrees of freedom exceeds 27.6 once in a million.
  expect([...counts.values()].reduce((sum, count) => sum + (count - 1000) ** 2 / 1000, 0)).toBeLessThan(27.6);
  expect(policy.choose(game.start())).toBe(1);
});
