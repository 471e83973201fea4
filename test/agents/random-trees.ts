import fc from "fast-check";
import type { Game } from "../../src/games/contract/game.ts";
import { createGame } from "../../src/games/index.ts";
import type { Outcome, TreeNode } from "../../src/games/tree/schema.ts";

/** The parts that a random tree may have. Utilities are whole numbers and probabilities eighths, so that sums are exact. */
export interface TreeShape {
  readonly players?: number;
  readonly chance?: boolean;
  /** Levels below the root. */
  readonly levels?: number;
  readonly maxBranching?: number;
  readonly maxUtility?: number;
}

/** Game trees of uneven depth and branching, in which a player may move twice in a row; a player decides at the root. */
export function randomTree({
  players = 2,
  chance = false,
  levels = 5,
  maxBranching = 3,
  maxUtility = 6,
}: TreeShape = {}): fc.Arbitrary<TreeNode> {
  const number = fc.integer({ min: 0 - maxUtility, max: maxUtility });
  const utility = players <= 2 ? number : fc.array(number, { minLength: players, maxLength: players });
  const player = fc.integer({ min: 0, max: players - 1 });

  const decision = (left: number): fc.Arbitrary<TreeNode> =>
    fc.record(
      {
        player,
        actions: fc.array(node(left - 1), { minLength: 1, maxLength: maxBranching }),
        value: utility,
      },
      { requiredKeys: ["player", "actions"] },
    );
  const event = (left: number): fc.Arbitrary<TreeNode> =>
    fc
      .tuple(fc.integer({ min: 1, max: 7 }), node(left - 1), node(left - 1))
      .map(([eighths, first, second]) => ({
        chance: [
          { probability: `${eighths}/8`, node: first },
          { probability: `${8 - eighths}/8`, node: second },
        ],
      }));
  const node = (left: number): fc.Arbitrary<TreeNode> => {
    if (left === 0) return utility;
    const kinds = [
      { weight: 1, arbitrary: utility as fc.Arbitrary<TreeNode> },
      { weight: 4, arbitrary: decision(left) },
    ];
    if (chance) kinds.push({ weight: 2, arbitrary: event(left) });
    return fc.oneof(...kinds);
  };
  return decision(levels);
}

/** The tree with utilities and estimates that sum to zero: what the last player gets is minus what the others get. */
export function zeroSum(node: TreeNode): TreeNode {
  const share = (all: readonly number[]) => {
    const others = all.slice(0, -1);
    return [...others, 0 - others.reduce((sum, one) => sum + one, 0)];
  };
  if (typeof node === "number") return node;
  if (isList(node)) return share(node);
  const value = node["value"] === undefined ? {} : { value: share(node["value"] as readonly number[]) };
  if (node.chance !== undefined) {
    const outcomes = node.chance as readonly Outcome[];
    return { ...value, chance: outcomes.map((outcome) => ({ ...outcome, node: zeroSum(outcome.node) })) };
  }
  return { ...value, player: node.player, actions: childrenOf(node).map(zeroSum) };
}

export function createTree(root: TreeNode, players = 2): Game {
  return createGame({ id: "tree", players, root });
}

/** The player who decides at the root. */
export function playerAt(root: TreeNode): number {
  return (root as { readonly player: number }).player;
}

/** The rule for values of a tree: the value of a decision or a chance event from the values below it. */
export interface Backup<Value> {
  leaf(utility: number | readonly number[]): Value;
  decision(player: number, values: readonly Value[]): Value;
  chance(values: readonly Value[], probabilities: readonly number[]): Value;
}

/** The value of a tree by direct recursion over its text: the twin of the searches. */
export function backUp<Value>(node: TreeNode, rules: Backup<Value>): Value {
  if (typeof node === "number" || isList(node)) return rules.leaf(node);
  if (node.chance !== undefined) {
    const outcomes = node.chance as readonly Outcome[];
    return rules.chance(
      outcomes.map((outcome) => backUp(outcome.node, rules)),
      outcomes.map(({ probability }) => Number(String(probability).split("/")[0]) / 8),
    );
  }
  return rules.decision(
    node.player!,
    childrenOf(node).map((child) => backUp(child, rules)),
  );
}

/** The tree with each utility changed. */
export function mapUtilities(node: TreeNode, change: (utility: number) => number): TreeNode {
  if (typeof node === "number") return change(node);
  if (isList(node)) return node.map(change);
  if (node.chance !== undefined) {
    const outcomes = node.chance as readonly Outcome[];
    return { chance: outcomes.map((outcome) => ({ ...outcome, node: mapUtilities(outcome.node, change) })) };
  }
  return { player: node.player, actions: childrenOf(node).map((child) => mapUtilities(child, change)) };
}

function childrenOf(node: TreeNode): readonly TreeNode[] {
  if (typeof node === "number" || isList(node)) return [];
  return (node.actions ?? []) as readonly TreeNode[];
}

function isList(node: TreeNode): node is readonly number[] {
  return Array.isArray(node);
}

const mean = (values: readonly number[], probabilities: readonly number[]) =>
  values.reduce((sum, value, at) => sum + value * probabilities[at]!, 0);

/** The value for player 0 when player 1 plays against it. */
const MINIMAX: Backup<number> = {
  leaf: (utility) => utility as number,
  decision: (player, values) => (player === 0 ? Math.max(...values) : Math.min(...values)),
  chance: mean,
};

/** The value of a two-player tree for who decides at its root, both playing their best. */
export function valueForMover(root: TreeNode): number {
  const value = backUp(root, MINIMAX);
  return playerAt(root) === 0 ? value : 0 - value;
}

/** The value for `me` when every other player plays any action as likely as the others. */
export function againstRandom(me: number): Backup<number> {
  return {
    leaf: (utility) => (typeof utility === "number" ? (me === 0 ? utility : 0 - utility) : utility[me]!),
    decision: (player, values) =>
      player === me
        ? Math.max(...values)
        : mean(
            values,
            values.map(() => 1 / values.length),
          ),
    chance: mean,
  };
}

/** Everybody's values when each takes what is best for itself, the first of equals. */
export const MAX_N: Backup<readonly number[]> = {
  leaf: (utility) => (typeof utility === "number" ? [utility, 0 - utility] : utility),
  decision: (player, values) =>
    values.reduce((best, value) => (value[player]! > best[player]! ? value : best)),
  chance: (values, probabilities) =>
    values[0]!.map((_, player) =>
      mean(
        values.map((value) => value[player]!),
        probabilities,
      ),
    ),
};
