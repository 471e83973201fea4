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
  quiescence: z
    .boolean()
    .optional()
    .describe(
      "go on along noisy actions where the depth ends; the default is true if the game has tactics and ordering is history",
    ),
  reductions: z
    .boolean()
    .optional()
    .describe("search late actions, and positions without an action in the table, less deep"),
  nullMove: z
    .boolean()
    .optional()
    .describe("pass the turn first, less deep, and stop there if that is good enough already"),
  futility: z
    .number()
    .min(0)
    .optional()
    .describe(
      "distance from the window, for each ply left and in the game's units, from which on a position near the end of the depth is taken to stay outside; 0 for none",
    ),
});

/** The options, checked. */
export type AlphaBetaOptions = z.output<typeof options>;
