import type { State } from "../../game/game.ts";
import type { Agent, AgentParts, Decision, Turn } from "../agent.ts";
import { divideBudget, taskAt } from "../helpers/helpers.ts";
import type { AlphaBetaOptions } from "./options.ts";
import { SharedTable } from "./shared-table.ts";
import type { TranspositionTable } from "./transposition-table.ts";

/**
 * Lazy SMP: helpers search the same position, and all that they have in common is the transposition table. The first
 * thread searches as it would alone and decides, but finds in the table what the others were earlier with. It is from
 * chess programs (Cheng, Cheng and Chen 2014).
 * @param create the search with a table, or with one of its own
 */
export function lazySmp(
  { game, options, makeHelpers }: AgentParts<AlphaBetaOptions>,
  create: (table?: TranspositionTable) => Agent,
): Agent {
  const { threads = 1 } = options;
  if (threads === 1 || makeHelpers === undefined) return create();
  const table = SharedTable.lead(options.table);
  const search = create(table);
  const helpers = makeHelpers<number>(threads - 1, table.memory);
  return {
    async choose(root: State, turn: Turn): Promise<Decision> {
      const { first, other } = divideBudget(turn.budget, threads);
      const task = taskAt(game, root, turn, other);
      const { result, reports } = await helpers.during(task, () =>
        search.choose(root, { ...turn, budget: first }),
      );
      const decision = await result;
      return { ...decision, nodes: reports.reduce((sum, nodes) => sum + nodes, decision.nodes) };
    },
    newGame: () => search.newGame?.(),
  };
}
