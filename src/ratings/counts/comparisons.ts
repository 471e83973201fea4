/**
 * Blocks in which the same numbers were compared equally often. The lead of a number in a block is the number of its wins
 * minus the number of its losses. The spread of the ratings needs only the sums of the leads and of their products, so
 * the size of a group does not depend on its number of blocks.
 */
export interface BlockGroup {
  /** Ascending. */
  readonly numbers: readonly number[];
  /** The compared pairs, as indexes into `numbers`, and the number of comparisons in each block. */
  readonly pairs: readonly { readonly one: number; readonly other: number; readonly times: number }[];
  blocks: number;
  /** The sum of the leads over the blocks, by index into `numbers`. */
  readonly leads: number[];
  /** The sums of the products of two leads, at [row * numbers.length + column]. */
  readonly products: number[];
}

/**
 * Results of numbers against each other, the numbers being entrants or seats. All sums are of whole and half numbers,
 * which floating point adds without rounding, so the order in which blocks come changes no bit.
 */
export class Comparisons {
  /** The number of numbers. */
  readonly size: number;
  /** The number of comparisons of two numbers, at [one * size + other] with one < other. */
  readonly games: Float64Array;
  /** The score of `one` at the same place: 1 for each win and a half for a tie. */
  readonly score: Float64Array;
  /** The sum over blocks of the squared lead of `one`, at the same place. */
  readonly squares: Float64Array;
  /** The number of blocks in which each number was compared. */
  readonly blocksOf: Float64Array;
  private readonly groups = new Map<string, BlockGroup>();
  /** The groups of blocks in which one pair alone was compared, by pair: found without making a key. */
  private readonly duels: BlockGroup[][] = [];

  // The current block: comparisons and lead of `one` by pair, and the lead by number.
  private readonly times: Int32Array;
  private readonly pairLeads: Int32Array;
  private readonly leads: Int32Array;
  private pairs: number[] = [];

  constructor(size: number) {
    this.size = size;
    this.games = new Float64Array(size * size);
    this.score = new Float64Array(size * size);
    this.squares = new Float64Array(size * size);
    this.blocksOf = new Float64Array(size);
    this.times = new Int32Array(size * size);
    this.pairLeads = new Int32Array(size * size);
    this.leads = new Int32Array(size);
  }

  /** Adds a comparison to the current block: `lead` is 1 if `one` came ahead, -1 if `other` did, 0 for a tie. */
  add(one: number, other: number, lead: number): void {
    if (one === other) return;
    const pair = one < other ? one * this.size + other : other * this.size + one;
    if (this.times[pair]++ === 0) this.pairs.push(pair);
    this.pairLeads[pair] += one < other ? lead : 0 - lead;
    this.leads[one] += lead;
    this.leads[other] -= lead;
  }

  endBlock(): void {
    const { times, pairLeads, pairs } = this;
    if (pairs.length === 0) return;
    const group = pairs.length === 1 ? this.duelGroup(pairs[0]) : this.groupAtHand();
    addLeads(group, this.leads);
    for (const number of group.numbers) {
      this.blocksOf[number]++;
      this.leads[number] = 0;
    }
    for (const pair of pairs) {
      this.games[pair] += times[pair];
      this.score[pair] += (times[pair] + pairLeads[pair]) / 2;
      this.squares[pair] += pairLeads[pair] ** 2;
      times[pair] = pairLeads[pair] = 0;
    }
    pairs.length = 0;
  }

  /** All groups, in an order that does not depend on the order of the blocks. */
  blockGroups(): BlockGroup[] {
    const duels = this.duels.flatMap((own) => own.toSorted((a, b) => a.pairs[0].times - b.pairs[0].times));
    const others = [...this.groups].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, group]) => group);
    return [...duels, ...others];
  }

  /** The group of a block in which this pair alone was compared. */
  private duelGroup(pair: number): BlockGroup {
    const known = (this.duels[pair] ??= []);
    const times = this.times[pair];
    for (const group of known) if (group.pairs[0].times === times) return group;
    const duel = createGroup([pair], this.times, this.size);
    known.push(duel);
    return duel;
  }

  private groupAtHand(): BlockGroup {
    const { pairs, times, size } = this;
    pairs.sort((a, b) => a - b);
    let key = "";
    for (const pair of pairs) key += `${pair}x${times[pair]} `;
    let group = this.groups.get(key);
    if (group === undefined) this.groups.set(key, (group = createGroup(pairs, times, size)));
    return group;
  }
}

function createGroup(pairs: readonly number[], times: Int32Array, size: number): BlockGroup {
  if (pairs.length === 1) {
    const [pair] = pairs;
    const numbers = [Math.floor(pair / size), pair % size];
    const duel = { one: 0, other: 1, times: times[pair] };
    return { numbers, pairs: [duel], blocks: 0, leads: [0, 0], products: [0, 0, 0, 0] };
  }
  const both = pairs.flatMap((pair) => [Math.floor(pair / size), pair % size]);
  const numbers = [...new Set(both)].toSorted((a, b) => a - b);
  const place = new Map(numbers.map((number, index) => [number, index]));
  return {
    numbers,
    pairs: pairs.map((pair) => ({
      one: place.get(Math.floor(pair / size))!,
      other: place.get(pair % size)!,
      times: times[pair],
    })),
    blocks: 0,
    leads: numbers.map(() => 0),
    products: Array.from({ length: numbers.length ** 2 }, () => 0),
  };
}

function addLeads(group: BlockGroup, all: Int32Array): void {
  const { numbers, leads, products } = group;
  const count = numbers.length;
  group.blocks++;
  for (let row = 0; row < count; row++) {
    const lead = all[numbers[row]];
    leads[row] += lead;
    for (let column = 0; column < count; column++)
      products[row * count + column] += lead * all[numbers[column]];
  }
}
