import { defineAgent, hidden, notDuel } from "../agent.ts";
import { options } from "./options.ts";
import { Expectimax } from "./star.ts";

/**
 * Expectiminimax (Michie 1966): minimax in which a position before a chance event has the mean of its outcomes'
 * values. With the option `opponent: random`, a position in which another player moves has the mean over its actions
 * too. A chance event is not a ply: when no plies are left the evaluator is asked, before a chance event too.
 */
export const expectimax = defineAgent({
  id: "expectimax",
  summary:
    "minimax with chance nodes; one or two players, or any number, the others expected to play at random",
  options,
  budgets: ["depth", "nodes", "timeMs"],
  misfit: (game, { opponent }) =>
    game.players === 1 || opponent === "random" ? hidden(game) : notDuel(game),
  create: (parts) => new Expectimax(parts),
});
