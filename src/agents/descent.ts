import { z } from "zod";
import {
  TERMINAL,
  type Evaluator,
  type Game,
  type State,
  notDeterministicDuel,
} from "../games/contract/game.ts";
import {
  defineAgent,
  ties,
  type Agent,
  type AgentParts,
  type Decision,
  type Found,
  type TellFrom,
  type Turn,
} from "./agent.ts";
import { Patience } from "./mcts/answer.ts";
import { SimulationTree, UNEXPANDED } from "./mcts/tree.ts";
import { LookInterval, shareOfTurn } from "./search/meter.ts";

const options = z.strictObject({
  evaluator: z.string().default("none").describe("value of positions where the depth ends"),
  ends: z
    .boolean()
    .default(false)
    .describe("go on to the end of the game in every simulation, as self-play does to learn: Descent"),
  maxNodes: z
    .int()
    .min(1000)
    .max(2 ** 26)
    .default(2 ** 20)
    .describe("nodes of the tree; when it is full, the search ends"),
  ties: ties.default("random"),
});

export type DescentOptions = z.output<typeof options>;

/** Best-first minimax without a limit of depth (Korf and Chickering 1996), and Descent (Cohen-Solal 2020). */
export const descent = defineAgent({
  id: "descent",
  summary: "minimax that always looks further at the best line; two players, no chance",
  options,
  budgets: ["simulations", "nodes", "timeMs"],
  heedsClocks: true,
  unsupported: notDeterministicDuel,
  create: (parts) => new Descent(parts),
});

/** The clock is read after this many expansions, or fewer if they are slow. */
const EXPANSIONS_PER_CLOCK_CHECK = 32;

const NO_POLICY = { actions: new Int32Array(), policy: new Float64Array() };

/**
 * Unbounded best-first minimax with completion (Cohen-Solal 2020, "Learning to play two-player perfect-information games
 * without knowledge"). A simulation follows the best actions down the tree to a leaf, judges all positions after it, and takes
 * the minimax values back up. With `ends` it goes on from there, so that every simulation comes to the end of a game.
 *
 * A position is solved if the game is over there, if all positions after it are solved, or if the player to move has a solved
 * win. Its value is exact then, and no simulation goes there again. A solved win comes first, and a solved loss last, whatever
 * an evaluator says elsewhere.
 *
 * The decision is the safest action, which most simulations went to, or in a solved position the best one.
 */
export class Descent implements Agent {
  protected readonly game: Game;
  private readonly options: DescentOptions;
  private readonly evaluator: Evaluator;
  private readonly state: State;
  protected readonly tree: SimulationTree;
  /** By node: the value for player 0; 1 if it is solved; the player to move, once the node has children. */
  protected readonly value: Float64Array;
  protected readonly solved: Uint16Array;
  private readonly mover: Uint16Array;
  private readonly actions: Int32Array;
  /** The nodes of a simulation, from the root's child on. */
  protected readonly path: number[] = [];
  private readonly interval = new LookInterval(EXPANSIONS_PER_CLOCK_CHECK);
  /** Positions that were judged, and expanded, in this decision. */
  private nodes = 0;
  private expansions = 0;
  private nextLook = Infinity;
  private isOver: (now: number) => boolean = () => false;
  private isSpent = false;

  constructor({ game, options, evaluator }: AgentParts<DescentOptions>) {
    this.game = game;
    this.options = options;
    this.evaluator = evaluator;
    this.state = game.start();
    this.tree = new SimulationTree(Math.max(options.maxNodes, game.maxActions + 1));
    this.value = this.tree.column(Float64Array);
    this.solved = this.tree.column(Uint16Array);
    this.mover = this.tree.column(Uint16Array);
    this.actions = new Int32Array(game.maxActions);
  }

  choose(root: State, turn: Turn): Decision {
    const { tree, solved } = this;
    const { simulations = Infinity } = turn.budget;
    this.begin(root, turn);
    this.expand(0, turn);
    for (let done = 0; done < simulations && !this.isSpent && solved[0] === 0; done++) this.simulate(turn);
    if (tree.firstChild[0] !== UNEXPANDED) return this.decide(turn);
    // The budget allows no look at all.
    const action = this.actions[0];
    return { action, nodes: 0, line: [action] };
  }

  private begin(root: State, turn: Turn): void {
    const share = shareOfTurn(this.game, root, turn);
    const limitMs = Math.min(turn.budget.timeMs ?? Infinity, share?.mostMs ?? Infinity);
    const begun = limitMs === Infinity ? 0 : turn.clock();
    const patience = share && new Patience(share, begun, null);
    this.isOver = (now) => now >= begun + limitMs || patience?.isOver(now, this.nodes) === true;
    this.interval.begin(begun);
    this.nextLook = limitMs === Infinity ? Infinity : this.interval.steps;
    this.nodes = this.expansions = 0;
    this.tree.clear();
    this.state.copyFrom(root);
    // The only action of a turn with clocks is taken at once.
    const isObvious = patience !== undefined && root.legalActions(this.actions, 0) === 1;
    this.isSpent = isObvious && share?.use !== "limit";
  }

  /** Follows the best actions to a leaf, or with `ends` to the end of a game, and takes the values back up. */
  protected simulate(turn: Turn): void {
    const { state, tree, path, solved } = this;
    path.length = 0;
    let node = 0;
    do {
      node = this.select(node);
      tree.visits[node]++;
      state.apply(tree.action[node]);
      path.push(node);
      if (tree.firstChild[node] !== UNEXPANDED) continue;
      this.expand(node, turn);
      if (!this.options.ends) break;
    } while (!this.isSpent && solved[node] === 0);
    for (let at = path.length - 1; at >= 0; at--) {
      state.undo();
      this.backUp(at === 0 ? 0 : path[at - 1]!);
    }
  }

  /** Judges all positions after a node, and then the node by them, unless the budget ends before. */
  private expand(node: number, { random, budget, clock }: Turn): void {
    const { state, tree, actions, value, solved } = this;
    const count = state.legalActions(actions, 0);
    if (this.options.ties === "random") random.shuffle(actions, 0, count);
    if (this.nodes + count > (budget.nodes ?? Infinity) || !tree.hasRoomFor(count)) {
      this.isSpent = true;
      return;
    }
    tree.expand(node, actions, count);
    this.mover[node] = state.toMove;
    this.nodes += count;
    for (let child = tree.firstChild[node]; child < tree.size; child++) {
      state.apply(tree.action[child]);
      const isEnd = state.toMove === TERMINAL;
      value[child] = isEnd ? state.returns(0) : this.evaluator.evaluate(state, 0);
      solved[child] = Number(isEnd);
      state.undo();
    }
    this.backUp(node);
    if (++this.expansions < this.nextLook) return;
    const now = clock();
    if (this.isOver(now)) this.isSpent = true;
    this.interval.looked(now);
    this.nextLook = this.expansions + this.interval.steps;
  }

  /** Returns the best child that is not solved, among equals the one that was visited least. */
  private select(node: number): number {
    const { tree, solved } = this;
    const first = tree.firstChild[node];
    let best = UNEXPANDED;
    for (let child = first; child < first + tree.childCount[node]; child++) {
      if (solved[child] === 1) continue;
      const lead = best === UNEXPANDED ? 1 : this.worth(child, node) - this.worth(best, node);
      if (lead > 0 || (lead === 0 && tree.visits[child] < tree.visits[best])) best = child;
    }
    return best;
  }

  /** Gives a node the value of its best child, and solves it if that follows. */
  private backUp(node: number): void {
    const { tree, value, solved } = this;
    const first = tree.firstChild[node];
    let best = first;
    let isSolved = true;
    for (let child = first; child < first + tree.childCount[node]; child++) {
      if (this.compare(child, best, node) < 0) best = child;
      if (solved[child] === 0) isSolved = false;
    }
    value[node] = value[best];
    solved[node] = Number(isSolved || this.proven(best, node) === 1);
  }

  /** The value of a child, for the player to move at its parent. */
  private worth(child: number, parent: number): number {
    return this.mover[parent] === 0 ? this.value[child] : 0 - this.value[child];
  }

  /** 1 for a solved win of the player to move at the parent, -1 for a solved loss, else 0. */
  private proven(child: number, parent: number): number {
    if (this.solved[child] === 0) return 0;
    const worth = this.worth(child, parent);
    return Number(worth >= this.game.maxReturn) - Number(worth <= this.game.minReturn);
  }

  /** Negative if the child `one` is better than `other` for the player to move at their parent. */
  private compare(one: number, other: number, parent: number): number {
    return (
      this.proven(other, parent) - this.proven(one, parent) ||
      this.worth(other, parent) - this.worth(one, parent) ||
      this.tree.visits[other] - this.tree.visits[one]
    );
  }

  /** Negative if the action of the root to `one` is safer than that to `other`. */
  private compareAtRoot(one: number, other: number): number {
    const isSolved = this.solved[0] === 1;
    return (
      this.proven(other, 0) - this.proven(one, 0) ||
      (isSolved ? 0 : this.tree.visits[other] - this.tree.visits[one]) ||
      this.compare(one, other, 0)
    );
  }

  private decide({ ranked = 0, tellFrom }: Turn): Decision {
    const children = this.childrenOf(0).toSorted((one, other) => this.compareAtRoot(one, other));
    const best = this.describe(children[0]!);
    const ranking = children.slice(0, ranked).map((child) => this.describe(child));
    return {
      ...best,
      depth: best.line.length,
      nodes: this.nodes,
      ...(ranked > 0 && { ranking }),
      ...(tellFrom !== undefined && { found: this.tell(tellFrom) }),
    };
  }

  private describe(child: number): { action: number; value: number; line: number[] } {
    const line: number[] = [];
    for (let node = child; ; node = this.best(node)) {
      line.push(this.tree.action[node]);
      if (this.tree.firstChild[node] === UNEXPANDED) break;
    }
    return { action: this.tree.action[child], value: this.worth(child, 0), line };
  }

  private best(node: number): number {
    return this.childrenOf(node).reduce((best, child) =>
      this.compare(child, best, node) < 0 ? child : best,
    );
  }

  /** Tells of the root, and of the expanded positions below it that have so many visits or are proven. */
  private tell({ visits = Infinity, proven = false }: TellFrom): Found[] {
    const { tree } = this;
    const found: Found[] = [this.found(0, 0)];
    const isTold = (node: number) => tree.visits[node] >= visits || (proven && this.solved[node] === 1);
    const tellBelow = (node: number, depth: number) => {
      for (const child of this.childrenOf(node)) {
        if (!isTold(child) || tree.firstChild[child] === UNEXPANDED) continue;
        found.push(this.found(child, depth));
        tellBelow(child, depth + 1);
      }
    };
    tellBelow(0, 1);
    return found;
  }

  private found(node: number, depth: number): Found {
    const value = this.mover[node] === 0 ? this.value[node] : 0 - this.value[node];
    return { depth, action: this.tree.action[node], value, isProven: this.solved[node] === 1, ...NO_POLICY };
  }

  private childrenOf(node: number): number[] {
    const { firstChild, childCount } = this.tree;
    return Array.from({ length: childCount[node] }, (_, at) => firstChild[node] + at);
  }
}
