import { z } from "zod";
import { notHidden } from "../games/contract/game.ts";
import { ObservedGame } from "../games/contract/privacy.ts";
import { type AgentParts, defineAgent } from "./agent.ts";
import { WeighedWorlds, worldsOptions } from "./worlds.ts";

const options = z.strictObject({
  worlds: z.int().min(1).max(10_000).default(20).describe("worlds that are drawn for a decision"),
  search: z
    .looseObject({ agent: z.string() })
    .default({ agent: "mcts", simulations: 100 })
    .describe(
      "the agent that plays in each world as if nothing were hidden, with its budget for one world, such as { agent: mcts, simulations: 100 }",
    ),
  vote: z
    .enum(["most", "mean"])
    .default("most")
    .describe(
      "most: the action that most worlds choose; mean: the one with the highest mean value, if the agent can value all",
    ),
  ...worldsOptions,
});

type Parts = AgentParts<z.output<typeof options>>;

/**
 * Perfect-information Monte Carlo (Levy 1989; Ginsberg, "GIB: Imperfect information in a computationally challenging game",
 * 2001): an agent decides in each of several drawn worlds as if all were open, and the worlds vote.
 */
export const determinized = defineAgent({
  id: "determinized",
  summary: "an agent for open games in each of several drawn worlds, which vote",
  options,
  budgets: [],
  unsupported: notHidden,
  create({ game, options: { worlds: count, vote, candidates }, search, opponent }: Parts) {
    const agent = search!.create();
    const start = game.start();
    const world = new Int32Array(new ObservedGame(game).privacy.maxEvents);
    const weighed = opponent && new WeighedWorlds(game, opponent, candidates);
    // Agents rank as many actions as they are asked for.
    const ranked = vote === "mean" ? { ranked: game.maxActions } : {};
    return {
      async choose(state, { knowledge, random, clock }) {
        if (knowledge === undefined) throw new Error("determinized was not told what the player knows");
        const worlds = weighed?.weigh(knowledge.worlds, state.toMove, random) ?? knowledge.worlds;
        const votes = new Map<number, { count: number; sum: number }>();
        let nodes = 0;
        for (let number = 0; number < count; number++) {
          const length = worlds.draw(random, world);
          state.copyFrom(start);
          for (let at = 0; at < length; at++) state.apply(world[at]);
          await agent.newGame?.();
          const decision = await agent.choose(state, { random, clock, budget: search!.budget, ...ranked });
          nodes += decision.nodes;
          for (const { action, value } of (vote === "mean" && decision.ranking) || [decision]) {
            const tally = votes.get(action) ?? { count: 0, sum: 0 };
            tally.count++;
            tally.sum += value ?? 0;
            votes.set(action, tally);
          }
        }
        const worth = ({ count, sum }: { count: number; sum: number }) =>
          vote === "mean" ? sum / count : count;
        // The first of several actions of the same worth comes in the order of random worlds.
        const [[action, best]] = [...votes].toSorted(([, a], [, b]) => worth(b) - worth(a)) as [
          [number, { count: number; sum: number }],
        ];
        return { action, value: best.sum / best.count, nodes, line: [action] };
      },
    };
  },
});
