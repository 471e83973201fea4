import { expect, test } from "vitest";
import { ReturnDesign } from "../../../src/ratings/adaptive/return-design.ts";

/** A design with the returns of each entrant. */
function designOf(returns: readonly (readonly number[])[]): ReturnDesign {
  const design = new ReturnDesign(returns.length);
  for (const [entrant, values] of returns.entries()) {
    design.giveOut(entrant, values.length);
    for (const value of values) design.add(entrant, value);
  }
  return design;
}

const blocksOf = (design: ReturnDesign, blocks: number, entrants: number) => {
  const found = Array.from({ length: entrants }, () => 0);
  for (const { entrants: alone, blocks: size } of design.next(blocks)) found[alone[0]!]! += size;
  return found;
};

test("blocks go where the standard error is largest, in proportion to the variances in the end", () => {
  // Variances 1, 4 and 0 about their means.
  const design = designOf([
    Array.from({ length: 400 }, (_, at) => 10 + (at % 2 === 0 ? 1 : -1)),
    Array.from({ length: 400 }, (_, at) => (at % 2 === 0 ? 2 : -2)),
    Array.from({ length: 400 }, () => 7),
  ]);
  // The prior moves the variances a little.
  expect(blocksOf(design, 1180, 3)).toEqual([0, 1180, 0]);
  const [first, second, third] = blocksOf(design, 4000, 3);
  expect((second! + 400) / (first! + 400)).toBeGreaterThan(3.9);
  expect(third).toBe(0);
});

test("who has no block plays first; two equal returns do not settle a mean", () => {
  expect(blocksOf(designOf([[3, 5], [], [4, 4]]), 1, 3)).toEqual([0, 1, 0]);
  expect(
    blocksOf(
      designOf([
        [3, 5],
        [4, 9],
        [4, 4],
      ]),
      30,
      3,
    )[2],
  ).toBeGreaterThan(4);
});

test("equal errors give blocks in turn, and blocks that are out count", () => {
  expect(blocksOf(designOf([[1, 1], [1, 1], [1]]), 4, 3)).toEqual([1, 1, 2]);
  const design = designOf([
    [0, 2],
    [0, 2],
  ]);
  design.giveOut(0, 3);
  expect(blocksOf(design, 3, 2)).toEqual([0, 3]);
});
