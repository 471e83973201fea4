import { InputError } from "../../../base/errors.ts";
import { type Game, type State, CHANCE, TERMINAL, type Evaluator } from "../../../games/contract/game.ts";
import type { Agent, AgentParts, Decision, Turn } from "../../../agents/agent.ts";
import { analysePosition } from "../../../agents/analysis.ts";
import { agents } from "../../../agents/index.ts";
import type { MctsOptions } from "../../../agents/mcts/parts.ts";
import type { PreparedAgent } from "../../../agents/prepare.ts";
import {
  ObservedAgainstMe,
  ObservedAlphaBeta,
  ObservedExpectimax,
  ObservedMaxN,
  ObservedMinimax,
} from "./observed-searches.ts";
import { SearchObserver, type RecordLimits } from "./observer.ts";
import type { SearchIteration, SearchTree, SearchNode, SearchPath } from "../search-tree.ts";
import type { Random } from "../../../base/random.ts";
import { UNEXPANDED } from "../../../agents/mcts/tree.ts";
import { Uct } from "../../../agents/mcts/uct.ts";

/** An agent that plays as usual, and the record of its search. */
interface Observed {
  readonly agent: Agent;
  /** Returns the positions that the decision visited from `root`. */
  readonly iterations: (root: State) => readonly SearchIteration[];
}

type Observe = (parts: AgentParts<never>, limits: RecordLimits) => Observed;

/** Observes a depth-first search. */
function depthFirst(create: (parts: AgentParts<never>, observer: SearchObserver) => Agent): Observe {
  return (parts, limits) => {
    const observer = new SearchObserver(limits);
    return {
      agent: create(parts, observer),
      iterations: (root) => observer.finish(parts.game, root),
    };
  };
}

/** Observes UCT. */
function simulations({ game, options, evaluator }: AgentParts<MctsOptions>, limits: RecordLimits): Observed {
  const leaves = options.evaluator === undefined ? null : evaluator;
  const agent = new ObservedUct({ game, options, evaluator: leaves, limits });
  return { agent, iterations: () => agent.iterations };
}

/** The agents whose searches can be observed, by id. */
const SEARCHES: Readonly<Record<string, Observe>> = {
  minimax: depthFirst((parts, observer) => new ObservedMinimax(parts, observer)),
  "alpha-beta": depthFirst((parts, observer) => new ObservedAlphaBeta(parts, observer)),
  expectimax: depthFirst((parts, observer) => new ObservedExpectimax(parts, observer)),
  "max-n": depthFirst((parts, observer) => new ObservedMaxN(parts, observer)),
  paranoid: depthFirst((parts, observer) => new ObservedAgainstMe(parts, "all", observer)),
  "best-reply": depthFirst((parts, observer) => new ObservedAgainstMe(parts, "one", observer)),
  mcts: simulations,
};

/**
 * Lets an agent decide, and returns what its search visited. The decision is the agent's own: the same code searches,
 * with the same random numbers. Throws InputError if the agent does not search, or if no player is to move.
 */
export async function observeSearch(parts: {
  game: Game;
  prepared: PreparedAgent;
  state: State;
  seed: string;
  clock: () => number;
  limits?: RecordLimits;
}): Promise<SearchTree> {
  const { game, prepared, state, seed, clock, limits = {} } = parts;
  const { family } = prepared;
  const observe = agents[family.id] === family ? SEARCHES[family.id] : undefined;
  if (observe === undefined)
    throw new InputError(
      `${family.id} has no search that could be shown; agents that have one: ${Object.keys(SEARCHES).join(", ")}`,
    );
  const { agent, iterations } = observe(prepared.parts as AgentParts<never>, limits);
  const analysis = await analysePosition({
    game,
    prepared: { ...prepared, create: () => agent },
    state,
    seed,
    clock,
  });
  const { action, value, depth, nodes, line } = analysis;
  return {
    game: game.id,
    state: game.formatState(state),
    agent: family.id,
    player: state.toMove,
    decision: { action, value, depth, nodes, line },
    iterations: iterations(state),
  };
}

/** The most recorded nodes of one tree, unless there is a lower limit; they have the most visits. */
const MOST_NODES = 2000;
/** The number of recorded simulations, the first ones. */
const PATHS = 200;

/** True if the tree is recorded after this simulation: 1, 2, 3, ... 10, 20, 30, ... 100, 200, ... */
function isMoment(simulations: number): boolean {
  return simulations % 10 ** Math.floor(Math.log10(simulations)) === 0;
}

/** UCT that records its tree after some of its simulations, and the paths of the first simulations. */
class ObservedUct extends Uct {
  private readonly limits: RecordLimits;
  private readonly root: State;
  private taken: SearchIteration[] = [];
  private paths: SearchPath[] = [];
  private done = 0;

  constructor(parts: {
    game: Game;
    options: MctsOptions;
    evaluator: Evaluator | null;
    limits: RecordLimits;
  }) {
    super(parts.game, parts.options, parts.evaluator);
    this.limits = parts.limits;
    this.root = parts.game.start();
  }

  /** The tree after 1, 2, 3, ... 10, 20, ... simulations and after the last one. */
  get iterations(): readonly SearchIteration[] {
    if (this.taken.at(-1)?.simulations !== this.done) this.take();
    return this.taken;
  }

  override choose(root: State, turn: Turn): Decision {
    this.root.copyFrom(root);
    this.taken = [];
    this.paths = [];
    this.done = 0;
    return super.choose(root, turn);
  }

  protected override simulate(root: State, random: Random): void {
    super.simulate(root, random);
    const { path, pathLength, rewards } = this.simulation;
    this.done++;
    if (this.paths.length < PATHS)
      this.paths.push({
        actions: Array.from(path.subarray(0, pathLength), (node) => this.tree.action[node]),
        returns: Array.from(rewards, (reward) => this.inUnits(reward)),
      });
    if (isMoment(this.done)) this.take();
  }

  private take(): void {
    const state = this.game.start();
    state.copyFrom(this.root);
    this.taken.push({
      depth: null,
      simulations: this.done,
      isFinished: true,
      nodes: this.tree.size,
      root: this.nodeOf(0, { name: "", state, level: 0, leastVisits: this.leastVisits() }),
      paths: [...this.paths],
    });
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
    const isDeep = level >= (this.limits.maxLevels ?? Infinity);
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

  /** Returns the least visits of a recorded node; a child never has more than its parent. */
  private leastVisits(): number {
    const most = Math.min(this.limits.maxNodes ?? MOST_NODES, MOST_NODES);
    const visits = this.tree.visits.slice(0, this.tree.size).sort().reverse();
    const tooMany = visits[most] ?? 0;
    return tooMany + 1;
  }

  private childrenOf(node: number): number[] {
    const first = this.tree.firstChild[node];
    if (first === UNEXPANDED) return [];
    return Array.from({ length: this.tree.childCount[node] }, (_, at) => first + at);
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
