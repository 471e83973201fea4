import { z } from "zod";

/** Several children: a list, named 1, 2, 3, ... in order, or a mapping from names. */
export type Children<Child> = readonly Child[] | Readonly<Record<string, Child>>;

/** A number or a list of numbers: what a leaf is worth, or an estimate of what a node is worth. */
type Utility = number | readonly number[];

export interface Outcome {
  readonly probability: number | string;
  readonly node: TreeNode;
}

/** A decision (`player` and `actions`) or a chance event (`chance`). */
export interface InnerNode {
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
    node: node.describe("what follows"),
  }),
);

const inner: z.ZodType<InnerNode> = z.lazy(() =>
  z.strictObject({
    player: z.int().min(0).optional().describe("who decides: 0 for the first player"),
    actions: z
      .union([z.array(node), z.record(z.string(), node)])
      .optional()
      .describe("what follows each action: by name, or a list whose actions are called 1, 2, 3, ..."),
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
 * A node of a game tree as people write it. A leaf is a number (the utility of player 0; with two
 * players the other's is its negative) or a list (the utility of each player).
 */
export const node: z.ZodType<TreeNode> = z.lazy(() => z.union([z.number(), z.array(z.number()), inner]));
