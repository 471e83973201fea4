import { defineAgent, TERMINAL, z } from "agon-arena";

export const agent = defineAgent({
  id: "one-move",
  summary: "wins where one move wins, else plays at random",
  options: z.strictObject({}),
  budgets: [],
  unsupported: () => undefined, // it plays any game
  create({ game }) {
    const legal = new Int32Array(game.maxActions);
    return {
      choose(state, { random }) {
        const me = state.toMove;
        const actions = [...legal.subarray(0, state.legalActions(legal, 0))];
        const wins = (action: number) => {
          state.apply(action);
          const won = state.toMove === TERMINAL && state.returns(me) > 0;
          state.undo();
          return won;
        };
        const action = actions.find(wins) ?? actions[random.below(actions.length)]!;
        return { action, nodes: actions.length, line: [action] };
      },
    };
  },
});
