import { z } from "zod";
import { unknownName } from "../base/did-you-mean.ts";
import { hidden } from "../games/contract/traits.ts";
import { defineAgent } from "./agent.ts";

/** Plays any legal action, each as likely as the others. */
export const random = defineAgent({
  id: "random",
  summary: "any legal action",
  options: z.strictObject({}),
  budgets: [],
  unsupported: () => undefined,
  create({ game }) {
    const actions = new Int32Array(game.maxActions);
    return {
      choose(state, { random }) {
        const action = actions[random.below(state.legalActions(actions, 0))];
        return { action, nodes: 0, line: [action] };
      },
      weigh(_state, _actions, probabilities, at, count) {
        probabilities.fill(1 / count, at, at + count);
        return 0;
      },
    };
  },
});

/** Plays a policy of the game, such as perfect play where a game is solved. */
export const policy = defineAgent({
  id: "policy",
  summary: "a policy of the game: theory, an exact solution or a published program",
  options: z.strictObject({
    policy: z.string().optional().describe("the policy of the game; `agon games ID` lists them"),
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
