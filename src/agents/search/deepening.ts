import { possibleActions } from "../../games/notation.ts";
import type { Game, State } from "../../games/game.ts";
import type { Decision, Turn } from "../agent.ts";
import { BUDGET_SPENT, type Meter } from "./meter.ts";
import type { Ties } from "./ties.ts";

/** Depth that a search never passes, so that its stacks have a size. */
export const DEEPEST = 128;

/** What one search to a fixed depth found for the player to move. */
export interface Iteration {
  readonly action: number;
  readonly value: number;
  readonly line: readonly number[];
  /** Whether the depth limit cut nothing off: searching deeper cannot change the value. */
  readonly complete: boolean;
}

export interface Deepening {
  readonly game: Game;
  /** The position to decide in; left as it is. */
  readonly root: State;
  /** The searcher's own state: at the root's position when `iterate` is called. */
  readonly state: State;
  readonly turn: Turn;
  readonly meter: Meter;
  /** false: one search, to the budget's depth. */
  readonly deepening: boolean;
  readonly ties: Ties;
  /** Whether a value at an end of the game's range is a proof, so that searching deeper is idle. */
  readonly proves: boolean;
  /**
   * Searches the root's actions to `depth` plies, in the order given, and takes one only when it is
   * strictly better than those before; may throw BUDGET_SPENT. It may reorder `rootActions` for the
   * next iteration.
   */
  iterate(depth: number, rootActions: Int32Array): Iteration;
}

/**
 * Iterative deepening (Slate and Atkin 1977): depth 1, 2, 3, ... until the budget is spent; decides by
 * the deepest finished iteration, or by the first legal action where none was finished. A proven loss
 * changes nothing of the plan before it, so that the loss is delayed.
 */
export function deepen(search: Deepening): Decision {
  const { game, root, state, turn, meter } = search;
  const rootActions = Int32Array.from(possibleActions(game, root));
  if (search.ties === "random") turn.random.shuffle(rootActions, 0, rootActions.length);
  // A chance event may follow the last ply: one depth more lets a search see behind it.
  const longest = game.chance ? game.maxPlies + 1 : game.maxPlies;
  const limit = Math.min(turn.budget.depth ?? DEEPEST, longest, DEEPEST);
  const onlyOnce = !search.deepening && turn.budget.depth !== undefined;
  let decision: Decision = { action: rootActions[0], nodes: 0, line: [rootActions[0]] };
  meter.start(turn);
  try {
    for (let depth = onlyOnce ? limit : 1; depth <= limit; depth++) {
      state.copyFrom(root);
      const found = search.iterate(depth, rootActions);
      const won = search.proves && found.value >= game.maxReturn;
      const lost = search.proves && found.value <= game.minReturn;
      const plan = lost && decision.depth !== undefined ? decision : found;
      decision = { action: plan.action, value: found.value, depth, nodes: 0, line: plan.line };
      turn.onIteration?.({ ...decision, nodes: meter.nodes });
      if (found.complete || won || lost) break;
    }
  } catch (error) {
    if (error !== BUDGET_SPENT) throw error;
  }
  return { ...decision, nodes: meter.nodes };
}
