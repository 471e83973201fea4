import { grown } from "../../base/hashing.ts";
import {
  type Evaluator,
  type Game,
  type Policy,
  type State,
  TERMINAL,
  CHANCE,
} from "../../games/contract/game.ts";
import type { Proofs } from "./proofs.ts";
import type { SimulationTree } from "./tree.ts";

/** The actions of one simulation beyond the tree and their players, without chance events. */
export class Trail {
  actions = new Int32Array(1024);
  players = new Int32Array(1024);
  length = 0;

  add(player: number, action: number): void {
    if (this.length === this.actions.length) {
      this.actions = grown(this.actions);
      this.players = grown(this.players);
    }
    this.actions[this.length] = action;
    this.players[this.length++] = player;
  }
}

/** The greatest length of a path through the tree; positions beyond it belong to the playout. */
const MAX_PATH = 4096;

/** One simulation: its path through the tree, the playout after it, and its rewards. */
export class Simulation {
  /** The nodes of the path below the root, and the player who chose each (or CHANCE). */
  readonly path = new Int32Array(MAX_PATH);
  readonly chooser = new Int32Array(MAX_PATH);
  pathLength = 0;
  readonly trail: Trail | null;
  /** By player, in 0..1. */
  readonly rewards: Float64Array;

  constructor(players: number, trail: Trail | null) {
    this.trail = trail;
    this.rewards = new Float64Array(players);
  }

  begin(): void {
    this.pathLength = 0;
    if (this.trail !== null) this.trail.length = 0;
  }

  /** Goes down to a child. */
  step(player: number, node: number): void {
    this.path[this.pathLength] = node;
    this.chooser[this.pathLength++] = player;
  }

  get canGoOn(): boolean {
    return this.pathLength < MAX_PATH;
  }
}

/** Learns from whole simulations for later ones. */
export interface Learner {
  /** Forgets everything. */
  clear(): void;
  learn(simulation: Simulation): void;
}

const KEY_BITS = 16;
/** The number of keys. */
export const KEYS = 2 ** KEY_BITS;

/** Returns a key below `KEYS` for an action of a player; few actions share one. */
export function keyOf(player: number, action: number): number {
  return Math.imul((action << 3) + player, 0x9e3779b1) >>> (32 - KEY_BITS);
}

/** The highest promise, that of an action that has always won. */
const MOST_PROMISING = 255;

/** An evaluator's estimate of each child of a node, before any simulation goes there. */
export interface Estimates {
  /** By node: the reward of its chooser, 0..1. */
  readonly value: Float32Array;
  /** By node: the probability that its chooser takes it; 0 without priors. */
  readonly prior: Float32Array;
  /** Estimates the children of `node`, where `state` is. */
  estimate(node: number, state: State): void;
}

/** Estimates by the evaluator's value of each child. */
export class ValueEstimates implements Estimates {
  readonly value: Float32Array;
  readonly prior: Float32Array;
  private readonly tree: SimulationTree;
  private readonly evaluator: Evaluator;
  private readonly minReturn: number;
  private readonly scale: number;
  /** The temperature of the priors; 0 for none. */
  private readonly temperature: number;

  constructor(game: Game, tree: SimulationTree, parts: { evaluator: Evaluator; temperature: number }) {
    this.tree = tree;
    this.evaluator = parts.evaluator;
    this.temperature = parts.temperature;
    this.minReturn = game.minReturn;
    this.scale = 1 / (game.maxReturn - game.minReturn);
    this.value = tree.column(Float32Array);
    this.prior = tree.column(Float32Array);
  }

  estimate(node: number, state: State): void {
    const { tree, value, evaluator } = this;
    const first = tree.firstChild[node];
    const end = first + tree.childCount[node];
    const player = state.toMove;
    for (let child = first; child < end; child++) {
      state.apply(tree.action[child]);
      const found = state.toMove === TERMINAL ? state.returns(player) : evaluator.evaluate(state, player);
      state.undo();
      value[child] = (found - this.minReturn) * this.scale;
    }
    if (this.temperature > 0) setPriors(this.prior, value, { first, end, temperature: this.temperature });
  }
}

/** Estimates by the evaluator's policy: priors are its softmax, and each child counts as its parent does. */
export class PolicyEstimates implements Estimates {
  readonly value: Float32Array;
  readonly prior: Float32Array;
  /** By node: the logit of the action that leads to it. */
  readonly logit: Float32Array;
  /** By node where a player decides: the value of its position for that player as a reward, set before its children are. */
  readonly worth: Float64Array;
  private readonly tree: SimulationTree;
  private readonly evaluator: Evaluator;

  /** @param evaluator one that has a policy */
  constructor(tree: SimulationTree, evaluator: Evaluator) {
    this.tree = tree;
    this.evaluator = evaluator;
    this.value = tree.column(Float32Array);
    this.prior = tree.column(Float32Array);
    this.logit = tree.column(Float32Array);
    this.worth = tree.column(Float64Array);
  }

  estimate(node: number, state: State): void {
    const { tree, prior, logit } = this;
    const first = tree.firstChild[node];
    const end = first + tree.childCount[node];
    this.evaluator.prefer!(state, tree.action, first, end, logit);
    setPriors(prior, logit, { first, end, temperature: 1 });
    this.value.fill(this.worth[node], first, end);
  }
}

/** Sets the priors from `first` to `end` in proportion to exp(score / temperature); they sum to 1. */
function setPriors(
  prior: Float32Array,
  score: Float32Array,
  { first, end, temperature }: { first: number; end: number; temperature: number },
): void {
  let best = -Infinity;
  for (let child = first; child < end; child++) best = Math.max(best, score[child]);
  let sum = 0;
  for (let child = first; child < end; child++)
    sum += prior[child] = Math.exp((score[child] - best) / temperature);
  for (let child = first; child < end; child++) prior[child] /= sum;
}

/** A policy's promise of each child of a node, which counts as simulations before the first (Gelly and Silver 2007). */
export class Promises {
  /** The simulations that a promise counts as. */
  readonly weight: number;
  /** By node: the promise of its action, see Policy. */
  private readonly promise: Int32Array;
  private readonly tree: SimulationTree;
  private readonly policy: Policy;

  constructor(tree: SimulationTree, parts: { policy: Policy; weight: number }) {
    this.tree = tree;
    this.policy = parts.policy;
    this.weight = parts.weight;
    this.promise = tree.column(Int32Array);
  }

  /** Asks for the promises of the children of `node`, where `state` is. */
  begin(node: number, state: State): void {
    const { firstChild, childCount, action } = this.tree;
    const first = firstChild[node];
    this.policy.promises!(state, action, first, first + childCount[node], this.promise);
  }

  /** Returns the mean reward of a child with its promise, 0..1. */
  mean(child: number): number {
    const { tree, weight } = this;
    return (
      (tree.reward[child] + (weight * this.promise[child]) / MOST_PROMISING) / (tree.visits[child] + weight)
    );
  }
}

/**
 * Implicit minimax backups (Lanctot, Winands, Pepels and Sturtevant 2014): each node has the minimax value of the
 * estimates at the leaves below it. For duels without chance.
 */
export class ImplicitMinimax {
  /** By node: the reward of its chooser, 0..1. */
  readonly value: Float32Array;
  private readonly tree: SimulationTree;
  private readonly estimates: Estimates;
  private readonly proofs: Proofs | null;

  constructor(tree: SimulationTree, estimates: Estimates, proofs: Proofs | null) {
    this.tree = tree;
    this.estimates = estimates;
    this.proofs = proofs;
    this.value = tree.column(Float32Array);
  }

  /** Takes the estimates of the new children of a node. */
  begin(node: number): void {
    const { firstChild, childCount } = this.tree;
    const first = firstChild[node];
    this.value.set(this.estimates.value.subarray(first, first + childCount[node]), first);
  }

  /** Updates the nodes of the path, from its end up to where nothing changes. */
  backUp({ path, chooser, pathLength }: Simulation): void {
    for (let depth = pathLength - 2; depth >= 0; depth--) {
      const before = this.value[path[depth]];
      this.update(path[depth], chooser[depth + 1], chooser[depth]);
      if (this.value[path[depth]] === before) break;
    }
  }

  /** Updates a node of `chooser` from its children, among which `mover` chooses. */
  private update(node: number, mover: number, chooser: number): void {
    const { value, proofs } = this;
    const { firstChild, childCount } = this.tree;
    const first = firstChild[node];
    let best = 0;
    for (let child = first + childCount[node] - 1; child >= first; child--) {
      if (proofs !== null && proofs.isLoss(child, mover)) continue;
      if (value[child] > best) best = value[child];
    }
    value[node] = mover === chooser ? best : 1 - best;
  }
}

/**
 * All moves as first (AMAF; Gelly and Silver 2007): the results of simulations in which the player who decides at a
 * node took an action there or later.
 */
export class Amaf implements Learner {
  /**
   * By node: the simulations through its parent in which its chooser took its action at any time, and their rewards.
   */
  readonly visits: Float32Array;
  readonly reward: Float32Array;
  private readonly tree: SimulationTree;
  /** By key of player and action: the last simulation with that action. */
  private readonly seen = new Int32Array(KEYS);
  private simulations = 0;

  constructor(tree: SimulationTree) {
    this.tree = tree;
    this.visits = tree.column(Float32Array);
    this.reward = tree.column(Float32Array);
  }

  /** Does nothing: the tree holds the results, and `seen` belongs to one simulation. */
  clear(): void {}

  learn({ path, chooser, pathLength, trail, rewards }: Simulation): void {
    const { tree, seen } = this;
    const now = ++this.simulations;
    if (trail !== null)
      for (let at = 0; at < trail.length; at++) seen[keyOf(trail.players[at], trail.actions[at])] = now;
    for (let depth = pathLength - 1; depth >= 0; depth--) {
      const player = chooser[depth];
      if (player === CHANCE) continue;
      seen[keyOf(player, tree.action[path[depth]])] = now;
      this.learnAt(depth === 0 ? 0 : path[depth - 1], player, rewards[player]);
    }
  }

  private learnAt(node: number, player: number, reward: number): void {
    const { seen, tree, visits } = this;
    const first = tree.firstChild[node];
    for (let child = first + tree.childCount[node] - 1; child >= first; child--) {
      if (seen[keyOf(player, tree.action[child])] !== this.simulations) continue;
      visits[child]++;
      this.reward[child] += reward;
    }
  }
}
