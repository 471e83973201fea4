import { CHANCE, TERMINAL } from "../../games/game.ts";
import type { SearchIteration, SearchNode, SearchTree } from "./search-tree.ts";
import { foldTree, type ShownLimits, type ShownNode } from "./shown.ts";
import {
  formatCut,
  formatIterationTitle,
  formatProbability,
  formatUnseen,
  formatValue,
  formatWindow,
  moverOf,
} from "./words.ts";

/** Iterations of a search as text, each a tree of lines. */
export function formatSearchTree(
  tree: SearchTree,
  iterations: readonly SearchIteration[],
  limits: ShownLimits = {},
): string {
  const blocks = iterations.map((iteration) => {
    const lines: string[] = [];
    draw(foldTree(iteration.root, limits), { first: "", rest: "", lines });
    return [formatIterationTitle(iteration), "", ...lines].join("\n");
  });
  return [...blocks, formatDecision(tree)].join("\n\n");
}

function formatDecision({ agent, decision }: SearchTree): string {
  const { action, value, nodes, line } = decision;
  const worth = value === null ? "" : `, value ${formatValue(value)}`;
  return `${agent} plays ${action}${worth}, after ${nodes} nodes; it expects ${line.join(" ")}`;
}

function draw(
  { node, children, more, isOnLine }: ShownNode,
  parts: { first: string; rest: string; lines: string[] },
): void {
  const { first, rest, lines } = parts;
  lines.push(`${first}${describe(node, isOnLine)}`);
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

/** One line for a node: `b2 ▼ MIN 0.1 [0, +∞] *`. */
function describe(node: SearchNode, isOnLine: boolean): string {
  const { name, leaf, probability, visits, bound, value, order } = node;
  return [
    name,
    probability === undefined ? "" : `(${formatProbability(probability)})`,
    symbolOf(node),
    leaf === "terminal" || leaf === "evaluated" ? "" : moverOf(node),
    visits === 0 ? "" : formatValue(value),
    leaf === "terminal" || leaf === "evaluated" ? "" : formatWindow(node),
    visits === undefined ? "" : `${visits} visit${visits === 1 ? "" : "s"}`,
    bound === undefined ? "" : `bound ${formatValue(bound)}`,
    noteOf(node),
    order > 0 ? `#${order}` : "",
    isOnLine && name !== "" ? "*" : "",
  ]
    .filter((part) => part !== "")
    .join(" ");
}

function noteOf({ leaf }: SearchNode): string {
  if (leaf === "terminal") return "end";
  if (leaf === "evaluated") return "evaluated";
  if (leaf === "table") return "from the table";
  if (leaf === "usual") return "looked at for the usual move";
  return "";
}

function symbolOf({ role, toMove, leaf }: SearchNode): string {
  if (toMove === TERMINAL || leaf === "evaluated" || leaf === "usual") return "■";
  if (toMove === CHANCE || role === "mean") return "●";
  if (role === "max") return "▲";
  if (role === "min") return "▼";
  return "◆";
}
