import { prepareAgent } from "../../src/agents/prepare.ts";
import { createRandom } from "../../src/base/random.ts";
import { defaultActivation } from "../../src/evaluators/network/head.ts";
import { createNetwork } from "../../src/evaluators/network/network.ts";
import { NetworkEvaluator } from "../../src/evaluators/network/network-evaluator.ts";
import { TERMINAL } from "../../src/games/contract/game.ts";
import { createGame } from "../../src/games/index.ts";

/** The moves of a short game, and each player's opinion of the position before each of his moves. */
export interface ShortGame {
  readonly moves: readonly string[];
  readonly values: readonly (number | undefined)[];
  readonly returns: readonly number[];
}

/** Plays connect four on a small board, alpha-beta with a heuristic against MCTS with a network; always the same game. */
export async function playShortGame(): Promise<ShortGame> {
  const game = createGame({ id: "connect-four", width: 5, height: 4 });
  const features = game.featureSets["lines"]!;
  const shape = { inputs: features.size, hidden: [12, 5], hiddenActivation: "relu", outputs: 1 } as const;
  const network = createNetwork(
    { ...shape, outputActivation: defaultActivation("value") },
    createRandom("short game", "weights"),
  );
  const evaluator = new NetworkEvaluator(game, features, { network, head: "value" });
  const seats = [
    prepareAgent(game, { agent: "alpha-beta", depth: 4, evaluator: "threats" }),
    prepareAgent(game, { agent: "mcts", simulations: 200, evaluator: "none" }, { evaluator }),
  ].map((prepared) => ({ prepared, agent: prepared.create() }));
  const random = createRandom("short game");
  const state = game.start();
  const copy = game.start();
  const moves: string[] = [];
  const values: (number | undefined)[] = [];
  while (state.toMove !== TERMINAL) {
    const { agent, prepared } = seats[state.toMove]!;
    copy.copyFrom(state);
    const { action, value } = await agent.choose(copy, { random, budget: prepared.budget, clock: () => 0 });
    moves.push(game.formatAction(action, state));
    values.push(value);
    state.apply(action);
  }
  return { moves, values, returns: [state.returns(0), state.returns(1)] };
}
