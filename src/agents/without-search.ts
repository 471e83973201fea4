import { z } from "zod";
import { unknownName } from "../base/text.ts";
import { hidden, type State } from "../games/contract/game.ts";
import { defineAgent } from "./agent.ts";

/** Plays any legal action, each as likely as the others. */
export const random = defineAgent({
  id: "random",
  summary: "any legal action",
  options: z.strictObject({}),
  budgets: [],
  unsupported: () => undefined,
  create({ game }) {
    const actions = new Int32Array(game.maxActions);
    return {
      choose(state, { random }) {
        const action = actions[random.below(state.legalActions(actions, 0))];
        return { action, nodes: 0, line: [action] };
      },
      weigh(_state, _actions, probabilities, at, count) {
        probabilities.fill(1 / count, at, at + count);
        return 0;
      },
    };
  },
});

/** Plays a policy of the game, such as perfect play where a game is solved. */
export const policy = defineAgent({
  id: "policy",
  summary: "a policy of the game: theory, an exact solution or a published program",
  options: z.strictObject({
    policy: z.string().optional().describe("the policy of the game; `agon games ID` lists them"),
  }),
  budgets: [],
  unsupported: (game) => (Object.keys(game.policies).length === 0 ? "no policies" : hidden(game)),
  problems(game, { policy: name }) {
    const allowed = Object.keys(game.policies);
    if (name !== undefined && allowed.includes(name)) return [];
    const message =
      name === undefined ? `missing; allowed: ${allowed.join(", ")}` : unknownName("policy", name, allowed);
    return [{ path: "policy", message }];
  },
  create({ game, options }) {
    const chosen = game.policies[options.policy!]!.create();
    return {
      choose(state, { random }) {
        const action = chosen.choose(state, random);
        return { action, nodes: 0, line: [action] };
      },
    };
  },
});

/** Names of files of strategies. */
export const STRATEGY_NAME = /\.json\.gz$/;

/** Plays a strategy that was calculated for the whole game, such as one of `agon solve`. */
export const strategy = defineAgent({
  id: "strategy",
  summary: "a strategy that agon solve has calculated for the whole game",
  options: z.strictObject({
    strategy: z
      .string()
      .regex(STRATEGY_NAME, "must be a strategy, which ends in .json.gz")
      .optional()
      .describe("file made by `agon solve`"),
  }),
  budgets: [],
  unsupported: (game) => (game.hiddenInformation ? undefined : "no hidden information"),
  problems: (_, { strategy: path }) =>
    path === undefined ? [{ path: "strategy", message: "missing; must be a file made by agon solve" }] : [],
  create({ game, strategy }) {
    const legal = new Int32Array(game.maxActions);
    /** The actions of the player to move, ascending, and their probabilities: all alike in a merged state that is new. */
    const find = (state: State, codes: Int32Array) => {
      const { toMove } = state;
      const key = strategy!.merging?.keyOf(state) ?? codes.join(" ");
      const found = strategy!.at(toMove, key);
      if (found !== undefined) return found;
      if (strategy!.merging === undefined)
        throw new RangeError(`the strategy has no information set of player ${toMove + 1} for ${key}`);
      const count = state.legalActions(legal, 0);
      return { actions: legal.subarray(0, count), probabilities: new Float64Array(count).fill(1 / count) };
    };
    return {
      choose(state, { random, knowledge }) {
        const { actions, probabilities } = find(state, knowledge!.codes);
        let left = random.float();
        let at = 0;
        // The last action takes what rounding leaves.
        while (at < actions.length - 1 && (left -= probabilities[at]!) >= 0) at++;
        return { action: actions[at]!, nodes: 0, line: [actions[at]!] };
      },
      weigh(state, asked, odds, from, count, codes) {
        const { actions, probabilities } = find(state, codes!);
        for (let at = from; at < from + count; at++) odds[at] = probabilities[actions.indexOf(asked[at])]!;
        return 0;
      },
    };
  },
});
