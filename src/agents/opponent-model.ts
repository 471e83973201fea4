import { createRandom } from "../base/random.ts";
import type { Game, State } from "../games/contract/game.ts";
import type { Agent, AgentParts, Budget, Decision } from "./agent.ts";

/** Predicts how likely the other players are to play each action, by asking an agent. */
export class OpponentModel {
  private readonly agent: Agent;
  private readonly budget: Budget;
  /** A copy of the state for an agent that searches. */
  private readonly view: State;

  constructor(game: Game, opponent: NonNullable<AgentParts<unknown>["opponent"]>) {
    this.agent = opponent.create();
    this.budget = opponent.budget;
    this.view = game.start();
  }

  /**
   * Writes the probabilities of the `count` actions at actions[at...], and returns how many positions it visited. If
   * the agent cannot tell probabilities, its decision is certain; the random numbers that the agent gets descend from
   * the position.
   * @param codes the codes of the player to move; only in games of hidden information
   */
  weigh(
    state: State,
    actions: Int32Array,
    probabilities: Float64Array,
    at: number,
    count: number,
    codes?: Int32Array,
  ): number {
    const { agent, budget, view } = this;
    if (agent.weigh !== undefined) return agent.weigh(state, actions, probabilities, at, count, codes);
    view.copyFrom(state);
    const random = createRandom("opponent", state.hashLow, state.hashHigh);
    const { action, nodes } = agent.choose(view, { random, budget, clock: () => 0 }) as Decision;
    for (let index = at; index < at + count; index++)
      probabilities[index] = actions[index] === action ? 1 : 0;
    return nodes;
  }
}
