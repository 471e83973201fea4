/** Bounds: the true value is equal to the stored one, not below it, not above it. */
export const EXACT = 0;
export const LOWER = 1;
export const UPPER = 2;

/** Stands for an action where none is stored. */
export const NO_ACTION = -0x80000000;

/** Int32 words of an entry: both halves of the hash, the action, the traits, and the value, which takes two. */
const ENTRY_WORDS = 6;
const HIGH = 1;
const ACTION = 2;
const TRAITS = 3;
/** The place of the value among the three float64 of an entry. */
const VALUE = 2;
const BUCKET_WORDS = 2 * ENTRY_WORDS;
const WORD_BYTES = 4;

/** Traits are depth in 8 bits, bound in 2, and from here on the number of the decision that wrote the entry. */
const DECISION_SHIFT = 10;
const LAST_DECISION = 2 ** (31 - DECISION_SHIFT) - 1;

/**
 * Transposition table (Greenblatt 1967): keeps what was found about positions by their 64-bit hash, in one block of
 * memory. Each bucket has two entries (two-tier; Breuker 1998): one for the deeper search, one for the later one. After
 * `clear` all entries count as empty. After `age` entries are still found, and are the first to be replaced.
 */
export class TranspositionTable {
  protected readonly words: Int32Array;
  private readonly values: Float64Array;
  private readonly buckets: number;
  /** The number of the current decision, and of the first one whose entries count. */
  protected now = 1;
  protected first = 1;

  /** @param mebibytes the size of the table; at least one bucket */
  constructor(mebibytes: number) {
    this.buckets = bucketsIn(mebibytes);
    this.words = new Int32Array(this.buckets * BUCKET_WORDS);
    this.values = new Float64Array(this.words.buffer);
  }

  /** Forgets everything, at no cost: all entries become those of an earlier decision. */
  clear(): void {
    this.age();
    this.first = this.now;
  }

  /** Begins another decision, which may use what is stored. */
  age(): void {
    if (++this.now <= LAST_DECISION) return;
    this.words.fill(0);
    this.now = this.first = 1;
  }

  /** Returns the entry of the position with this hash, or -1. */
  find(low: number, high: number): number {
    const at = this.bucket(low);
    return this.holds(at, low, high) ? at : this.holds(at + ENTRY_WORDS, low, high) ? at + ENTRY_WORDS : -1;
  }

  depth(entry: number): number {
    return this.words[entry + TRAITS] & 0xff;
  }

  /** EXACT, LOWER or UPPER. */
  bound(entry: number): number {
    return (this.words[entry + TRAITS] >>> 8) & 3;
  }

  /** Returns the best action found, or NO_ACTION. */
  action(entry: number): number {
    return this.words[entry + ACTION];
  }

  value(entry: number): number {
    return this.values[(entry >>> 1) + VALUE];
  }

  /** True if an entry answers a search of this depth with the window from `alpha` to `beta`. */
  settles(entry: number, depth: number, value: number, alpha: number, beta: number): boolean {
    const traits = this.words[entry + TRAITS];
    if ((traits & 0xff) < depth) return false;
    const bound = (traits >>> 8) & 3;
    return bound === EXACT || (bound === LOWER ? value >= beta : value <= alpha);
  }

  /**
   * Stores what was found about a position; depth is 0 to 255. An entry of the same position and decision from a deeper
   * search stays. Without a new action, the stored one stays.
   */
  store(low: number, high: number, depth: number, bound: number, value: number, action: number): void {
    const { words } = this;
    const at = this.bucket(low);
    const later = at + ENTRY_WORDS;
    const known = this.find(low, high);
    const isOld = this.decision(at) < this.now;
    if (known >= 0) {
      if (this.decision(known) === this.now && this.depth(known) > depth) return;
      const kept = action === NO_ACTION ? words[known + ACTION] : action;
      this.write(known, low, high, depth, bound, value, kept);
    } else if (isOld || this.depth(at) <= depth) {
      if (this.decision(at) >= this.first) this.move(at, later);
      this.write(at, low, high, depth, bound, value, action);
    } else {
      this.write(later, low, high, depth, bound, value, action);
    }
  }

  private bucket(low: number): number {
    return bucketOf(low, this.buckets);
  }

  private decision(entry: number): number {
    return this.words[entry + TRAITS] >>> DECISION_SHIFT;
  }

  private holds(entry: number, low: number, high: number): boolean {
    const { words } = this;
    return words[entry] === low && words[entry + HIGH] === high && this.decision(entry) >= this.first;
  }

  private write(
    entry: number,
    low: number,
    high: number,
    depth: number,
    bound: number,
    value: number,
    action: number,
  ): void {
    const { words } = this;
    words[entry] = low;
    words[entry + HIGH] = high;
    words[entry + ACTION] = action;
    words[entry + TRAITS] = (this.now << DECISION_SHIFT) | (bound << 8) | depth;
    this.values[(entry >>> 1) + VALUE] = value;
  }

  private move(from: number, to: number): void {
    const { words } = this;
    for (let word = 0; word < ENTRY_WORDS; word++) words[to + word] = words[from + word];
  }
}

/** Returns the number of buckets in a table of this size. */
function bucketsIn(mebibytes: number): number {
  return Math.max(1, Math.floor((mebibytes * 2 ** 20) / (BUCKET_WORDS * WORD_BYTES)));
}

/** Returns the first word of the bucket that a hash belongs to. */
function bucketOf(low: number, buckets: number): number {
  return Math.floor(((low >>> 0) / 2 ** 32) * buckets) * BUCKET_WORDS;
}

/** Words before the buckets: the number of the current decision, and of the first one whose entries count. */
const NOW = 0;
const FIRST = 1;
const HEADER_WORDS = 2;

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
