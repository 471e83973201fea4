import { BUCKET_WORDS, bucketOf, bucketsIn, ENTRY_WORDS, TranspositionTable } from "./transposition-table.ts";

/** Words before the buckets: the number of the current decision, and of the first one whose entries count. */
const NOW = 0;
const FIRST = 1;
const HEADER_WORDS = 2;
const WORD_BYTES = 4;

/**
 * A transposition table that several threads use at once, without locks (Hyatt and Mann 2002). The class is a table of
 * a single bucket. It copies the bucket that a hash belongs to from shared memory into that one, and back after a
 * change.
 *
 * In shared memory one half of an entry's hash is mixed with the rest of the entry. If two threads write parts of one
 * entry, or one reads it while another writes, the hash is wrong and the entry is not found (but for one in 2 ** 32).
 * Two threads that store in one bucket at once may lose an entry: that costs time and changes no value.
 *
 * The result of `find` holds until the next `find` or `store`.
 */
export class SharedTable extends TranspositionTable {
  /** Int32 words, shared by all threads. */
  readonly memory: SharedArrayBuffer;
  private readonly shared: Int32Array;
  private readonly sharedBuckets: number;
  private readonly leads: boolean;

  private constructor(memory: SharedArrayBuffer, leads: boolean) {
    super(0);
    this.memory = memory;
    this.shared = new Int32Array(memory);
    this.sharedBuckets = (this.shared.length - HEADER_WORDS) / BUCKET_WORDS;
    this.leads = leads;
  }

  /** Makes a table for the thread that decides. Its `clear` and `age` count for all threads. */
  static lead(mebibytes: number): SharedTable {
    const words = HEADER_WORDS + bucketsIn(mebibytes) * BUCKET_WORDS;
    const table = new SharedTable(new SharedArrayBuffer(words * WORD_BYTES), true);
    table.publish();
    return table;
  }

  /** Makes the table of a helper in the memory of another one. Its own `clear` and `age` do nothing. */
  static follow(memory: SharedArrayBuffer): SharedTable {
    return new SharedTable(memory, false);
  }

  override clear(): void {
    if (!this.leads) return;
    super.clear();
    this.publish();
  }

  override age(): void {
    if (!this.leads) return;
    super.age();
    // The numbers of decisions begin again.
    if (this.now === 1) this.shared.fill(0);
    this.publish();
  }

  override find(low: number, high: number): number {
    this.fetch(HEADER_WORDS + bucketOf(low, this.sharedBuckets));
    return super.find(low, high);
  }

  override store(
    low: number,
    high: number,
    depth: number,
    bound: number,
    value: number,
    action: number,
  ): void {
    // `store` begins with `find`, which fetches the bucket.
    super.store(low, high, depth, bound, value, action);
    this.put(HEADER_WORDS + bucketOf(low, this.sharedBuckets));
  }

  private publish(): void {
    this.shared[NOW] = this.now;
    this.shared[FIRST] = this.first;
  }

  /** Copies the bucket at shared[from...] and the number of the current decision from shared memory. */
  private fetch(from: number): void {
    const { words, shared } = this;
    this.now = shared[NOW];
    this.first = shared[FIRST];
    for (let word = 0; word < BUCKET_WORDS; word++) words[word] = shared[from + word];
    seal(words);
  }

  private put(to: number): void {
    const { words, shared } = this;
    seal(words);
    for (let word = 0; word < BUCKET_WORDS; word++) shared[to + word] = words[word];
  }
}

/** Mixes the first word of both entries of a bucket with their other words. A second call takes that back. */
function seal(words: Int32Array): void {
  words[0] ^= digest(words, 0);
  words[ENTRY_WORDS] ^= digest(words, ENTRY_WORDS);
}

/** Mixes all words of an entry but the first into one word; 0 for an empty entry. */
function digest(words: Int32Array, entry: number): number {
  let mixed = 0;
  for (let word = entry + 1; word < entry + ENTRY_WORDS; word++) {
    mixed = Math.imul(mixed ^ words[word], 0x9e3779b1);
    mixed ^= mixed >>> 15;
  }
  return mixed;
}
