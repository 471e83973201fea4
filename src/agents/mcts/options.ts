import { z } from "zod";
import { former, memory, threads, ties } from "../agent.ts";

export const mctsOptions = z.strictObject({
  evaluator: z.string().optional().describe("value of new leaves, in place of a random playout to the end"),
  exploration: z
    .number()
    .min(0)
    .optional()
    .describe("the c of UCB1, mean + c * sqrt(ln N / n), for rewards of 0..1; 0.7, or 0.3 with an evaluator"),
  maxNodes: z
    .int()
    .min(1000)
    .max(2 ** 26)
    .default(2 ** 20)
    .describe("nodes of the tree; when it is full, the least visited half is recycled"),
  playoutPlies: former("leave it out, an evaluator values a new leaf at once"),
  priors: z
    .number()
    .min(0)
    .default(0)
    .describe("with an evaluator: temperature of its priors, for selection by PUCT; 0: UCB1"),
  progressiveBias: former("write priors=0.05, by which an evaluator guides the selection better"),
  implicitMinimax: z
    .number()
    .min(0)
    .max(1)
    .default(0)
    .describe("with an evaluator: share of its minimax value in the value of an action, 0..1; 0: none"),
  rave: z
    .number()
    .min(0)
    .default(0)
    .describe("visits of a node at which the mean of an action counts as much as AMAF (RAVE); 0: no AMAF"),
  mast: z
    .number()
    .min(0)
    .default(0)
    .describe(
      "temperature of playouts that prefer actions which did well elsewhere (MAST); 0: random playouts",
    ),
  decisive: z
    .enum(["none", "tree"])
    .default("tree")
    .describe(
      "tree: below the root, only the decisive moves are tried where the game tells them; none: all moves",
    ),
  solver: z
    .boolean()
    .default(true)
    .describe("prove wins and losses in the tree, and stop when the decision is proven"),
  threads,
  memory: memory.default("decision"),
  ties: ties.default("random"),
});
/** The options, checked. */
export type MctsOptions = z.output<typeof mctsOptions>;
