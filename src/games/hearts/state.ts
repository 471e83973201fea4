import { TERMINAL } from "../contract/rules.ts";
import { type Pack, SEATS } from "../shared/cards.ts";
import { TrickState } from "../shared/trick-state.ts";

/** The suit of hearts: the last but one. */
export function heartsOf({ suits }: Pack): number {
  return suits - 2;
}

/** The points of each card: 1 for a heart, 13 for the queen of spades. */
export function pointsOf(pack: Pack): Int32Array {
  const points = new Int32Array(pack.size);
  points.fill(1, heartsOf(pack) * pack.ranks, (heartsOf(pack) + 1) * pack.ranks);
  const queen = pack.cardNamed("SQ");
  if (queen >= 0) points[queen] = 13;
  return points;
}

/** By suit: the set of the ranks without points. */
export function harmlessOf(pack: Pack): Int32Array {
  const harmless = new Int32Array(pack.suits);
  for (const [card, points] of pointsOf(pack).entries())
    if (points === 0) harmless[Math.floor(card / pack.ranks)]! |= 1 << (card % pack.ranks);
  return harmless;
}

/** A position of hearts. Seats are players. */
export class HeartsState extends TrickState {
  /** By card: its points; and their sum. */
  readonly worth: Int32Array;
  readonly total: number;
  /** By player: the points taken. */
  readonly points: Int32Array = new Int32Array(4);
  private readonly hearts: number;
  private readonly harmless: Int32Array;

  constructor(pack: Pack) {
    super(pack, -1);
    this.worth = pointsOf(pack);
    this.total = this.worth.reduce((sum, points) => sum + points, 0);
    this.hearts = heartsOf(pack);
    this.harmless = harmlessOf(pack);
  }

  legalActions(out: Int32Array, at: number): number {
    const { plays, hands, seat, hearts, harmless, pack } = this;
    if (plays === 0) {
      // The lowest card leads.
      out[at] = 0;
      return 1;
    }
    if (plays % 4 === 0) {
      if (this.isBroken) return this.writeFollowing(out, at);
      let next = at;
      for (let suit = 0; suit < pack.suits; suit++)
        if (suit !== hearts) next += this.writeSuit(suit, out, next);
      return next > at ? next - at : this.writeSuit(hearts, out, at);
    }
    if (plays > 3 || hands[4 * seat + this.ledSuit] !== 0) return this.writeFollowing(out, at);
    // No points in the first trick, except from a hand of nothing else.
    let next = at;
    for (let suit = 0; suit < pack.suits; suit++) next += this.writeSuit(suit, out, next, harmless[suit]!);
    return next > at ? next - at : this.writeFollowing(out, at);
  }

  /** True once a heart was played. */
  private get isBroken(): boolean {
    const { hands, hearts, pack } = this;
    return (
      (hands[hearts]! | hands[4 + hearts]! | hands[8 + hearts]! | hands[12 + hearts]!) + 1 < 1 << pack.ranks
    );
  }

  /** The player who took all points of a finished game; -1 if nobody did. */
  get shooter(): number {
    return this.toMove === TERMINAL ? this.points.indexOf(this.total) : -1;
  }

  returns(player: number): number {
    if (this.toMove !== TERMINAL) return 0;
    const { shooter, total, points } = this;
    if (shooter < 0) return total / 4 - points[player]!;
    return player === shooter ? (3 * total) / 4 : total / -4;
  }

  protected leader(): number {
    return this.receivers[0]!;
  }

  protected playerOf(seat: number): number {
    return seat;
  }

  protected standing(): number {
    const { points } = this;
    return points[0]! | (points[1]! << 8) | (points[2]! << 16) | (points[3]! << 24);
  }

  protected countTrick(seat: number, sign: 1 | -1): void {
    const { worth, cards, plays } = this;
    let sum = 0;
    for (let at = plays - 4; at < plays; at++) sum += worth[cards[at]!]!;
    this.points[seat] += sign * sum;
  }

  override copyFrom(other: this): void {
    super.copyFrom(other);
    this.points.set(other.points);
  }
}

/** The points that each player has taken, such as `points: S 0, W 13, N 2, E 0`. */
export function formatPoints({ points }: HeartsState): string {
  return `points: ${[...points].map((taken, seat) => `${SEATS[seat]} ${taken}`).join(", ")}`;
}
