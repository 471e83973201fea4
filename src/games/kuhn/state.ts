import { CHANCE, TERMINAL } from "../contract/rules.ts";
import { HistoryState } from "../shared/history-state.ts";

/** Actions: pass is to check or to fold, bet is to bet or to call. */
export const PASS = 0;
export const BET = 1;
export const CARDS = 3;
/** Two cards, and at most three actions: pass, bet, pass or bet. */
export const MAX_EVENTS = 5;

/** A position of Kuhn poker. Events 0 and 1 deal a card, 0 to 2, to each player. */
export class KuhnState extends HistoryState {
  constructor() {
    super(MAX_EVENTS);
  }

  legalActions(out: Int32Array, at: number): number {
    out[at] = PASS;
    out[at + 1] = BET;
    return 2;
  }

  chanceOutcomes(out: Int32Array, probabilities: Float64Array, at: number): number {
    const dealt = this.events === 0 ? -1 : this.history[0];
    const count = this.events === 0 ? CARDS : CARDS - 1;
    let next = at;
    for (let card = 0; card < CARDS; card++) {
      if (card === dealt) continue;
      out[next] = card;
      probabilities[next++] = 1 / count;
    }
    return count;
  }

  returns(player: number): number {
    if (this.toMove !== TERMINAL) return 0;
    const { history, events } = this;
    const last = history[events - 1];
    const isBet = history[events - 2] === BET;
    // A fold: the player of the last action loses its ante.
    if (isBet && last === PASS) return (events - 1) % 2 === player ? -1 : 1;
    const stake = isBet ? 2 : 1;
    return history[player]! > history[1 - player]! ? stake : -stake;
  }

  protected advance(action: number): void {
    this.settle();
    const { events, history } = this;
    // The game ends with the second action of two that are alike, and with any answer to a bet.
    if (events >= 4 && (history[events - 2] === BET || action === PASS)) this.toMove = TERMINAL;
  }

  protected retreat(): void {
    this.settle();
  }

  /** Sets the mover of a game that goes on. */
  private settle(): void {
    this.toMove = this.events < 2 ? CHANCE : this.events % 2;
  }
}
