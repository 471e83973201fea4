import { grown } from "../../base/hashing.ts";
import type { State, Tactics } from "../../games/contract/game.ts";
import { NO_ACTION } from "../alpha-beta/transposition-table.ts";

const BUCKET_BITS = 12;
const BUCKETS = 1 << BUCKET_BITS;
/** The score of the action that comes before all others. */
const FIRST_SCORE = 0x7fffffff;
/** Scores of noisy actions: gains come before the killers, losses after everything else. */
const GAIN_SCORE = 0x50000000;
const LOSS_SCORE = -0x40000000;
const KILLER_SCORE = 0x40000000;
const ANSWER_SCORE = 0x30000000;
/** All history scores are halved when one passes this; so they stay below the scores of counter moves. */
const HISTORY_CEILING = 0x20000000;

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

  /** The score of an action after a chance outcome; `outcome` 0: after none. */
  of(action: number, player: number, outcome: number): number {
    return this.history[bucket(action, outcome, player)];
  }

  /**
   * Gives each action at stack[at...at+count-1] a score, for `bringBest`.
   * @param first the action to be tried before all others, if it is among them
   */
  score(stack: Int32Array, at: number, count: number, first: number, player: number, outcome: number): void {
    if (stack.length > this.scores.length) this.scores = grown(this.scores, stack.length);
    const { scores } = this;
    for (let index = at; index < at + count; index++) {
      const action = stack[index];
      scores[index] = action === first ? FIRST_SCORE : this.of(action, player, outcome);
    }
  }

  /** Moves the action with the highest score of stack[from...end-1] to stack[from]; the others keep their order. */
  bringBest(stack: Int32Array, from: number, end: number): void {
    bringBest(stack, this.scores, from, end);
  }

  /** Remembers that `action` was the best, or enough for a cut-off, with `depth` plies left. */
  reward(action: number, player: number, outcome: number, depth: number): void {
    const { history } = this;
    const at = bucket(action, outcome, player);
    history[at] += depth * depth;
    if (history[at] > HISTORY_CEILING)
      for (let index = 0; index < history.length; index++) history[index] >>= 1;
  }
}

function bucket(action: number, outcome: number, player: number): number {
  const word = (action + Math.imul(outcome, 0x85ebca6b)) | 0;
  return player * BUCKETS + (Math.imul(word, 0x9e3779b1) >>> (32 - BUCKET_BITS));
}

/**
 * Orders actions: first the action in the transposition table, then noisy actions that gain, the last two actions that
 * caused a cut-off at this ply (killers; Akl and Newborn 1977), the last one that refuted the action before (counter
 * moves; Uiterwijk 1992), and then the actions that caused many cut-offs anywhere (history; Schaeffer 1983). If the
 * tactics tell how promising actions look, their order comes right after the table's action, and nothing is remembered.
 */
export class MoveOrdering {
  private readonly scores: Int32Array;
  private readonly killers: Int32Array;
  private readonly history = new History(2);
  private readonly answers = new Int32Array(2 * BUCKETS).fill(NO_ACTION);
  private readonly remembers: boolean;
  private readonly tactics: Tactics | null;

  /**
   * @param levels the greatest number of positions on a path
   * @param remembers true: killers, counter moves and history are used; false: the table's action and the gains alone
   */
  constructor(parts: { stackSize: number; levels: number; remembers: boolean; tactics: Tactics | null }) {
    this.scores = new Int32Array(parts.stackSize);
    this.killers = new Int32Array(2 * parts.levels).fill(NO_ACTION);
    this.remembers = parts.remembers;
    this.tactics = parts.tactics;
  }

  /** Forgets killers, counter moves and history, before a new decision. */
  clear(): void {
    this.killers.fill(NO_ACTION);
    this.answers.fill(NO_ACTION);
    this.history.clear();
  }

  /**
   * Gives each action at stack[at...end-1] a score, for `bringBest`.
   * @param before the action that led to the position, or NO_ACTION
   */
  score(
    state: State,
    stack: Int32Array,
    at: number,
    end: number,
    tableAction: number,
    before: number,
    ply: number,
  ): void {
    const { scores, killers, history, tactics } = this;
    if (tactics?.promises !== undefined) {
      tactics.promises(state, stack, at, end, scores);
      for (let index = at; index < end; index++)
        if (stack[index] === tableAction) scores[index] = FIRST_SCORE;
      return;
    }
    const player = state.toMove;
    const answer =
      this.remembers && before !== NO_ACTION ? this.answers[bucket(before, 0, player)] : NO_ACTION;
    for (let index = at; index < end; index++) {
      const action = stack[index];
      if (action === tableAction) {
        scores[index] = FIRST_SCORE;
        continue;
      }
      const gain = tactics === null ? 0 : tactics.gain(state, action);
      if (gain > 0) scores[index] = GAIN_SCORE + gain;
      else if (gain < 0) scores[index] = LOSS_SCORE + gain;
      else if (!this.remembers) scores[index] = 0;
      else if (action === killers[2 * ply]) scores[index] = KILLER_SCORE + 1;
      else if (action === killers[2 * ply + 1]) scores[index] = KILLER_SCORE;
      else if (action === answer) scores[index] = ANSWER_SCORE;
      else scores[index] = history.of(action, player, 0);
    }
  }

  /** Sorts the actions of a position about which nothing is remembered. */
  sort(state: State, actions: Int32Array): void {
    this.score(state, actions, 0, actions.length, NO_ACTION, NO_ACTION, 0);
    for (let index = 0; index < actions.length; index++) this.bringBest(actions, index, actions.length);
  }

  /** Moves the action with the highest score of stack[from...end-1] to stack[from]; the others keep their order. */
  bringBest(stack: Int32Array, from: number, end: number): void {
    bringBest(stack, this.scores, from, end);
  }

  /** True if the action at stack[index] is quiet, and no killer or counter move. */
  isLate(index: number): boolean {
    const score = this.scores[index];
    return score < ANSWER_SCORE && score >= 0;
  }

  /** Remembers that the action at stack[index] caused a cut-off at `ply`, with `depth` plies left. */
  reward(action: number, index: number, player: number, before: number, ply: number, depth: number): void {
    const { killers, history } = this;
    if (this.tactics?.promises !== undefined) return;
    const score = this.scores[index];
    if (score !== FIRST_SCORE && (score >= GAIN_SCORE || score < 0)) return;
    if (killers[2 * ply] !== action) {
      killers[2 * ply + 1] = killers[2 * ply];
      killers[2 * ply] = action;
    }
    if (before !== NO_ACTION) this.answers[bucket(before, 0, player)] = action;
    history.reward(action, player, 0, depth);
  }
}

/** Moves the action with the highest score of actions[from...end-1] to the front; the others keep their order. */
export function bringBest(actions: Int32Array, scores: Int32Array, from: number, end: number): void {
  let best = from;
  for (let index = from + 1; index < end; index++) {
    if (scores[index] > scores[best]) best = index;
  }
  const action = actions[best];
  const score = scores[best];
  for (let index = best; index > from; index--) {
    actions[index] = actions[index - 1];
    scores[index] = scores[index - 1];
  }
  actions[from] = action;
  scores[from] = score;
}

/** Moves the action at `index` to the front; the others keep their order. */
export function bringToFront(actions: Int32Array, index: number): void {
  const action = actions[index];
  actions.copyWithin(1, 0, index);
  actions[0] = action;
}
