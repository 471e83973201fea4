import { expect, test } from "vitest";
import { binomial, rankOfSet, setOfRank } from "../../src/games/checkers/endgames.ts";

/** The members of a set of bits, the greatest first. */
const membersOf = (set: number) =>
  Array.from({ length: 32 }, (_, at) => 31 - at).filter((bit) => (set >>> bit) & 1);

test("the number of subsets is the product of the quotients, up to 12 of 32", () => {
  for (let elements = 0; elements <= 32; elements++)
    for (let members = 0; members <= 12; members++) {
      let product = members > elements ? 0 : 1;
      for (let at = 0; at < members && product > 0; at++) product = (product * (elements - at)) / (at + 1);
      expect(binomial(elements, members), `${members} of ${elements}`).toBe(Math.round(product));
    }
});

test("the rank of a set is its place among the sets of that size, the greatest member first, and back", () => {
  const ELEMENTS = 10;
  for (let members = 0; members <= ELEMENTS; members++) {
    const sets = Array.from({ length: 2 ** ELEMENTS }, (_, set) => set).filter(
      (set) => membersOf(set).length === members,
    );
    expect(sets.length).toBe(binomial(ELEMENTS, members));
    const ordered = sets.toSorted((a, b) => {
      const [one, other] = [membersOf(a), membersOf(b)];
      const at = one.findIndex((bit, index) => bit !== other[index]);
      return at < 0 ? 0 : one[at]! - other[at]!;
    });
    expect(ordered.map(rankOfSet)).toEqual(ordered.map((_, rank) => rank));
    for (const [rank, set] of ordered.entries()) expect(setOfRank(rank, members, ELEMENTS)).toBe(set);
  }
});

test("sets may have the highest of 32 bits", () => {
  const highest = 0xfff00000 | 0;
  expect(rankOfSet(highest)).toBe(binomial(32, 12) - 1);
  expect(setOfRank(binomial(32, 12) - 1, 12, 32)).toBe(highest);
});
