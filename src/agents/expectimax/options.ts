import { z } from "zod";
import { former } from "../agent.ts";
import { depthFirstOptions } from "../search/depth-first.ts";

export const options = z.strictObject({
  ...depthFirstOptions,
  opponent: z
    .union([z.enum(["best", "random"]), z.looseObject({ agent: z.string() })])
    .default("best")
    .describe(
      "the expected play of the other players: best, against me; at random; or as an agent, such as { agent: greedy, temperature: 0.1 }, with the same evaluator if it names none",
    ),
  pruning: z
    .enum(["none", "star1", "star2"])
    .default("star2")
    .describe(
      "the parts left out because they cannot change the value: none; star1, by the range of returns; star2, also by one action after each chance outcome",
    ),
  table: z
    .int()
    .min(0)
    .max(2 ** 26)
    .default(2 ** 16)
    .describe("entries of the transposition table, which has positions before chance events too; 0 for none"),
  ordering: z
    .enum(["none", "history"])
    .default("history")
    .describe("the actions that come first: none, the game's order; history, those that were best elsewhere"),
  leastProbability: former("leave it out, as it gained nothing"),
});

/** The options, checked. */
export type ExpectimaxOptions = z.output<typeof options>;
