import { NO_ACTION } from "./table.ts";

const BUCKET_BITS = 12;
const BUCKETS = 1 << BUCKET_BITS;
const TABLE_SCORE = 0x7fffffff;
const KILLER_SCORE = 0x40000000;
/** All history scores are halved when one passes this, so that they stay below the scores of killers. */
const HISTORY_CEILING = 0x20000000;

/**
 * Which actions to try first: the action in the table, then the last two actions that caused a cut-off at this ply
 * (killers; Akl and Newborn 1977), then the actions that caused many cut-offs anywhere (history; Schaeffer 1983). An
 * action may be any int32, so each player's history scores are kept in hashed buckets.
 */
export class MoveOrdering {
  private readonly scores: Int32Array;
  private readonly killers: Int32Array;
  private readonly history = new Int32Array(2 * BUCKETS);
  private readonly remembers: boolean;

  /**
   * @param levels the greatest number of positions on a path
   * @param remembers whether killers and history are used, or the table's action alone
   */
  constructor({ stackSize, levels, remembers }: { stackSize: number; levels: number; remembers: boolean }) {
    this.scores = new Int32Array(stackSize);
    this.killers = new Int32Array(2 * levels).fill(NO_ACTION);
    this.remembers = remembers;
  }

  /** Forgets the killers and the history, before a new decision. */
  clear(): void {
    this.killers.fill(NO_ACTION);
    this.history.fill(0);
  }

  /** Gives each action at stack[at...at+count-1] a score, for `bringBest`. */
  score(
    stack: Int32Array,
    at: number,
    count: number,
    tableAction: number,
    player: number,
    ply: number,
  ): void {
    const { scores, killers, history } = this;
    for (let index = at; index < at + count; index++) {
      const action = stack[index];
      if (action === tableAction) scores[index] = TABLE_SCORE;
      else if (!this.remembers) scores[index] = 0;
      else if (action === killers[2 * ply]) scores[index] = KILLER_SCORE + 1;
      else if (action === killers[2 * ply + 1]) scores[index] = KILLER_SCORE;
      else scores[index] = history[bucket(action, player)];
    }
  }

  /** Moves the action with the highest score of stack[from...end-1] to stack[from]; the others keep their order. */
  bringBest(stack: Int32Array, from: number, end: number): void {
    const { scores } = this;
    let best = from;
    for (let index = from + 1; index < end; index++) {
      if (scores[index] > scores[best]) best = index;
    }
    const action = stack[best];
    const score = scores[best];
    for (let index = best; index > from; index--) {
      stack[index] = stack[index - 1];
      scores[index] = scores[index - 1];
    }
    stack[from] = action;
    scores[from] = score;
  }

  /** Notes that `action` caused a cut-off at `ply`, with `depth` plies left. */
  reward(action: number, player: number, ply: number, depth: number): void {
    const { killers, history } = this;
    if (killers[2 * ply] !== action) {
      killers[2 * ply + 1] = killers[2 * ply];
      killers[2 * ply] = action;
    }
    const at = bucket(action, player);
    history[at] += depth * depth;
    if (history[at] > HISTORY_CEILING) {
      for (let index = 0; index < history.length; index++) history[index] >>= 1;
    }
  }
}

function bucket(action: number, player: number): number {
  return player * BUCKETS + (Math.imul(action, 0x9e3779b1) >>> (32 - BUCKET_BITS));
}
