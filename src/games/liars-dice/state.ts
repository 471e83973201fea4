import { CHANCE, TERMINAL } from "../contract/rules.ts";
import { HistoryState } from "../shared/history-state.ts";

/** The form of a game of liar's dice between two players. */
export interface LiarsDice {
  /** Dice of each player. */
  readonly dice: number;
  readonly sides: number;
  /** The hands that one player may have: the number of dice by face, and the probability. */
  readonly hands: readonly { readonly counts: readonly number[]; readonly probability: number }[];
  /** Bids; the action of this number is the challenge. */
  readonly bids: number;
}

/** Fills in the hands: the sorted rolls of the dice. */
export function liarsDiceOf({ dice, sides }: Pick<LiarsDice, "dice" | "sides">): LiarsDice {
  const hands: { counts: number[]; probability: number }[] = [];
  const counts = Array.from({ length: sides }, () => 0);
  /** Gives `left` dice to the faces from `face` on. `ways` is the number of rolls so far. */
  const deal = (face: number, left: number, ways: number): void => {
    if (face === sides - 1) {
      counts[face] = left;
      hands.push({ counts: [...counts], probability: ways / sides ** dice });
      return;
    }
    let choices = 1;
    for (let given = 0; given <= left; given++) {
      counts[face] = given;
      deal(face + 1, left - given, ways * choices);
      choices = (choices * (left - given)) / (given + 1);
    }
  };
  deal(0, dice, 1);
  return { dice, sides, hands: hands.toReversed(), bids: 2 * dice * sides };
}

/** Two rolls, every bid once, and the challenge. */
export function maxEventsOf({ bids }: LiarsDice): number {
  return bids + 3;
}

/** A position of liar's dice. Events 0 and 1 are the hands of the players, by number. */
export class LiarsDiceState extends HistoryState {
  readonly form: LiarsDice;

  constructor(form: LiarsDice) {
    super(maxEventsOf(form));
    this.form = form;
  }

  /** The last bid; -1 before the first. */
  get bid(): number {
    const { events, history } = this;
    const last = events > 2 ? history[events - 1] : -1;
    return last === this.form.bids ? history[events - 2] : last;
  }

  legalActions(out: Int32Array, at: number): number {
    const { bids } = this.form;
    const first = this.bid + 1;
    const last = first === 0 ? bids - 1 : bids;
    for (let action = first; action <= last; action++) out[at + action - first] = action;
    return last - first + 1;
  }

  chanceOutcomes(out: Int32Array, probabilities: Float64Array, at: number): number {
    const { hands } = this.form;
    for (const [hand, { probability }] of hands.entries()) {
      out[at + hand] = hand;
      probabilities[at + hand] = probability;
    }
    return hands.length;
  }

  returns(player: number): number {
    if (this.toMove !== TERMINAL) return 0;
    const { events, history, bid, form } = this;
    const quantity = 1 + Math.floor(bid / form.sides);
    const matches = this.matches(history[0]!, bid) + this.matches(history[1]!, bid);
    const winner = (events - (matches >= quantity ? 2 : 1)) % 2;
    return player === winner ? 1 : -1;
  }

  /** The dice of a hand that count for a bid: those of its face, and the highest face, which is wild. */
  matches(hand: number, bid: number): number {
    const { sides, hands } = this.form;
    const { counts } = hands[hand]!;
    const face = bid % sides;
    return counts[face]! + (face === sides - 1 ? 0 : counts[sides - 1]!);
  }

  protected advance(action: number): void {
    this.settle();
    if (this.events > 2 && action === this.form.bids) this.toMove = TERMINAL;
  }

  protected retreat(): void {
    this.settle();
  }

  /** Sets the mover of a game that goes on. */
  private settle(): void {
    this.toMove = this.events < 2 ? CHANCE : this.events % 2;
  }
}
