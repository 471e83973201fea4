import { finish, step } from "../../base/hashing.ts";
import { CHANCE, TERMINAL, type State } from "../contract/rules.ts";
import type { Pack } from "./cards.ts";

/**
 * A position of a game of tricks between four hands, one of each seat. The cards are dealt in their order: the outcome of
 * chance is the seat that receives the next one. Then actions are cards. The highest card of the suit that was led takes
 * a trick, or the highest trump, and its seat leads to the next.
 */
export abstract class TrickState implements State {
  toMove: number = CHANCE;
  readonly pack: Pack;
  /** By seat x 4 + suit: the set of the ranks that are held. */
  readonly hands: Int32Array = new Int32Array(16);
  /** By card: the seat that received it. The first `dealt` hold. */
  readonly receivers: Int32Array;
  dealt = 0;
  /** By play: the card and its seat. The first `plays` hold. */
  readonly cards: Int32Array;
  readonly seats: Int32Array;
  plays = 0;
  /** The seat that plays next; -1 before the deal is complete. */
  seat = -1;
  /** By play: the play that takes the trick so far. */
  private readonly taking: Int32Array;
  private readonly trumps: number;
  /** By seat: the cards received. */
  private readonly received = new Int32Array(4);

  /** @param trumps the suit of trumps; -1 for none */
  constructor(pack: Pack, trumps: number) {
    const { size } = pack;
    this.pack = pack;
    this.trumps = trumps;
    [this.receivers, this.cards, this.seats, this.taking] = [
      new Int32Array(size),
      new Int32Array(size),
      new Int32Array(size),
      new Int32Array(size),
    ];
  }

  abstract legalActions(out: Int32Array, at: number): number;
  abstract returns(player: number): number;
  /** The seat that leads first; the deal is complete. */
  protected abstract leader(): number;
  /** The player who decides for a seat. */
  protected abstract playerOf(seat: number): number;
  /** The results so far on which the future depends, as an int32. */
  protected abstract standing(): number;
  /** Counts the trick of the four last plays for its seat. `sign` is -1 to take it back. */
  protected abstract countTrick(seat: number, sign: 1 | -1): void;

  chanceOutcomes(out: Int32Array, probabilities: Float64Array, at: number): number {
    const { pack, dealt, received } = this;
    let next = at;
    for (let seat = 0; seat < 4; seat++) {
      const room = pack.hand - received[seat]!;
      if (room === 0) continue;
      out[next] = seat;
      probabilities[next++] = room / (pack.size - dealt);
    }
    return next - at;
  }

  apply(action: number): void {
    const { pack, hands } = this;
    const { ranks, size } = pack;
    if (this.dealt < size) {
      const card = this.dealt++;
      this.receivers[card] = action;
      this.received[action]!++;
      hands[4 * action + ((card / ranks) | 0)] |= 1 << (card % ranks);
      if (this.dealt === size) this.seat = this.leader();
    } else {
      const { cards, seats, taking, seat } = this;
      const at = this.plays++;
      hands[4 * seat + ((action / ranks) | 0)] ^= 1 << (action % ranks);
      cards[at] = action;
      seats[at] = seat;
      const isBest = at % 4 === 0 || this.beats(action, cards[taking[at - 1]!]!);
      taking[at] = isBest ? at : taking[at - 1]!;
      if (at % 4 === 3) {
        this.seat = seats[taking[at]!]!;
        this.countTrick(this.seat, 1);
      } else this.seat = (seat + 1) % 4;
    }
    this.settle();
  }

  undo(): void {
    const { pack, hands } = this;
    const { ranks } = pack;
    if (this.plays > 0) {
      if (this.plays % 4 === 0) this.countTrick(this.seat, -1);
      const card = this.cards[--this.plays]!;
      this.seat = this.seats[this.plays]!;
      hands[4 * this.seat + ((card / ranks) | 0)] |= 1 << (card % ranks);
    } else {
      const card = --this.dealt;
      const seat = this.receivers[card]!;
      this.received[seat]!--;
      hands[4 * seat + ((card / ranks) | 0)] ^= 1 << (card % ranks);
      this.seat = -1;
    }
    this.settle();
  }

  private settle(): void {
    if (this.seat < 0) this.toMove = CHANCE;
    else this.toMove = this.plays === this.pack.size ? TERMINAL : this.playerOf(this.seat);
  }

  /** True if a card takes the trick from the best one before it. */
  private beats(card: number, best: number): boolean {
    const { ranks } = this.pack;
    const suit = (card / ranks) | 0;
    return suit === ((best / ranks) | 0) ? card > best : suit === this.trumps;
  }

  /** The suit that was led; -1 before a lead. */
  get ledSuit(): number {
    const inTrick = this.plays % 4;
    return inTrick === 0 ? -1 : (this.cards[this.plays - inTrick]! / this.pack.ranks) | 0;
  }

  /** The play that takes the trick so far; -1 before a lead. */
  get takingPlay(): number {
    return this.plays % 4 === 0 ? -1 : this.taking[this.plays - 1]!;
  }

  /** Writes the cards of a suit in the hand of the seat that plays, of these ranks alone. */
  protected writeSuit(suit: number, out: Int32Array, at: number, ranks = -1): number {
    let next = at;
    const first = suit * this.pack.ranks;
    for (let rest = this.hands[4 * this.seat + suit]! & ranks; rest !== 0; rest &= rest - 1)
      out[next++] = first + 31 - Math.clz32(rest & (0 - rest));
    return next - at;
  }

  /** Writes all cards that the rule to follow suit allows. */
  protected writeFollowing(out: Int32Array, at: number): number {
    const led = this.ledSuit;
    if (led >= 0 && this.hands[4 * this.seat + led] !== 0) return this.writeSuit(led, out, at);
    let next = at;
    for (let suit = 0; suit < this.pack.suits; suit++) next += this.writeSuit(suit, out, next);
    return next - at;
  }

  get hashLow(): number {
    return finish(this.mix(0x2545f491));
  }

  get hashHigh(): number {
    return finish(this.mix(0x6c62272e));
  }

  /** The cards in hand and in the trick, the seat to play, and the results so far. */
  private mix(seed: number): number {
    const { hands, cards, plays } = this;
    let hash = seed;
    for (let at = 0; at < 16; at += 2) hash = step(hash, hands[at]! | (hands[at + 1]! << 16));
    let trick = 1;
    for (let at = plays - (plays % 4); at < plays; at++) trick = (trick << 6) | cards[at]!;
    return step(step(hash, (trick << 3) | (this.seat + 1)), this.standing());
  }

  copyFrom(other: this): void {
    this.toMove = other.toMove;
    this.hands.set(other.hands);
    this.receivers.set(other.receivers);
    this.received.set(other.received);
    this.cards.set(other.cards);
    this.seats.set(other.seats);
    this.taking.set(other.taking);
    this.dealt = other.dealt;
    this.plays = other.plays;
    this.seat = other.seat;
  }
}
