import type { Agent, AgentParts, Decision, Turn } from "../../../agents/agent.ts";
import { Descent, type DescentOptions } from "../../../agents/descent.ts";
import type { MctsOptions } from "../../../agents/mcts/parts.ts";
import { type SimulationTree, UNEXPANDED } from "../../../agents/mcts/tree.ts";
import { Uct } from "../../../agents/mcts/uct.ts";
import type { Random } from "../../../base/random.ts";
import { CHANCE, TERMINAL, type Game, type State } from "../../../games/contract/game.ts";
import type { SearchIteration, SearchNode, SearchPath } from "../search-tree.ts";
import type { RecordLimits } from "./observer.ts";

/** A search that grows a tree by simulations, and the record of it. */
export interface ObservedTree extends Agent {
  readonly growth: Growth;
}

/** The most recorded nodes of one tree, unless there is a lower limit; they have the most visits. */
const MOST_NODES = 2000;
/** The number of recorded simulations, the first ones. */
const PATHS = 200;

/** True if the tree is recorded after this simulation: 1, 2, 3, ... 10, 20, 30, ... 100, 200, ... */
function isMoment(simulations: number): boolean {
  return simulations % 10 ** Math.floor(Math.log10(simulations)) === 0;
}

/** The record of a tree after some of its simulations, and of the paths of the first simulations. */
class Growth {
  /** Simulations so far. */
  done = 0;
  readonly limits: RecordLimits;
  private readonly tree: SimulationTree;
  private readonly draw: (state: State, leastVisits: number) => SearchNode;
  private readonly root: State;
  private readonly state: State;
  private taken: SearchIteration[] = [];
  private paths: SearchPath[] = [];

  /** @param draw makes the root's node, with those below it that have so many visits or more; the state is the root's */
  constructor(parts: {
    game: Game;
    tree: SimulationTree;
    limits: RecordLimits;
    draw: (state: State, leastVisits: number) => SearchNode;
  }) {
    this.tree = parts.tree;
    this.limits = parts.limits;
    this.draw = parts.draw;
    this.root = parts.game.start();
    this.state = parts.game.start();
  }

  /** The tree after 1, 2, 3, ... 10, 20, ... simulations and after the last one. */
  get iterations(): readonly SearchIteration[] {
    if (this.taken.at(-1)?.simulations !== this.done) this.take();
    return this.taken;
  }

  begin(root: State): void {
    this.root.copyFrom(root);
    this.taken = [];
    this.paths = [];
    this.done = 0;
  }

  /** Records a simulation: the nodes of its path, and the returns. */
  add(path: ArrayLike<number>, returns: readonly number[]): void {
    this.done++;
    if (this.paths.length < PATHS)
      this.paths.push({ actions: Array.from(path, (node) => this.tree.action[node]), returns });
    if (isMoment(this.done)) this.take();
  }

  /** Records the tree as it is. */
  take(): void {
    this.state.copyFrom(this.root);
    this.taken.push({
      depth: null,
      simulations: this.done,
      isFinished: true,
      nodes: this.tree.size,
      root: this.draw(this.state, this.leastVisits()),
      paths: [...this.paths],
    });
  }

  /** Returns the least visits of a recorded node; a child never has more than its parent. */
  private leastVisits(): number {
    const most = Math.min(this.limits.maxNodes ?? MOST_NODES, MOST_NODES);
    const { visits, size } = this.tree;
    if (size <= most) return 0;
    return visits.slice(0, size).sort().reverse()[most]! + 1;
  }
}

function childrenOf({ firstChild, childCount }: SimulationTree, node: number): number[] {
  const first = firstChild[node];
  if (first === UNEXPANDED) return [];
  return Array.from({ length: childCount[node] }, (_, at) => first + at);
}

/** UCT that records its tree. */
export class ObservedUct extends Uct {
  readonly growth: Growth;

  constructor({ game, options, evaluator }: AgentParts<MctsOptions>, limits: RecordLimits) {
    super(game, options, options.evaluator === undefined ? null : evaluator);
    const draw = (state: State, leastVisits: number) =>
      this.nodeOf(0, { name: "", state, level: 0, leastVisits });
    this.growth = new Growth({ game, tree: this.tree, limits, draw });
  }

  override choose(root: State, turn: Turn): Decision {
    this.growth.begin(root);
    return super.choose(root, turn);
  }

  protected override simulate(root: State, random: Random): void {
    super.simulate(root, random);
    const { path, pathLength, rewards } = this.simulation;
    const returns = Array.from(rewards, (reward) => this.inUnits(reward));
    this.growth.add(path.subarray(0, pathLength), returns);
  }

  /** Makes a node with those below it; `state` is there, and so again afterwards. */
  private nodeOf(
    node: number,
    parts: {
      name: string;
      state: State;
      level: number;
      leastVisits: number;
      chosenBy?: number;
      probability?: number;
      bound?: number;
      prior?: number;
    },
  ): SearchNode {
    const { name, state, level, leastVisits, chosenBy, probability, bound, prior } = parts;
    const { tree, game } = this;
    const { toMove } = state;
    const visits = tree.visits[node];
    const children = this.childrenOf(node);
    const tried = children.filter((child) => tree.visits[child] > 0);
    const untried = children.filter((child) => tree.visits[child] === 0);
    const isDeep = level >= (this.growth.limits.maxLevels ?? Infinity);
    const kept = isDeep ? [] : tried.filter((child) => tree.visits[child] >= leastVisits);
    const hidden = tried
      .filter((child) => !kept.includes(child))
      .reduce((sum, child) => sum + this.countVisited(child), 0);
    const proof = chosenBy === undefined ? undefined : this.answer.proofOf(node, chosenBy);
    const probabilities = toMove === CHANCE ? this.probabilitiesOf(state) : undefined;
    return {
      name,
      action: tree.action[node],
      order: 0,
      toMove,
      role: toMove === CHANCE ? "mean" : "simulated",
      depth: null,
      value:
        chosenBy === undefined || chosenBy === CHANCE || visits === 0
          ? null
          : this.inUnits(this.answer.worth(node, chosenBy)),
      ...(probability !== undefined && { probability }),
      visits,
      ...(proof !== undefined && { proof }),
      ...(bound !== undefined && { bound }),
      ...(prior !== undefined && { prior }),
      ...(toMove === TERMINAL
        ? { leaf: "terminal" as const }
        : children.length === 0 && { leaf: "unexpanded" as const }),
      ...(untried.length > 0 && {
        unseen: {
          count: untried.length,
          names: untried.slice(0, 12).map((child) => game.formatAction(tree.action[child], state)),
          reason: "chance" as const,
        },
      }),
      hidden,
      children: kept.map((child) => {
        const childName = game.formatAction(tree.action[child], state);
        state.apply(tree.action[child]);
        const found = this.nodeOf(child, {
          name: childName,
          state,
          level: level + 1,
          leastVisits,
          chosenBy: toMove,
          ...(toMove === CHANCE
            ? { probability: probabilities!.get(tree.action[child])! }
            : this.guidesTo(node, child)),
        });
        state.undo();
        return found;
      }),
    };
  }

  private guidesTo(node: number, child: number): { bound?: number; prior?: number } {
    const bound = this.selection.bound?.(node, child);
    const prior = this.answer.priorOf(child);
    return {
      ...(bound !== undefined && { bound: this.inUnits(bound) }),
      ...(prior !== undefined && { prior }),
    };
  }

  private childrenOf(node: number): number[] {
    return childrenOf(this.tree, node);
  }

  private countVisited(node: number): number {
    const below = this.childrenOf(node).filter((child) => this.tree.visits[child] > 0);
    return below.reduce((sum, child) => sum + this.countVisited(child), 1);
  }

  private probabilitiesOf(state: State): Map<number, number> {
    const actions = new Int32Array(this.game.maxActions);
    const probabilities = new Float64Array(this.game.maxActions);
    const count = state.chanceOutcomes!(actions, probabilities, 0);
    return new Map(Array.from({ length: count }, (_, at) => [actions[at], probabilities[at]]));
  }

  /** Changes a reward of 0..1 into the game's units. */
  private inUnits(reward: number): number {
    const { minReturn, maxReturn } = this.game;
    return minReturn + reward * (maxReturn - minReturn) + 0;
  }
}

/** Descent that records its tree. Values are for the player who decides at the root. */
export class ObservedDescent extends Descent {
  readonly growth: Growth;
  /** The player who decides at the root. */
  private me = 0;

  constructor(parts: AgentParts<DescentOptions>, limits: RecordLimits) {
    super(parts);
    const draw = (state: State, leastVisits: number) =>
      this.nodeOf(0, { name: "", state, level: 0, leastVisits });
    this.growth = new Growth({ game: parts.game, tree: this.tree, limits, draw });
  }

  override choose(root: State, turn: Turn): Decision {
    this.me = root.toMove;
    this.growth.begin(root);
    return super.choose(root, turn);
  }

  protected override simulate(turn: Turn): void {
    // The root has been judged before.
    if (this.growth.done === 0) this.growth.take();
    super.simulate(turn);
    const value = this.value[this.path.at(-1)!] + 0;
    this.growth.add(this.path, [value, 0 - value]);
  }

  /** Makes a node with those below it; `state` is there, and so again afterwards. */
  private nodeOf(
    node: number,
    parts: { name: string; state: State; level: number; leastVisits: number },
  ): SearchNode {
    const { name, state, level, leastVisits } = parts;
    const { tree, growth, game } = this;
    const { toMove } = state;
    const visits = node === 0 ? growth.done : tree.visits[node];
    const children = childrenOf(tree, node);
    const isDeep = level >= (growth.limits.maxLevels ?? Infinity);
    const kept = isDeep ? [] : children.filter((child) => tree.visits[child] >= leastVisits);
    const isLeaf = children.length === 0;
    // A budget may allow no look at all.
    const isJudged = node !== 0 || !isLeaf;
    return {
      name,
      action: tree.action[node],
      order: 0,
      toMove,
      role: toMove === this.me ? "max" : "min",
      depth: null,
      value: isJudged ? (this.me === 0 ? this.value[node] : 0 - this.value[node]) + 0 : null,
      ...(visits > 0 && { visits }),
      ...(this.solved[node] === 1 && !isLeaf && { proof: "exact" as const }),
      ...(isLeaf && { leaf: toMove === TERMINAL ? "terminal" : isJudged ? "evaluated" : "unexpanded" }),
      hidden: children
        .filter((child) => !kept.includes(child))
        .reduce((sum, child) => sum + this.countBelow(child), 0),
      children: kept.map((child) => {
        const childName = game.formatAction(tree.action[child], state);
        state.apply(tree.action[child]);
        const found = this.nodeOf(child, { name: childName, state, level: level + 1, leastVisits });
        state.undo();
        return found;
      }),
    };
  }

  private countBelow(node: number): number {
    return childrenOf(this.tree, node).reduce((sum, child) => sum + this.countBelow(child), 1);
  }
}
