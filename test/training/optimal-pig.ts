/** Whether the player on turn rolls, by own and other score and the turn's total (more than 0). */
export type PigPolicy = (own: number, other: number, total: number) => boolean;

/**
 * Two-player pig solved by value iteration (Neller and Presser, "Optimal play of the dice game Pig",
 * 2004), one pair of scores after the other from the highest sum down: each pair depends on itself with
 * the players exchanged, and on higher ones.
 */
export function optimalPig(target: number): { rolls: PigPolicy; firstWins: number } {
  const at = (own: number, other: number, total: number) => (own * target + other) * target + total;
  const wins = new Float64Array(target ** 3).fill(0.5);
  const rolls = new Uint8Array(target ** 3);
  forEachPair(target, (own, other) => {
    let change = 0;
    for (let total = target - 1 - own; total >= 0; total--) {
      const place = at(own, other, total);
      const roll = rollValue(wins, place, { missing: target - own - total, ones: wins[at(other, own, 0)] });
      const hold = total === 0 ? -1 : 1 - wins[at(other, own + total, 0)];
      change = Math.max(change, Math.abs(wins[place] - Math.max(roll, hold)));
      wins[place] = Math.max(roll, hold);
      rolls[place] = roll > hold ? 1 : 0;
    }
    return change;
  });
  return {
    rolls: (own, other, total) => rolls[at(own, other, total)] === 1,
    firstWins: wins[0],
  };
}

/** The exact share of games that a policy wins against another, beginning in half of them. */
export function shareOfWins(policy: PigPolicy, rival: PigPolicy, target: number): number {
  const at = (own: number, other: number, total: number) => (own * target + other) * target + total;
  const policies = [tabulate(policy, target), tabulate(rival, target)];
  /** Each side's chance to win when it is on turn. */
  const wins = policies.map(() => new Float64Array(target ** 3).fill(0.5));
  forEachPair(target, (own, other) => {
    let change = 0;
    for (const [side, rolls] of policies.entries()) {
      const mine = wins[side]!;
      const theirs = wins[1 - side]!;
      for (let total = target - 1 - own; total >= 0; total--) {
        const place = at(own, other, total);
        const value =
          total === 0 || rolls[place] === 1
            ? rollValue(mine, place, { missing: target - own - total, ones: theirs[at(other, own, 0)] })
            : 1 - theirs[at(other, own + total, 0)];
        change = Math.max(change, Math.abs(mine[place] - value));
        mine[place] = value;
      }
    }
    return change;
  });
  return (wins[0]![0] + 1 - wins[1]![0]) / 2;
}

function tabulate(policy: PigPolicy, target: number): Uint8Array {
  const rolls = new Uint8Array(target ** 3);
  for (let own = 0; own < target; own++)
    for (let other = 0; other < target; other++)
      for (let total = 2; total < target - own; total++)
        rolls[(own * target + other) * target + total] = policy(own, other, total) ? 1 : 0;
  return rolls;
}

/**
 * The chance to win by rolling: `ones` is the value of the other's turn that a 1 leads to; one's own turn
 * goes on at mine[place + face], unless `missing` points or more end the game.
 */
function rollValue(
  mine: Float64Array,
  place: number,
  { missing, ones }: { missing: number; ones: number },
): number {
  let sum = 1 - ones;
  for (let face = 2; face <= 6; face++) sum += face >= missing ? 1 : mine[place + face];
  return sum / 6;
}

/** Sweeps each pair of scores and its exchange until nothing changes, highest sums first. */
function forEachPair(target: number, sweep: (own: number, other: number) => number): void {
  for (let sum = 2 * (target - 1); sum >= 0; sum--) {
    for (let own = Math.max(0, sum - target + 1); 2 * own <= sum; own++) {
      const other = sum - own;
      while (Math.max(sweep(own, other), sweep(other, own)) > 1e-8);
    }
  }
}
