import { z } from "zod";
import type { Random } from "../../base/random.ts";
import { CHANCE, TERMINAL, type Evaluator, type Game, type State } from "../../games/game.ts";
import {
  defineAgent,
  hidden,
  ties,
  type Agent,
  type Decision,
  type RankedAction,
  type Turn,
} from "../agent.ts";
import { SimulationTree, UNEXPANDED } from "./tree.ts";

/** The exploration if none is given. Values of an evaluator lie closer together than the results of playouts. */
const PLAYOUT_EXPLORATION = 0.7;
const EVALUATOR_EXPLORATION = 0.3;

const options = z.strictObject({
  evaluator: z.string().optional().describe("value of new leaves, in place of a random playout to the end"),
  exploration: z
    .number()
    .min(0)
    .optional()
    .describe("the c of UCB1, mean + c * sqrt(ln N / n), for rewards of 0..1; 0.7, or 0.3 with an evaluator"),
  maxNodes: z
    .int()
    .min(1000)
    .max(2 ** 26)
    .default(2 ** 20)
    .describe("nodes of the tree; when full it grows no more"),
  ties: ties.default("random"),
});
/** The options, checked. */
export type MctsOptions = z.output<typeof options>;

/** Monte Carlo tree search with UCT (Kocsis and Szepesvari 2006). */
export const mcts = defineAgent({
  id: "mcts",
  summary: "Monte Carlo tree search (UCT), random playouts or an evaluator at the leaves; any game",
  options,
  budgets: ["simulations", "nodes", "timeMs"],
  misfit: hidden,
  create: ({ game, options, evaluator }) =>
    new Uct(game, options, options.evaluator === undefined ? null : evaluator),
});

/** How many simulations pass between two looks at the clock. */
const SIMULATIONS_PER_CLOCK_CHECK = 32;
/** The greatest length of a path through the tree; positions beyond it belong to the playout. */
const MAX_PATH = 4096;

/**
 * UCT with a reward for each player, so that any number of players may play. The outcomes of chance events are
 * sampled. One simulation is `descend` (selection and expansion), then `playOut` or the evaluator, then `backUp`.
 *
 * A reward is a return, scaled from the game's range to 0..1. In games with rewards along the way, the rewards that
 * can still be reached are a small part of that range. There the exploration is measured in another unit: the range
 * of the rewards that were seen in this decision.
 */
export class Uct implements Agent {
  protected readonly game: Game;
  private readonly options: MctsOptions;
  private readonly evaluator: Evaluator | null;
  protected readonly exploration: number;
  private readonly state: State;
  protected readonly tree: SimulationTree;
  private readonly actions: Int32Array;
  private readonly probabilities: Float64Array;
  /** The nodes below the root on the path of this simulation, and the player who chose each (or CHANCE). */
  protected readonly path = new Int32Array(MAX_PATH);
  protected readonly chooser = new Int32Array(MAX_PATH);
  protected pathLength = 0;
  protected readonly rewards: Float64Array;
  /** The unit of the exploration: 1, or with rewards along the way highest - lowest, once they differ. */
  protected range = 1;
  private lowest = 0;
  private highest = 0;

  constructor(game: Game, options: MctsOptions, evaluator: Evaluator | null) {
    this.game = game;
    this.options = options;
    this.evaluator = evaluator;
    this.exploration =
      options.exploration ?? (evaluator === null ? PLAYOUT_EXPLORATION : EVALUATOR_EXPLORATION);
    this.state = game.start();
    this.tree = new SimulationTree(Math.max(options.maxNodes, game.maxActions + 1));
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
    return this.decide(root, turn, done);
  }

  protected simulate(root: State, random: Random): void {
    this.state.copyFrom(root);
    this.descend(random);
    if (this.evaluator === null) this.playOut(random);
    this.collectRewards();
    this.backUp();
  }

  /**
   * Walks down the tree to a new leaf or to the end of the game. A leaf that was visited before gets its children.
   */
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

  /**
   * Gives `node` a child for each of the first `count` of `actions`; shuffles them if given `random` and ties are
   * random.
   */
  private expand(node: number, count: number, random: Random | null): void {
    if (random !== null && this.options.ties === "random") random.shuffle(this.actions, 0, count);
    this.tree.expand(node, this.actions, count);
  }

  private sampleChild(node: number, random: Random): number {
    const count = this.state.chanceOutcomes(this.actions, this.probabilities, 0);
    return this.tree.firstChild[node] + random.weighted(this.probabilities, 0, count);
  }

  /** The first child that has no visits, else the one with the highest upper confidence bound. */
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

  /** Sets the reward of each player, from the returns or from the evaluator. */
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

  /** Adds the rewards to the nodes of the path. */
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

  /** Decides for the most visited action (robust child; Chaslot et al. 2008); of equal ones, for the better mean. */
  private decide(root: State, { ranked = 0 }: Turn, simulations: number): Decision {
    const { action, value, line } = this.describe(this.mostVisited(0), root);
    const decision = { action, value, depth: line.length, nodes: simulations, line };
    return ranked === 0 ? decision : { ...decision, ranking: this.rank(root, ranked) };
  }

  /** The `count` most visited actions of the root, in the order in which `decide` prefers them. */
  private rank(root: State, count: number): RankedAction[] {
    const { firstChild, childCount, visits, reward } = this.tree;
    return Array.from({ length: childCount[0] }, (_, at) => firstChild[0] + at)
      .filter((child) => visits[child] > 0)
      .toSorted((one, other) => visits[other] - visits[one] || reward[other] - reward[one])
      .slice(0, count)
      .map((child) => this.describe(child, root));
  }

  /** What is known of a child of the root. Its line ends before a chance event, or where nothing was tried yet. */
  private describe(child: number, root: State): Required<RankedAction> {
    const { state, tree } = this;
    const { minReturn, maxReturn } = this.game;
    const mean = tree.reward[child] / tree.visits[child];
    const line: number[] = [];
    state.copyFrom(root);
    for (let node = child; tree.visits[node] > 0; node = this.mostVisited(node)) {
      line.push(tree.action[node]);
      state.apply(tree.action[node]);
      if (state.toMove < 0 || tree.firstChild[node] === UNEXPANDED) break;
    }
    return {
      action: tree.action[child],
      value: minReturn + mean * (maxReturn - minReturn),
      line,
      visits: tree.visits[child],
    };
  }

  /** The child of `node` with the most visits; of equal ones, the one with the greatest reward. */
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
