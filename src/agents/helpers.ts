import type { Game, State } from "../game/game.ts";
import type { Budget, HelperTask, Turn } from "./agent.ts";

/** What the thread of a helper runs. */
export interface Helper {
  /** Searches until the turn's budget is spent; what it returns is copied to the agent's own thread. */
  help(root: State, turn: Turn): unknown;
}

/** Which of the helpers one is, and what they share. */
export interface HelperPlace {
  /** From 1 on. */
  readonly number: number;
  readonly memory: SharedArrayBuffer | undefined;
}

/** What the helpers are told of the decision at `root`; draws a seed for them. */
export function taskAt(game: Game, root: State, turn: Turn, budget: Budget): HelperTask {
  return {
    played: turn.played?.() ?? { from: game.formatState(root), actions: [] },
    hash: [root.hashLow, root.hashHigh],
    budget,
    seed: turn.random.int32(),
  };
}

/**
 * The limits of each of several threads that keep a budget together: depth and time are the same for all, nodes and
 * simulations are divided. What is left over is the first thread's.
 */
export function divideBudget(budget: Budget, threads: number): { first: Budget; other: Budget } {
  const { nodes, simulations } = budget;
  const each = (limit: number) => Math.floor(limit / threads);
  const rest = (limit: number) => limit - (threads - 1) * each(limit);
  const divided = (part: (limit: number) => number): Budget => ({
    ...budget,
    ...(nodes !== undefined && { nodes: part(nodes) }),
    ...(simulations !== undefined && { simulations: part(simulations) }),
  });
  return { first: divided(rest), other: divided(each) };
}
