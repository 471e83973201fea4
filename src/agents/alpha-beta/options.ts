import { z } from "zod";
import { ties } from "../agent.ts";
import { depthFirstOptions } from "../search/depth-first.ts";

export const alphaBetaOptions = z.strictObject({
  ...depthFirstOptions,
  table: z
    .int()
    .min(0)
    .max(2 ** 26)
    .default(2 ** 18)
    .describe("entries of the transposition table; 0 for none"),
  ordering: z
    .enum(["none", "table", "history"])
    .default("history")
    .describe("which actions come first: as the game lists them; the table's; the table's, killers, history"),
  ties: ties
    .optional()
    .describe("which of several best actions is taken: any, or the first; random unless ordering is none"),
});
