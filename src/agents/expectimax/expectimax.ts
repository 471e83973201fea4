import { hidden, notDuel } from "../../game/traits.ts";
import { defineAgent } from "../agent.ts";
import { options } from "./options.ts";
import { Expectimax } from "./star.ts";

/**
 * Expectiminimax (Michie 1966): minimax in which a position before a chance event has the mean of its outcomes'
 * values. With a model of the opponent, a position in which another player moves has the mean over its actions too, each
 * as likely as the model says (opponent modelling: Jansen 1992; Carmel and Markovitch 1993). A chance event is not a ply:
 * when no plies are left the evaluator is asked, before a chance event too.
 */
export const expectimax = defineAgent({
  id: "expectimax",
  summary: "minimax with chance nodes; one or two players, or any number with a model of the others' play",
  options,
  budgets: ["depth", "nodes", "timeMs"],
  unsupported: (game, { opponent }) =>
    game.players === 1 || opponent !== "best" ? hidden(game) : notDuel(game),
  create: (parts) => new Expectimax(parts),
});
