import { z } from "zod";
import { TERMINAL } from "../games/game.ts";
import { defineAgent, hidden, ties } from "./agent.ts";

/** Takes the action after which the evaluator values the position highest for the player who takes it. */
export const greedy = defineAgent({
  id: "greedy",
  summary: "the action after which an evaluator values the position highest",
  options: z.strictObject({
    evaluator: z.string().describe("a heuristic of the game, a weights file, or a file of your own"),
    ties: ties.default("random"),
    epsilon: z.number().min(0).max(1).default(0).describe("probability of a random legal action instead"),
  }),
  budgets: [],
  misfit: hidden,
  create({ game, options, evaluator }) {
    const buffer = new Int32Array(game.maxActions);
    return {
      choose(state, turn) {
        const me = state.toMove;
        const actions = buffer.subarray(0, state.legalActions(buffer, 0));
        if (options.epsilon > 0 && turn.random.float() < options.epsilon) {
          const action = actions[turn.random.below(actions.length)];
          return { action, nodes: 0, line: [action] };
        }
        if (options.ties === "random") turn.random.shuffle(actions, 0, actions.length);
        let action = actions[0];
        let value = -Infinity;
        for (const candidate of actions) {
          state.apply(candidate);
          const worth = state.toMove === TERMINAL ? state.returns(me) : evaluator.evaluate(state, me);
          state.undo();
          if (worth > value) {
            value = worth;
            action = candidate;
          }
        }
        return { action, value, depth: 1, nodes: actions.length, line: [action] };
      },
    };
  },
});
