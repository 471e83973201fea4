import { bestChild, countNodes, type SearchNode } from "./search-tree.ts";

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
    role === "simulated"
      ? children.toSorted((one, other) => (other.visits ?? 0) - (one.visits ?? 0))
      : children;
  const first = order.slice(0, room);
  if (best === undefined || first.includes(best)) return first;
  return [...first.slice(0, -1), best];
}
