const BUCKET_BITS = 12;
const BUCKETS = 1 << BUCKET_BITS;
const FIRST = 0x7fffffff;
/** All scores are halved when one passes this. */
const CEILING = 0x40000000;

/**
 * Orders actions for any number of players: first the action in the transposition table, then those that were best or
 * caused cut-offs elsewhere (history; Schaeffer 1983). After a chance event, an action is remembered together with its
 * outcome: the best turn after a roll is often the best after the same roll elsewhere. An action may be any int32, so
 * scores are kept in hashed buckets.
 */
export class History {
  private scores = new Int32Array(0);
  private readonly history: Int32Array;

  constructor(players: number) {
    this.history = new Int32Array(players * BUCKETS);
  }

  /** Forgets everything, before a new decision. */
  clear(): void {
    this.history.fill(0);
  }

  /**
   * Gives each action at stack[at...at+count-1] a score, for `bringBest`.
   * @param first the action to be tried before all others, if it is among them
   * @param outcome the chance outcome just before the position, or 0
   */
  score(stack: Int32Array, at: number, count: number, first: number, player: number, outcome: number): void {
    this.reserve(stack.length);
    const { scores, history } = this;
    for (let index = at; index < at + count; index++) {
      const action = stack[index];
      scores[index] = action === first ? FIRST : history[bucket(action, outcome, player)];
    }
  }

  private reserve(size: number): void {
    if (size <= this.scores.length) return;
    const scores = new Int32Array(size);
    scores.set(this.scores);
    this.scores = scores;
  }

  /** Moves the action with the highest score of stack[from...end-1] to stack[from]; the others keep their order. */
  bringBest(stack: Int32Array, from: number, end: number): void {
    const { scores } = this;
    let best = from;
    for (let index = from + 1; index < end; index++) if (scores[index] > scores[best]) best = index;
    const action = stack[best];
    const score = scores[best];
    for (let index = best; index > from; index--) {
      stack[index] = stack[index - 1];
      scores[index] = scores[index - 1];
    }
    stack[from] = action;
    scores[from] = score;
  }

  /** Remembers that `action` was the best, or enough for a cut-off, with `depth` plies left. */
  reward(action: number, player: number, outcome: number, depth: number): void {
    const { history } = this;
    const at = bucket(action, outcome, player);
    history[at] += depth * depth;
    if (history[at] > CEILING) for (let index = 0; index < history.length; index++) history[index] >>= 1;
  }
}

function bucket(action: number, outcome: number, player: number): number {
  const word = (action + Math.imul(outcome, 0x85ebca6b)) | 0;
  return player * BUCKETS + (Math.imul(word, 0x9e3779b1) >>> (32 - BUCKET_BITS));
}
