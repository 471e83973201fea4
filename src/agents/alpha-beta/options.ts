import { z } from "zod";
import { ties } from "../agent.ts";
import { depthFirstOptions } from "../search/depth-first.ts";

const MOST_MEBIBYTES = 8192;

export const options = z.strictObject({
  ...depthFirstOptions,
  table: z
    .number()
    .min(0)
    .max(MOST_MEBIBYTES)
    .default(16)
    .describe("size of the transposition table in MiB; 0 for none"),
  memory: z
    .enum(["decision", "game"])
    .default("decision")
    .describe("how long the table and what orders actions are kept: for one decision, or for the whole game"),
  ordering: z
    .enum(["none", "table", "history"])
    .default("history")
    .describe(
      "which actions come first: none, the game's order; table, the table's action; history, killers, answers and history too",
    ),
  ties: ties
    .optional()
    .describe(
      "which of several best actions is taken: a random one, or the first; the default is random unless ordering is none",
    ),
  scout: z
    .boolean()
    .optional()
    .describe(
      "look at all actions but the first with a null window first (principal variation search); the default is true if ordering is history",
    ),
});

/** The options, checked. */
export type AlphaBetaOptions = z.output<typeof options>;
