import { grown } from "../../base/hashing.ts";
import { createRandom, type Random } from "../../base/random.ts";
import type { Merging } from "../../games/contract/facets.ts";
import { CHANCE, type Game, TERMINAL } from "../../games/contract/game.ts";
import { averageOf, matchRegrets, type SolverState } from "./cfr.ts";
import type { GameTree, InformationSet } from "./game-tree.ts";
import { MergedWalk, TreeWalk, type Walk } from "./walks.ts";

/** The names of the algorithms that go through a sample of the game. */
export const SAMPLINGS = ["external-sampling", "outcome-sampling"] as const;
export type SamplingName = (typeof SAMPLINGS)[number];

/** The probability with which outcome sampling tries any action of the player that is updated, each as likely. */
const EXPLORATION = 0.6;

interface SamplingOptions<S extends SolverState = SolverState> {
  readonly algorithm: SamplingName;
  /** Each iteration draws from a stream of its own, so that a calculation that goes on draws the same. */
  readonly seed: string;
  readonly state?: S | undefined;
}

/**
 * Monte Carlo CFR (Lanctot et al. 2009): in an iteration the regrets of each player in turn change by what a sample of the
 * game tells. With external sampling the player tries all its actions, while chance and the others play one each. With outcome
 * sampling one game is played, and what it tells is weighed by how likely the player came there. The others add their policies
 * to the average.
 */
class Sampling<W extends Walk = Walk> {
  iterations: number;
  protected readonly walk: W;
  protected regrets: Float64Array;
  protected sums: Float64Array;
  private readonly algorithm: SamplingName;
  private random: Random;
  /** Two words of the seed; the third is the iteration. */
  private readonly seeds: readonly [number, number];
  /** By depth of the recursion: the policy, then values of actions or the odds of drawing them. */
  private readonly stack: Float64Array[] = [];

  constructor(walk: W, { algorithm, seed, state }: SamplingOptions) {
    this.walk = walk;
    this.algorithm = algorithm;
    this.random = createRandom(seed, "iterations");
    this.seeds = [this.random.int32(), this.random.int32()];
    this.iterations = state?.iterations ?? 0;
    this.regrets = state?.regrets.slice() ?? new Float64Array(walk.slots);
    this.sums = state?.sums.slice() ?? new Float64Array(walk.slots);
  }

  iterate(): void {
    this.random.reseed(...this.seeds, ++this.iterations);
    this.walk.begin();
    for (let player = 0; player < this.walk.players; player++) this.update(player, this.random);
  }

  /** Updates one player by a sample. @internal tests give it all samples */
  update(player: number, random: Random): void {
    this.random = random;
    if (this.algorithm === "external-sampling") this.tryAll(player, 0);
    else this.playOne(player, 0, 1, 1);
  }

  /** External sampling: the sampled value of a position for the player that is updated. */
  private tryAll(player: number, depth: number): number {
    const { walk } = this;
    const mover = walk.toMove;
    if (mover === TERMINAL) return walk.returns(player);
    if (mover === CHANCE) {
      walk.chance(this.random);
      const value = this.tryAll(player, depth);
      walk.back();
      return value;
    }
    const { set, from, count, own } = this.look(depth);
    if (mover !== player) {
      this.addPolicy(player, mover, { from, count, own }, 1);
      walk.take(set, this.random.weighted(own, 0, count));
      const value = this.tryAll(player, depth + 1);
      walk.back();
      return value;
    }
    let mean = 0;
    for (let at = 0; at < count; at++) {
      walk.take(set, at);
      own[count + at] = this.tryAll(player, depth + 1);
      walk.back();
      mean += own[at]! * own[count + at]!;
    }
    for (let at = 0; at < count; at++) this.regrets[from + at]! += own[count + at]! - mean;
    return mean;
  }

  /**
   * Outcome sampling: an estimate of the value of a position for the player that is updated, right in expectation.
   * @param mine the probability that the draws of the player's actions led here
   * @param rest the same of all others but the one whose policy is added to the average
   */
  private playOne(player: number, depth: number, mine: number, rest: number): number {
    const { walk } = this;
    const mover = walk.toMove;
    if (mover === TERMINAL) return walk.returns(player);
    if (mover === CHANCE) {
      walk.chance(this.random);
      const value = this.playOne(player, depth, mine, rest);
      walk.back();
      return value;
    }
    const { set, from, count, own } = this.look(depth);
    const isOwn = mover === player;
    for (let at = 0; at < count; at++)
      own[count + at] = isOwn ? EXPLORATION / count + (1 - EXPLORATION) * own[at]! : own[at]!;
    const adds = this.addPolicy(player, mover, { from, count, own }, 1 / (mine * rest));
    const chosen = this.random.weighted(own, count, count);
    const odds = own[count + chosen]!;
    walk.take(set, chosen);
    const value = this.playOne(
      player,
      depth + 1,
      isOwn ? mine * odds : mine,
      isOwn || adds ? rest : rest * odds,
    );
    walk.back();
    if (!isOwn) return value;
    const worth = value / odds;
    const mean = own[chosen]! * worth;
    for (let at = 0; at < count; at++)
      this.regrets[from + at]! += ((at === chosen ? worth : 0) - mean) / mine;
    return mean;
  }

  /** The information set here, and at this depth of the stack its policy by regret matching. */
  private look(depth: number) {
    const set = this.walk.look();
    const { from } = set;
    const count = set.actions.length;
    this.regrets = grown(this.regrets, this.walk.slots);
    this.sums = grown(this.sums, this.walk.slots);
    const own = grown((this.stack[depth] ??= new Float64Array(2 * count)), 2 * count);
    this.stack[depth] = own;
    matchRegrets(this.regrets, { from, count }, own, 0);
    return { set, from, count, own };
  }

  /** Adds the policy of the player after the one that is updated to the average, so that each adds once an iteration. */
  private addPolicy(
    player: number,
    mover: number,
    { from, count, own }: { readonly from: number; readonly count: number; readonly own: Float64Array },
    weight: number,
  ): boolean {
    if (mover !== (player + 1) % this.walk.players) return false;
    for (let at = 0; at < count; at++) this.sums[from + at]! += weight * own[at]!;
    return true;
  }
}

/** Sampling of a game whose tree is in memory. */
export class TreeSampling extends Sampling {
  private readonly tree: GameTree;

  constructor(tree: GameTree, options: SamplingOptions) {
    super(new TreeWalk(tree), options);
    this.tree = tree;
  }

  get state(): SolverState {
    return { iterations: this.iterations, regrets: this.regrets, sums: this.sums };
  }

  /** The average policy, by slot; uniform at sets that were never added to. */
  averagePolicy(): Float64Array {
    return averageOf(this.tree, this.sums);
  }
}

/** A calculation with merged information states so far. */
interface MergedState extends SolverState {
  /** The sets, in the order of their slots. */
  readonly sets: readonly Omit<InformationSet, "from">[];
}

/** Sampling with merged information states, for games whose tree fits into no memory. */
export class MergedSampling extends Sampling<MergedWalk> {
  constructor(game: Game, merging: Merging, options: SamplingOptions<MergedState>) {
    super(new MergedWalk(game, merging, options.state?.sets ?? []), options);
  }

  get sets(): readonly InformationSet[] {
    return this.walk.sets;
  }

  get state(): MergedState {
    const { iterations, sets } = this;
    const { slots } = this.walk;
    return { iterations, sets, regrets: this.regrets.slice(0, slots), sums: this.sums.slice(0, slots) };
  }
}
