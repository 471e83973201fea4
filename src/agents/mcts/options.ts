import { z } from "zod";
import { memory, ties } from "../agent.ts";

/** The options of mcts. */
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
  solver: z
    .boolean()
    .default(true)
    .describe("prove wins and losses in the tree, and stop when the decision is proven"),
  memory: memory.default("decision"),
  ties: ties.default("random"),
});
/** The options, checked. */
export type MctsOptions = z.output<typeof mctsOptions>;
