import { z } from "zod";
import { defineAgent } from "./agent.ts";
import { notDeterministicContest } from "./misfit.ts";
import { AgainstMe } from "./search/against-me.ts";
import { depthFirstOptions } from "./search/options.ts";

/**
 * All others against me: every other player takes what is worst for who decides at the root, which
 * makes alpha-beta pruning possible for any number of players (Sturtevant and Korf 2000). With two it
 * is minimax.
 */
export const paranoid = defineAgent({
  id: "paranoid",
  summary: "alpha-beta, all others together against me; two or more players, no chance",
  options: z.strictObject(depthFirstOptions),
  budgets: ["depth", "nodes", "timeMs"],
  misfit: notDeterministicContest,
  create: (parts) => new AgainstMe(parts, "all"),
});
