import { z } from "zod";
import { Random } from "../../base/random.ts";
import { unknownName } from "../../base/text.ts";
import { CHANCE, notHidden, type State, TERMINAL } from "../../games/contract/game.ts";
import type { Policy } from "../../games/contract/facets.ts";
import { ObservedGame } from "../../games/contract/privacy.ts";
import { type Agent, type AgentParts, type Decision, defineAgent, type Turn } from "../agent.ts";
import { OpponentModel, WeighedWorlds, worldsOptions } from "../worlds.ts";

const options = z.strictObject({
  ...worldsOptions,
  policy: z
    .string()
    .optional()
    .describe(
      "the policy of the game by which all play on after the answer, such as `call`; absent: any legal action",
    ),
});

type Parts = AgentParts<z.output<typeof options>>;

/**
 * Local best response (Lisý and Bowling 2017): it knows the strategy of the others, and so how likely each world is. Of each of
 * its actions it finds the worth: the others answer by their strategy until it is to move again, and then all play on by a
 * simple policy. What it wins on average is a lower bound of what a best response wins.
 */
export const localBestResponse = defineAgent({
  id: "local-best-response",
  summary: "knows the strategy of the others, and looks one answer ahead: a lower bound of exploitability",
  options,
  budgets: [],
  unsupported: notHidden,
  problems(game, { opponent, policy }) {
    const allowed = Object.keys(game.policies);
    return [
      ...(opponent === undefined
        ? [{ path: "opponent", message: "missing; such as { agent: strategy, strategy: FILE }" }]
        : []),
      ...(policy !== undefined && !allowed.includes(policy)
        ? [{ path: "policy", message: unknownName("policy", policy, allowed) }]
        : []),
    ];
  },
  create: (parts: Parts): Agent => new LocalBestResponse(parts),
});

class LocalBestResponse implements Agent {
  private readonly worlds: WeighedWorlds;
  private readonly model: OpponentModel;
  private readonly policy: Policy | undefined;
  private readonly observed: ObservedGame;
  private readonly playout: State;
  private readonly outcomes: Int32Array;
  private readonly odds: Float64Array;
  private readonly maxActions: number;
  /** Draws chance and the play after the answer: the same for each action in a world, as far as it can be. */
  private readonly random = new Random(0, 0, 0);

  constructor({ game, options: { candidates, policy }, opponent }: Parts) {
    this.worlds = new WeighedWorlds(game, opponent!, candidates);
    this.model = new OpponentModel(game, opponent!);
    this.policy = policy === undefined ? undefined : game.policies[policy]!.create();
    this.observed = new ObservedGame(game);
    this.playout = game.start();
    this.maxActions = game.maxActions;
    this.outcomes = new Int32Array(game.maxActions);
    this.odds = new Float64Array(game.maxActions);
  }

  choose(state: State, { knowledge, random }: Turn): Decision {
    if (knowledge === undefined) throw new Error("local-best-response was not told what the player knows");
    const { worlds, observed } = this;
    const player = state.toMove;
    const actions = this.legal(state);
    const values = new Float64Array(actions.length);
    worlds.weigh(knowledge.worlds, player, random);
    const [one, two] = [random.int32(), random.int32()];
    let number = 0;
    for (const { events, weight } of worlds.weighed()) {
      number++;
      observed.replay(events);
      for (const [at, action] of actions.entries()) {
        this.random.reseed(one, two, number);
        observed.apply(action);
        values[at]! += weight * this.answered(player);
        observed.undo();
      }
    }
    let best = 0;
    for (let at = 1; at < values.length; at++) if (values[at]! > values[best]!) best = at;
    const action = actions[best]!;
    return { action, value: values[best]!, nodes: number * actions.length, line: [action] };
  }

  /** The player's return if the others answer by their strategy until it is to move again, or chance is. */
  private answered(player: number): number {
    const { observed } = this;
    const { state, codes, counts } = observed;
    const mover = state.toMove;
    if (mover === player || mover === CHANCE || mover === TERMINAL) return this.playOn(state, player);
    const actions = this.legal(state);
    const odds = new Float64Array(actions.length);
    this.model.weigh(state, actions, odds, 0, odds.length, codes[mover]!.subarray(0, counts[mover]));
    let sum = 0;
    for (const [at, action] of actions.entries()) {
      if (odds[at] === 0) continue;
      observed.apply(action);
      sum += odds[at]! * this.answered(player);
      observed.undo();
    }
    return sum;
  }

  /** The player's return at the end of one game that goes on by the policy. */
  private playOn(from: State, player: number): number {
    const { playout: state, policy, random, outcomes, odds } = this;
    state.copyFrom(from);
    while (state.toMove !== TERMINAL) {
      if (state.toMove === CHANCE)
        state.apply(outcomes[random.weighted(odds, 0, state.chanceOutcomes!(outcomes, odds, 0))]!);
      else
        state.apply(
          policy?.choose(state, random) ?? outcomes[random.below(state.legalActions(outcomes, 0))]!,
        );
    }
    return state.returns(player);
  }

  private legal(state: State): Int32Array {
    const actions = new Int32Array(this.maxActions);
    return actions.subarray(0, state.legalActions(actions, 0));
  }
}
