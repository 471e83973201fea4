/*
 * What a search visited, as plain data: it can be written as JSON, drawn, and told step by step.
 */

/** A value for one player, or the values of all players. */
export type Value = number | readonly number[];

/**
 * How the value of a node comes from those below it: the highest, the lowest, their mean, or the tuple that is best for
 * the player to move. `simulated`: the mean of simulations.
 */
export type Role = "max" | "min" | "mean" | "player" | "simulated";

/** Why a search went no further below a node. */
export type LeafReason =
  /** The game is over. */
  | "terminal"
  /** The depth ends here, and the evaluator was asked. */
  | "evaluated"
  /** The transposition table knew the value, or a bound that was enough. */
  | "table"
  /** One ply of best-reply search that looks for a usual move: the value is for the player who makes the move. */
  | "usual"
  /** Star2's look at one action after a chance outcome: the value bounds that of the outcome; null if it was no use. */
  | "look"
  /** Max-n: left out, since a player above has better. What was found so far is no part of the parent's value. */
  | "refuted"
  /** A leaf of the tree of MCTS. */
  | "unexpanded";

/** The bound that ended the search of a node before all its actions were visited. */
export interface Cut {
  readonly bound: "alpha" | "beta";
  /** What the bound was. */
  readonly limit: number;
  /** The value that reached it. */
  readonly value: number;
}

/** Actions of a node that were never visited. */
export interface Unseen {
  readonly count: number;
  /** The first of them, in the game's notation. */
  readonly names: readonly string[];
  /**
   * Cut off by a bound; not looked at because one move of the player counts as usual; because the budget was spent; or
   * because no simulation came by.
   */
  readonly reason: "cut" | "usual" | "budget" | "chance";
}

/** A position that a search visited. */
export interface SearchNode {
  /** The action or chance outcome that leads here, in the game's notation; empty at the root. */
  readonly name: string;
  /** Its number in the game; 0 at the root. */
  readonly action: number;
  /** When the search came here: 1 for the root, then 2, 3, ... within an iteration. For MCTS: 0. */
  readonly order: number;
  /** Who is to move: a player, CHANCE or TERMINAL. */
  readonly toMove: number;
  readonly role: Role;
  /** Plies that were left; null for MCTS. */
  readonly depth: number | null;
  /**
   * What the search returned for the node, in the game's units: for the player who decides at the root, or for all
   * players; for MCTS the mean for the player who chose the action. With a window it may be a bound. Null where the
   * search was stopped before, and after chance in MCTS.
   */
  readonly value: Value | null;
  /** Alpha and beta when the search came here, for the player who decides at the root; null where there is no bound. */
  readonly window?: readonly [alpha: number | null, beta: number | null];
  readonly leaf?: LeafReason;
  /** With what probability chance, or a player who moves at random, goes here. */
  readonly probability?: number;
  /** Simulations through the node. */
  readonly visits?: number;
  /** For MCTS: what is proven for the player who chose the action. The value is that then. */
  readonly proof?: "win" | "loss";
  /** The upper confidence bound by which MCTS would select here, in the game's units. */
  readonly bound?: number;
  readonly cut?: Cut;
  readonly unseen?: Unseen;
  /** How many visited nodes below are not in this record. */
  readonly hidden: number;
  /** In the order of the search. */
  readonly children: readonly SearchNode[];
}

/** One simulation of MCTS. */
export interface SearchPath {
  /** The actions and chance outcomes from the root to the leaf of the tree. */
  readonly actions: readonly number[];
  /** What the playout or the evaluator gave, by player, in the game's units. */
  readonly returns: readonly number[];
}

/** One search to a fixed depth; for MCTS the tree after a number of simulations. */
export interface SearchIteration {
  /** In plies; null for MCTS. */
  readonly depth: number | null;
  /** Simulations so far; null for other searches. */
  readonly simulations: number | null;
  /** Whether it came to its end before the budget was spent. */
  readonly isFinished: boolean;
  /** Visited nodes; those of all iterations of a search together are the decision's. For MCTS: nodes of the tree. */
  readonly nodes: number;
  readonly root: SearchNode;
  /** For MCTS: how the first simulations went, up to 200. */
  readonly paths?: readonly SearchPath[];
}

/** One search: what was asked, what was decided, and what was visited. */
export interface SearchTree {
  readonly game: string;
  /** The position at the root, in the game's notation. */
  readonly state: string;
  /** The agent's id. */
  readonly agent: string;
  /** Who decides at the root. */
  readonly player: number;
  readonly decision: {
    readonly action: string;
    readonly value: number | null;
    readonly depth: number | null;
    readonly nodes: number;
    readonly line: readonly string[];
  };
  readonly iterations: readonly SearchIteration[];
}

/** Whether the value is no part of the parent's: the search came here to prepare, or left the node out. */
export function isAside({ leaf }: { readonly leaf?: LeafReason | undefined }): boolean {
  return leaf === "usual" || leaf === "look" || leaf === "refuted";
}

/** Nodes at and below `node`, also those that are not in the record. */
export function countNodes(node: SearchNode): number {
  return node.children.reduce((sum, child) => sum + countNodes(child), 1 + node.hidden);
}

/** The child whose value the node has: the first of the best; undefined where it has none or they are not recorded. */
export function bestChild(node: SearchNode): SearchNode | undefined {
  const { role, value, toMove, children } = node;
  if (role === "mean") return undefined;
  const visited = children.filter((child) => !isAside(child));
  if (role === "simulated") {
    const tried = visited.filter((child) => (child.visits ?? 0) > 0);
    return toMove < 0
      ? undefined
      : tried.toSorted(
          (one, other) =>
            provenOf(other) - provenOf(one) || other.visits! - one.visits! || meanOf(other) - meanOf(one),
        )[0];
  }
  if (value === null) return undefined;
  const entry = (of: Value | null) => (typeof of === "number" || of === null ? of : of[toMove]);
  return visited.find((child) => entry(child.value) === entry(value));
}

const meanOf = ({ value }: SearchNode) => (typeof value === "number" ? value : -Infinity);
const provenOf = ({ proof }: SearchNode) => (proof === "win" ? 1 : proof === "loss" ? -1 : 0);
