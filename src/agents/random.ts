import { z } from "zod";
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
