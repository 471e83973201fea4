import { z } from "zod";
import { grown } from "../../base/hashing.ts";
import type { Evaluator, Game, State } from "../../games/contract/game.ts";
import { ties, type Agent, type AgentParts, type Decision, type Turn } from "../agent.ts";
import { deepen, DEEPEST, type Found, type Iteration } from "./deepening.ts";
import { Meter } from "./meter.ts";

/** The options that all depth-first searches share. */
export const depthFirstOptions = {
  evaluator: z.string().default("none").describe("value of positions where the depth ends"),
  deepening: z
    .boolean()
    .default(true)
    .describe("search depth 1, 2, 3, ... rather than the full depth at once"),
  ties: ties.default("random"),
};

/** The shared options, checked. */
export type DepthFirstOptions = z.output<z.ZodObject<typeof depthFirstOptions>>;

/**
 * A depth-first search: iterative deepening, the budget and the principal variation. A subclass has the recursion,
 * `search`.
 */
export abstract class DepthFirstSearch implements Agent {
  protected readonly game: Game;
  protected readonly evaluator: Evaluator;
  /** The search's own state: advanced and taken back. */
  protected readonly state: State;
  protected readonly lines: PrincipalLines;
  protected readonly meter = new Meter();
  /** The greatest number of positions on a path from the root to a leaf, both included, without chance events. */
  protected readonly levels: number;
  /**
   * The value of the root's best action so far, set by a subclass that tries the best of the iteration before first, when
   * another one is better; its line is in `lines` then.
   */
  protected raised = NaN;
  /** A subclass sets it to false when the depth limit cuts something off. */
  protected complete = true;
  /** True if a value at an end of the game's range is proven; see `deepen`. */
  protected abstract readonly proves: boolean;
  private readonly options: DepthFirstOptions;

  constructor({ game, options, evaluator }: AgentParts<DepthFirstOptions>) {
    const deepest = Math.min(game.maxPlies, DEEPEST);
    this.game = game;
    this.evaluator = evaluator;
    this.options = options;
    this.state = game.start();
    this.levels = deepest + 1;
    this.lines = new PrincipalLines(deepest);
  }

  choose(root: State, turn: Turn): Decision {
    const { game, meter, options, proves, state } = this;
    return deepen({
      game,
      root,
      state,
      turn,
      meter,
      deepening: options.deepening,
      ties: options.ties,
      proves,
      iterate: (depth, rootActions) => this.iterate(depth, rootActions),
      unfinished: () => (Number.isNaN(this.raised) ? undefined : this.found(this.raised)),
    });
  }

  /**
   * Searches the root, where `state` is, to `depth` plies. Returns the value of the best of `actions` for the player to
   * move, and leaves its line in `lines`. The root is already counted.
   */
  protected abstract search(depth: number, actions: Int32Array): number;

  private iterate(depth: number, rootActions: Int32Array): Iteration {
    this.complete = true;
    this.meter.count();
    this.raised = NaN;
    const value = this.search(depth, rootActions);
    return { ...this.found(value), complete: this.complete };
  }

  /** Returns the action whose line `lines` has, with its value. */
  private found(value: number): Found {
    const line = this.lines.root();
    return { action: line[0]!, value: this.reported(value), line, pliesToEnd: this.pliesToEnd(value) };
  }

  /** Changes a value of the search into the game's units. */
  protected reported(value: number): number {
    return value;
  }

  /** Returns `pliesToEnd` of the decision; undefined if the search knows no distances. */
  protected pliesToEnd(_value: number): number | undefined {
    return undefined;
  }
}

/**
 * The principal variations of a depth-first search: for each ply of its path, the best play from there on. A row of a
 * matrix holds the line of a ply.
 */
class PrincipalLines {
  private readonly actions: Int32Array;
  private readonly lengths: Int32Array;
  private readonly stride: number;

  constructor(maxDepth: number) {
    this.stride = maxDepth + 1;
    this.actions = new Int32Array(this.stride * this.stride);
    this.lengths = new Int32Array(this.stride + 1);
  }

  /** Empties the line from `ply` on, at a leaf or before anything is found. */
  clear(ply: number): void {
    this.lengths[ply] = 0;
  }

  /** Sets the line from `ply` on to `action` and the line from the next ply on. */
  extend(ply: number, action: number): void {
    const from = ply * this.stride;
    const next = from + this.stride;
    const length = this.lengths[ply + 1];
    this.actions[from] = action;
    for (let at = 0; at < length; at++) this.actions[from + 1 + at] = this.actions[next + at];
    this.lengths[ply] = length + 1;
  }

  /** Returns the line from the root. */
  root(): number[] {
    return Array.from(this.actions.subarray(0, this.lengths[0]));
  }
}

/**
 * A stack of the actions or chance outcomes of the positions on a search's path, with the probabilities of outcomes. It
 * grows, as no game declares how many chance events may follow each other.
 */
export class ChanceStack {
  actions: Int32Array;
  probabilities: Float64Array;

  constructor(size: number) {
    this.actions = new Int32Array(size);
    this.probabilities = new Float64Array(size);
  }

  /** Makes room for indexes below `end`. It may replace `actions` and `probabilities`: read them again afterwards. */
  reserve(end: number): void {
    if (end <= this.actions.length) return;
    this.actions = grown(this.actions, 2 * end);
    this.probabilities = grown(this.probabilities, 2 * end);
  }
}
