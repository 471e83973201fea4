import { CHANCE, TERMINAL } from "../contract/rules.ts";
import { HistoryState } from "../shared/history-state.ts";
import type { Form } from "./form.ts";
import { Hand } from "./ranks.ts";

export const FOLD = 0;
/** Calls, or checks where nothing is owed. */
export const CALL = 1;
/** Raising to a total of T chips on this street is the action RAISE + T. */
export const RAISE = 1;

/** Numbers that the log keeps of an event. */
const LOGGED = 9;

/**
 * A position of hold'em. First each player gets its cards, those of a hand ascending; then come actions, and the cards of the board,
 * those of the flop ascending.
 */
export class HoldemState extends HistoryState {
  readonly form: Form;
  /** The round of betting, 0 before the flop. */
  street = 0;
  /** The cards on the board; the first `boardCount` hold. */
  readonly board = new Int32Array(5);
  boardCount = 0;
  /** By player: chips paid in this game. */
  readonly paid: Int32Array;
  /** The highest bet of this street. */
  top = 0;
  /** The chips by which a full raise goes beyond `top`. */
  step = 0;
  /** Bets and raises on this street, the big blind counted. */
  raised = 0;
  /** Sets of players, as bits: who has folded, who has acted on this street, and who is still to act on it. */
  folded = 0;
  acted = 0;
  private pending = 0;
  /** By card: 1 if it is dealt, or not in the pack. */
  private readonly gone: Uint8Array;
  /** By street and player: the chips paid before that street. */
  private readonly before: Int32Array;
  private readonly log: Int32Array;
  /** By player: the return, as it was reckoned at `settledAt` events. */
  private readonly results: Float64Array;
  private settledAt = -1;
  private readonly values: Int32Array;
  private readonly hand: Hand;

  constructor(form: Form) {
    super(form.maxEvents);
    const { players, streets, blinds, bet, ante, hole, boards } = form;
    this.form = form;
    this.paid = new Int32Array(players).fill(ante);
    this.before = new Int32Array(players * streets).fill(ante);
    this.gone = form.missing.slice();
    this.log = new Int32Array(LOGGED * form.maxEvents);
    this.results = new Float64Array(players);
    this.values = new Int32Array(players);
    this.hand = new Hand(hole + boards[streets - 1]!);
    this.step = form.limit ? this.limitStep(0) : bet;
    if (!blinds) return;
    this.paid[0] += bet >> 1;
    this.paid[1] += bet;
    this.top = bet;
    this.raised = 1;
  }

  /** Chips in the pot, those of this street included. */
  get pot(): number {
    let sum = 0;
    for (let player = 0; player < this.form.players; player++) sum += this.paid[player];
    return sum;
  }

  /** Chips that the player has bet on this street. */
  betOf(player: number): number {
    return this.paid[player] - this.before[this.street * this.form.players + player];
  }

  /** Chips that the player still has. */
  left(player: number): number {
    return this.form.stacks[player] - this.paid[player];
  }

  /** Chips that the player must add to call, at most all that it has. */
  owed(player: number): number {
    return Math.min(this.top - this.betOf(player), this.left(player));
  }

  /** The player who decided at an event so far, or CHANCE. */
  moverAt(event: number): number {
    return this.log[LOGGED * event]!;
  }

  hasFolded(player: number): boolean {
    return (this.folded & (1 << player)) !== 0;
  }

  /** A card of the player: `at` is 0 or 1. -1 if it is not dealt yet. */
  holeCard(player: number, at: number): number {
    const event = player * this.form.hole + at;
    return event < this.events ? this.history[event] : -1;
  }

  legalActions(out: Int32Array, at: number): number {
    const { form, toMove, top } = this;
    let next = at;
    if (this.betOf(toMove) < top) out[next++] = FOLD;
    out[next++] = CALL;
    if (!this.mayRaise(toMove)) return next - at;
    const most = form.stacks[toMove] - this.before[this.street * form.players + toMove];
    const least = Math.min(top + this.step, most);
    if (form.limit) out[next++] = RAISE + least;
    else if (form.sizes === undefined) {
      for (let total = least; total <= most; total++) out[next++] = RAISE + total;
    } else {
      const called = this.pot + top - this.betOf(toMove);
      let last = 0;
      for (let size = 0; size < form.sizes.length; size++) {
        const total = Math.max(least, top + Math.round(form.sizes[size] * called));
        if (total >= most) break;
        if (total > last) out[next++] = RAISE + (last = total);
      }
      out[next++] = RAISE + most;
    }
    return next - at;
  }

  chanceOutcomes(out: Int32Array, probabilities: Float64Array, at: number): number {
    const { form, events, gone, boardCount, street } = this;
    const { deck, hole, players, boards } = form;
    const inHand = events < players * hole;
    const begun = inHand ? events % hole : street === 1 ? boardCount : 0;
    const needed = inHand ? hole - begun : boards[street] - boardCount;
    const floor = begun === 0 ? -1 : this.history[events - 1];
    let cards = 0;
    for (let i = 0; i < deck.length; i++) if (deck[i] > floor && gone[deck[i]] === 0) cards++;
    // Each set of cards is as likely, so a card is as likely as there are sets of the others above it.
    const sets = choose(cards, needed);
    let above = cards;
    let next = at;
    for (let i = 0; i < deck.length && above >= needed; i++) {
      if (deck[i] <= floor || gone[deck[i]] !== 0) continue;
      above--;
      out[next] = deck[i];
      probabilities[next++] = choose(above, needed - 1) / sets;
    }
    return next - at;
  }

  returns(player: number): number {
    if (this.toMove !== TERMINAL) return 0;
    if (this.settledAt !== this.events) this.settle();
    return this.results[player];
  }

  protected advance(action: number): void {
    const { form, log, toMove, street } = this;
    const at = LOGGED * (this.events - 1);
    log[at] = toMove;
    log[at + 1] = street;
    log[at + 2] = this.top;
    log[at + 3] = this.step;
    log[at + 4] = this.raised;
    log[at + 5] = this.folded;
    log[at + 6] = this.acted;
    log[at + 7] = this.pending;
    this.settledAt = -1;
    if (toMove === CHANCE) {
      this.gone[action] = 1;
      if (this.events > form.players * form.hole) this.board[this.boardCount++] = action;
      else if (this.events < form.players * form.hole) return;
      if (this.boardCount < form.boards[street]) return;
      this.pending = this.able();
      this.goOn(street === 0 ? form.first : form.firstLater);
      return;
    }
    log[at + 8] = this.paid[toMove];
    const bit = 1 << toMove;
    this.acted |= bit;
    this.pending &= ~bit;
    if (action === FOLD) this.folded |= bit;
    else if (action === CALL) this.paid[toMove] += this.owed(toMove);
    else {
      const total = action - RAISE;
      this.paid[toMove] += total - this.betOf(toMove);
      if (!form.limit) this.step = Math.max(this.step, total - this.top);
      this.top = total;
      this.raised++;
      this.pending = this.able() & ~bit;
    }
    this.goOn((toMove + 1) % form.players);
  }

  protected retreat(action: number): void {
    const { log, form } = this;
    const at = LOGGED * this.events;
    const mover = log[at];
    this.toMove = mover;
    this.street = log[at + 1];
    this.top = log[at + 2];
    this.step = log[at + 3];
    this.raised = log[at + 4];
    this.folded = log[at + 5];
    this.acted = log[at + 6];
    this.pending = log[at + 7];
    this.settledAt = -1;
    if (mover !== CHANCE) this.paid[mover] = log[at + 8];
    else {
      this.gone[action] = 0;
      if (this.events >= form.players * form.hole) this.boardCount--;
    }
  }

  override copyFrom(other: this): void {
    super.copyFrom(other);
    this.street = other.street;
    this.board.set(other.board);
    this.boardCount = other.boardCount;
    this.paid.set(other.paid);
    this.top = other.top;
    this.step = other.step;
    this.raised = other.raised;
    this.folded = other.folded;
    this.acted = other.acted;
    this.pending = other.pending;
    this.gone.set(other.gone);
    this.before.set(other.before);
    for (let at = LOGGED * other.events; at-- > 0;) this.log[at] = other.log[at]!;
    this.settledAt = -1;
  }

  /** The players, as bits, who can still bet. */
  private able(): number {
    let able = 0;
    for (let player = 0; player < this.form.players; player++)
      if (!this.hasFolded(player) && this.left(player) > 0) able |= 1 << player;
    return able;
  }

  /**
   * True if the player may raise: it has more than it owes, another player can pay more than `top`, and it has not acted or faces at
   * least a full raise.
   */
  private mayRaise(player: number): boolean {
    const { form, top, street } = this;
    const owed = top - this.betOf(player);
    if (this.left(player) <= owed || (form.limit && this.raised >= form.raises)) return false;
    if ((this.acted & (1 << player)) !== 0 && owed < this.step) return false;
    for (let other = 0; other < form.players; other++) {
      if (other === player || this.hasFolded(other)) continue;
      if (form.stacks[other] - this.before[street * form.players + other] > top) return true;
    }
    return false;
  }

  /** Finds who acts next, from `first` on; or ends the street, or the game. */
  private goOn(first: number): void {
    const { form, pending } = this;
    const { players, streets } = form;
    const inGame = ((1 << players) - 1) & ~this.folded;
    if ((inGame & (inGame - 1)) === 0) {
      this.toMove = TERMINAL;
      return;
    }
    const able = this.able();
    const isAlone = (able & (able - 1)) === 0;
    for (let at = 0; at < players; at++) {
      const player = (first + at) % players;
      if ((pending & (1 << player)) === 0 || (isAlone && this.owed(player) === 0)) continue;
      this.toMove = player;
      return;
    }
    this.pending = 0;
    if (this.street === streets - 1) {
      this.toMove = TERMINAL;
      return;
    }
    this.street++;
    this.before.set(this.paid, this.street * players);
    this.top = this.raised = this.acted = 0;
    this.step = form.limit ? this.limitStep(this.street) : form.bet;
    this.toMove = CHANCE;
  }

  /** The size of bets of a street with limit: the second half of the streets has twice the first. */
  private limitStep(street: number): number {
    const { bet, streets } = this.form;
    return 2 * street >= streets && streets > 1 ? 2 * bet : bet;
  }

  /** Shares out the pots, each among the best hands of those who have paid for it. Odd chips go to the first of them. */
  private settle(): void {
    const { form, paid, results, values, folded, hand } = this;
    const { players, hole, firstLater } = form;
    this.settledAt = this.events;
    const inGame = ((1 << players) - 1) & ~folded;
    const isShown = (inGame & (inGame - 1)) !== 0;
    for (let player = 0; player < players; player++) {
      results[player] = -paid[player];
      values[player] = this.hasFolded(player) ? -1 : 0;
      if (!isShown || values[player] < 0) continue;
      hand.clear();
      for (let at = 0; at < hole; at++) hand.add(this.history[player * hole + at]);
      for (let at = 0; at < this.boardCount; at++) hand.add(this.board[at]);
      values[player] = hand.value;
    }
    for (let level = 0; ;) {
      let next = Infinity;
      for (let player = 0; player < players; player++)
        if (values[player] >= 0 && paid[player] > level) next = Math.min(next, paid[player]);
      if (next === Infinity) return;
      let pot = 0;
      let best = -1;
      let winners = 0;
      for (let player = 0; player < players; player++) {
        pot += Math.max(0, Math.min(paid[player], next) - level);
        if (paid[player] < next || values[player] < best) continue;
        winners = values[player] === best ? winners + 1 : 1;
        best = values[player];
      }
      let odd = pot % winners;
      for (let at = 0; at < players; at++) {
        const player = (firstLater + at) % players;
        if (paid[player] < next || values[player] !== best) continue;
        results[player] += Math.floor(pot / winners) + odd;
        odd = 0;
      }
      level = next;
    }
  }
}

/** The number of sets of k out of n things; k is at most 3. */
function choose(n: number, k: number): number {
  if (k === 0) return 1;
  if (k === 1) return n;
  return k === 2 ? (n * (n - 1)) / 2 : (n * (n - 1) * (n - 2)) / 6;
}
