import { TERMINAL } from "../contract/rules.ts";
import { HistoryState } from "../shared/history-state.ts";

/** Both players choose all cards but the last, which plays itself. */
export function maxEventsOf(cards: number): number {
  return 2 * (cards - 1);
}

/** A position of goofspiel: events are the cards, 0 to cards - 1, of both players in turn. */
export class GoofspielState extends HistoryState {
  readonly cards: number;
  /** By player: the set of its cards, as bits. */
  readonly hands: Int32Array;
  /** The lead of player 0 in points of finished rounds. */
  lead = 0;

  constructor(cards: number) {
    super(maxEventsOf(cards));
    this.cards = cards;
    this.toMove = 0;
    this.hands = Int32Array.of(2 ** cards - 1, 2 ** cards - 1);
  }

  legalActions(out: Int32Array, at: number): number {
    let next = at;
    for (let card = 0; card < this.cards; card++)
      if ((this.hands[this.toMove]! & (1 << card)) !== 0) out[next++] = card;
    return next - at;
  }

  returns(player: number): number {
    if (this.toMove !== TERMINAL) return 0;
    // The last round: the only cards left, for the prize of 1.
    const lead = Math.sign(this.lead + Math.sign(this.hands[0]! - this.hands[1]!));
    return player === 0 ? lead : 0 - lead;
  }

  protected advance(card: number): void {
    const { events } = this;
    this.hands[(events - 1) % 2] ^= 1 << card;
    if (events % 2 === 0) this.lead += this.prize(events) * Math.sign(this.history[events - 2]! - card);
    this.toMove = events === this.history.length ? TERMINAL : events % 2;
  }

  protected retreat(card: number): void {
    const { events } = this;
    this.hands[events % 2] ^= 1 << card;
    if (events % 2 === 1) this.lead -= this.prize(events + 1) * Math.sign(this.history[events - 1]! - card);
    this.toMove = events % 2;
  }

  override copyFrom(other: this): void {
    super.copyFrom(other);
    this.hands.set(other.hands);
    this.lead = other.lead;
  }

  /** The prize of the round that ends with the event of this number. Prizes descend. */
  private prize(events: number): number {
    return this.cards + 1 - events / 2;
  }
}
