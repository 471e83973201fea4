/*
 * The score of a seat in a game. Statistics of pairs of entrants (counts/) add the leads of one over the other instead.
 */

/**
 * The points of a seat in a game: 1 for each other seat with a lower return, a half for each with an equal one. 0 in a
 * game of one player.
 * @param returns by seat
 */
export function pointsOf(returns: readonly number[], seat: number): number {
  const own = returns[seat]!;
  let points = 0;
  for (let other = 0; other < returns.length; other++)
    if (other !== seat) points += own > returns[other]! ? 1 : own === returns[other]! ? 0.5 : 0;
  return points;
}

/** The share of the field that a seat beat in a game: its points by the other seats, 0 to 1. 0 in a game of one player. */
export function shareBeaten(returns: readonly number[], seat: number): number {
  return pointsOf(returns, seat) / Math.max(1, returns.length - 1);
}

/** Mean scores of entrants: the share of the field that they beat or, in games of one player, their return. */
export class MeanScores {
  private readonly sums: number[];
  private readonly games: number[];

  constructor(entrants: number) {
    this.sums = Array.from({ length: entrants }, () => 0);
    this.games = Array.from({ length: entrants }, () => 0);
  }

  add({ seats, returns }: { readonly seats: readonly number[]; readonly returns: readonly number[] }): void {
    for (const [seat, entrant] of seats.entries()) {
      this.games[entrant]!++;
      this.sums[entrant]! += seats.length === 1 ? returns[seat]! : shareBeaten(returns, seat);
    }
  }

  /** The entrant with the best mean; undefined before the first game. */
  get leader(): number | undefined {
    return this.leaders(1)[0]?.entrant;
  }

  /** The `most` entrants with the best means, best first, equal ones in their order; without those that have no game. */
  leaders(most: number): { readonly entrant: number; readonly mean: number }[] {
    return this.sums
      .flatMap((sum, entrant) => {
        const games = this.games[entrant]!;
        return games === 0 ? [] : [{ entrant, mean: sum / games }];
      })
      .toSorted((a, b) => b.mean - a.mean)
      .slice(0, most);
  }
}
