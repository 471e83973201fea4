import type { z } from "zod";
import type { Random } from "../../base/random.ts";
import { CHANCE, TERMINAL, type Evaluator, type Game, type State } from "../../games/game.ts";
import type { Agent, Decision, Turn } from "../agent.ts";
import { EVALUATOR_EXPLORATION, PLAYOUT_EXPLORATION, type mctsOptions } from "./options.ts";
import { Tree, UNEXPANDED } from "./tree.ts";

/** How many simulations pass between two looks at the clock. */
const SIMULATIONS_PER_CLOCK_CHECK = 32;
/** Positions on one path through the tree; deeper ones belong to the playout. */
const MAX_PATH = 4096;

/**
 * UCT with a reward for each player, so that any number of players may play; chance nodes are
 * sampled. One simulation is `descend` (selection and expansion), `playOut` (or the evaluator) and
 * `backUp`. Rewards are returns brought from the game's range to 0..1. Where they are collected along
 * the way, those within reach are a small part of that range, and what they have spread over in this
 * decision takes its place as the unit of the exploration.
 */
export class Uct implements Agent {
  private readonly game: Game;
  private readonly options: z.output<typeof mctsOptions>;
  private readonly evaluator: Evaluator | null;
  private readonly exploration: number;
  private readonly state: State;
  private readonly tree: Tree;
  private readonly actions: Int32Array;
  private readonly probabilities: Float64Array;
  /** The nodes below the root that this simulation passed, and who chose each (or CHANCE). */
  private readonly path = new Int32Array(MAX_PATH);
  private readonly chooser = new Int32Array(MAX_PATH);
  private pathLength = 0;
  private readonly rewards: Float64Array;
  /** The unit of the exploration: 1, or for rewards along the way, highest - lowest where they differ. */
  private range = 1;
  private lowest = 0;
  private highest = 0;

  constructor(game: Game, options: z.output<typeof mctsOptions>, evaluator: Evaluator | null) {
    this.game = game;
    this.options = options;
    this.evaluator = evaluator;
    this.exploration =
      options.exploration ?? (evaluator === null ? PLAYOUT_EXPLORATION : EVALUATOR_EXPLORATION);
    this.state = game.start();
    this.tree = new Tree(Math.max(options.maxNodes, game.maxActions + 1));
    this.actions = new Int32Array(game.maxActions);
    this.probabilities = new Float64Array(game.maxActions);
    this.rewards = new Float64Array(game.players);
  }

  choose(root: State, turn: Turn): Decision {
    const { tree } = this;
    const { simulations = Infinity, nodes = Infinity, timeMs } = turn.budget;
    const limit = Math.min(simulations, nodes);
    const deadline = timeMs === undefined ? Infinity : turn.clock() + timeMs;
    tree.clear();
    this.range = 1;
    this.lowest = Infinity;
    this.highest = -Infinity;
    this.state.copyFrom(root);
    this.expand(0, this.state.legalActions(this.actions, 0), turn.random);
    let done = 0;
    while (done < limit) {
      const batch = Math.min(SIMULATIONS_PER_CLOCK_CHECK, limit - done);
      for (let simulation = 0; simulation < batch; simulation++) this.simulate(root, turn.random);
      done += batch;
      if (deadline !== Infinity && turn.clock() >= deadline) break;
    }
    return this.decide(root, done);
  }

  private simulate(root: State, random: Random): void {
    this.state.copyFrom(root);
    this.descend(random);
    if (this.evaluator === null) this.playOut(random);
    this.collectRewards();
    this.backUp();
  }

  /** Walks down the tree to a new leaf or the end, growing the tree by the leaf's children. */
  private descend(random: Random): void {
    const { state, tree, path, chooser } = this;
    let node = 0;
    let length = 0;
    while (length < MAX_PATH) {
      const mover = state.toMove;
      if (mover === TERMINAL) break;
      if (tree.firstChild[node] === UNEXPANDED) {
        if (tree.visits[node] === 0) break;
        const count =
          mover === CHANCE
            ? state.chanceOutcomes(this.actions, this.probabilities, 0)
            : state.legalActions(this.actions, 0);
        if (!tree.hasRoomFor(count)) break;
        this.expand(node, count, mover === CHANCE ? null : random);
      }
      node = mover === CHANCE ? this.sampleChild(node, random) : this.selectChild(node);
      state.apply(tree.action[node]);
      path[length] = node;
      chooser[length++] = mover;
    }
    this.pathLength = length;
  }

  /** Adds the children of `node`, whose actions stand in `actions`; in random order if `random` is given. */
  private expand(node: number, count: number, random: Random | null): void {
    if (random !== null && this.options.ties === "random") random.shuffle(this.actions, 0, count);
    this.tree.expand(node, this.actions, count);
  }

  private sampleChild(node: number, random: Random): number {
    const count = this.state.chanceOutcomes(this.actions, this.probabilities, 0);
    return this.tree.firstChild[node] + random.weighted(this.probabilities, 0, count);
  }

  /** The first unvisited child, or the one of the highest upper confidence bound. */
  private selectChild(node: number): number {
    const { visits, reward, firstChild, childCount } = this.tree;
    const first = firstChild[node];
    const end = first + childCount[node];
    const spread = this.exploration * this.range * Math.sqrt(Math.log(visits[node] + 1));
    let best = first;
    let bestBound = -Infinity;
    for (let child = first; child < end; child++) {
      const count = visits[child];
      if (count === 0) return child;
      // The mean and spread / sqrt(n), with one division.
      const bound = (reward[child] + spread * Math.sqrt(count)) / count;
      if (bound > bestBound) {
        bestBound = bound;
        best = child;
      }
    }
    return best;
  }

  /** Plays random actions to the end. */
  private playOut(random: Random): void {
    const { state, actions, probabilities } = this;
    for (let mover = state.toMove; mover !== TERMINAL; mover = state.toMove) {
      if (mover === CHANCE) {
        const count = state.chanceOutcomes(actions, probabilities, 0);
        state.apply(actions[random.weighted(probabilities, 0, count)]);
      } else {
        state.apply(actions[random.below(state.legalActions(actions, 0))]);
      }
    }
  }

  private collectRewards(): void {
    const { state, evaluator, rewards } = this;
    const { minReturn, maxReturn, rewardsAlongTheWay } = this.game;
    const scale = 1 / (maxReturn - minReturn);
    const ended = state.toMove === TERMINAL;
    for (let player = 0; player < rewards.length; player++) {
      const value = ended || evaluator === null ? state.returns(player) : evaluator.evaluate(state, player);
      rewards[player] = (value - minReturn) * scale;
      if (rewardsAlongTheWay) this.widenRange(rewards[player]);
    }
  }

  private widenRange(reward: number): void {
    this.lowest = Math.min(this.lowest, reward);
    this.highest = Math.max(this.highest, reward);
    this.range = this.highest > this.lowest ? this.highest - this.lowest : 1;
  }

  private backUp(): void {
    const { path, chooser, rewards } = this;
    const { visits, reward } = this.tree;
    visits[0]++;
    for (let index = 0; index < this.pathLength; index++) {
      const node = path[index];
      const player = chooser[index];
      visits[node]++;
      if (player !== CHANCE) reward[node] += rewards[player];
    }
  }

  /**
   * The most visited action (robust child; Chaslot et al. 2008), then the better mean; the line ends
   * where chance decides or nothing was tried.
   */
  private decide(root: State, simulations: number): Decision {
    const { state, tree } = this;
    const { minReturn, maxReturn } = this.game;
    const chosen = this.mostVisited(0);
    const mean = tree.reward[chosen] / tree.visits[chosen];
    const line: number[] = [];
    state.copyFrom(root);
    for (let node = chosen; tree.visits[node] > 0; node = this.mostVisited(node)) {
      line.push(tree.action[node]);
      state.apply(tree.action[node]);
      if (state.toMove < 0 || tree.firstChild[node] === UNEXPANDED) break;
    }
    return {
      action: tree.action[chosen],
      value: minReturn + mean * (maxReturn - minReturn),
      depth: line.length,
      nodes: simulations,
      line,
    };
  }

  private mostVisited(node: number): number {
    const { firstChild, childCount, visits, reward } = this.tree;
    let best = firstChild[node];
    for (let child = best + 1; child < firstChild[node] + childCount[node]; child++) {
      const more = visits[child] - visits[best];
      if (more > 0 || (more === 0 && reward[child] > reward[best])) best = child;
    }
    return best;
  }
}
