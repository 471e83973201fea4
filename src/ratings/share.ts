/**
 * The share of the field that a seat beat in a game, 0 to 1: of the other seats, those with a lower return count one and
 * those with an equal return a half. 0 in a game of one player, which has no field.
 * @param returns by seat
 */
export function shareBeaten(returns: readonly number[], seat: number): number {
  const own = returns[seat]!;
  let points = 0;
  for (let other = 0; other < returns.length; other++)
    if (other !== seat) points += own > returns[other]! ? 1 : own === returns[other]! ? 0.5 : 0;
  return points / Math.max(1, returns.length - 1);
}
