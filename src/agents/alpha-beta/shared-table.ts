import { BUCKET_WORDS, bucketOf, bucketsIn, ENTRY_WORDS, TranspositionTable } from "./transposition-table.ts";

/** Words before the buckets: the decision that goes on, and the first one whose entries are found. */
const NOW = 0;
const FIRST = 1;
const HEADER_WORDS = 2;
const WORD_BYTES = 4;

/**
 * A transposition table that several threads use at once, without locks (Hyatt and Mann 2002). It is a table of one
 * bucket of its own, into which the bucket of shared memory that a hash belongs to is copied first, and from which it
 * is copied back. In shared memory one half of an entry's hash is mixed with the rest of the entry. So an entry that
 * two threads wrote in parts, or that was read while it was written, has another hash, and is not found (but for one in
 * 2 ** 32). Two threads that store in one bucket at once may lose an entry, which costs a search and changes no value.
 *
 * What `find` returns holds until the next `find` or `store`.
 */
export class SharedTable extends TranspositionTable {
  /** Int32 words; typed arrays in any thread may be made over it. */
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

  /** A new table of this size, in the thread that decides: its decisions are those of the others too. */
  static lead(mebibytes: number): SharedTable {
    const words = HEADER_WORDS + bucketsIn(mebibytes) * BUCKET_WORDS;
    const table = new SharedTable(new SharedArrayBuffer(words * WORD_BYTES), true);
    table.publish();
    return table;
  }

  /** The table in the memory of another thread's; `clear` and `age` are that thread's to do. */
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
    // Numbers of decisions begin again.
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
    // It begins with `find`, which fetches the bucket.
    super.store(low, high, depth, bound, value, action);
    this.put(HEADER_WORDS + bucketOf(low, this.sharedBuckets));
  }

  private publish(): void {
    this.shared[NOW] = this.now;
    this.shared[FIRST] = this.first;
  }

  /** Copies the bucket at shared[from...] into the own one, and looks which decision goes on. */
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

/** Mixes the first word of both entries of a bucket with their other words; done again, it takes that back. */
function seal(words: Int32Array): void {
  words[0] ^= digest(words, 0);
  words[ENTRY_WORDS] ^= digest(words, ENTRY_WORDS);
}

/** All words of an entry but the first one, mixed into one word; 0 of an empty entry. */
function digest(words: Int32Array, entry: number): number {
  let mixed = 0;
  for (let word = entry + 1; word < entry + ENTRY_WORDS; word++) {
    mixed = Math.imul(mixed ^ words[word], 0x9e3779b1);
    mixed ^= mixed >>> 15;
  }
  return mixed;
}
