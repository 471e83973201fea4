import { z } from "zod";
import { TERMINAL, type Evaluator, type State, hidden } from "../games/contract/game.ts";
import {
  defineAgent,
  ties,
  type Agent,
  type AgentParts,
  type Decision,
  type RankedAction,
  type Turn,
} from "./agent.ts";

const schema = z.strictObject({
  evaluator: z.string().describe("a heuristic of the game, a weights file, or a file of your own"),
  ties: ties.default("random"),
  epsilon: z.number().min(0).max(1).default(0).describe("probability of a random legal action instead"),
  temperature: z
    .number()
    .min(0)
    .default(0)
    .describe(
      "softmax: an action whose value is lower by this, in units of the returns, is e times rarer; 0: the best",
    ),
});

type GreedyOptions = z.output<typeof schema>;

/** Takes the action after which the evaluator values the position highest for the player who takes it. */
export const greedy = defineAgent({
  id: "greedy",
  summary: "the action after which an evaluator values the position highest",
  options: schema,
  budgets: [],
  unsupported: hidden,
  create: (parts) => new Greedy(parts),
});

class Greedy implements Agent {
  private readonly evaluator: Evaluator;
  private readonly options: GreedyOptions;
  private readonly actions: Int32Array;
  private readonly worths: Float64Array;
  private readonly odds: Float64Array;

  constructor({ game, options, evaluator }: AgentParts<GreedyOptions>) {
    this.evaluator = evaluator;
    this.options = options;
    this.actions = new Int32Array(game.maxActions);
    this.worths = new Float64Array(game.maxActions);
    this.odds = new Float64Array(game.maxActions);
  }

  choose(state: State, turn: Turn): Decision {
    const { options, worths } = this;
    const actions = this.actions.subarray(0, state.legalActions(this.actions, 0));
    if (options.epsilon > 0 && turn.random.float() < options.epsilon) {
      const action = actions[turn.random.below(actions.length)];
      return { action, nodes: 0, line: [action] };
    }
    if (options.ties === "random") turn.random.shuffle(actions, 0, actions.length);
    this.evaluate(state, actions, 0, actions.length);
    let best = 0;
    for (let at = 1; at < actions.length; at++) if (worths[at] > worths[best]) best = at;
    if (options.temperature > 0) {
      this.soften(this.odds, 0, actions.length);
      best = turn.random.weighted(this.odds, 0, actions.length);
    }
    const action = actions[best];
    const decision = { action, value: worths[best], depth: 1, nodes: actions.length, line: [action] };
    if (turn.ranked === undefined) return decision;
    const ranking = Array.from(actions, (one, at): RankedAction => ({
      action: one,
      value: worths[at],
      line: [one],
    }));
    ranking.sort((one, other) => other.value - one.value);
    return { ...decision, ranking: ranking.slice(0, turn.ranked) };
  }

  weigh(state: State, actions: Int32Array, probabilities: Float64Array, at: number, count: number): number {
    const { epsilon, temperature, ties } = this.options;
    const { worths } = this;
    this.evaluate(state, actions, at, count);
    if (temperature > 0) this.soften(probabilities, at, count);
    else {
      let most = -Infinity;
      let equals = 0;
      for (let index = 0; index < count; index++) {
        if (worths[index] > most) {
          most = worths[index];
          equals = 1;
        } else if (worths[index] === most && ties === "random") equals++;
      }
      let left = equals;
      for (let index = 0; index < count; index++)
        probabilities[at + index] = worths[index] === most && left-- > 0 ? 1 / equals : 0;
    }
    if (epsilon > 0) {
      for (let index = at; index < at + count; index++)
        probabilities[index] = epsilon / count + (1 - epsilon) * probabilities[index];
    }
    return count;
  }

  /** Writes the worth of each action at actions[at...], for the player to move, into `worths`. */
  private evaluate(state: State, actions: Int32Array, at: number, count: number): void {
    const me = state.toMove;
    for (let index = 0; index < count; index++) {
      state.apply(actions[at + index]);
      this.worths[index] = state.toMove === TERMINAL ? state.returns(me) : this.evaluator.evaluate(state, me);
      state.undo();
    }
  }

  /** Writes the softmax of the worths. */
  private soften(probabilities: Float64Array, at: number, count: number): void {
    const { worths } = this;
    let most = -Infinity;
    for (let index = 0; index < count; index++) most = Math.max(most, worths[index]);
    let sum = 0;
    for (let index = 0; index < count; index++) {
      const weight = Math.exp((worths[index] - most) / this.options.temperature);
      probabilities[at + index] = weight;
      sum += weight;
    }
    for (let index = at; index < at + count; index++) probabilities[index] /= sum;
  }
}
