import {
  type SearchIteration,
  type SearchNode,
  type SearchTree,
  countNodes,
  type Cut,
  type Unseen,
  type Value,
  countShown,
  foldTree,
  type ShownLimits,
  type ShownNode,
} from "../search-tree.ts";
import { CHANCE, TERMINAL } from "../../../games/contract/game.ts";
import { counted } from "../../../base/text.ts";

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

/*
 * The words at the nodes of a search tree, in text and pictures.
 */

/** A value with at most four digits after the point; a tuple in round brackets. */
export function formatValue(value: Value | null): string {
  if (value === null) return "?";
  if (typeof value !== "number") return `(${value.map(formatNumber).join(", ")})`;
  return formatNumber(value);
}

/** Writes the value of a node; `≤3` or `≥9` if it is outside of the window, and so a bound. */
export function formatNodeValue(node: SearchNode): string {
  const { value, window } = node;
  const text = formatValue(value);
  if (window === undefined || typeof value !== "number" || isLeaf(node)) return text;
  const [alpha, beta] = window;
  if (alpha !== null && value <= alpha) return `≤${text}`;
  return beta !== null && value >= beta ? `≥${text}` : text;
}

function formatNumber(value: number): string {
  return String(Number(value.toFixed(Math.abs(value) >= 100 ? 1 : 4)));
}

/** Writes a probability: a fraction with a small denominator if it is one, otherwise three digits. */
export function formatProbability(probability: number): string {
  for (let below = 1; below <= 36; below++) {
    const above = Math.round(probability * below);
    if (above > 0 && Math.abs(probability - above / below) < 1e-9)
      return below === 1 ? "1" : `${above}/${below}`;
  }
  return String(Number(probability.toPrecision(3)));
}

/** Writes the window at the arrival of the search: `[3, +∞]`; empty if the search has none. */
export function formatWindow({ window }: SearchNode): string {
  if (window === undefined) return "";
  const [alpha, beta] = window;
  return `[${alpha === null ? "-∞" : formatNumber(alpha)}, ${beta === null ? "+∞" : formatNumber(beta)}]`;
}

/** `2 <= alpha 3` */
export function formatCut({ bound, limit, value }: Cut): string {
  return `${formatNumber(value)} ${bound === "alpha" ? "<=" : ">="} ${bound} ${formatNumber(limit)}`;
}

/** Names the player to move: `MAX`, `MIN`, `chance`, `player 2`. */
export function moverOf({ role, toMove }: SearchNode): string {
  if (toMove === CHANCE) return "chance";
  if (role === "max") return "MAX";
  if (role === "min") return "MIN";
  return `player ${toMove + 1}`;
}

const REASONS: Readonly<Record<Unseen["reason"], string>> = {
  cut: "cut off",
  usual: "not usual",
  budget: "not reached: the budget was spent",
  chance: "never tried",
};

/** `cut off: b2, b3 and 4 more` */
export function formatUnseen({ count, names, reason }: Unseen): string {
  const more = count - names.length;
  if (names.length === 0) return `${REASONS[reason]}: ${count}`;
  return `${REASONS[reason]}: ${names.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

/**
 * `depth 3, 512 nodes`, `depth 3, 20 of 512 nodes shown`, `40 simulations`
 * @param shown the number of nodes that are shown
 */
export function formatIterationTitle(
  { depth, simulations, isFinished, root }: SearchIteration,
  shown: number,
): string {
  // A tree of simulations also has nodes that no simulation has visited yet.
  const visited = countNodes(root);
  const parts = [
    simulations === null ? `depth ${depth}` : counted(simulations, "simulation"),
    ...(shown < visited ? [`${shown} of ${counted(visited, "node")} shown`] : []),
    ...(shown === visited && simulations === null ? [counted(visited, "node")] : []),
    ...(isFinished ? [] : ["stopped by the budget"]),
  ];
  return parts.join(", ");
}

/** `alpha-beta plays right, value 8, after 23 nodes; it expects right 1 2 1` */
export function describeDecision({ agent, decision, iterations }: SearchTree): string {
  const { action, value, nodes, line } = decision;
  const worth = value === null ? "" : `, value ${formatValue(value)}`;
  const isSimulated = agent === "mcts";
  const count = counted(nodes, isSimulated ? "simulation" : "node");
  // The title of an iteration by depth has a smaller number.
  const isPart = iterations[0]?.simulations === null && iterations[0].nodes !== nodes;
  const where = isPart ? " of all iterations" : "";
  return `${agent} plays ${action}${worth}, after ${count}${where}; it expects ${line.join(" ")}`;
}

/** One line for a node: `b2 ▼ MIN 0.1 [0, +∞] #7`. */
export function describeNode(node: SearchNode): string {
  const { name, probability, visits, proof, bound, prior, value, order } = node;
  return [
    name,
    probability === undefined ? "" : `(${formatProbability(probability)})`,
    symbolOf(node),
    isLeaf(node) ? "" : moverOf(node),
    visits !== undefined && value === null ? "" : formatNodeValue(node),
    isLeaf(node) ? "" : formatWindow(node),
    visits === undefined ? "" : `${visits} visit${visits === 1 ? "" : "s"}`,
    proof === undefined ? "" : proof === "exact" ? "solved" : `proven ${proof}`,
    bound === undefined ? "" : `bound ${formatValue(bound)}`,
    prior === undefined ? "" : `prior ${formatProbability(prior)}`,
    noteOf(node),
    order > 0 ? `#${order}` : "",
  ]
    .filter((part) => part !== "")
    .join(" ");
}

/** True if the value is a result or an estimate. */
function isLeaf({ toMove, leaf }: SearchNode): boolean {
  return toMove === TERMINAL || leaf === "evaluated";
}

/** Says why there is nothing below a node; empty if there is something. */
function noteOf({ leaf, toMove }: SearchNode): string {
  if (leaf === "terminal") return "end";
  if (leaf === "evaluated") return "evaluated";
  if (leaf === "table") return "from the table";
  if (leaf === "refuted") return "left out";
  if (leaf === "usual") return "looked at for the usual move";
  if (leaf === "look") return toMove === TERMINAL ? "end, a look" : "a look at one action";
  return "";
}

/** Returns the sign of a node: ▲ highest, ▼ lowest, ● mean, ■ leaf, ◆ tuple or simulations. */
function symbolOf({ role, toMove, leaf }: SearchNode): string {
  if (toMove === TERMINAL || leaf === "evaluated" || leaf === "usual") return "■";
  if (toMove === CHANCE || role === "mean") return "●";
  if (role === "max") return "▲";
  if (role === "min") return "▼";
  return "◆";
}
