/** Published odds of a throw, by attacking and defending dice: [share of throws, losses of the attacker, of the defender]. */
export const THROWS: Readonly<Record<string, readonly (readonly [number, number, number])[]>> = {
  "3:2": [
    [2275 / 7776, 2, 0],
    [2611 / 7776, 1, 1],
    [2890 / 7776, 0, 2],
  ],
  "3:1": [
    [441 / 1296, 1, 0],
    [855 / 1296, 0, 1],
  ],
  "2:2": [
    [581 / 1296, 2, 0],
    [420 / 1296, 1, 1],
    [295 / 1296, 0, 2],
  ],
  "2:1": [
    [91 / 216, 1, 0],
    [125 / 216, 0, 1],
  ],
  "1:2": [
    [161 / 216, 1, 0],
    [55 / 216, 0, 1],
  ],
  "1:1": [
    [21 / 36, 1, 0],
    [15 / 36, 0, 1],
  ],
};

/** The ends of a battle in words, `3:1`, with their odds. */
export function battle(attackers: number, defenders: number, isDecided: boolean): Map<string, number> {
  const ends = new Map<string, number>();
  const throwDice = (a: number, d: number, odds: number) => {
    for (const [share, lost, killed] of THROWS[`${Math.min(3, a - 1)}:${Math.min(2, d)}`]!) {
      const [left, other] = [a - lost, d - killed];
      if (isDecided && left > 1 && other > 0) throwDice(left, other, odds * share);
      else ends.set(`${left}:${other}`, (ends.get(`${left}:${other}`) ?? 0) + odds * share);
    }
  };
  throwDice(attackers, defenders, 1);
  return ends;
}
