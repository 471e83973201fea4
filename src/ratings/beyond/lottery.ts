/** The gap at which the interior-point method stops: what the best entrant still wins against the lottery. */
const LAST_GAP = 1e-10;
/** The share of the gap that a step aims at, and the share of the way to the border that it may go. */
const CENTRING = 0.05;
const MOST_OF_THE_WAY = 0.95;
const MOST_STEPS = 100;
/** Steps at the last gap, towards the centre. */
const LAST_STEPS = 3;
/** Entrants that lose less than this to a lottery may have a share of it. */
const TIE = 1e-6;

/**
 * The maximal lottery: the optimal mixed strategy of the symmetric zero-sum game in which `payoff[one * count + other]` is
 * what `one` wins against `other` (Kreweras 1965; Fishburn 1984, "Probabilistic social choice based on simple voting
 * comparisons"; Nash averaging of Balduzzi et al. 2018, "Re-evaluating evaluation"). No entrant wins against it on
 * average. If several lotteries are optimal, it is one in their middle. The numbers of the entrants do not matter, so
 * entrants that the payoffs do not tell apart have equal shares.
 *
 * It begins with the best on average, and adds those that do not lose to the lottery so far (the double oracle of McMahan,
 * Gordon and Blum 2003). An entrant that loses to the lottery of the others has no share.
 *
 * @param payoff antisymmetric, from -1 to 1; row-major
 * @returns the shares, which sum to 1
 */
export function maximalLottery(payoff: Float64Array, count: number): Float64Array {
  const members = new Set(bestOnAverage(payoff, count));
  for (;;) {
    const chosen = [...members].toSorted((a, b) => a - b);
    const shares = centralLottery(part(payoff, count, chosen), chosen.length);
    for (let one = 0; one < count; one++) {
      let won = 0;
      chosen.forEach((other, at) => (won += payoff[one * count + other] * shares[at]));
      if (won > -TIE) members.add(one);
    }
    if (members.size > chosen.length) continue;
    const all = new Float64Array(count);
    chosen.forEach((entrant, at) => (all[entrant] = shares[at]));
    return all;
  }
}

/** The entrants with the largest sum of payoffs. */
function bestOnAverage(payoff: Float64Array, count: number): number[] {
  const sums = Array.from({ length: count }, (_, one) =>
    payoff.subarray(one * count, (one + 1) * count).reduce((sum, won) => sum + won, 0),
  );
  const most = sums.reduce((a, b) => Math.max(a, b), -Infinity);
  return [...sums.keys()].filter((one) => sums[one] > most - TIE);
}

/** The rows and columns of some entrants. */
function part(payoff: Float64Array, count: number, chosen: readonly number[]): Float64Array {
  const own = new Float64Array(chosen.length ** 2);
  chosen.forEach((one, row) =>
    chosen.forEach((other, column) => (own[row * chosen.length + column] = payoff[one * count + other])),
  );
  return own;
}

/**
 * The analytic centre of the optimal lotteries, by a primal-dual interior-point method (Wright 1997, "Primal-dual
 * interior-point methods", chapter 5). With the gap g, an entrant's slack is g less its payoff against the lottery. On the
 * central path all products of share and slack are equal; their sum is the gap.
 */
function centralLottery(payoff: Float64Array, count: number): Float64Array {
  const shares = new Float64Array(count).fill(1 / count);
  let gap = 1;
  let slacks = slacksOf(payoff, shares, gap);
  let last = LAST_STEPS;
  for (let step = 0; step < MOST_STEPS && last > 0; step++) {
    const isNear = gap <= LAST_GAP;
    if (isNear) last--;
    const target = (isNear ? gap : CENTRING * gap) / count;
    const change = newtonStep(payoff, { shares, slacks, target });
    const gapChange = change[count];
    const slackChange = slacksOf(payoff, change, gapChange);
    let length = 1;
    for (let at = 0; at < count; at++) {
      length = Math.min(length, wayToZero(shares[at], change[at]), wayToZero(slacks[at], slackChange[at]));
    }
    for (let at = 0; at < count; at++) shares[at] += length * change[at];
    gap += length * gapChange;
    slacks = slacks.map((slack, at) => slack + length * slackChange[at]);
  }
  return shares;
}

/** The largest part of a change that leaves a positive number positive. */
function wayToZero(value: number, change: number): number {
  return change < 0 ? (MOST_OF_THE_WAY * value) / (0 - change) : 1;
}

/** The gap less the payoff of each entrant against the lottery. */
function slacksOf(payoff: Float64Array, shares: Float64Array, gap: number): Float64Array {
  const count = Math.sqrt(payoff.length);
  const slacks = new Float64Array(count);
  for (let row = 0; row < count; row++) {
    let won = 0;
    for (let column = 0; column < count; column++) won += payoff[row * count + column] * shares[column];
    slacks[row] = gap - won;
  }
  return slacks;
}

/** The change of the shares, and after them of the gap, towards products of share and slack that are all `target`. */
function newtonStep(
  payoff: Float64Array,
  {
    shares,
    slacks,
    target,
  }: { readonly shares: Float64Array; readonly slacks: Float64Array; readonly target: number },
): Float64Array {
  const count = shares.length;
  const size = count + 1;
  const matrix = new Float64Array(size * size);
  const right = new Float64Array(size);
  for (let row = 0; row < count; row++) {
    for (let column = 0; column < count; column++)
      matrix[row * size + column] = 0 - payoff[row * count + column];
    matrix[row * size + row] += slacks[row] / shares[row];
    matrix[row * size + count] = matrix[count * size + row] = 1;
    right[row] = target / shares[row] - slacks[row];
  }
  eliminate(matrix, right);
  return right;
}

/** Replaces the right side by the solution of a linear system: Gauss's elimination with partial pivoting. */
function eliminate(matrix: Float64Array, right: Float64Array): void {
  const size = right.length;
  for (let column = 0; column < size; column++) {
    let pivot = column;
    for (let row = column + 1; row < size; row++)
      if (Math.abs(matrix[row * size + column]) > Math.abs(matrix[pivot * size + column])) pivot = row;
    if (pivot !== column) swapRows(matrix, right, { pivot, column });
    for (let row = column + 1; row < size; row++) {
      const factor = matrix[row * size + column] / matrix[column * size + column];
      if (factor === 0) continue;
      for (let at = column + 1; at < size; at++)
        matrix[row * size + at] -= factor * matrix[column * size + at];
      right[row] -= factor * right[column];
    }
  }
  for (let row = size - 1; row >= 0; row--) {
    for (let at = row + 1; at < size; at++) right[row] -= matrix[row * size + at] * right[at];
    right[row] /= matrix[row * size + row];
  }
}

function swapRows(
  matrix: Float64Array,
  right: Float64Array,
  { pivot, column }: { pivot: number; column: number },
): void {
  const size = right.length;
  for (let at = column; at < size; at++) {
    const value = matrix[pivot * size + at];
    matrix[pivot * size + at] = matrix[column * size + at];
    matrix[column * size + at] = value;
  }
  [right[pivot], right[column]] = [right[column], right[pivot]];
}
