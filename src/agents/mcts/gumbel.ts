import type { Random } from "../../base/random.ts";
import type { PolicyEstimates } from "./estimates.ts";
import { drawGumbel } from "./noise.ts";
import type { Proofs } from "./proofs.ts";
import type { Selection } from "./selection.ts";
import type { SimulationTree } from "./tree.ts";

/** The simulations of the first plan, where only a time limits the search. */
const FIRST_PLAN = 64;
/** Sigma is in proportion to the most visits of an action and this constant (c_visit of the paper). */
const VISITS_OFFSET = 50;
/** The least range of values, so that equal values are no division by 0. */
const LEAST_RANGE = 1e-8;
/** The least weight of a visited action in the mixed value, as its prior may be rounded to 0. */
const LEAST_PRIOR = 1e-38;

const NOTHING = new Int32Array(0);
/** Stands for more visits than the plan says. */
const TOO_MANY = -1;

/**
 * Sequential halving (Karnin, Koren and Somekh 2013) as an order of visits: the next simulation goes to the best action
 * among those with as many visits as `next` says. All considered actions get equally many visits, then the better half as
 * many in sum, and so on, down to two.
 * @internal the tests read its order
 */
export class SequentialHalving {
  private simulations = 0;
  private phases = 0;
  private considered = 0;
  /** The rounds that are left in the phase, and the actions that are left in the round. */
  private rounds = 0;
  private left = 0;
  private visits = 0;

  /** Begins a plan of so many simulations among so many actions. */
  begin(simulations: number, considered: number): void {
    this.simulations = simulations;
    this.considered = considered;
    this.phases = Math.ceil(Math.log2(considered));
    this.visits = 0;
    this.beginPhase();
  }

  /** Returns the visits that the action of the next simulation has had. */
  next(): number {
    if (this.left === 0) this.beginRound();
    this.left--;
    return this.visits;
  }

  private beginRound(): void {
    this.visits++;
    this.left = this.considered;
    if (--this.rounds > 0) return;
    this.considered = Math.max(2, this.considered >> 1);
    this.beginPhase();
  }

  private beginPhase(): void {
    this.left = this.considered;
    // A single action has no phases, and gets all visits.
    this.rounds = Math.max(1, Math.floor(this.simulations / (this.phases * this.considered)));
  }
}

/**
 * Selection of Gumbel MuZero (Danihelka, Guez, Schrittwieser and Silver 2022, "Policy improvement by planning with Gumbel").
 *
 * - Root: sequential halving among the `considered` actions of the highest logit + noise. The better half is that of the
 *   highest logit + noise + sigma(value). Noise, which Gumbel's distribution gives, draws the actions without replacement.
 * - Below: the action whose visits are furthest behind the improved policy, softmax(logit + sigma(value)).
 *
 * The value of an action is its mean reward; without visits it is the mixed value of the position. Sigma takes the least
 * value of a position as 0 and the greatest as 1, and multiplies by `valueScale` * (50 + most visits). An action that
 * is a proven loss counts as absent while there is another.
 *
 * A search that goes on after its plan, as a time limits it, begins a plan of twice the length.
 */
export class GumbelSelection implements Selection {
  range = 1;
  private readonly tree: SimulationTree;
  private readonly estimates: PolicyEstimates;
  private readonly proofs: Proofs | null;
  private readonly losses: Int32Array;
  private readonly considered: number;
  private readonly valueScale: number;
  private readonly halving = new SequentialHalving();
  /** Simulations of the plan, and those that are left. */
  private planned = 0;
  private left = 0;
  /** By child of the root: the noise, and the visits before the plan. */
  private readonly noise: Float64Array;
  private readonly before: Int32Array;
  /** By child of the node that was looked at last: logit + sigma(value); -Infinity if it counts as absent. */
  private readonly score: Float64Array;
  /** The highest of these scores. */
  private top = 0;
  /** The set of the player whose losses count as absent at that node, see Proofs; 0 if none do. */
  private barred = 0;

  constructor(
    tree: SimulationTree,
    parts: {
      estimates: PolicyEstimates;
      proofs: Proofs | null;
      maxActions: number;
      considered: number;
      valueScale: number;
    },
  ) {
    this.tree = tree;
    this.estimates = parts.estimates;
    this.proofs = parts.proofs;
    this.losses = parts.proofs?.losses ?? NOTHING;
    this.considered = parts.considered;
    this.valueScale = parts.valueScale;
    this.noise = new Float64Array(parts.maxActions);
    this.before = new Int32Array(parts.maxActions);
    this.score = new Float64Array(parts.maxActions);
  }

  /**
   * Begins a decision at an expanded root.
   * @param simulations Infinity if only a time limits it
   * @param noise its scale; 1 in self-play, 0 for none
   */
  begin(simulations: number, noise: number, random: Random): void {
    const count = this.tree.childCount[0];
    for (let at = 0; at < count; at++) this.noise[at] = noise === 0 ? 0 : noise * drawGumbel(random);
    this.beginPlan(simulations === Infinity ? FIRST_PLAN : simulations);
  }

  select(node: number, mover: number): number {
    this.look(node, mover);
    return node === 0 ? this.selectAtRoot() : this.selectBelow(node);
  }

  /** Returns what decides among children of the root that are visited equally often, after `look`. */
  preference(child: number): number {
    const at = child - this.tree.firstChild[0];
    return this.score[at] + this.noise[at];
  }

  /** Scores the children of a node where `mover` decides; returns its mixed value as a reward. */
  look(node: number, mover: number): number {
    const { tree, proofs, score, estimates, valueScale } = this;
    const { visits, reward } = tree;
    const first = tree.firstChild[node];
    const count = tree.childCount[node];
    this.barred = proofs === null || proofs.isLoss(node, mover) ? 0 : 1 << mover;
    const mixed = this.mixedValue(node);
    let least = Infinity;
    let greatest = -Infinity;
    let most = 0;
    for (let at = 0; at < count; at++) {
      const child = first + at;
      if (this.isAbsent(child)) {
        score[at] = -Infinity;
        continue;
      }
      const seen = visits[child];
      const value = seen === 0 ? mixed : reward[child] / seen;
      score[at] = value;
      if (value < least) least = value;
      if (value > greatest) greatest = value;
      if (seen > most) most = seen;
    }
    const scale = ((VISITS_OFFSET + most) * valueScale) / Math.max(greatest - least, LEAST_RANGE);
    this.top = -Infinity;
    for (let at = 0; at < count; at++) {
      if (score[at] === -Infinity) continue;
      score[at] = estimates.logit[first + at] + (score[at] - least) * scale;
      if (score[at] > this.top) this.top = score[at];
    }
    return mixed;
  }

  /**
   * Returns the mixed value of a node (appendix D of the paper): the mean of its own value, with the weight of one
   * visit, and of the values of its visited children by their priors, with the weight of all visits.
   */
  private mixedValue(node: number): number {
    const { tree, estimates } = this;
    const { visits, reward } = tree;
    const first = tree.firstChild[node];
    const end = first + tree.childCount[node];
    let seen = 0;
    let weights = 0;
    let sum = 0;
    for (let child = first; child < end; child++) {
      const count = visits[child];
      if (count === 0 || this.isAbsent(child)) continue;
      const weight = Math.max(estimates.prior[child], LEAST_PRIOR);
      seen += count;
      weights += weight;
      sum += (weight * reward[child]) / count;
    }
    const own = estimates.worth[node];
    return seen === 0 ? own : (own + (seen * sum) / weights) / (1 + seen);
  }

  private isAbsent(child: number): boolean {
    return this.barred !== 0 && (this.losses[child] & this.barred) !== 0;
  }

  /** Writes the improved policy of a node, where `mover` decides, to `out` by child; returns its mixed value as a reward. */
  improve(node: number, mover: number, out: Float64Array): number {
    const mixed = this.look(node, mover);
    const count = this.tree.childCount[node];
    let sum = 0;
    for (let at = 0; at < count; at++) sum += out[at] = Math.exp(this.score[at] - this.top);
    for (let at = 0; at < count; at++) out[at] /= sum;
    return mixed;
  }

  private beginPlan(simulations: number): void {
    const { tree, before } = this;
    const count = tree.childCount[0];
    this.planned = this.left = simulations;
    this.halving.begin(simulations, Math.min(this.considered, count));
    before.set(tree.visits.subarray(tree.firstChild[0], tree.firstChild[0] + count));
  }

  /**
   * Takes the best child among those with as many visits as the plan says. If proofs leave none of them, those with fewer
   * visits come next, and then those with more.
   */
  private selectAtRoot(): number {
    if (this.left === 0) this.beginPlan(2 * this.planned);
    this.left--;
    const { tree, score, noise, before } = this;
    const wanted = this.halving.next();
    const first = tree.firstChild[0];
    const count = tree.childCount[0];
    let best = 0;
    let most = TOO_MANY;
    let highest = -Infinity;
    for (let at = 0; at < count; at++) {
      const visits = tree.visits[first + at] - before[at];
      const seen = visits > wanted ? TOO_MANY : visits;
      if (score[at] === -Infinity || seen < most) continue;
      const worth = score[at] + noise[at];
      if (seen === most && worth <= highest) continue;
      best = at;
      most = seen;
      highest = worth;
    }
    return first + best;
  }

  /** Takes the child with the greatest improved policy - visits / (1 + all visits). */
  private selectBelow(node: number): number {
    const { tree, score, top } = this;
    const { visits } = tree;
    const first = tree.firstChild[node];
    const count = tree.childCount[node];
    let seen = 0;
    let sum = 0;
    for (let at = 0; at < count; at++) {
      seen += visits[first + at];
      sum += score[at] = Math.exp(score[at] - top);
    }
    let best = 0;
    let highest = -Infinity;
    for (let at = 0; at < count; at++) {
      // Some child has more than 0; one that counts as absent has a policy of 0, and so no more than that.
      const behind = score[at] / sum - visits[first + at] / (1 + seen);
      if (behind > highest) {
        best = at;
        highest = behind;
      }
    }
    return first + best;
  }
}
