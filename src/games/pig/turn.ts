/**
 * A rule to play pig: true if the player on turn rolls, by both banked scores and the turn's total, which is above 0.
 */
export type PigDecision = (own: number, other: number, total: number) => boolean;

const LARGEST_FACE = 6;

/**
 * The chance to win of the player on turn, by the turn's total so far. It is a linear function of c, the
 * chance to win after a 1 has ended the turn: won[total] + ones[total] * c. The chance of a player who holds is 1 less
 * the other's chance with the turn (Neller and Presser 2004).
 */
export class PigTurn {
  readonly won: Float64Array;
  /** The chance that the turn ends by a 1. */
  readonly ones: Float64Array;
  private readonly target: number;

  constructor(target: number) {
    this.target = target;
    this.won = new Float64Array(target + LARGEST_FACE);
    this.ones = new Float64Array(target + LARGEST_FACE);
  }

  /**
   * Calculates the turn of a player who always takes the better decision for this value of `c`. `others` has the other
   * player's chance to win with the turn, at [its score * target + own score], for all higher own scores.
   */
  play(own: number, other: number, { others, c }: { others: Float64Array; c: number }): void {
    const { won, ones } = this;
    const held = other * this.target + own;
    for (let total = this.finish(own); total > 0; total--) {
      const [rolled, lost] = [this.rolled(total), this.lost(total)];
      const hold = 1 - others[held + total];
      const rolls = rolled + lost * c > hold;
      won[total] = rolls ? rolled : hold;
      ones[total] = rolls ? lost : 0;
    }
    this.begin();
  }

  /** Calculates the turn of a player who decides by `rolls`. */
  follow(own: number, other: number, { others, rolls }: { others: Float64Array; rolls: PigDecision }): void {
    const { won, ones } = this;
    const held = other * this.target + own;
    for (let total = this.finish(own); total > 0; total--) {
      const rolling = rolls(own, other, total);
      won[total] = rolling ? this.rolled(total) : 1 - others[held + total];
      ones[total] = rolling ? this.lost(total) : 0;
    }
    this.begin();
  }

  /** Marks the totals that win; returns the highest total that does not. */
  private finish(own: number): number {
    const missing = this.target - own;
    this.won.fill(1, missing, missing + LARGEST_FACE);
    this.ones.fill(0, missing, missing + LARGEST_FACE);
    return missing - 1;
  }

  /** Calculates the beginning of the turn, which is a roll. */
  private begin(): void {
    this.won[0] = this.rolled(0);
    this.ones[0] = this.lost(0);
  }

  private rolled(total: number): number {
    const { won } = this;
    return (won[total + 2] + won[total + 3] + won[total + 4] + won[total + 5] + won[total + 6]) / 6;
  }

  private lost(total: number): number {
    const { ones } = this;
    return (1 + ones[total + 2] + ones[total + 3] + ones[total + 4] + ones[total + 5] + ones[total + 6]) / 6;
  }
}

/**
 * The solution x of x = a + b (1 - y) and y = c + d (1 - x): the chance of a turn, of two that lead to each other by a 1.
 */
export function solvePair(a: number, b: number, c: number, d: number): number {
  return (a + b * (1 - c - d)) / (1 - b * d);
}

/**
 * The exact chance that the first player wins if each player follows a rule, without a limit of turns.
 */
export function firstWins(first: PigDecision, second: PigDecision, target: number): number {
  /** The chances to win with the turn of the first and the second player, at [own score * target + other's]. */
  const firsts = new Float64Array(target * target);
  const seconds = new Float64Array(target * target);
  const turn = new PigTurn(target);
  for (let sum = 2 * (target - 1); sum >= 0; sum--) {
    for (let own = Math.max(0, sum - target + 1); own <= Math.min(sum, target - 1); own++) {
      const other = sum - own;
      turn.follow(other, own, { others: firsts, rolls: second });
      const [won, ones] = [turn.won[0], turn.ones[0]];
      turn.follow(own, other, { others: seconds, rolls: first });
      const chance = solvePair(turn.won[0], turn.ones[0], won, ones);
      firsts[own * target + other] = chance;
      seconds[other * target + own] = won + ones * (1 - chance);
    }
  }
  return firsts[0];
}
