import type { Evaluator, Game, State } from "../../game/game.ts";
import { complete, createDraft, cutOf, type Arrival, type Draft } from "./draft.ts";
import type { LeafReason, SearchIteration, Value } from "./search-tree.ts";

/** How much of a search is kept. */
export interface RecordLimits {
  /** Nodes of one iteration; those visited later are only counted. [20,000] */
  readonly maxNodes?: number | undefined;
  /** Levels below the root; what is deeper is only counted. [all] */
  readonly maxLevels?: number | undefined;
}

const DEFAULT_NODES = 20_000;

interface OpenIteration {
  readonly depth: number;
  readonly root: Draft;
  nodes: number;
  isFinished: boolean;
}

/**
 * Writes down what a depth-first search does. It watches the search's own state and evaluator; the search's methods,
 * overridden in a subclass, tell where it arrives and with which value it leaves. What the state or an evaluator does
 * within itself, such as counting moves, is not part of the search.
 */
export class SearchObserver {
  private readonly maxNodes: number;
  private readonly maxLevels: number;
  private readonly iterations: OpenIteration[] = [];
  private path: Draft[] = [];
  private kept = 0;
  /** How many levels the search is below the last node of `path`, in nodes that are only counted. */
  private below = 0;
  /** The action just applied: the node counts when the search looks at it, which a spent budget can prevent. */
  private applied = 0;
  /** Whether a call comes from within the state or an evaluator. */
  private inside = false;

  constructor({ maxNodes = DEFAULT_NODES, maxLevels = Infinity }: RecordLimits = {}) {
    this.maxNodes = maxNodes;
    this.maxLevels = maxLevels;
  }

  /** Watches the state on which a search plays; if `isListing`, what it lists belongs to the node where the search is. */
  watch(state: State, { isListing = true } = {}): void {
    const apply = this.outside(state.apply.bind(state));
    const legalActions = this.outside(state.legalActions.bind(state));
    const chanceOutcomes = this.outside(state.chanceOutcomes.bind(state));
    state.returns = this.outside(state.returns.bind(state));
    state.apply = (action) => {
      apply(action);
      if (!this.inside) this.applied = action;
    };
    state.undo = this.outside(state.undo.bind(state));
    state.legalActions = (out, at) => {
      const count = legalActions(out, at);
      if (isListing && !this.inside) this.list(out.slice(at, at + count));
      return count;
    };
    state.chanceOutcomes = (out, probabilities, at) => {
      const count = chanceOutcomes(out, probabilities, at);
      if (!this.inside) this.list(out.slice(at, at + count), probabilities.slice(at, at + count));
      return count;
    };
  }

  /** The evaluator; what it does to the state is not seen. */
  hide(evaluator: Evaluator): Evaluator {
    const evaluate = this.outside(evaluator.evaluate.bind(evaluator));
    if (evaluator.atMost === undefined) return { evaluate };
    return { evaluate, atMost: this.outside(evaluator.atMost.bind(evaluator)) };
  }

  private outside<Input extends unknown[], Output>(
    run: (...input: Input) => Output,
  ): (...input: Input) => Output {
    return (...input) => {
      const before = this.inside;
      this.inside = true;
      try {
        return run(...input);
      } finally {
        this.inside = before;
      }
    };
  }

  /** Runs a search to a depth from its root, whose `actions` it searches. `valueOf` makes a value of what it returns. */
  iteration<Result>(
    actions: Int32Array,
    arrival: Arrival,
    run: () => Result,
    valueOf: (result: Result) => Value = (result) => result as Value,
  ): Result {
    const root = createDraft({ action: 0, order: 1 }, arrival);
    root.actions = Array.from(actions);
    this.iterations.push({ depth: arrival.depth, root, nodes: 1, isFinished: false });
    this.path = [root];
    this.kept = 1;
    this.below = 0;
    const result = run();
    this.current.isFinished = true;
    this.leave(valueOf(result));
    return result;
  }

  /** Runs what a search does at the position just reached. `valueOf` makes a value of what it returns. */
  within(
    arrival: Arrival,
    run: () => number,
    valueOf: (result: number) => number | null = (result) => result,
  ): number {
    this.arrive(arrival);
    const result = run();
    this.leave(valueOf(result), arrival.leaf);
    return result;
  }

  /** The search comes to the position just reached. */
  arrive(arrival: Arrival): void {
    const iteration = this.current;
    iteration.nodes++;
    const parent = this.path.at(-1)!;
    const isAside = arrival.isAside === true;
    const isKept = this.below === 0 && this.path.length <= this.maxLevels && this.kept < this.maxNodes;
    if (!isKept) {
      if (this.below === 0 && !isAside) this.visit(parent);
      parent.hidden++;
      this.below++;
      return;
    }
    const node = createDraft({ action: this.applied, order: iteration.nodes }, arrival);
    const place = parent.actions?.indexOf(this.applied) ?? -1;
    if (place >= 0) node.probability = parent.probabilities?.[place];
    if (!isAside) this.visit(parent);
    parent.children.push(node);
    this.path.push(node);
    this.kept++;
  }

  /** What `run` visits, one position and what is below it, is only counted: it is not reached by an action. */
  hideBelow(run: () => number): number {
    this.current.nodes++;
    this.path.at(-1)!.hidden++;
    this.below++;
    const value = run();
    this.below--;
    return value;
  }

  /** A child is visited; a search that comes back to it at once searches it again, with another window. */
  private visit(parent: Draft): void {
    if (parent.last !== this.applied) parent.visited++;
    parent.last = this.applied;
  }

  /** The actions or outcomes of the node where the search is. */
  list(actions: Int32Array, probabilities?: Float64Array): void {
    if (this.below > 0) return;
    const node = this.path.at(-1)!;
    node.actions = Array.from(actions);
    if (probabilities !== undefined) node.probabilities = Array.from(probabilities);
  }

  /** The player to move is taken to choose at random, with these probabilities. */
  mix(probabilities: Float64Array): void {
    if (this.below === 0) this.path.at(-1)!.probabilities = Array.from(probabilities);
  }

  /** Only so many of the actions are looked at: the others are not usual. */
  consider(count: number): void {
    if (this.below === 0) this.path.at(-1)!.considered = count;
  }

  /** What `run` visits, and returns the number of, is counted, and not part of the record. */
  countOnly(run: () => number): number {
    const nodes = this.outside(run)();
    this.current.nodes += nodes;
    this.path.at(-1)!.hidden += nodes;
    return nodes;
  }

  /** The search leaves the node with a value. */
  leave(value: Value | null, leaf?: LeafReason): void {
    const node = this.below > 0 ? undefined : this.path.pop()!;
    if (node === undefined) this.below--;
    // What was left out may be searched again.
    if (leaf === "refuted" && this.below === 0) this.path.at(-1)!.visited--;
    if (node === undefined) return;
    // Adding 0 turns a negative zero into a plain one.
    node.value = typeof value === "number" ? value + 0 : (value?.map((entry) => entry + 0) ?? null);
    node.isLeft = true;
    node.leaf = leaf ?? (node.actions === undefined ? "table" : undefined);
    node.cut = cutOf(node);
  }

  /** Everything that was seen, with names; `root` is the position at the root. */
  finish(game: Game, root: State): SearchIteration[] {
    const state = game.start();
    return this.iterations.map(({ depth, root: draft, nodes, isFinished }) => {
      state.copyFrom(root);
      return {
        depth,
        simulations: null,
        isFinished,
        nodes,
        root: complete(draft, { name: "", game, state }),
      };
    });
  }

  private get current(): OpenIteration {
    return this.iterations.at(-1)!;
  }
}
