import type { State } from "../../game/game.ts";
import type { Agent, AgentParts, Decision, HelperTask, Helpers, Turn } from "../agent.ts";
import { divideBudget, taskAt, type Helper } from "../helpers/helpers.ts";
import type { MctsOptions } from "./options.ts";
import { addTallies, restoreTally, tallyRoot, type RootTally } from "./root-tally.ts";
import { Uct } from "./uct.ts";

/**
 * UCT, with helpers that grow trees of their own from the same position (root parallelization; Cazenave and Jouandeau
 * 2007, Chaslot, Winands and van den Herik 2008). The decision is by the sums over all trees.
 */
export function rootParallel({ game, options, evaluator, makeHelpers }: AgentParts<MctsOptions>): Agent {
  const { threads = 1 } = options;
  const leaves = options.evaluator === undefined ? null : evaluator;
  if (threads === 1 || makeHelpers === undefined) return new Uct(game, options, leaves);
  const search = new TalliedUct(game, options, leaves);
  const helpers = makeHelpers<RootTally>(threads - 1);
  return {
    choose(root, turn) {
      const { first, other } = divideBudget(turn.budget, threads);
      const task = taskAt(game, root, turn, other);
      return search.chooseWith(helpers, task, root, { ...turn, budget: first });
    },
    newGame: () => search.newGame(),
  };
}

/** The helper of such a search. It begins each decision with an empty tree, as it is not told what was decided. */
export function rootParallelHelper({ game, options, evaluator }: AgentParts<MctsOptions>): Helper {
  const leaves = options.evaluator === undefined ? null : evaluator;
  return new TalliedUct(game, { ...options, memory: "decision" }, leaves);
}

class TalliedUct extends Uct implements Helper {
  help(root: State, turn: Turn): RootTally {
    return tallyRoot(this.tree, this.proofs, this.search(root, turn));
  }

  async chooseWith(
    helpers: Helpers<RootTally>,
    task: HelperTask,
    root: State,
    turn: Turn,
  ): Promise<Decision> {
    const { tree, proofs } = this;
    const { result: own, reports } = await helpers.during(task, () => this.help(root, turn));
    addTallies(tree, proofs, { tallies: reports, mover: root.toMove });
    const all = reports.reduce((sum, { simulations }) => sum + simulations, own.simulations);
    const decision = this.decide(root, turn, all);
    // A tree that is kept goes on with what it has seen itself.
    restoreTally(tree, own);
    return decision;
  }
}
