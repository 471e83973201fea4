import type { SearchIteration, SearchNode, SearchTree } from "../search-tree.ts";
import { countShown, foldTree, type ShownLimits, type ShownNode } from "../shown.ts";
import { describeDecision, describeNode, formatCut, formatIterationTitle, formatUnseen } from "./words.ts";

/** Writes iterations of a search as text, each a tree of lines. */
export function formatSearchTree(
  tree: SearchTree,
  iterations: readonly SearchIteration[],
  limits: ShownLimits = {},
): string {
  const blocks = iterations.map((iteration) => {
    const lines: string[] = [];
    const shown = foldTree(iteration.root, limits);
    draw(shown, { first: "", rest: "", lines });
    return [formatIterationTitle(iteration, countShown(shown)), "", ...lines].join("\n");
  });
  return [...blocks, describeDecision(tree)].join("\n\n");
}

function draw(
  { node, children, more, isOnLine }: ShownNode,
  parts: { first: string; rest: string; lines: string[] },
): void {
  const { first, rest, lines } = parts;
  lines.push(`${first}${describeNode(node)}${isOnLine && node.order !== 1 ? " *" : ""}`);
  const below = [
    ...children.map(
      (child) => (branch: string, next: string) =>
        draw(child, { first: rest + branch, rest: rest + next, lines }),
    ),
    ...(more > 0 ? [`... and ${more} more`] : []).map(
      (text) => (branch: string) => void lines.push(rest + branch + text),
    ),
    ...(node.unseen ? [unseenLine(node)] : []).map(
      (text) => (branch: string) => void lines.push(rest + branch + text),
    ),
  ];
  for (const [at, drawOne] of below.entries()) {
    const isLast = at === below.length - 1;
    drawOne(isLast ? "└─ " : "├─ ", isLast ? "   " : "│  ");
  }
}

function unseenLine({ cut, unseen }: SearchNode): string {
  const why = cut ? `✂ cut: ${formatCut(cut)}` : "✂";
  const rest = formatUnseen(unseen!);
  return cut ? `${why}; ${rest.replace("cut off:", "not looked at:")}` : `${why} ${rest}`;
}
