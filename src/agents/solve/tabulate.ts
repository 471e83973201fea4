import type { Agent } from "../agent.ts";
import type { Game } from "../../games/contract/game.ts";
import { ObservedGame } from "../../games/contract/privacy.ts";
import { CHANCE } from "../../games/contract/rules.ts";
import { uniformPolicy, type GameTree } from "./game-tree.ts";

/**
 * The policy of an agent: the probability of every edge, by slot. The agent is asked at the first node of each information
 * set.
 * @param weigh tells the agent's probabilities from what the player to move knows
 */
export function tabulate(
  game: Game,
  tree: GameTree,
  weigh: (...of: Parameters<NonNullable<Agent["weigh"]>>) => void,
): Float64Array {
  const { sets, set, parent, slot, end, toMove, actionSlots } = tree;
  const policy = uniformPolicy(tree);
  const observed = new ObservedGame(game);
  const { state } = observed;
  const outcomes = new Int32Array(game.maxActions);
  const ignored = new Float64Array(game.maxActions);
  const asked = new Uint8Array(sets.length);
  for (let node = 0; node < set.length; node++) {
    const own = set[node]!;
    if (own < 0 || asked[own] === 1) continue;
    asked[own] = 1;
    const path: number[] = [];
    for (let at = node; at > 0; at = parent[at]!) path.push(at);
    observed.restart();
    for (const to of path.reverse()) {
      const from = parent[to]!;
      if (toMove[from] === CHANCE) {
        state.chanceOutcomes(outcomes, ignored, 0);
        let outcome = 0;
        for (let child = from + 1; child < to; child = end[child]!) outcome++;
        observed.apply(outcomes[outcome]!);
      } else {
        const { from: first, actions } = sets[set[from]!]!;
        observed.apply(actions[slot[to]! - first]!);
      }
    }
    const { player, actions, from } = sets[own]!;
    const codes = observed.codes[player]!.slice(0, observed.counts[player]);
    weigh(state, Int32Array.from(actions), policy.subarray(from, actionSlots), 0, actions.length, codes);
  }
  return policy;
}
