import { grown } from "../../base/hashing.ts";
import type { AgentParts } from "../agent.ts";
import type { State } from "../../games/contract/game.ts";
import { AlphaBeta } from "./alpha-beta.ts";
import type { AlphaBetaOptions } from "./options.ts";

/** The meaning of a searched value: the value itself, or a bound of it. */
export type Bound = typeof EXACT | typeof AT_LEAST | typeof AT_MOST;
/** @internal tests count nodes by their bounds. */
export const EXACT = 0;
export const AT_LEAST = 1;
export const AT_MOST = 2;

/** Marks a step down to the position after an action; the action is in the bits above. */
const DOWN = 3;
const KIND_BITS = 2;

/**
 * The inner positions of a search, each with its value for the player to move there, as words: DOWN with an action leads to a
 * position; a bound and then a float32 are the value of the position at hand, which leads back up. The root comes last.
 */
export type SearchedTree = Int32Array;

/** Shows `visit` every position of a tree below `root`, which it advances and takes back; a value is for the player to move. */
export function walkTree(
  root: State,
  tree: SearchedTree,
  visit: (state: State, bound: Bound, value: number) => void,
): void {
  const values = new Float32Array(tree.buffer, tree.byteOffset, tree.length);
  let depth = 0;
  for (let at = 0; at < tree.length; at++) {
    const word = tree[at];
    if ((word & DOWN) === DOWN) {
      root.apply(word >>> KIND_BITS);
      depth++;
      continue;
    }
    visit(root, word as Bound, values[++at]);
    if (depth-- > 0) root.undo();
  }
}

/** The words of the root of a tree alone. */
export function rootOf(tree: SearchedTree): SearchedTree {
  return tree.subarray(Math.max(0, tree.length - 2));
}

/** Alpha-beta that keeps the tree of its last finished iteration. Positions after a passed turn are left out. */
export class RecordedAlphaBeta extends AlphaBeta {
  private words = new Int32Array(1024);
  private values = new Float32Array(this.words.buffer);
  private length = 0;
  private kept: SearchedTree = new Int32Array();
  private passes = 0;

  constructor(parts: AgentParts<AlphaBetaOptions>) {
    super(parts);
  }

  /** The tree of the last decision; it may be overwritten by the next one. */
  get tree(): SearchedTree {
    return this.kept;
  }

  override choose(...to: Parameters<AlphaBeta["choose"]>): ReturnType<AlphaBeta["choose"]> {
    this.kept = new Int32Array();
    return super.choose(...to);
  }

  protected override search(depth: number, actions: Int32Array): number {
    // A budget may end an iteration anywhere.
    this.length = this.passes = 0;
    const value = super.search(depth, actions);
    this.add(EXACT, value);
    this.kept = this.words.slice(0, this.length);
    return value;
  }

  protected override child(...to: Parameters<AlphaBeta["child"]>): number {
    const [me, depth, alpha, beta, , ply] = to;
    const mover = this.state.toMove;
    if (this.passes > 0 || mover < 0 || depth <= 1) return super.child(...to);
    this.reserve();
    this.words[this.length++] = (this.path[ply + 1] << KIND_BITS) | DOWN;
    const value = super.child(...to);
    const isMine = mover === me;
    if (value >= beta) this.add(isMine ? AT_LEAST : AT_MOST, isMine ? value : 0 - value);
    else if (value <= alpha) this.add(isMine ? AT_MOST : AT_LEAST, isMine ? value : 0 - value);
    else this.add(EXACT, isMine ? value : 0 - value);
    return value;
  }

  protected override passed(...to: Parameters<AlphaBeta["passed"]>): number {
    this.passes++;
    const value = super.passed(...to);
    this.passes--;
    return value;
  }

  private add(bound: Bound, value: number): void {
    this.reserve();
    this.words[this.length++] = bound;
    this.values[this.length++] = this.reported(value);
  }

  private reserve(): void {
    if (this.length + 2 <= this.words.length) return;
    this.words = grown(this.words);
    this.values = new Float32Array(this.words.buffer);
  }
}
