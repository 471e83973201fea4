import { z } from "zod";
import { former } from "../agent.ts";
import { depthFirstOptions } from "../search/depth-first.ts";

export const options = z.strictObject({
  ...depthFirstOptions,
  opponent: z
    .union([z.enum(["best", "random"]), z.looseObject({ agent: z.string() })])
    .default("best")
    .describe(
      "how the other players are expected to play: best, against me; at random; or as an agent, such as { agent: greedy, temperature: 0.1 }, with the same evaluator if it names none",
    ),
  pruning: z
    .enum(["none", "star1", "star2"])
    .default("star2")
    .describe(
      "what is left out since it cannot change the value: nothing; star1, what the range of returns shows; star2, what a look at one action after each chance outcome shows, too",
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
    .describe("which actions come first: none, the game's order; history, those that were best elsewhere"),
  leastProbability: former("leave it out, as it gained nothing"),
});

/** The options, checked. */
export type ExpectimaxOptions = z.output<typeof options>;
