/*
 * The positions that a search visited, as plain data for JSON, pictures and steps.
 */

/** A value for one player, or the values of all players. */
export type Value = number | readonly number[];

/**
 * The way to the value of a node: the highest or the lowest value below, their mean, or the tuple that is best for the
 * player to move. `simulated`: the mean of simulations.
 */
export type Role = "max" | "min" | "mean" | "player" | "simulated";

/** The reason why a search went no further below a node. */
export type LeafReason =
  /** The game is over. */
  | "terminal"
  /** The depth ended, and the evaluator was asked. */
  | "evaluated"
  /** The transposition table knew the value, or a bound that was enough. */
  | "table"
  /** Best-reply search looked one ply ahead for a usual move: the value is for the player who makes the move. */
  | "usual"
  /** Star2 looked at one action after a chance outcome: the value bounds that of the outcome; null without use. */
  | "look"
  /** Max-n skipped the action, since a player above has better. Its value does not count for the parent. */
  | "refuted"
  /** A leaf of the tree of MCTS. */
  | "unexpanded";

/** The bound that ended the search of a node before all its actions were visited. */
export interface Cut {
  readonly bound: "alpha" | "beta";
  readonly limit: number;
  /** The value that reached the limit. */
  readonly value: number;
}

/** Actions of a node that were never visited. */
export interface Unseen {
  readonly count: number;
  /** The names of the first of them. */
  readonly names: readonly string[];
  /**
   * Cut off by a bound; not usual, where only one move of the player is searched; not reached, as the budget was spent;
   * or never drawn by a simulation.
   */
  readonly reason: "cut" | "usual" | "budget" | "chance";
}

/** A position that a search visited. */
export interface SearchNode {
  /** The action or chance outcome that leads here, in the game's notation; empty at the root. */
  readonly name: string;
  /** The number of that action; 0 at the root. */
  readonly action: number;
  /** The order of the visit: 1 for the root, then 2, 3, ... within an iteration. For MCTS and Descent: 0. */
  readonly order: number;
  /** The player to move, CHANCE or TERMINAL. */
  readonly toMove: number;
  readonly role: Role;
  /** Plies that were left; null for MCTS and Descent. */
  readonly depth: number | null;
  /**
   * The search's value of the node, in the game's units: for the player who decides at the root, or for all players;
   * for MCTS the mean for the player who chose the action. With a window it may be a bound. Null if the search was
   * stopped before, and after chance in MCTS.
   */
  readonly value: Value | null;
  /** Alpha and beta when the search came here, for the player who decides at the root; null where there is no bound. */
  readonly window?: readonly [alpha: number | null, beta: number | null];
  readonly leaf?: LeafReason;
  /** The probability of the action, by chance or by a player who moves at random. */
  readonly probability?: number;
  /** Simulations through the node. */
  readonly visits?: number;
  /**
   * For MCTS: the proven result for the player who chose the action, which is then the value. `exact`: Descent has solved the
   * node, and its value is the result of best play.
   */
  readonly proof?: "win" | "loss" | "exact";
  /** The upper confidence bound by which MCTS would select here, in the game's units; absent if it selects by none. */
  readonly bound?: number;
  /** For MCTS with a policy: the probability of the action in it. */
  readonly prior?: number;
  readonly cut?: Cut;
  readonly unseen?: Unseen;
  /** The number of visited nodes below that are not in this record. */
  readonly hidden: number;
  /** The recorded nodes after one action, in the order of the search. */
  readonly children: readonly SearchNode[];
}

/** One simulation of MCTS or Descent. */
export interface SearchPath {
  /** The actions and chance outcomes from the root to the leaf of the tree. */
  readonly actions: readonly number[];
  /** The returns by the playout, the evaluator or the best position after the leaf, by player, in the game's units. */
  readonly returns: readonly number[];
}

/** One search to a fixed depth; for MCTS and Descent the tree after a number of simulations. */
export interface SearchIteration {
  /** In plies; null for MCTS and Descent. */
  readonly depth: number | null;
  /** Simulations so far; null for other searches. */
  readonly simulations: number | null;
  /** True if it ended before the budget was spent. */
  readonly isFinished: boolean;
  /**
   * The visited nodes; the sum over all iterations of a search is the decision's number. For MCTS and Descent: nodes of the
   * tree.
   */
  readonly nodes: number;
  readonly root: SearchNode;
  /** For MCTS and Descent: the paths of the first simulations, up to 200. */
  readonly paths?: readonly SearchPath[];
}

/** One search: the position, the decision, and the visited positions. */
export interface SearchTree {
  readonly game: string;
  /** The position at the root, in the game's notation. */
  readonly state: string;
  /** The agent's id. */
  readonly agent: string;
  /** The player who decides at the root. */
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

/** True if the value is no part of the parent's: the search looked ahead, or skipped the node. */
export function isAside({ leaf }: { readonly leaf?: LeafReason | undefined }): boolean {
  return leaf === "usual" || leaf === "look" || leaf === "refuted";
}

/** Counts the nodes at and below `node`, also those that are not in the record. */
export function countNodes(node: SearchNode): number {
  return node.children.reduce((sum, child) => sum + countNodes(child), 1 + node.hidden);
}

/** Returns the child whose value the node has, with most visits or the first; undefined if there is none in the record. @internal for tests */
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
  const equal = visited.filter((child) => entry(child.value) === entry(value));
  return equal.toSorted((one, other) => (other.visits ?? 0) - (one.visits ?? 0))[0];
}

const meanOf = ({ value }: SearchNode) => (typeof value === "number" ? value : -Infinity);
const provenOf = ({ proof }: SearchNode) => (proof === "win" ? 1 : proof === "loss" ? -1 : 0);

/** Limits of the shown part of a tree. */
export interface ShownLimits {
  /** The most levels below the root. [all] */
  readonly depth?: number | undefined;
  /** The most children of one node. [12] */
  readonly width?: number | undefined;
  /** The most nodes of one tree. [200] */
  readonly nodes?: number | undefined;
}

/** A shown node. */
export interface ShownNode {
  readonly node: SearchNode;
  readonly children: ShownNode[];
  /** The number of visited nodes below that are not shown, recorded or not. */
  more: number;
  /** True if the value of the root comes from here. */
  readonly isOnLine: boolean;
}

const DEFAULT_WIDTH = 12;
const DEFAULT_NODES = 200;

/**
 * Chooses the part of a tree that is shown, level by level until there are enough nodes. Among many children it chooses
 * the first ones and the best; in a tree of simulations those with the most visits.
 */
export function foldTree(
  root: SearchNode,
  { depth = Infinity, width = DEFAULT_WIDTH, nodes = DEFAULT_NODES }: ShownLimits,
): ShownNode {
  const top: ShownNode = { node: root, children: [], more: 0, isOnLine: true };
  let level = [top];
  let count = 1;
  for (let at = 0; level.length > 0; at++) {
    const next: ShownNode[] = [];
    for (const shown of level) {
      const { node } = shown;
      const best = bestChild(node);
      const room = at < depth ? Math.min(width, nodes - count) : 0;
      const chosen = choose(node, best, room);
      for (const child of chosen)
        shown.children.push({
          node: child,
          children: [],
          more: 0,
          isOnLine: shown.isOnLine && child === best,
        });
      const folded = node.children.filter((child) => !chosen.includes(child));
      shown.more = folded.reduce((sum, child) => sum + countNodes(child), node.hidden);
      count += chosen.length;
      next.push(...shown.children);
    }
    level = next;
  }
  return top;
}

/** Counts the nodes that are shown. */
export function countShown({ children }: ShownNode): number {
  return children.reduce((sum, child) => sum + countShown(child), 1);
}

function choose({ children, role }: SearchNode, best: SearchNode | undefined, room: number): SearchNode[] {
  if (room <= 0) return [];
  const order =
    role === "mean" ? children : children.toSorted((one, other) => (other.visits ?? 0) - (one.visits ?? 0));
  const first = order.slice(0, room);
  if (best === undefined || first.includes(best)) return first;
  return [...first.slice(0, -1), best];
}
