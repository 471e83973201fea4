import { createRandom } from "../../base/random.ts";
import type { Game, State } from "../../game/game.ts";
import type { Agent, AgentParts, Budget, Decision } from "../agent.ts";

/** How likely the other players are taken to play each of their actions: as an agent would. */
export class OpponentModel {
  private readonly agent: Agent;
  private readonly budget: Budget;
  /** What an agent that searches is given. */
  private readonly view: State;

  constructor(game: Game, opponent: NonNullable<AgentParts<unknown>["opponent"]>) {
    this.agent = opponent.create();
    this.budget = opponent.budget;
    this.view = game.start();
  }

  /**
   * Writes the probabilities of the `count` actions at actions[at...], and returns how many positions were looked at
   * for that. An agent that cannot tell is asked for its decision, which is then certain; the random numbers that it
   * gets descend from the position.
   */
  weigh(state: State, actions: Int32Array, probabilities: Float64Array, at: number, count: number): number {
    const { agent, budget, view } = this;
    if (agent.weigh !== undefined) return agent.weigh(state, actions, probabilities, at, count);
    view.copyFrom(state);
    const random = createRandom("opponent", state.hashLow, state.hashHigh);
    const { action, nodes } = agent.choose(view, { random, budget, clock: () => 0 }) as Decision;
    for (let index = at; index < at + count; index++)
      probabilities[index] = actions[index] === action ? 1 : 0;
    return nodes;
  }
}
