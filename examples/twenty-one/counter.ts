import { defineAgent, z } from "agon-arena";

/** Leaves the other player a multiple of four wherever it can, so that twenty is said by itself. */
export const agent = defineAgent({
  id: "counter",
  summary: "leaves multiples of four",
  options: z.strictObject({
    first: z.int().min(1).max(3).default(1).describe("its step where no multiple of four can be reached"),
  }),
  budgets: [],
  unsupported: (game) => (game.id === "twenty-one" ? undefined : "other rules than twenty-one"),
  create({ game, options }) {
    const legal = new Int32Array(game.maxActions);
    return {
      choose(state) {
        const count = Number(game.formatState(state).split(" ")[0]);
        const wanted = (4 - (count % 4)) % 4 || options.first;
        const actions = legal.subarray(0, state.legalActions(legal, 0));
        const action = actions.includes(wanted) ? wanted : actions[0];
        return { action, nodes: 0, line: [action] };
      },
    };
  },
});
