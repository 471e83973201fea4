import { popcount } from "../counts/outcome.ts";

/**
 * One choice of the Davidson-Luce model of rankings with ties (Firth, Kosmidis, Turner 2019,
 * arXiv:1909.07123; for two players Davidson 1970): of the seats `remaining`, the tied set C comes next
 * with probability proportional to delta_|C| * (product of the strengths in C)^(1/|C|), delta_1 = 1.
 *
 * It is an exponential family in the logarithms of strengths and deltas, which are set in `strength`
 * and `tie`; its natural statistics have one entry for each seat (1/|C| for the seats in C), then one
 * for each tie size (1 for |C|). `expect` computes their mean and second moments.
 */
export class Choice {
  /** Log strength at each seat. */
  readonly strength: Float64Array;
  /** Log delta of each of `tieSizes`. */
  readonly tie: Float64Array;
  /** Number of natural statistics. */
  readonly size: number;
  readonly mean: Float64Array;
  /** `size` x `size`. */
  readonly second: Float64Array;
  readonly seatCount: number;
  readonly tieSizes: readonly number[];
  /** For each mask of seats: the sets that can be chosen of it. */
  private readonly sets: readonly Int32Array[];
  /** Seats of each set, [set * seatCount + ...], and how many. */
  private readonly members: Int32Array;
  private readonly sizes: Int32Array;
  /** For each number of tied seats: its index in `tie`, or -1. */
  private readonly tieIndex: Int32Array;
  /** Weight of each set in the last total, relative to the largest, and their sum. */
  private readonly weight: Float64Array;
  private total = 0;

  constructor(seatCount: number, tieSizes: readonly number[]) {
    this.seatCount = seatCount;
    this.tieSizes = tieSizes;
    this.size = seatCount + tieSizes.length;
    this.strength = new Float64Array(seatCount);
    this.tie = new Float64Array(tieSizes.length);
    this.mean = new Float64Array(this.size);
    this.second = new Float64Array(this.size * this.size);
    this.tieIndex = Int32Array.from({ length: seatCount + 1 }, (_, size) => tieSizes.indexOf(size));
    const masks = Array.from({ length: 1 << seatCount }, (_, mask) => mask);
    const allowed = masks.filter((mask) => popcount(mask) === 1 || tieSizes.includes(popcount(mask)));
    this.sets = masks.map((mask) => Int32Array.from(allowed.filter((set) => (set & mask) === set)));
    this.sizes = Int32Array.from(masks, popcount);
    this.members = new Int32Array(masks.length * seatCount);
    for (const set of masks) this.members.set(seatsOf(set, seatCount), set * seatCount);
    this.weight = new Float64Array(masks.length);
  }

  /** Log of the summed weights of the sets that can be chosen of `remaining`. */
  logTotal(remaining: number): number {
    const candidates = this.sets[remaining];
    const { weight } = this;
    let largest = -Infinity;
    for (let at = 0; at < candidates.length; at++) {
      const logWeight = this.logWeight(candidates[at]);
      weight[at] = logWeight;
      if (logWeight > largest) largest = logWeight;
    }
    let total = 0;
    for (let at = 0; at < candidates.length; at++) {
      weight[at] = Math.exp(weight[at] - largest);
      total += weight[at];
    }
    this.total = total;
    return largest + Math.log(total);
  }

  /** As `logTotal`; fills `mean` and `second` with the moments of the natural statistics as well. */
  expect(remaining: number): number {
    const { sets, weight, members, sizes, mean, second, size, seatCount, tieIndex } = this;
    const logTotal = this.logTotal(remaining);
    const scale = 1 / this.total;
    for (let at = 0; at < size; at++) mean[at] = 0;
    for (let at = 0; at < size * size; at++) second[at] = 0;
    const candidates = sets[remaining];
    for (let at = 0; at < candidates.length; at++) {
      const set = candidates[at];
      const probability = weight[at] * scale;
      const count = sizes[set];
      const first = set * seatCount;
      const share = probability / count;
      const tie = count === 1 ? -1 : seatCount + tieIndex[count];
      for (let i = 0; i < count; i++) {
        const seat = members[first + i];
        mean[seat] += share;
        for (let j = 0; j < count; j++) second[seat * size + members[first + j]] += share / count;
        if (tie < 0) continue;
        second[seat * size + tie] += share;
        second[tie * size + seat] += share;
      }
      if (tie < 0) continue;
      mean[tie] += probability;
      second[tie * size + tie] += probability;
    }
    return logTotal;
  }

  private logWeight(set: number): number {
    const { members, sizes, strength, tie, tieIndex } = this;
    const count = sizes[set];
    const first = set * this.seatCount;
    if (count === 1) return strength[members[first]];
    let sum = 0;
    for (let at = first; at < first + count; at++) sum += strength[members[at]];
    return tie[tieIndex[count]] + sum / count;
  }
}

function seatsOf(mask: number, seatCount: number): number[] {
  return Array.from({ length: seatCount }, (_, seat) => seat).filter((seat) => (mask & (1 << seat)) !== 0);
}
