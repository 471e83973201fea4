import { z } from "zod";
import { defineAgent } from "./agent.ts";
import { notDeterministicContest } from "./misfit.ts";
import { AgainstMe } from "./search/against-me.ts";
import { depthFirstOptions } from "./search/options.ts";

/**
 * Best-reply search (Schadd and Winands 2011), in its form BRS+ whose positions are all legal (Esser,
 * Gras, Winands, Schadd and Lanctot 2013). Between two plies of mine at most one opponent acts, with
 * all of its plies from then on: it takes what is worst for me. The others make their usual moves:
 * what looks best to the evaluator one ply on, for who makes it, the first of equals. So I look out
 * for each single opponent, yet not for all of them together as `paranoid` does. With two players it
 * is minimax.
 *
 * A ply is one decision of one player, usual moves too: of three players, a depth of 4 is my move,
 * one of each of the others, and my next. The positions that the search for usual moves looks at count
 * as nodes.
 */
export const bestReply = defineAgent({
  id: "best-reply",
  summary: "alpha-beta, at most one of the others against me at a time; two or more players, no chance",
  options: z.strictObject(depthFirstOptions),
  budgets: ["depth", "nodes", "timeMs"],
  misfit: notDeterministicContest,
  create: (parts) => new AgainstMe(parts, "one"),
});
