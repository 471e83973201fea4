/** No region has more armies, so that the armies of two of them fit into an outcome. */
export const MAX_ARMIES = 30;

const FACES = 6;
const MOST_ATTACKING = 3;
const MOST_DEFENDING = 2;

/** The shift of the attacker's armies in an outcome; the defender's are below. */
export const LEFT_SHIFT = 6;
const LEFT_MASK = (1 << LEFT_SHIFT) - 1;

/**
 * A way of battle. `dice`: one throw. `decided`: throws until the defender or all attackers but one army are gone. `exchange`:
 * all attackers but one army, and as many defenders, are lost one for one; the last defender stands unless an attacker does.
 */
export type BattleKind = "dice" | "decided" | "exchange";

/**
 * The possible ends of a battle, ascending, and their probabilities. An end is the attacker's armies left, shifted by
 * LEFT_SHIFT, and the defender's.
 */
export interface Outcomes {
  readonly lefts: Int32Array;
  readonly probabilities: Float64Array;
}

/** The number of armies that the defender has left. */
export function defendersLeft(outcome: number): number {
  return outcome & LEFT_MASK;
}

const known: { [kind in BattleKind]?: readonly Outcomes[] } = {};

/**
 * The outcomes of a way of battle, at [attacking armies << LEFT_SHIFT | defending armies]; from 2 attacking and 1 defending
 * armies on. They are made once.
 */
export function outcomesOf(kind: BattleKind): readonly Outcomes[] {
  return (known[kind] ??= makeOutcomes(kind));
}

type Ends = ReadonlyMap<number, number>;

function makeOutcomes(kind: BattleKind): readonly Outcomes[] {
  const odds = Array.from({ length: MOST_ATTACKING + 1 }, (_, attacking) =>
    Array.from({ length: MOST_DEFENDING + 1 }, (_, defending) => lossOdds(attacking, defending)),
  );
  const all: Ends[] = [];
  for (let attackers = 2; attackers <= MAX_ARMIES; attackers++) {
    for (let defenders = 1; defenders <= MAX_ARMIES; defenders++) {
      const attacking = Math.min(MOST_ATTACKING, attackers - 1);
      const defending = Math.min(MOST_DEFENDING, defenders);
      const afterLosses = odds[attacking]![defending]!.map((share, lost): [number, number] => {
        const others = Math.min(attacking, defending) - lost;
        return [((attackers - lost) << LEFT_SHIFT) | (defenders - others), share];
      });
      all[(attackers << LEFT_SHIFT) | defenders] =
        kind === "dice"
          ? new Map(afterLosses)
          : kind === "decided"
            ? untilDecided(afterLosses, all)
            : new Map([[exchange(attackers, defenders), 1]]);
    }
  }
  return all.map((ends) => {
    const lefts = Int32Array.from(ends.keys()).sort();
    return { lefts, probabilities: Float64Array.from(lefts, (left) => ends.get(left)!) };
  });
}

/** By armies that the attacker loses in a throw: the probability. The highest dice are compared in pairs; equal faces defend. */
function lossOdds(attacking: number, defending: number): number[] {
  const counts = Array.from({ length: Math.min(attacking, defending) + 1 }, () => 0);
  const dice = attacking + defending;
  const throws = FACES ** dice;
  for (let number = 0; number < throws; number++) {
    const faces = Array.from({ length: dice }, (_, at) => Math.floor(number / FACES ** at) % FACES);
    const descending = (some: number[]) => some.sort((a, b) => b - a);
    const own = descending(faces.slice(0, attacking));
    const others = descending(faces.slice(attacking));
    counts[others.filter((face, at) => own[at]! <= face).length]!++;
  }
  return counts.map((count) => count / throws);
}

function exchange(attackers: number, defenders: number): number {
  const isTaken = attackers - 1 > defenders;
  const left = isTaken ? attackers - defenders : 1;
  return (left << LEFT_SHIFT) | (isTaken ? 0 : Math.max(1, defenders - attackers + 1));
}

/** The ends of throw after throw: those of the smaller battles that the first throw leads to. */
function untilDecided(afterThrow: readonly [number, number][], smaller: readonly Ends[]): Ends {
  const sums = new Map<number, number>();
  for (const [left, odds] of afterThrow) {
    const isDecided = defendersLeft(left) === 0 || left >> LEFT_SHIFT === 1;
    const ends = isDecided ? new Map([[left, 1]]) : smaller[left]!;
    for (const [end, share] of ends) sums.set(end, (sums.get(end) ?? 0) + odds * share);
  }
  return sums;
}
