import { z } from "zod";
import { CHANCE, TERMINAL } from "../contract/rules.ts";

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
export const TOLERANCE = 1e-9;
const CHILD_NAME = /^\p{L}[^\s/]*$/u;

type Path = readonly PropertyKey[];

/** The context in which nodes are read. */
export interface Context {
  readonly players: number;
  readonly report: (path: Path, message: string) => void;
}

/** A child of a node, before it has a number. */
export interface Child {
  readonly name: string;
  readonly path: Path;
  readonly source: TreeNode;
  readonly probability: number;
}

/** The mover at an inner node, and its children in order. */
export function readInner(
  source: InnerNode,
  path: Path,
  context: Context,
): { toMove: number; children: Child[] } {
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

export function isInner(source: TreeNode): source is InnerNode {
  return typeof source === "object" && !Array.isArray(source);
}

/** The utility of a leaf or the estimate of an inner node, for each player. */
export function utilitiesOf(
  { source, path }: Child,
  { players, report }: Context,
): readonly number[] | undefined {
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
