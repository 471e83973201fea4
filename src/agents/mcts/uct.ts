import type { Random } from "../../base/random.ts";
import {
  CHANCE,
  TERMINAL,
  type Evaluator,
  type Game,
  type State,
  isDuel,
} from "../../games/contract/game.ts";
import type { Agent, Decision, Turn } from "../agent.ts";
import { LookInterval, shareOfTurn } from "../search/meter.ts";
import { Answer, Patience } from "./answer.ts";
import { createParts, type MctsOptions, type Parts } from "./parts.ts";
import { mixDirichlet } from "./noise.ts";
import type { Playout } from "./playout.ts";
import type { Proofs } from "./proofs.ts";
import { Reuse, SimulationTree, UNEXPANDED } from "./tree.ts";
import { type PolicyEstimates, Simulation } from "./estimates.ts";

/** The clock is read after this many simulations, or fewer if they are slow. */
const SIMULATIONS_PER_CLOCK_CHECK = 32;

/**
 * UCT with a reward for each player, for any number of players. The outcomes of chance events are sampled. One
 * simulation is `descend` (selection and expansion), then the playout or the evaluator, then `backUp`.
 *
 * A reward is a return, scaled from the game's range to 0..1. In games with rewards along the way, the rewards within
 * reach are a small part of that range. There the unit of the exploration is the range of the rewards seen in this
 * decision.
 */
export class Uct implements Agent {
  protected readonly game: Game;
  private readonly options: MctsOptions;
  private readonly evaluator: Evaluator | null;
  private readonly isDuel: boolean;
  private readonly state: State;
  protected readonly tree: SimulationTree;
  private readonly parts: Parts;
  protected readonly selection: Parts["selection"];
  protected readonly proofs: Proofs | null;
  protected readonly answer: Answer;
  /** Finds the tree of the decision before; null if nothing is kept. */
  private readonly reuse: Reuse | null;
  private readonly actions: Int32Array;
  private readonly probabilities: Float64Array;
  protected readonly simulation: Simulation;
  /** True if there was no room for the children of a node; the next simulation makes room. */
  private isFull = false;
  private readonly interval = new LookInterval(SIMULATIONS_PER_CLOCK_CHECK);
  /** The lowest and the highest reward of this decision. */
  private lowest = 0;
  private highest = 0;

  constructor(game: Game, options: MctsOptions, evaluator: Evaluator | null) {
    this.game = game;
    this.options = options;
    this.evaluator = evaluator;
    this.isDuel = isDuel(game);
    this.state = game.start();
    this.tree = new SimulationTree(Math.max(options.maxNodes, game.maxActions + 1));
    this.parts = createParts(game, options, { tree: this.tree, evaluator });
    this.selection = this.parts.selection;
    this.proofs = this.parts.proofs;
    this.answer = new Answer(game, this.tree, this.parts);
    this.reuse = options.memory === "game" ? new Reuse(game, this.tree) : null;
    this.actions = new Int32Array(game.maxActions);
    this.probabilities = new Float64Array(game.maxActions);
    this.simulation = new Simulation(game.players, this.parts.trail);
  }

  choose(root: State, turn: Turn): Decision {
    return this.decide(root, turn, this.search(root, turn));
  }

  /** Grows the tree from `root` until the budget is spent or the decision is proven; returns the simulations done. */
  protected search(root: State, turn: Turn): number {
    const { simulations = Infinity, nodes = Infinity, timeMs } = turn.budget;
    const limit = Math.min(simulations, nodes);
    const share = shareOfTurn(this.game, root, turn);
    const limitMs = Math.min(timeMs ?? Infinity, share?.mostMs ?? Infinity);
    const begun = limitMs === Infinity ? 0 : turn.clock();
    const { gumbel } = this.parts;
    const patience = share && new Patience(share, begun, gumbel === null ? this.tree : null);
    const { interval } = this;
    interval.begin(begun);
    this.begin(root, turn.random);
    const noise = this.options.noise ?? 0;
    if (gumbel !== null) gumbel.begin(limit, noise, turn.random);
    else if (noise > 0) this.mixNoise(noise, turn.random);
    let done = 0;
    let nextLook = limitMs === Infinity ? Infinity : interval.steps;
    while (done < limit && !this.isDecided(root.toMove)) {
      this.simulate(root, turn.random);
      if (++done < nextLook) continue;
      const now = turn.clock();
      if (now >= begun + limitMs || patience?.isOver(now, done) === true) break;
      interval.looked(now);
      nextLook = done + interval.steps;
    }
    return done;
  }

  /** Reads the decision from the tree. */
  protected decide(root: State, turn: Turn, simulations: number): Decision {
    const decision = this.answer.decide(root, turn, simulations);
    this.reuse?.remember(root, decision.action);
    return decision;
  }

  newGame(): void {
    this.reuse?.forget();
  }

  /** Makes `root` the root of the tree, with its children and what the decision before left of it. */
  private begin(root: State, random: Random): void {
    const { tree } = this;
    this.selection.range = 1;
    this.lowest = Infinity;
    this.highest = -Infinity;
    const known = this.reuse?.find(root);
    if (known === undefined) {
      tree.clear();
      for (const learner of this.parts.learners) learner.clear();
    } else {
      tree.keep(known);
    }
    this.proofs?.renew(0, root.toMove);
    this.state.copyFrom(root);
    if (tree.firstChild[0] !== UNEXPANDED) return;
    if (this.parts.learnt !== null) this.evaluateRoot(this.parts.learnt);
    this.expand(0, this.state.legalActions(this.actions, 0), random);
  }

  private mixNoise(share: number, random: Random): void {
    const { estimates } = this.parts;
    const { firstChild, childCount } = this.tree;
    const first = firstChild[0];
    if (estimates !== null)
      mixDirichlet(estimates.prior, { first, end: first + childCount[0], share }, random);
  }

  /** Evaluates a new root, which counts as its first visit, as a leaf's evaluation does. */
  private evaluateRoot({ worth }: PolicyEstimates): void {
    this.collectRewards();
    this.tree.visits[0]++;
    worth[0] = this.simulation.rewards[this.state.toMove];
  }

  /** True if the root is a proven win or loss of the player who decides there. */
  private isDecided(mover: number): boolean {
    const { proofs } = this;
    return proofs !== null && (proofs.isWin(0, mover) || proofs.isLoss(0, mover));
  }

  protected simulate(root: State, random: Random): void {
    const { state, proofs, tree, simulation } = this;
    const { playout, learners, learnt, minimax } = this.parts;
    if (this.isFull) tree.recycle();
    this.isFull = false;
    simulation.begin();
    state.copyFrom(root);
    const leaf = this.descend(random);
    const isNew = proofs !== null && state.toMove === TERMINAL && proofs.settle(leaf, state);
    if (isNew) this.prove(proofs);
    if (proofs !== null && proofs.isSettled(leaf)) {
      proofs.collect(leaf, simulation.rewards);
    } else {
      if (playout !== null && this.evaluator === null) playout.play(state, random);
      this.collectRewards();
      if (learnt !== null) this.expandNow(learnt, leaf, random);
      if (playout !== null && this.evaluator !== null) this.mixPlayout(playout, random);
    }
    this.backUp();
    if (minimax !== null) minimax.backUp(simulation);
    for (const learner of learners) learner.learn(simulation);
  }

  /**
   * Walks down the tree to a new leaf, to the end of the game or to a proven position, and returns that node. A leaf
   * visited for the second time gets its children, unless it has them already.
   */
  private descend(random: Random): number {
    const { state, tree, simulation, proofs } = this;
    let node = 0;
    while (simulation.canGoOn) {
      const mover = state.toMove;
      if (mover === TERMINAL || (proofs !== null && proofs.isSettled(node))) break;
      if (tree.firstChild[node] === UNEXPANDED) {
        if (tree.visits[node] === 0) break;
        const count =
          mover === CHANCE ? state.chanceOutcomes!(this.actions, this.probabilities, 0) : this.actionsToTry();
        this.isFull = !tree.hasRoomFor(count);
        if (this.isFull) break;
        this.expand(node, count, mover === CHANCE ? null : random);
      }
      node = mover === CHANCE ? this.sampleChild(node, random) : this.selection.select(node, mover);
      state.apply(tree.action[node]);
      simulation.step(mover, node);
    }
    return node;
  }

  /** Gives a leaf its children at its first visit, as the evaluator has its position at hand: see Evaluator.prefer. */
  private expandNow({ worth }: PolicyEstimates, leaf: number, random: Random): void {
    const { state, tree } = this;
    if (state.toMove < 0 || tree.firstChild[leaf] !== UNEXPANDED) return;
    worth[leaf] = this.simulation.rewards[state.toMove];
    const count = this.actionsToTry();
    if (tree.hasRoomFor(count)) this.expand(leaf, count, random);
  }

  /** Writes the actions of a new node below the root to `actions`, and returns their number. */
  private actionsToTry(): number {
    const { state, actions } = this;
    const { decisiveMoves } = this.parts;
    const count = state.legalActions(actions, 0);
    return decisiveMoves === null ? count : decisiveMoves.keep(state, actions, count);
  }

  /** Derives proofs for the nodes of the path from a new one at its end. */
  private prove(proofs: Proofs): void {
    const { path, chooser, pathLength } = this.simulation;
    for (let index = pathLength - 1; index >= 0; index--) {
      const parent = index === 0 ? 0 : path[index - 1];
      if (!proofs.derive(parent, path[index], chooser[index])) break;
    }
  }

  /**
   * Gives `node` a child for each of the first `count` of `actions`, shuffled if `random` is given and ties are random.
   */
  private expand(node: number, count: number, random: Random | null): void {
    if (random !== null && this.options.ties === "random") random.shuffle(this.actions, 0, count);
    const { estimates, promises, minimax } = this.parts;
    this.tree.expand(node, this.actions, count);
    if (promises !== null && this.state.toMove !== CHANCE) promises.begin(node, this.state);
    if (estimates === null || this.state.toMove === CHANCE) return;
    estimates.estimate(node, this.state);
    if (minimax !== null) minimax.begin(node);
  }

  private sampleChild(node: number, random: Random): number {
    const count = this.state.chanceOutcomes!(this.actions, this.probabilities, 0);
    return this.tree.firstChild[node] + random.weighted(this.probabilities, 0, count);
  }

  /** Sets the reward of each player, from the returns or from the evaluator. */
  private collectRewards(): void {
    const { state, evaluator } = this;
    const { rewards } = this.simulation;
    const { minReturn, maxReturn, rewardsAlongTheWay } = this.game;
    const scale = 1 / (maxReturn - minReturn);
    const ended = state.toMove === TERMINAL;
    let value = 0;
    for (let player = 0; player < rewards.length; player++) {
      if (ended || evaluator === null) value = state.returns(player);
      else value = player === 1 && this.isDuel ? 0 - value : evaluator.evaluate(state, player);
      rewards[player] = (value - minReturn) * scale;
      if (rewardsAlongTheWay) this.widenRange(rewards[player]);
    }
  }

  /** Mixes the result of a playout into the evaluator's rewards, as AlphaGo did (Silver et al. 2016, V = (1 - lambda) v + lambda z). */
  private mixPlayout(playout: Playout, random: Random): void {
    const { state, game } = this;
    if (state.toMove === TERMINAL) return;
    playout.play(state, random);
    const { rewards } = this.simulation;
    const { playoutShare = 0 } = this.options;
    for (let player = 0; player < rewards.length; player++) {
      const result = (state.returns(player) - game.minReturn) / (game.maxReturn - game.minReturn);
      rewards[player] = (1 - playoutShare) * rewards[player] + playoutShare * result;
    }
  }

  private widenRange(reward: number): void {
    this.lowest = Math.min(this.lowest, reward);
    this.highest = Math.max(this.highest, reward);
    this.selection.range = this.highest > this.lowest ? this.highest - this.lowest : 1;
  }

  /** Adds the rewards to the nodes of the path. */
  private backUp(): void {
    const { path, chooser, pathLength, rewards } = this.simulation;
    const { visits, reward } = this.tree;
    visits[0]++;
    for (let index = 0; index < pathLength; index++) {
      const node = path[index];
      const player = chooser[index];
      visits[node]++;
      if (player !== CHANCE) reward[node] += rewards[player];
    }
  }
}
