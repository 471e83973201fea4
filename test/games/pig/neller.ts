const FACES = [2, 3, 4, 5, 6];

/**
 * The chance to win of the player on turn under optimal play, for each own score, other score and
 * turn total: the equations of Neller & Presser (2004), solved by value iteration. Written without
 * the game.
 */
export function neller(target: number): (own: number, other: number, total: number) => number {
  const wins = new Float64Array(target ** 3).fill(0.5);
  const at = (own: number, other: number, total: number) => (own * target + other) * target + total;
  const value = (own: number, other: number, total: number) =>
    own + total >= target ? 1 : wins[at(own, other, total)];
  for (let change = 1; change > 1e-10;) {
    change = 0;
    for (let own = target - 1; own >= 0; own--) {
      for (let other = target - 1; other >= 0; other--) {
        for (let total = target - own - 1; total >= 0; total--) {
          let roll = 1 - wins[at(other, own, 0)];
          for (const face of FACES) roll += value(own, other, total + face);
          const hold = total === 0 ? 0 : 1 - wins[at(other, own + total, 0)];
          const best = Math.max(roll / 6, hold);
          change = Math.max(change, Math.abs(best - wins[at(own, other, total)]));
          wins[at(own, other, total)] = best;
        }
      }
    }
  }
  return value;
}
