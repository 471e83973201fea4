import { TERMINAL } from "../contract/rules.ts";
import { TrickState } from "../shared/trick-state.ts";

/** The seats of declarer, to whose left W leads, and of dummy. */
const DECLARER = 0;
export const DUMMY = 2;
/** By player: the seat whose hand it holds. Declarer, player 0, plays the cards of dummy, too. */
export const OWN_SEATS: readonly number[] = [DECLARER, 1, 3];
/** By player: its team. */
export const TEAMS: readonly number[] = [0, 1, 1];

/** A position of the play at bridge. */
export class BridgeState extends TrickState {
  /** The tricks that declarer and dummy have taken. */
  tricks = 0;

  legalActions(out: Int32Array, at: number): number {
    return this.writeFollowing(out, at);
  }

  /** Declarer's side takes `lead` tricks more than the defenders. They are two, and share the opposite. */
  returns(player: number): number {
    if (this.toMove !== TERMINAL) return 0;
    const lead = 2 * this.tricks - this.pack.hand;
    return player === 0 ? lead : lead / -2;
  }

  protected leader(): number {
    return DECLARER + 1;
  }

  protected playerOf(seat: number): number {
    return seat === DUMMY ? 0 : OWN_SEATS.indexOf(seat);
  }

  protected standing(): number {
    return this.tricks;
  }

  protected countTrick(seat: number, sign: 1 | -1): void {
    if (seat % 2 === 0) this.tricks += sign;
  }

  override copyFrom(other: this): void {
    super.copyFrom(other);
    this.tricks = other.tricks;
  }
}

/** The tricks of both sides, such as `tricks: declarer 7, defenders 3`. */
export function formatTricks({ tricks, plays }: BridgeState): string {
  return `tricks: declarer ${tricks}, defenders ${Math.floor(plays / 4) - tricks}`;
}
