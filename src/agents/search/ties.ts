import { z } from "zod";

/**
 * Searches take an action only when it is strictly better than those before, so that shuffling the
 * root's actions breaks ties at random, and leaving them alone breaks them by the first.
 */
export const ties = z
  .enum(["random", "first"])
  .describe("which of several best actions is taken: any, by the seeded generator, or the first");
export type Ties = z.output<typeof ties>;
