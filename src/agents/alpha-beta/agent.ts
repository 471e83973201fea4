import type { Random } from "../../base/random.ts";
import { type State, notDeterministicDuel } from "../../games/contract/game.ts";
import {
  type Agent,
  type AgentParts,
  type Decision,
  type Turn,
  defineAgent,
  type Helper,
  type HelperPlace,
  divideBudget,
  taskAt,
} from "../agent.ts";
import { AlphaBeta } from "./alpha-beta.ts";
import { type AlphaBetaOptions, options, problemsOf, textbook } from "./options.ts";
import { SharedTable, type TranspositionTable } from "./transposition-table.ts";

/** Alpha-beta: minimax that skips the actions that cannot change its value (Knuth and Moore 1975). */
export const alphaBeta = defineAgent({
  id: "alpha-beta",
  summary:
    "minimax that skips what cannot change its value, with a table and good ordering; two players, no chance",
  options,
  presets: { textbook },
  budgets: ["depth", "nodes", "timeMs"],
  heedsClocks: true,
  unsupported: notDeterministicDuel,
  problems: problemsOf,
  create: (parts) => lazySmp(parts, (table) => new AlphaBeta(parts, table)),
});

/**
 * Lazy SMP (Cheng, Cheng and Chen 2014): helpers search the same position and share only the transposition table. The
 * first thread decides. It searches as it would alone, but finds in the table what the helpers have stored.
 * @param create makes the search, with its own transposition table if it gets none
 */
function lazySmp(
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

/**
 * A helper of Lazy SMP. It shuffles the actions without a history, and every second helper searches one ply deeper, so
 * that the threads search different parts of the tree.
 */
export class AlphaBetaHelper extends AlphaBeta implements Helper {
  private readonly ahead: number;
  private deepest = Infinity;
  private random: Random | undefined;

  constructor(parts: AgentParts<AlphaBetaOptions>, { number, memory }: HelperPlace) {
    super(parts, SharedTable.follow(memory!));
    this.ahead = parts.options.solve ? 0 : number % 2;
  }

  /** Returns the number of positions visited. */
  help(root: State, turn: Turn): number {
    this.random = turn.random;
    this.deepest = turn.budget.depth ?? Infinity;
    return this.choose(root, turn).nodes;
  }

  protected override search(depth: number, actions: Int32Array): number {
    const further = Math.min(depth + this.ahead, this.deepest, this.levels - 1);
    return super.search(Math.max(depth, further), actions);
  }

  protected override list(at: number): number {
    const count = super.list(at);
    this.random!.shuffle(this.stack, at, count);
    return count;
  }
}
