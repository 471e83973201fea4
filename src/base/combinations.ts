/** The most elements of a set, and the most members of a subset. */
const MOST_ELEMENTS = 32;
const MOST_MEMBERS = 12;

/** At 16 * elements + members: the number of subsets with this number of members. */
const BINOMIALS = new Float64Array(16 * (MOST_ELEMENTS + 1));
for (let elements = 0; elements <= MOST_ELEMENTS; elements++) {
  BINOMIALS[16 * elements] = 1;
  for (let members = 1; members <= MOST_MEMBERS && elements > 0; members++) {
    const before = 16 * (elements - 1) + members;
    BINOMIALS[16 * elements + members] = BINOMIALS[before] + BINOMIALS[before - 1];
  }
}

/** The number of subsets with `members` members of a set of `elements` elements; at most 12 and 32. */
export function binomial(elements: number, members: number): number {
  return BINOMIALS[16 * elements + members];
}

/**
 * The rank of a set, as bits of an int32, among all sets with the same number of members: 0 to binomial - 1, ordered by
 * the greatest member first (the combinatorial number system; Lehmer 1964).
 */
export function rankOfSet(set: number): number {
  let rank = 0;
  let member = 1;
  for (let rest = set; rest !== 0; rest &= rest - 1)
    rank += BINOMIALS[16 * (31 - Math.clz32(rest & (0 - rest))) + member++];
  return rank;
}

/** The inverse of `rankOfSet`, for sets of `members` bits among the bits 0 to elements - 1. */
export function setOfRank(rank: number, members: number, elements: number): number {
  let set = 0;
  let left = rank;
  let bit = elements - 1;
  for (let member = members; member > 0; member--) {
    while (BINOMIALS[16 * bit + member] > left) bit--;
    left -= BINOMIALS[16 * bit + member];
    set |= 1 << bit;
    bit--;
  }
  return set;
}
