import { z } from "zod";
import { CHANCE, TERMINAL } from "../contract/rules.ts";
import { formatPath } from "../../base/check.ts";
import { InputError, type Problem } from "../../base/errors.ts";

/** Several children: a list, named 1, 2, 3, ... in order, or a mapping from names. */
type Children<Child> = readonly Child[] | Readonly<Record<string, Child>>;

/** The utility of a leaf or the estimate of a node: a number, or a list of numbers, one for each player. */
type Utility = number | readonly number[];

/** @internal tests walk trees by it. */
export interface Outcome {
  readonly probability: number | string;
  readonly node: TreeNode;
}

/** A decision (`player` and `actions`) or a chance event (`chance`). */
interface InnerNode {
  readonly player?: number | undefined;
  readonly actions?: Children<TreeNode> | undefined;
  readonly chance?: Children<Outcome> | undefined;
  readonly value?: Utility | undefined;
}

export type TreeNode = Utility | InnerNode;

const utility = z.union([z.number(), z.array(z.number())]);

const outcome: z.ZodType<Outcome> = z.lazy(() =>
  z.strictObject({
    probability: z
      .union([z.number(), z.string().meta({ pattern: "^\\d+/\\d+$" })])
      .describe("a number such as 0.5, or a fraction such as 1/6; those of a chance event sum to 1"),
    node: node.describe("the next node"),
  }),
);

const inner: z.ZodType<InnerNode> = z.lazy(() =>
  z.strictObject({
    player: z.int().min(0).optional().describe("the player who decides: 0 for the first"),
    actions: z
      .union([z.array(node), z.record(z.string(), node)])
      .optional()
      .describe("the node after each action: by name, or a list whose actions are called 1, 2, 3, ..."),
    chance: z
      .union([z.array(outcome), z.record(z.string(), outcome)])
      .optional()
      .describe("outcomes: by name, or a list whose outcomes are called 1, 2, 3, ..."),
    value: utility
      .optional()
      .describe("an estimate, for searches that stop here; written like the utilities at the leaves"),
  }),
);

/**
 * A node of a game tree as people write it. A leaf is a number (the utility of player 0; with two players
 * the other's is its negative) or a list of numbers (the utility of each player).
 */
export const node: z.ZodType<TreeNode> = z.lazy(() => z.union([z.number(), z.array(z.number()), inner]));

/** The sum of probabilities may miss 1, and that of zero-sum utilities 0, by this much. */
const TOLERANCE = 1e-9;
const CHILD_NAME = /^\p{L}[^\s/]*$/u;

type Path = readonly PropertyKey[];

/** The context in which nodes are read. */
interface Context {
  readonly players: number;
  readonly report: (path: Path, message: string) => void;
}

/** A child of a node, before it has a number. */
interface Child {
  readonly name: string;
  readonly path: Path;
  readonly source: TreeNode;
  readonly probability: number;
}

/** The mover at an inner node, and its children in order. */
function readInner(source: InnerNode, path: Path, context: Context): { toMove: number; children: Child[] } {
  const { player, actions, chance } = source;
  if (actions !== undefined && chance === undefined) {
    const children = childrenOf(actions, [...path, "actions"], context).map(({ child, ...rest }) => ({
      ...rest,
      source: child,
      probability: 1,
    }));
    return { toMove: playerOf(player, [...path, "player"], context), children };
  }
  if (chance !== undefined && actions === undefined && player === undefined) {
    const children = childrenOf(chance, [...path, "chance"], context).map(({ name, path: below, child }) => ({
      name,
      path: [...below, "node"],
      source: child.node,
      probability: probabilityOf(child, [...below, "probability"], context),
    }));
    const sum = children.reduce((total, { probability }) => total + probability, 0);
    if (Math.abs(sum - 1) > TOLERANCE)
      context.report([...path, "chance"], `the probabilities must sum to 1, not ${sum}`);
    return { toMove: CHANCE, children };
  }
  context.report(path, `must have either "player" and "actions", or "chance" alone`);
  return { toMove: TERMINAL, children: [] };
}

function isInner(source: TreeNode): source is InnerNode {
  return typeof source === "object" && !Array.isArray(source);
}

/** The utility of a leaf or the estimate of an inner node, for each player. */
function utilitiesOf({ source, path }: Child, { players, report }: Context): readonly number[] | undefined {
  const utility = isInner(source) ? source.value : source;
  const where = isInner(source) ? [...path, "value"] : path;
  if (utility === undefined) return undefined;
  if (typeof utility !== "number") {
    if (utility.length !== players)
      report(where, `must have ${players} numbers, one for each player, got ${utility.length}`);
    return utility;
  }
  if (players > 2) report(where, `must be a list of ${players} numbers, one for each player, got ${utility}`);
  return players === 1 ? [utility] : [utility, 0 - utility];
}

function playerOf(player: number | undefined, path: Path, { players, report }: Context): number {
  if (player !== undefined && player >= 0 && player < players) return player;
  const allowed = `must be a player, 0 to ${players - 1}`;
  report(path, player === undefined ? `missing; ${allowed}` : `${allowed}, got ${player}`);
  return 0;
}

function childrenOf<Item>(children: Children<Item>, path: Path, { report }: Context) {
  const found = isList(children)
    ? children.map((child, at) => ({ name: String(at + 1), path: [...path, at], child }))
    : Object.entries(children).map(([name, child]) => ({ name, path: [...path, name], child }));
  if (found.length === 0) report(path, "must not be empty");
  if (isList(children)) return found;
  for (const child of found) {
    if (!CHILD_NAME.test(child.name))
      report(child.path, "a name must begin with a letter, and have no space or slash");
  }
  return found;
}

function isList<Item>(children: Children<Item>): children is readonly Item[] {
  return Array.isArray(children);
}

function probabilityOf({ probability }: Outcome, path: Path, { report }: Context): number {
  const text = String(probability).trim();
  const fraction = /^(\d+)\/(\d+)$/.exec(text);
  const value = fraction === null ? Number(text) : Number(fraction[1]) / Number(fraction[2]);
  if (value > 0 && value <= 1) return value;
  report(path, `must be above 0 and at most 1: a number, or a fraction such as 1/6, got ${text}`);
  return 0;
}

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
