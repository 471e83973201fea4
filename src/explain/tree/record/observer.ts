import type { Evaluator, Game, State } from "../../../games/contract/game.ts";
import { complete, createDraft, cutOf, type Arrival, type Draft } from "./draft.ts";
import type { LeafReason, SearchIteration, Value } from "../search-tree.ts";

/** Limits of the record of a search. */
export interface RecordLimits {
  /** The most nodes of one iteration; those visited later are only counted. [20,000] */
  readonly maxNodes?: number | undefined;
  /** The most levels below the root; deeper nodes are only counted. [all] */
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
 * Records a depth-first search. It watches the search's own state and evaluator. Overridden methods of the search tell
 * it where the search arrives and with which value it leaves. Calls within the state or an evaluator, such as counting
 * moves, are no part of the search.
 */
export class SearchObserver {
  private readonly maxNodes: number;
  private readonly maxLevels: number;
  private readonly iterations: OpenIteration[] = [];
  private path: Draft[] = [];
  private kept = 0;
  /** The number of levels between the search and the last node of `path`; nodes there are only counted. */
  private below = 0;
  /** The action just applied. Its node counts only when the search arrives there, as the budget may be spent before. */
  private applied = 0;
  /** True during a call within the state or the evaluator. */
  private inside = false;

  constructor({ maxNodes = DEFAULT_NODES, maxLevels = Infinity }: RecordLimits) {
    this.maxNodes = maxNodes;
    this.maxLevels = maxLevels;
  }

  /**
   * Watches the state on which a search plays. With `isListing` the actions that it lists belong to the current node.
   */
  watch(state: State, { isListing = true } = {}): void {
    const apply = this.outside(state.apply.bind(state));
    const legalActions = this.outside(state.legalActions.bind(state));
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
    if (state.chanceOutcomes === undefined) return;
    const chanceOutcomes = this.outside(state.chanceOutcomes.bind(state));
    state.chanceOutcomes = (out, probabilities, at) => {
      const count = chanceOutcomes(out, probabilities, at);
      if (!this.inside) this.list(out.slice(at, at + count), probabilities.slice(at, at + count));
      return count;
    };
  }

  /** Wraps the evaluator, whose own calls of the state are not recorded. */
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

  /** Runs a search to a depth over the `actions` of its root. `valueOf` makes a value of the search's result. */
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

  /** Runs the search of the position just reached. `valueOf` makes a value of its result. */
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

  /** Records that the search comes to the position just reached. */
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

  /** Counts the position that `run` visits, and those below it, without recording them: no action leads there. */
  hideBelow(run: () => number): number {
    this.current.nodes++;
    this.path.at(-1)!.hidden++;
    this.below++;
    const value = run();
    this.below--;
    return value;
  }

  /** Counts a visited child; a search that comes back to it at once searches it again, with another window. */
  private visit(parent: Draft): void {
    if (parent.last !== this.applied) parent.visited++;
    parent.last = this.applied;
  }

  /** Records the actions or outcomes of the current node. */
  list(actions: Int32Array, probabilities?: Float64Array): void {
    if (this.below > 0) return;
    const node = this.path.at(-1)!;
    node.actions = Array.from(actions);
    if (probabilities !== undefined) node.probabilities = Array.from(probabilities);
  }

  /** Records the probabilities with which the player to move is expected to choose. */
  mix(probabilities: Float64Array): void {
    if (this.below === 0) this.path.at(-1)!.probabilities = Array.from(probabilities);
  }

  /** Records that only the first `count` actions are searched: the others are not usual. */
  consider(count: number): void {
    if (this.below === 0) this.path.at(-1)!.considered = count;
  }

  /** Counts the positions that `run` visits, whose number it returns, without recording them. */
  countOnly(run: () => number): number {
    const nodes = this.outside(run)();
    this.current.nodes += nodes;
    this.path.at(-1)!.hidden += nodes;
    return nodes;
  }

  /** Records that the search leaves the current node with a value. */
  leave(value: Value | null, leaf?: LeafReason): void {
    const node = this.below > 0 ? undefined : this.path.pop()!;
    if (node === undefined) this.below--;
    // A skipped action may be searched again.
    if (leaf === "refuted" && this.below === 0) this.path.at(-1)!.visited--;
    if (node === undefined) return;
    // Adding 0 turns a negative zero into a plain one.
    node.value = typeof value === "number" ? value + 0 : (value?.map((entry) => entry + 0) ?? null);
    node.isLeft = true;
    node.leaf = leaf ?? (node.actions === undefined ? "table" : undefined);
    node.cut = cutOf(node);
  }

  /** Returns the whole record with names; `root` is the position at the root. */
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
