import { z } from "zod";
import { unknownName } from "../base/errors.ts";
import { hidden } from "../game/traits.ts";
import { defineAgent } from "./agent.ts";

/** Plays a policy of the game, such as perfect play where a game is solved. */
export const policy = defineAgent({
  id: "policy",
  summary: "a policy of the game: theory, an exact solution or a published program",
  options: z.strictObject({
    policy: z.string().optional().describe("which policy of the game; `agon games ID` lists them"),
  }),
  budgets: [],
  unsupported: (game) => (Object.keys(game.policies).length === 0 ? "no policies" : hidden(game)),
  problems(game, { policy: name }) {
    const allowed = Object.keys(game.policies);
    if (name !== undefined && allowed.includes(name)) return [];
    const message =
      name === undefined ? `missing; allowed: ${allowed.join(", ")}` : unknownName("policy", name, allowed);
    return [{ path: "policy", message }];
  },
  create({ game, options }) {
    const chosen = game.policies[options.policy!]!.create();
    return {
      choose(state, { random }) {
        const action = chosen.choose(state, random);
        return { action, nodes: 0, line: [action] };
      },
    };
  },
});
