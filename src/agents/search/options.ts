import { z } from "zod";
import { ties } from "./ties.ts";

/** The options that all depth-first searches share. */
export const depthFirstOptions = {
  evaluator: z.string().default("none").describe("value of positions where the depth ends"),
  deepening: z
    .boolean()
    .default(true)
    .describe("search depth 1, 2, 3, ... rather than the full depth at once"),
  ties: ties.default("random"),
};
