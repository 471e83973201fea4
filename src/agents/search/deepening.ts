import type { z } from "zod";
import type { Game, State } from "../../games/contract/game.ts";
import { possibleActions } from "../../games/contract/notation.ts";
import type { Decision, RankedAction, ties, Turn } from "../agent.ts";
import { shareOfTurn, Pace, BUDGET_SPENT, type Meter } from "./meter.ts";

/** The greatest depth of a search in plies, which gives its stacks a size. */
export const DEEPEST = 128;

/** An action that a search has found, for the player to move. */
export interface Found {
  readonly action: number;
  readonly value: number;
  readonly line: readonly number[];
  readonly pliesToEnd?: number | undefined;
}

/** The result of one search to a fixed depth. */
export interface Iteration extends Found {
  /** True if the depth limit cut nothing off: a deeper search finds the same value. */
  readonly complete: boolean;
}

interface Deepening {
  readonly game: Game;
  /** The position to decide in; it is not changed. */
  readonly root: State;
  /** The search's own state; it is at the root when `iterate` is called. */
  readonly state: State;
  readonly turn: Turn;
  readonly meter: Meter;
  /** False for a single search to the budget's depth, if it has one. */
  readonly deepening: boolean;
  readonly ties: z.output<typeof ties>;
  /**
   * True if a value at an end of the game's range is proven: a deeper search gains nothing. Evaluators never reach
   * these ends; nor may a mean over chance events, or an assumption about the other players.
   */
  readonly proves: boolean;
  /**
   * Searches the root's actions to `depth` plies, in the order given; prefers one only if it is strictly better than
   * those before it. The meter may end it by throwing. It may reorder `rootActions` for the next iteration.
   */
  iterate(depth: number, rootActions: Int32Array): Iteration;
  /**
   * Returns the best action that the last call of `iterate` has found, after the meter ended it; undefined if none was better
   * than the first one yet, or the search cannot tell.
   */
  unfinished(): Found | undefined;
}

/**
 * Iterative deepening (Slate and Atkin 1977): searches to depth 1, 2, 3, ... until the budget is spent. The last
 * finished iteration decides, unless the one after it has found a better action than that decision already. Without
 * any, the first of the root's actions is taken. To break ties at random, the root's
 * actions are shuffled first, since an iteration takes the first of the best. If an iteration proves a loss and not how
 * soon, the decision of the iteration before is kept: it delays the loss longest, as far as is known. In a turn with
 * clocks the budget is a share of the time left, and the only legal action is taken at once.
 */
export function deepen(search: Deepening): Decision {
  const { game, root, state, turn, meter } = search;
  const rootActions = Int32Array.from(possibleActions(game, root));
  if (search.ties === "random") turn.random.shuffle(rootActions, 0, rootActions.length);
  // A chance event may follow the last ply. One more ply of depth shows what comes after it.
  const longest = game.chance ? game.maxPlies + 1 : game.maxPlies;
  const limit = Math.min(turn.budget.depth ?? DEEPEST, longest, DEEPEST);
  const onlyOnce = !search.deepening && turn.budget.depth !== undefined;
  let decision: Decision = { action: rootActions[0], nodes: 0, line: [rootActions[0]] };
  const share = shareOfTurn(game, root, turn);
  const pace = share && new Pace(share, turn.clock, game.maxReturn - game.minReturn);
  const isForced = share !== undefined && share.use !== "limit" && rootActions.length === 1;
  meter.start(turn, share?.mostMs);
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
      // A transposition table may know a longer way to the end before the shortest one is seen.
      const isSettled = (won || lost) && (pliesToEnd ?? 0) <= depth;
      if ((found.complete && complete) || isSettled || isForced) break;
      if (pace?.goesOn(best) === false) break;
    }
  } catch (error) {
    if (error !== BUDGET_SPENT) throw error;
    const { depth } = decision;
    // A ranking belongs to a finished iteration.
    const found = (turn.ranked ?? 0) > 0 ? undefined : search.unfinished();
    if (depth !== undefined && found !== undefined) {
      const { pliesToEnd, ...best } = found;
      decision = { ...best, ...(pliesToEnd !== undefined && { pliesToEnd }), depth, nodes: 0 };
    }
  }
  return { ...decision, nodes: meter.nodes };
}

/**
 * Ranks as many of the best root actions as the turn asks for, to `depth` plies; `complete` is true if the depth cut
 * nothing off. Each next action is the best of those that are left, so all values are exact.
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
