import { type FeatureSet, type Heuristic, type PolicyFamily } from "../contract/facets.ts";
import { TERMINAL } from "../contract/rules.ts";
import type { Form } from "./form.ts";
import { Hand, RANKS } from "./ranks.ts";
import { CALL, FOLD, RAISE, type HoldemState } from "./state.ts";

/** Keeps estimates strictly inside the range of returns. */
const INSIDE = 0.99;

/** A player's own view of how good its cards are. */
export class Strength {
  private readonly form: Form;
  /** By number of cards: a hand of so many. */
  private readonly hands: readonly Hand[];

  constructor(form: Form) {
    this.form = form;
    const board = form.boards.at(-1)!;
    this.hands = Array.from({ length: form.hole + board + 1 }, (_, cards) => new Hand(Math.max(1, cards)));
  }

  /**
   * The probability, 0 to 1, that the player's cards beat a hand of random cards, ties counted as a half: with a board as it is
   * now, without one by a formula. Knows the player's cards and the board alone. 1/2 before the player has its cards.
   */
  of(state: HoldemState, player: number): number {
    const { hole } = this.form;
    if (state.holeCard(player, hole - 1) < 0) return 0.5;
    return state.boardCount === 0 ? this.beforeFlop(state, player) : this.onBoard(state, player);
  }

  /** The strength as one of so many equal steps, from 0. */
  stepOf(state: HoldemState, player: number, steps: number): number {
    return Math.min(steps - 1, Math.floor(steps * this.of(state, player)));
  }

  /** A line through published equities of two cards against random ones: 32% for 3 2, 65% for A K, 50% for 2 2, 85% for A A. */
  private beforeFlop(state: HoldemState, player: number): number {
    const [one, two] = [state.holeCard(player, 0), state.holeCard(player, 1)];
    const first = one >> 2;
    if (this.form.hole === 1) return (first - RANKS + this.form.ranks + 0.5) / this.form.ranks;
    const second = two >> 2;
    if (first === second) return 0.503 + 0.0293 * first;
    const [high, low] = [Math.max(first, second), Math.min(first, second)];
    return 0.303 + 0.0205 * high + 0.0095 * low + ((one & 3) === (two & 3) ? 0.03 : 0);
  }

  private onBoard(state: HoldemState, player: number): number {
    const { deck, hole } = this.form;
    const { board, boardCount } = state;
    const hand = this.hands[hole + boardCount]!;
    const [one, two] = [state.holeCard(player, 0), hole === 2 ? state.holeCard(player, 1) : -1];
    hand.clear();
    for (let at = 0; at < boardCount; at++) hand.add(board[at]);
    if (hole === 2) hand.add(two);
    const own = hand.valueWith(one);
    if (hole === 2) hand.remove(two);
    const isFree = (card: number): boolean => {
      if (card === one || card === two) return false;
      for (let at = 0; at < boardCount; at++) if (board[at] === card) return false;
      return true;
    };
    let [won, all] = [0, 0];
    const count = (value: number): void => {
      won += own > value ? 1 : own === value ? 0.5 : 0;
      all++;
    };
    for (let at = 0; at < deck.length; at++) {
      if (!isFree(deck[at]!)) continue;
      if (hole === 1) {
        count(hand.valueWith(deck[at]!));
        continue;
      }
      hand.add(deck[at]!);
      for (let other = at + 1; other < deck.length; other++)
        if (isFree(deck[other]!)) count(hand.valueWith(deck[other]!));
      hand.remove(deck[at]!);
    }
    return all === 0 ? 0.5 : won / all;
  }
}

/** The players who have not folded, besides `player`. */
function rivals(state: HoldemState, player: number): number {
  let count = 0;
  for (let other = 0; other < state.form.players; other++)
    if (other !== player && !state.hasFolded(other)) count++;
  return count;
}

/** The part of the pot that the player wins at most if it calls: what each has paid, up to its own chips. */
function potWith(state: HoldemState, player: number): number {
  const own = state.paid[player] + state.owed(player);
  let sum = own;
  for (let other = 0; other < state.form.players; other++)
    if (other !== player) sum += Math.min(own, state.paid[other]);
  return sum;
}

/** The share of the pot by strength, after a call; or what a fold loses, if that is less. */
export function equity(strength: Strength): Heuristic<HoldemState> {
  return {
    summary:
      "the share of the pot by the strength of the player's cards against random ones, or a fold if it loses less",
    evaluate(state, player) {
      if (state.toMove === TERMINAL) return INSIDE * state.returns(player);
      const paid = state.paid[player];
      if (state.hasFolded(player)) return INSIDE * -paid;
      const owed = state.owed(player);
      const share = strength.of(state, player) ** rivals(state, player);
      const called = share * potWith(state, player) - paid - owed;
      return INSIDE * (owed > 0 ? Math.max(called, -paid) : called);
    },
  };
}

/** By cards still to come on the board: how much the odds of a hand grow with its strength. With none the best hand wins. */
const SHARPNESS = [1000, 6, 4, 4, 4, 4] as const;

/** The shares of the pot with all cards open, for measures of luck: worth nothing to a player, who does not see them. */
export function showdown(form: Form, strength: Strength): Heuristic<HoldemState> {
  const cards = form.boards.at(-1)!;
  return {
    summary: "the share of the pot by the strength of all hands, as if they were open: for --luck",
    evaluate(state, player) {
      if (state.toMove === TERMINAL) return INSIDE * state.returns(player);
      const paid = state.paid[player];
      if (state.hasFolded(player)) return INSIDE * -paid;
      const sharpness = SHARPNESS[cards - state.boardCount]!;
      const own = strength.of(state, player);
      let odds = 0;
      for (let other = 0; other < form.players; other++)
        if (!state.hasFolded(other)) odds += Math.exp(sharpness * (strength.of(state, other) - own));
      return INSIDE * (state.pot / odds - paid);
    },
  };
}

const BUCKETS = 10;
const MORE = [
  "part of all chips in the pot",
  "price of a call",
  "own chips left",
  "acts last",
  "rivals",
] as const;

/** The strength of the own cards in ten steps, by street; the pot, the price of a call, and the position. */
export function handFeatures(form: Form, strength: Strength): FeatureSet<HoldemState> {
  const { players, stacks, streets, firstLater } = form;
  const strengths = streets * BUCKETS;
  const chips = stacks.reduce((sum, stack) => sum + stack, 0);
  const last = (firstLater + players - 1) % players;
  return {
    summary:
      "strength of the own cards in ten steps by street, pot, price of a call, chips left, position and rivals",
    version: 1,
    size: strengths + MORE.length,
    maxActive: 1 + MORE.length,
    extract(state, player, index, value) {
      index[0] = state.street * BUCKETS + strength.stepOf(state, player, BUCKETS);
      value[0] = 1;
      const owed = state.owed(player);
      value[1] = state.pot / chips;
      value[2] = owed / (state.pot + owed + 1);
      value[3] = state.left(player) / stacks[player]!;
      value[4] = player === last ? 1 : 0;
      value[5] = rivals(state, player) / players;
      for (let at = 0; at < MORE.length; at++) index[at + 1] = strengths + at;
      return 1 + MORE.length;
    },
    describe(index) {
      if (index >= strengths) return MORE[index - strengths]!;
      const step = index % BUCKETS;
      return `street ${1 + Math.floor(index / BUCKETS)}, strength ${10 * step} to ${10 * step + 10}%`;
    },
  };
}

/** With this share of the pot `tight` raises, and calls if its share is this much above the price. */
const RAISES_FROM = 0.65;
const CALLS_ABOVE = 0.12;

/** Three simple players: opponents that others can be measured against. */
export function holdemPolicies(
  maxActions: number,
  strength: Strength,
): Readonly<Record<string, PolicyFamily<HoldemState>>> {
  const actions = new Int32Array(maxActions);
  /** The highest raise up to the size of the pot, else the lowest one; a call if there is none. */
  const raise = (state: HoldemState): number => {
    const count = state.legalActions(actions, 0);
    const most = RAISE + state.top + state.pot + state.owed(state.toMove);
    let choice = CALL;
    for (let at = 0; at < count; at++)
      if (actions[at] > CALL && (choice === CALL || actions[at] <= most)) choice = actions[at]!;
    return choice;
  };
  return {
    call: { summary: "always checks or calls", create: () => ({ choose: () => CALL }) },
    raise: { summary: "raises by the pot if it may, else calls", create: () => ({ choose: raise }) },
    tight: {
      summary:
        "raises with strong cards, calls where its share of the pot is well above the price, else folds",
      create: () => ({
        choose(state) {
          const player = state.toMove;
          const owed = state.owed(player);
          const share = strength.of(state, player) ** rivals(state, player);
          if (share >= RAISES_FROM) return raise(state);
          return owed === 0 || share >= CALLS_ABOVE + owed / potWith(state, player) ? CALL : FOLD;
        },
      }),
    },
  };
}
