import type { z } from "zod";
import type { Game, State } from "../../game/game.ts";
import { possibleActions } from "../../game/notation.ts";
import type { Decision, RankedAction, ties, Turn } from "../agent.ts";

/** The greatest depth in plies that a search goes to, so that its stacks have a size. */
export const DEEPEST = 128;

/** Thrown by `Meter.count` when the budget is spent; caught by `deepen`. */
const BUDGET_SPENT = Symbol("budget spent");

/** How many nodes pass between two looks at the clock. */
const NODES_PER_CLOCK_CHECK = 1024;

/** Counts the nodes of one decision, and stops the search when the budget of nodes or time is spent. */
export class Meter {
  nodes = 0;
  private nextCheck = Infinity;
  private maxNodes = Infinity;
  private deadline = Infinity;
  private clock: () => number = () => 0;

  /** Begins a decision. */
  start(turn: Turn): void {
    this.nodes = 0;
    this.maxNodes = turn.budget.nodes ?? Infinity;
    this.clock = turn.clock;
    this.deadline = turn.budget.timeMs === undefined ? Infinity : turn.clock() + turn.budget.timeMs;
    this.schedule();
  }

  /** Counts one node; throws BUDGET_SPENT if the budget does not allow it. */
  count(): void {
    if (++this.nodes > this.nextCheck) this.check();
  }

  /** Counts nodes that were visited without asking, as many of them as the budget allows: the next `count` ends it. */
  add(nodes: number): void {
    this.nodes = Math.min(this.nodes + nodes, this.maxNodes);
  }

  private check(): void {
    if (this.nodes > this.maxNodes || this.clock() >= this.deadline) {
      this.nodes--;
      throw BUDGET_SPENT;
    }
    this.schedule();
  }

  private schedule(): void {
    this.nextCheck =
      this.deadline === Infinity
        ? this.maxNodes
        : Math.min(this.maxNodes, this.nodes + NODES_PER_CLOCK_CHECK);
  }
}

/** What one search to a fixed depth found for the player to move. */
export interface Iteration {
  readonly action: number;
  readonly value: number;
  readonly line: readonly number[];
  /** Whether the depth limit cut nothing off: searching deeper cannot change the value. */
  readonly complete: boolean;
  /** See Decision. */
  readonly pliesToEnd?: number | undefined;
}

/** What `deepen` needs to know. */
interface Deepening {
  readonly game: Game;
  /** The position to decide in; left as it is. */
  readonly root: State;
  /** The search's own state; it is at the root when `iterate` is called. */
  readonly state: State;
  readonly turn: Turn;
  readonly meter: Meter;
  /** false: a single search to the budget's depth, if it has one. */
  readonly deepening: boolean;
  readonly ties: z.output<typeof ties>;
  /**
   * Whether a value at an end of the game's range is proven, so that nothing is gained by searching deeper. Evaluators
   * never reach these ends; a mean over chance events or an assumption about the other players must not either.
   */
  readonly proves: boolean;
  /**
   * Searches the root's actions to `depth` plies, in the order given, and prefers one only when it is strictly better
   * than those before it. The meter may end it by throwing. It may reorder `rootActions` for the next iteration.
   */
  iterate(depth: number, rootActions: Int32Array): Iteration;
}

/**
 * Iterative deepening (Slate and Atkin 1977): searches to depth 1, 2, 3, ... until the budget is spent. The last
 * finished iteration decides; if there is none, the first of the root's actions is taken. The root's actions are
 * shuffled at first if ties are to be broken at random, since an iteration takes the first of the best. When an
 * iteration proves a loss and not how soon, the action of the iteration before is kept: it delays the loss longest, as
 * far as is known.
 */
export function deepen(search: Deepening): Decision {
  const { game, root, state, turn, meter } = search;
  const rootActions = Int32Array.from(possibleActions(game, root));
  if (search.ties === "random") turn.random.shuffle(rootActions, 0, rootActions.length);
  // A chance event may follow the last ply: with one more ply of depth, a search sees what comes after it.
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
      const isSoonUnknown = lost && found.pliesToEnd === undefined;
      const plan = isSoonUnknown && decision.depth !== undefined ? decision : found;
      const { value, pliesToEnd } = found;
      const best = { action: plan.action, value, line: plan.line };
      const { ranking, complete } = rank(search, depth, { best, rootActions });
      decision = {
        ...best,
        ...(pliesToEnd !== undefined && { pliesToEnd }),
        depth,
        nodes: 0,
        ...(ranking.length > 0 && { ranking }),
      };
      turn.onIteration?.({ ...decision, nodes: meter.nodes });
      // A table may know of a longer way to the end before the shortest one is seen.
      const isSettled = (won || lost) && (pliesToEnd ?? 0) <= depth;
      if ((found.complete && complete) || isSettled) break;
    }
  } catch (error) {
    if (error !== BUDGET_SPENT) throw error;
  }
  return { ...decision, nodes: meter.nodes };
}

/**
 * The best root actions to `depth` plies, as many as the turn asks for, and whether the depth cut nothing off. The best
 * of all is known; each next one is the best of those that are left, so all values are exact.
 */
function rank(
  search: Deepening,
  depth: number,
  { best, rootActions }: { best: RankedAction; rootActions: Int32Array },
): { ranking: readonly RankedAction[]; complete: boolean } {
  const { ranked = 0 } = search.turn;
  if (ranked === 0) return { ranking: [], complete: true };
  const ranking = [best];
  let complete = true;
  let left = rootActions.filter((action) => action !== best.action);
  while (ranking.length < ranked && left.length > 0) {
    const { action, value, line, complete: cutNothing } = search.iterate(depth, left);
    ranking.push({ action, value, line });
    left = left.filter((other) => other !== action);
    complete &&= cutNothing;
  }
  return { ranking, complete };
}
