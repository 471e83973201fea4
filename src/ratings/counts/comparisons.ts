import { grown } from "../../base/hashing.ts";

/**
 * Blocks in which the same numbers were compared equally often, several pairs of them. The lead of a number in a block is
 * the number of its wins minus the number of its losses. The spread of the ratings needs only the sums of the leads and of
 * their products, so the size of a group does not depend on its number of blocks.
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

/** The pairs of numbers that were compared, ascending, with the sums over their comparisons. */
export interface ComparedPairs {
  readonly count: number;
  /** The two numbers of each pair; `one` is the smaller. */
  readonly one: Int32Array;
  readonly other: Int32Array;
  /** The number of comparisons. */
  readonly games: Float64Array;
  /** The score of `one`: 1 for each win and a half for a tie. */
  readonly score: Float64Array;
  /** The sum over blocks of the squared lead of `one`. */
  readonly squares: Float64Array;
  /**
   * Sums over the blocks in which no other pair was compared. With the lead of `one` in a block, and the times that the
   * two were compared there: leads squared, times x lead, times squared.
   */
  readonly duelSquares: Float64Array;
  readonly duelProducts: Float64Array;
  readonly duelTimes: Float64Array;
}

/** The most numbers for which matrices over all pairs of them are made and shown. */
export const MOST_IN_MATRIX = 1000;

/** The fields of a pair in the table of pairs. The last two are of the current block. */
const [GAMES, SCORE, SQUARES, DUEL_SQUARES, DUEL_PRODUCTS, DUEL_TIMES, TIMES, LEAD] = [
  0, 1, 2, 3, 4, 5, 6, 7,
];
const FIELDS = 8;

/**
 * Results of numbers against each other, the numbers being entrants or seats. All sums are of whole and half numbers,
 * which floating point adds without rounding, so the order in which blocks come changes no bit.
 */
export class Comparisons {
  /** The number of numbers. */
  readonly size: number;
  /** The number of blocks in which each number was compared. */
  readonly blocksOf: Float64Array;
  private readonly groups = new Map<string, BlockGroup>();
  /** By pair, one * size + other with one < other: 1 + the row of the pair in `table`, or 0. */
  private rows: Int32Array;
  private table = new Float64Array(64 * FIELDS);
  private rowCount = 0;
  /** In place of `rows` and `table` while nothing is added. */
  private sums: ComparedPairs | undefined;

  // The current block: its pairs, and the lead by number.
  private readonly present: number[] = [];
  private readonly leads: Int32Array;

  constructor(size: number) {
    this.size = size;
    this.blocksOf = new Float64Array(size);
    this.rows = new Int32Array(size * size);
    this.leads = new Int32Array(size);
  }

  /** Adds a comparison to the current block: `lead` is 1 if `one` came ahead, -1 if `other` did, 0 for a tie. */
  add(one: number, other: number, lead: number): void {
    if (one === other) return;
    if (this.sums !== undefined) this.reopen(this.sums);
    const pair = one < other ? one * this.size + other : other * this.size + one;
    const place = this.rows[pair] === 0 ? this.addRow(pair) : this.placeOf(pair);
    const { table } = this;
    if (table[place + TIMES]++ === 0) this.present.push(pair);
    table[place + LEAD] += one < other ? lead : 0 - lead;
    this.leads[one] += lead;
    this.leads[other] -= lead;
  }

  endBlock(): void {
    const { table, present } = this;
    if (present.length === 0) return;
    if (present.length === 1) this.endDuel(present[0]);
    else this.endGroup();
    for (const pair of present) {
      const place = this.placeOf(pair);
      const [times, lead] = [table[place + TIMES], table[place + LEAD]];
      table[place + GAMES] += times;
      table[place + SCORE] += (times + lead) / 2;
      table[place + SQUARES] += lead * lead;
      table[place + TIMES] = table[place + LEAD] = 0;
    }
    present.length = 0;
  }

  /** Frees what only adding needs; it comes back when something is added. */
  pairs(): ComparedPairs {
    if (this.sums !== undefined) return this.sums;
    const count = this.rowCount;
    const [one, other] = [new Int32Array(count), new Int32Array(count)];
    const columns = Array.from({ length: TIMES }, () => new Float64Array(count));
    let at = 0;
    for (let pair = 0; pair < this.rows.length; pair++) {
      if (this.rows[pair] === 0) continue;
      const place = this.placeOf(pair);
      one[at] = Math.floor(pair / this.size);
      other[at] = pair % this.size;
      for (let field = GAMES; field < TIMES; field++) columns[field][at] = this.table[place + field];
      at++;
    }
    const [games, score, squares, duelSquares, duelProducts, duelTimes] = columns;
    this.rows = new Int32Array(0);
    this.table = new Float64Array(0);
    return (this.sums = { count, one, other, games, score, squares, duelSquares, duelProducts, duelTimes });
  }

  /** The groups of blocks with several pairs, in an order that does not depend on the order of the blocks. */
  blockGroups(): BlockGroup[] {
    return [...this.groups].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, group]) => group);
  }

  private reopen({ count, one, other, ...sums }: ComparedPairs): void {
    const { games, score, squares, duelSquares, duelProducts, duelTimes } = sums;
    const columns = [games, score, squares, duelSquares, duelProducts, duelTimes];
    this.sums = undefined;
    this.rows = new Int32Array(this.size * this.size);
    this.table = new Float64Array(2 * Math.max(count, 32) * FIELDS);
    this.rowCount = 0;
    for (let at = 0; at < count; at++) {
      const place = this.addRow(one[at] * this.size + other[at]);
      for (const [field, column] of columns.entries()) this.table[place + field] = column[at];
    }
  }

  private placeOf(pair: number): number {
    return (this.rows[pair] - 1) * FIELDS;
  }

  private addRow(pair: number): number {
    const place = this.rowCount * FIELDS;
    if (place === this.table.length) this.table = grown(this.table);
    this.rows[pair] = ++this.rowCount;
    return place;
  }

  /** Ends a block in which one pair alone was compared. */
  private endDuel(pair: number): void {
    const { table, size } = this;
    const place = this.placeOf(pair);
    const [times, lead] = [table[place + TIMES], table[place + LEAD]];
    table[place + DUEL_SQUARES] += lead * lead;
    table[place + DUEL_PRODUCTS] += times * lead;
    table[place + DUEL_TIMES] += times * times;
    const [one, other] = [Math.floor(pair / size), pair % size];
    this.blocksOf[one]++;
    this.blocksOf[other]++;
    this.leads[one] = this.leads[other] = 0;
  }

  private endGroup(): void {
    const { table, size } = this;
    const pairs = this.present
      .map((pair) => ({ pair, times: table[this.placeOf(pair) + TIMES] }))
      .toSorted((a, b) => a.pair - b.pair);
    const key = pairs.map(({ pair, times }) => `${pair}x${times}`).join(" ");
    let group = this.groups.get(key);
    if (group === undefined) this.groups.set(key, (group = createGroup(pairs, size)));
    addLeads(group, this.leads);
    for (const number of group.numbers) {
      this.blocksOf[number]++;
      this.leads[number] = 0;
    }
  }
}

function createGroup(pairs: readonly { pair: number; times: number }[], size: number): BlockGroup {
  const both = pairs.flatMap(({ pair }) => [Math.floor(pair / size), pair % size]);
  const numbers = [...new Set(both)].toSorted((a, b) => a - b);
  const place = new Map(numbers.map((number, index) => [number, index]));
  return {
    numbers,
    pairs: pairs.map(({ pair, times }) => ({
      one: place.get(Math.floor(pair / size))!,
      other: place.get(pair % size)!,
      times,
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
