import type { Random } from "../../base/random.ts";
import { TERMINAL, type Evaluator, type Game, type State } from "../../games/game.ts";

/** How self-play strays from the best action; set anew for each game. */
export interface Exploration {
  /** Probability of a random action. */
  epsilon: number;
  /** Softmax: each action with probability proportional to exp(value / temperature); 0 for the best one. */
  temperature: number;
}

/**
 * One ply on an evaluator: the action whose next position it likes best for whoever plays it (a position
 * before a chance event is valued as it stands), any of several equal ones - or now and then another one.
 */
export class OnePly {
  /** Whether the evaluator holds its reading of the position that the last action leads to. */
  holds = false;
  /** Whether the last action was a random one, which says little about the worth of the position before. */
  explored = false;
  readonly exploration: Exploration = { epsilon: 0, temperature: 0 };
  private readonly evaluator: Evaluator & { hold?(): void };
  private readonly canHold: boolean;
  private readonly random: Random;
  private readonly actions: Int32Array;
  private readonly values: Float64Array;

  constructor(game: Game, evaluator: Evaluator & { hold?(): void }, random: Random) {
    this.evaluator = evaluator;
    this.canHold = evaluator.hold !== undefined;
    this.random = random;
    this.actions = new Int32Array(game.maxActions);
    this.values = new Float64Array(game.maxActions);
  }

  /** Chooses for the player to move; leaves `state` as it was. */
  choose(state: State): number {
    const { actions, random, exploration } = this;
    const count = state.legalActions(actions, 0);
    this.explored = false;
    this.holds = false;
    if (count === 1) return actions[0];
    if (exploration.epsilon > 0 && random.float() < exploration.epsilon) {
      this.explored = true;
      return actions[random.below(count)];
    }
    return exploration.temperature > 0 ? this.draw(state, count) : this.best(state, count);
  }

  private best(state: State, count: number): number {
    const { actions, random, evaluator, canHold } = this;
    const me = state.toMove;
    let action = actions[0];
    let best = -Infinity;
    let equal = 1;
    for (let at = 0; at < count; at++) {
      state.apply(actions[at]);
      const over = state.toMove === TERMINAL;
      const worth = over ? state.returns(me) : evaluator.evaluate(state, me);
      state.undo();
      if (worth > best) equal = 1;
      else if (worth < best || random.below(++equal) !== 0) continue;
      best = worth;
      action = actions[at];
      this.holds = canHold && !over;
      if (this.holds) evaluator.hold!();
    }
    return action;
  }

  /** An action by softmax; it counts as explored unless no other is better. */
  private draw(state: State, count: number): number {
    const { actions, values, random, evaluator, exploration } = this;
    const me = state.toMove;
    let best = -Infinity;
    for (let at = 0; at < count; at++) {
      state.apply(actions[at]);
      values[at] = state.toMove === TERMINAL ? state.returns(me) : evaluator.evaluate(state, me);
      state.undo();
      if (values[at] > best) best = values[at];
    }
    let sum = 0;
    for (let at = 0; at < count; at++) sum += Math.exp((values[at] - best) / exploration.temperature);
    let left = random.float() * sum;
    let chosen = count - 1;
    for (let at = 0; at < count; at++) {
      left -= Math.exp((values[at] - best) / exploration.temperature);
      if (left < 0) {
        chosen = at;
        break;
      }
    }
    this.explored = values[chosen] < best;
    return actions[chosen];
  }
}
