import { CHANCE, TERMINAL } from "../contract/rules.ts";
import { HistoryState } from "../shared/history-state.ts";

export const FOLD = 0;
export const CALL = 1;
const RAISE = 2;
/** Two suits of three ranks; card c has the rank c >> 1. */
export const CARDS = 6;
/** Three cards, and in each round at most check, bet, raise, call. */
export const MAX_EVENTS = 11;
/** Raises of both players together in one round. */
const MAX_RAISES = 2;
const ANTE = 1;
/** Chips of a raise in the first and the second round. */
const RAISES = [2, 4] as const;

/** A position of Leduc poker. Events 0 and 1 deal a card, 0 to 5, to each player; a third card is public. */
export class LeducState extends HistoryState {
  /** The event that dealt the public card; 0 before. */
  publicAt = 0;

  constructor() {
    super(MAX_EVENTS);
  }

  legalActions(out: Int32Array, at: number): number {
    const first = this.owed() > 0 ? FOLD : CALL;
    const last = this.raises() < MAX_RAISES ? RAISE : CALL;
    for (let action = first; action <= last; action++) out[at + action - first] = action;
    return last - first + 1;
  }

  chanceOutcomes(out: Int32Array, probabilities: Float64Array, at: number): number {
    const dealt = Math.min(this.events, 2);
    const count = CARDS - dealt;
    let next = at;
    for (let card = 0; card < CARDS; card++) {
      if ((dealt > 0 && card === this.history[0]) || (dealt > 1 && card === this.history[1])) continue;
      out[next] = card;
      probabilities[next++] = 1 / count;
    }
    return count;
  }

  returns(player: number): number {
    if (this.toMove !== TERMINAL) return 0;
    const { history, events, publicAt } = this;
    if (history[events - 1] === FOLD) {
      const loser = this.moverAt(events - 1);
      const lost = this.chips(loser);
      return player === loser ? -lost : lost;
    }
    const [own, other] = [history[player] >> 1, history[1 - player] >> 1];
    const shared = history[publicAt] >> 1;
    if (own === other) return 0;
    const wins = own === shared || (other !== shared && own > other);
    return wins ? this.chips(player) : -this.chips(player);
  }

  /** Chips that the player has paid. */
  chips(player: number): number {
    const paid = [ANTE, ANTE];
    for (let at = 2; at < this.events; at++) {
      if (at === this.publicAt) continue;
      const mover = this.moverAt(at);
      const action = this.history[at];
      if (action === FOLD) continue;
      paid[mover] = paid[1 - mover]!;
      if (action === RAISE) paid[mover] += RAISES[this.publicAt > 0 && at > this.publicAt ? 1 : 0];
    }
    return paid[player]!;
  }

  /** Number of raises in this round. */
  raises(): number {
    let count = 0;
    for (let at = this.roundStart(); at < this.events; at++) if (this.history[at] === RAISE) count++;
    return count;
  }

  protected advance(action: number): void {
    if (this.events <= 2) this.settle();
    else if (this.toMove === CHANCE) {
      this.publicAt = this.events - 1;
      this.toMove = 0;
    } else if (action === FOLD) this.toMove = TERMINAL;
    else if (action === CALL && this.events - this.roundStart() >= 2)
      this.toMove = this.publicAt > 0 ? TERMINAL : CHANCE;
    else this.toMove = 1 - this.toMove;
  }

  protected retreat(): void {
    if (this.publicAt === this.events) this.publicAt = 0;
    this.settle();
  }

  override copyFrom(other: this): void {
    super.copyFrom(other);
    this.publicAt = other.publicAt;
  }

  /** Chips that the player to move must add to stay. */
  private owed(): number {
    return this.chips(1 - this.toMove) - this.chips(this.toMove);
  }

  /** The first event of the round's betting. */
  private roundStart(): number {
    return this.publicAt > 0 ? this.publicAt + 1 : 2;
  }

  /** The player who decided at an event. Player 0 begins both rounds. */
  private moverAt(event: number): number {
    return (event - (this.publicAt > 0 && event > this.publicAt ? this.publicAt + 1 : 2)) % 2;
  }

  /** Sets the mover from the history, in which nobody has ended the game. */
  private settle(): void {
    const { events, history, publicAt } = this;
    const first = this.roundStart();
    const isRoundOver = publicAt === 0 && events - first >= 2 && history[events - 1] === CALL;
    this.toMove = events < 2 || isRoundOver ? CHANCE : (events - first) % 2;
  }
}
