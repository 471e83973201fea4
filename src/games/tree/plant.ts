import { formatPath } from "../../base/check.ts";
import { InputError, type Problem } from "../../base/errors.ts";
import { CHANCE, TERMINAL } from "../contract/rules.ts";
import {
  isInner,
  readInner,
  TOLERANCE,
  utilitiesOf,
  type Child,
  type Context,
  type TreeNode,
} from "./schema.ts";

/** A checked game tree as a struct of arrays. Node 0 is the root; siblings are next to each other. */
export interface Tree {
  readonly size: number;
  readonly players: number;
  /** The mover at the node: a player, CHANCE or TERMINAL. */
  readonly toMove: Int32Array;
  /** -1 at the root. */
  readonly parent: Int32Array;
  readonly firstChild: Int32Array;
  readonly childCount: Int32Array;
  /** The probability with which chance goes to the node; 1 after a player's action. */
  readonly probability: Float64Array;
  /** The action or outcome that leads to the node; empty at the root. */
  readonly name: readonly string[];
  /**
   * At node * players + player: the utility of a leaf, or the estimate of an inner node. The default of an estimate is
   * 0 in a zero-sum tree, otherwise the middle between the least and the greatest utility.
   */
  readonly value: Float64Array;
  readonly zeroSum: boolean;
  /**
   * Bounds of the returns, a little beyond every utility and estimate, and beyond 0, which is the return
   * before the end.
   */
  readonly minValue: number;
  readonly maxValue: number;
  readonly maxActions: number;
  readonly maxPlies: number;
}

/** A node while the tree is read. */
interface Draft extends Child {
  readonly parent: number;
  readonly plies: number;
  toMove: number;
  firstChild: number;
  childCount: number;
  /** Undefined at an inner node without an estimate. */
  utilities: readonly number[] | undefined;
}

/** Puts the tree into arrays. Throws InputError with all problems that the schema cannot see. */
export function plantTree(root: TreeNode, players: number): Tree {
  const problems: Problem[] = [];
  const context: Context = {
    players,
    report: (path, message) => problems.push({ path: formatPath(path), message }),
  };
  const nodes: Draft[] = [];
  const add = (child: Child, parent: number, plies: number) => {
    const utilities = utilitiesOf(child, context);
    nodes.push({ ...child, parent, plies, utilities, toMove: TERMINAL, firstChild: 0, childCount: 0 });
  };
  if (!isInner(root)) context.report(["root"], "must be a decision or a chance event, not a leaf");
  add({ name: "", path: ["root"], source: root, probability: 1 }, -1, 0);
  // Breadth first, so that siblings come next to each other.
  for (let at = 0; at < nodes.length; at++) {
    const draft = nodes[at]!;
    const { source, path, plies } = draft;
    if (!isInner(source)) continue;
    const { toMove, children } = readInner(source, path, context);
    draft.toMove = toMove;
    draft.firstChild = nodes.length;
    draft.childCount = children.length;
    for (const child of children) add(child, at, toMove === CHANCE ? plies : plies + 1);
  }
  if (problems.length > 0) throw new InputError(problems);
  return layOut(nodes, players);
}

function layOut(nodes: readonly Draft[], players: number): Tree {
  const leaves = nodes.filter(({ toMove }) => toMove === TERMINAL);
  const zeroSum = leaves.every(({ utilities }) => sumsToZero(utilities!));
  if (zeroSum && players === 2) checkEstimates(nodes);

  const utilities = leaves.flatMap((leaf) => leaf.utilities!);
  const middle = zeroSum ? 0 : (least(utilities) + greatest(utilities)) / 2;
  const value = Float64Array.from(
    nodes.flatMap((draft) => draft.utilities ?? Array.from({ length: players }, () => middle)),
    (utility) => utility + 0,
  );
  if (zeroSum && players === 2) {
    for (let at = 0; at < value.length; at += 2) value[at + 1] = 0 - value[at];
  }
  const low = Math.min(0, least(value));
  const high = Math.max(0, greatest(value));
  const margin = high > low ? (high - low) / 100 : 1;

  return {
    size: nodes.length,
    players,
    toMove: Int32Array.from(nodes, ({ toMove }) => toMove),
    parent: Int32Array.from(nodes, ({ parent }) => parent),
    firstChild: Int32Array.from(nodes, ({ firstChild }) => firstChild),
    childCount: Int32Array.from(nodes, ({ childCount }) => childCount),
    probability: Float64Array.from(nodes, ({ probability }) => probability),
    name: nodes.map(({ name }) => name),
    value,
    zeroSum,
    minValue: low - margin,
    maxValue: high + margin,
    maxActions: greatest(nodes.map(({ childCount }) => childCount)),
    maxPlies: greatest(nodes.map(({ plies }) => plies)),
  };
}

/** In a duel the players' estimates are each other's negatives. */
function checkEstimates(nodes: readonly Draft[]): void {
  const problems = nodes
    .filter(({ utilities }) => utilities !== undefined && !sumsToZero(utilities))
    .map(({ path, utilities }) => ({
      path: formatPath([...path, "value"]),
      message: `must sum to 0 as every leaf of this tree does, got ${JSON.stringify(utilities)}`,
    }));
  if (problems.length > 0) throw new InputError(problems);
}

function sumsToZero(utilities: readonly number[]): boolean {
  return Math.abs(utilities.reduce((sum, utility) => sum + utility, 0)) <= TOLERANCE;
}

function least(numbers: Iterable<number>): number {
  let found = Infinity;
  for (const number of numbers) found = Math.min(found, number);
  return found;
}

function greatest(numbers: Iterable<number>): number {
  let found = -Infinity;
  for (const number of numbers) found = Math.max(found, number);
  return found;
}
