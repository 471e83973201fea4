import type { Game, State } from "../games/contract/game.ts";
import type { Budget, HelperTask, Turn } from "./agent.ts";

/** A helper of an agent, in its own thread. */
export interface Helper {
  /** Searches until the turn's budget is spent. The result is copied to the agent's thread. */
  help(root: State, turn: Turn): unknown;
}

/** The number of a helper, and the memory that all threads share. */
export interface HelperPlace {
  /** 1, 2, ... */
  readonly number: number;
  readonly memory: SharedArrayBuffer | undefined;
}

/** Makes the task of the helpers from the decision at `root`; draws a seed for them. */
export function taskAt(game: Game, root: State, turn: Turn, budget: Budget): HelperTask {
  return {
    played: turn.played?.() ?? { from: game.formatState(root), actions: [] },
    hash: [root.hashLow, root.hashHigh],
    budget,
    seed: turn.random.int32(),
  };
}

/**
 * Divides a budget among threads: each has the same depth and time, and its part of the nodes and simulations. The rest
 * of a division goes to the first thread.
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
