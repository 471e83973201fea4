import { z } from "zod";
import { ties } from "../search/ties.ts";

export const mctsOptions = z.strictObject({
  evaluator: z.string().optional().describe("value of new leaves, in place of a random playout to the end"),
  exploration: z
    .number()
    .min(0)
    .default(1)
    .describe("the c of UCB1, mean + c * sqrt(ln N / n), for rewards brought to 0..1"),
  maxNodes: z
    .int()
    .min(1000)
    .max(2 ** 26)
    .default(2 ** 20)
    .describe("nodes of the tree; when full it grows no more"),
  ties: ties.default("random"),
});
