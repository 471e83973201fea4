/** A node of a layout: its extent to both sides of its own middle, and the nodes below it. */
export interface LayoutNode {
  readonly left: number;
  readonly right: number;
  readonly children: readonly LayoutNode[];
}

/** The middle of each node, from 0 at the left end of the whole tree, and the width of the whole. */
export interface Layout<Node> {
  readonly x: ReadonlyMap<Node, number>;
  readonly width: number;
}

/** A subtree whose root is at 0: its extent on each level. */
interface Outline {
  readonly left: number[];
  readonly right: number[];
}

/**
 * Draws a tree tidily (Reingold and Tilford 1981): a parent is in the middle above its first and its last child. Equal
 * subtrees are drawn alike, and subtrees stand as close together as their outlines allow.
 * @param gap the least distance between two nodes of a level
 */
export function layOut<Node extends LayoutNode>(root: Node, gap: number): Layout<Node> {
  /** Distance of each node from the middle of its parent. */
  const offset = new Map<LayoutNode, number>();
  const { left, right } = place(root, gap, offset);
  const start = Math.min(...left);
  const x = new Map<LayoutNode, number>();
  const walk = (node: LayoutNode, middle: number): void => {
    x.set(node, middle);
    for (const child of node.children) walk(child, middle + offset.get(child)!);
  };
  walk(root, 0 - start);
  return { x: x as Map<Node, number>, width: Math.max(...right) - start };
}

function place(node: LayoutNode, gap: number, offset: Map<LayoutNode, number>): Outline {
  const outline: Outline = { left: [0 - node.left], right: [node.right] };
  if (node.children.length === 0) return outline;
  const below: Outline = { left: [], right: [] };
  const middles: number[] = [];
  for (const child of node.children) {
    const one = place(child, gap, offset);
    let middle = middles.length === 0 ? 0 : -Infinity;
    for (let level = 0; level < Math.min(one.left.length, below.right.length); level++)
      middle = Math.max(middle, below.right[level]! + gap - one.left[level]!);
    middles.push(middle);
    for (let level = 0; level < one.left.length; level++) {
      below.left[level] ??= middle + one.left[level]!;
      below.right[level] = middle + one.right[level]!;
    }
  }
  const centre = (middles[0]! + middles.at(-1)!) / 2;
  for (const [at, child] of node.children.entries()) offset.set(child, middles[at]! - centre);
  outline.left.push(...below.left.map((edge) => edge - centre));
  outline.right.push(...below.right.map((edge) => edge - centre));
  return outline;
}
