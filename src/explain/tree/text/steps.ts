import {
  isAside,
  type SearchIteration,
  type SearchNode,
  type SearchTree,
  type Value,
} from "../search-tree.ts";
import { formatProbability, formatUnseen, formatValue, formatWindow, moverOf } from "./text.ts";

/*
 * The searches in a few lines of pseudo-code, one text for each line. A step of a search names the line that it runs.
 */

/** The kinds of lines; a search has some of them. */
export type LineKey =
  | "begin"
  | "terminal"
  | "evaluated"
  | "table"
  | "usual"
  | "max"
  | "beta"
  | "alpha-rises"
  | "min"
  | "alpha"
  | "beta-falls"
  | "mean"
  | "look"
  | "out"
  | "player"
  | "return"
  | "halve"
  | "select"
  | "expand"
  | "play-out"
  | "back-up";

export type Algorithm = readonly (readonly [key: LineKey | null, text: string])[];

const LEAVES = [
  ["terminal", "  if the game is over: return the result"],
  ["evaluated", "  if depth = 0: return the evaluator's estimate"],
] as const;

const MINIMAX: Algorithm = [
  ["begin", "value(node, depth):"],
  ...LEAVES,
  [null, "  if MAX is to move, for each action:"],
  ["max", "    best = max(best, value(next node, depth - 1))"],
  [null, "  if MIN is to move, for each action:"],
  ["min", "    best = min(best, value(next node, depth - 1))"],
  ["return", "  return best"],
];

const windowed = (special: Algorithm): Algorithm => [
  ["begin", "value(node, depth, alpha, beta):"],
  ...LEAVES,
  ...special,
  [null, "  if MAX is to move, for each action:"],
  ["max", "    best = max(best, value(next node, depth - 1, alpha, beta))"],
  ["beta", "    if best >= beta: return best, without the other actions"],
  ["alpha-rises", "    alpha = max(alpha, best)"],
  [null, "  if MIN is to move, for each action:"],
  ["min", "    best = min(best, value(next node, depth - 1, alpha, beta))"],
  ["alpha", "    if best <= alpha: return best, without the other actions"],
  ["beta-falls", "    beta = min(beta, best)"],
  ["return", "  return best"],
];

const TABLE = ["table", "  if the table knows enough of the node: return its value"] as const;

const EXPECTIMAX = windowed([
  TABLE,
  [null, "  if chance is to move:"],
  ["look", "    look at one action after each outcome; if that bounds the mean out of the window: return it"],
  ["mean", "    for each outcome: best = best + probability * value(next node, depth, its window)"],
  ["out", "    if the outcomes that are left cannot bring best into the window: return the bound"],
]);

const MAX_N: Algorithm = [
  ["begin", "values(node, depth):"],
  ["terminal", "  if the game is over: return all players' results"],
  ["evaluated", "  if depth = 0: return the evaluator's estimate for each player"],
  [null, "  if chance is to move, for each outcome:"],
  ["mean", "    best = best + probability * values(next node, depth)"],
  [null, "  if a player is to move, for each action:"],
  [
    "player",
    "    best = the tuple with the larger entry of that player: best, or values(next node, depth - 1)",
  ],
  ["out", "    if a player above has better, whatever the other actions bring: leave them out"],
  ["return", "  return best"],
];

const simulating = (...selection: Algorithm): Algorithm => [
  [null, "for each simulation:"],
  ...selection,
  ["expand", "  stop at a node that was never tried, or at the end of the game"],
  ["play-out", "  play at random to the end, or ask the evaluator"],
  ["back-up", "  add the result to each node on the way"],
];

const MCTS = simulating([
  "select",
  "  from the root, go to the child with the highest bound, or to one never tried",
]);

const GUMBEL = simulating(
  ["halve", "  at the root, take the next action of sequential halving"],
  ["select", "  below, go to the child whose visits are furthest behind the improved policy"],
);

const DESCENT: Algorithm = [
  [null, "for each simulation:"],
  ["select", "  from the root, go to the best child that is not solved"],
  ["expand", "  stop at a node that was never tried (with ends=true at the end of the game)"],
  ["evaluated", "  judge the positions after each new node, by the result or the evaluator"],
  ["back-up", "  give each node on the way the value of its best child"],
];

/** By the agent's id. */
export const ALGORITHMS: Readonly<Record<string, Algorithm>> = {
  minimax: MINIMAX,
  "alpha-beta": windowed([TABLE]),
  expectimax: EXPECTIMAX,
  "max-n": MAX_N,
  paranoid: windowed([TABLE]),
  "best-reply": windowed([
    TABLE,
    ["usual", "  of an opponent who does not act against me, find the usual move"],
  ]),
  mcts: MCTS,
  descent: DESCENT,
};

/** The algorithm of a search. MCTS that selects by no bound at its root is that of Gumbel. */
export function algorithmOf({ agent, iterations }: SearchTree): Algorithm {
  const root = iterations.at(-1)?.root;
  const hasBounds = root?.children.every(({ bound }) => bound !== undefined) ?? true;
  return agent === "mcts" && !hasBounds ? GUMBEL : ALGORITHMS[agent]!;
}

/** One step of a search. */
export interface Step {
  /** Index of the iteration whose tree is shown. */
  readonly iteration: number;
  /** The actions from the root to the node of the step, and the node's order, 0 for MCTS. */
  readonly actions: readonly number[];
  readonly order: number;
  /** Index of the line in the pseudo-code; see `algorithmOf`. */
  readonly line: number;
  /** The node's value so far; null if it has none yet. */
  readonly value: Value | null;
  /** A sentence about the step. */
  readonly text: string;
}

/** Returns the steps of a search, from its first iteration to its last. */
export function stepsOf(tree: SearchTree): Step[] {
  const algorithm = algorithmOf(tree);
  const lineOf = (key: LineKey) =>
    Math.max(
      0,
      algorithm.findIndex(([one]) => one === key),
    );
  // The first step of a simulation may have a line of its own.
  const first = algorithm.some(([key]) => key === "halve") ? "halve" : "select";
  if (tree.agent === "mcts" || tree.agent === "descent") return simulationSteps(tree, lineOf, first);
  return tree.iterations.flatMap(({ root }, iteration) => {
    const steps: Step[] = [];
    const tell = ({ node, actions }: Visit, line: LineKey, value: Value | null, text: string) =>
      steps.push({ iteration, actions, order: node.order, line: lineOf(line), value, text });
    walk({ node: root, actions: [], names: [] }, tell);
    return steps;
  });
}

interface Visit {
  readonly node: SearchNode;
  readonly actions: readonly number[];
  readonly names: readonly string[];
}

type Tell = (visit: Visit, line: LineKey, value: Value | null, text: string) => void;

function walk(visit: Visit, tell: Tell): void {
  const { node, actions, names } = visit;
  const { leaf, value, role, children, cut, unseen, hidden } = node;
  const where = names.length === 0 ? "the root" : names.join(" ");
  const shown = formatValue(value);
  if (leaf === "terminal")
    return tell(visit, "terminal", value, `${where}: the game is over, worth ${shown}.`);
  if (leaf === "evaluated")
    return tell(visit, "evaluated", value, `${where}: no depth is left; the evaluator says ${shown}.`);
  if (leaf === "table") return tell(visit, "table", value, `${where}: the table knows enough: ${shown}.`);
  if (leaf === "usual")
    return tell(visit, "usual", value, `${where}: would be worth ${shown} to the player who moves.`);
  const window = formatWindow(node);
  tell(
    visit,
    leaf === "look" ? "look" : "begin",
    null,
    leaf === "look"
      ? `${where}: a look at one action, to bound what ${names.at(-1)} is worth.`
      : `${where}: ${moverOf(node)} is to move${window === "" ? "" : `, the window is ${window}`}.`,
  );
  const bounds = { alpha: node.window?.[0] ?? null, beta: node.window?.[1] ?? null };
  let best: Value | null = null;
  for (const child of children) {
    walk({ node: child, actions: [...actions, child.action], names: [...names, child.name] }, tell);
    if (isAside(child) || child.value === null) continue;
    const before: Value | null = best;
    best = combine(node, before, child);
    const line = role === "simulated" ? "return" : role;
    tell(visit, line, best, `${where}: ${explain(node, child, before)}`);
    // The search itself says whether a bound was reached: `cut`.
    if (cut !== undefined && best === cut.value && child === children.at(-1)) break;
    if (node.window === undefined || typeof best !== "number" || best === before) continue;
    if (role === "max" && (bounds.alpha === null || best > bounds.alpha)) {
      bounds.alpha = best;
      tell(visit, "alpha-rises", best, `${where}: alpha is ${formatValue(best)} from here on.`);
    }
    if (role === "min" && (bounds.beta === null || best < bounds.beta)) {
      bounds.beta = best;
      tell(visit, "beta-falls", best, `${where}: beta is ${formatValue(best)} from here on.`);
    }
  }
  if (hidden > 0) tell(visit, "begin", best, `${where}: ${hidden} more nodes below are not in the record.`);
  if (leaf === "look") {
    const bound = value === null ? "no bound" : `${role === "max" ? "at least" : "at most"} ${shown}`;
    return tell(visit, "look", value, `${where}: ${bound}.`);
  }
  if (leaf === "refuted") return tell(visit, "out", best, `${where}: left out, a player above has better.`);
  if (value === null) return tell(visit, "begin", best, `${where}: the budget is spent.`);
  if (cut !== undefined) {
    const { bound, limit } = cut;
    const rest = unseen === undefined ? "" : ` (${formatUnseen(unseen)})`;
    const side = bound === "alpha" ? "most" : "least";
    const whose = bound === "alpha" ? "MAX" : "MIN";
    if (role === "mean") {
      const text = `the mean is at ${side} ${shown}, ${whose} already has ${formatValue(limit)}: cut${rest}.`;
      return tell(visit, "out", value, `${where}: ${text}`);
    }
    const reason =
      bound === "alpha"
        ? `MIN has a reply worth ${shown} here, MAX already has ${formatValue(limit)}: cut${rest}.`
        : `MAX can have ${shown} here, MIN already has ${formatValue(limit)}: cut${rest}.`;
    return tell(visit, bound, value, `${where}: ${reason}`);
  }
  const rest = unseen === undefined ? "" : ` (${formatUnseen(unseen)})`;
  tell(visit, "return", value, `${where} is worth ${shown}${rest}.`);
}

/** Combines the value of a node so far with that of one more child. */
function combine(
  { role, toMove }: SearchNode,
  before: Value | null,
  { value, probability = 0 }: SearchNode,
): Value {
  const one = value!;
  if (role === "mean") {
    const times = (of: Value, factor: number) =>
      typeof of === "number" ? of * factor : of.map((entry) => entry * factor);
    const part = times(one, probability);
    if (before === null) return part;
    return typeof part === "number"
      ? (before as number) + part
      : part.map((entry, player) => (before as readonly number[])[player]! + entry);
  }
  if (before === null) return one;
  if (typeof one === "number" && typeof before === "number")
    return role === "min" ? Math.min(before, one) : Math.max(before, one);
  const entry = (of: Value) => (of as readonly number[])[toMove]!;
  return entry(one) > entry(before) ? one : before;
}

function explain(node: SearchNode, child: SearchNode, before: Value | null): string {
  const { role, toMove } = node;
  const { name, value, probability } = child;
  const one = formatValue(value);
  if (role === "mean") {
    const sum = formatValue(combine(node, before, child));
    return `${name} comes with probability ${formatProbability(probability ?? 0)}: with ${one} the sum is ${sum}.`;
  }
  const who = role === "player" ? `player ${toMove + 1}` : role === "min" ? "MIN" : "MAX";
  if (before === null) return `${who} has ${one} by ${name}.`;
  const isBetter = combine(node, before, child) !== before;
  return isBetter
    ? `${who} has ${one} by ${name}, better than ${formatValue(before)}.`
    : `${name} gives ${one}, no better for ${who} than ${formatValue(before)}.`;
}

/**
 * Returns the steps of each simulation: its path through the tree, its result, and the tree after it if there is one.
 */
function simulationSteps(
  { agent, iterations }: SearchTree,
  lineOf: (key: LineKey) => number,
  first: LineKey,
): Step[] {
  const last = iterations.at(-1);
  const begin: Step[] =
    agent === "mcts"
      ? []
      : [
          {
            iteration: 0,
            actions: [],
            order: 0,
            line: lineOf("evaluated"),
            value: null,
            text: "At first: judges the positions after the root.",
          },
        ];
  const simulated = (last?.paths ?? []).flatMap(({ actions, returns }, at) => {
    const after = iterations.findLastIndex(({ simulations }) => simulations! <= at + 1);
    const before = Math.max(
      0,
      iterations.findLastIndex(({ simulations }) => simulations! <= at),
    );
    const names = namesOf(last!, actions);
    const step = (line: LineKey, iteration: number, to: number, text: string): Step => ({
      iteration,
      actions: actions.slice(0, to),
      order: 0,
      line: lineOf(line),
      value: returns,
      text: `Simulation ${at + 1}: ${text}`,
    });
    const way = names.length === 0 ? "it stays at the root" : names.join(" ");
    return [
      ...actions.map((_, index) =>
        step(
          index === 0 ? first : "select",
          before,
          index + 1,
          `goes to ${names.slice(0, index + 1).join(" ")}.`,
        ),
      ),
      step("expand", before, actions.length, `the tree ends after ${way}.`),
      ...(agent === "mcts"
        ? [
            step("play-out", before, actions.length, `the result is ${formatValue(returns)}.`),
            step("back-up", after, 0, `adds it to ${actions.length + 1} nodes.`),
          ]
        : [
            step(
              "evaluated",
              after,
              actions.length,
              `the best position after it is worth ${formatValue(returns)}.`,
            ),
            step("back-up", after, 0, `takes the best values back up through ${actions.length + 1} nodes.`),
          ]),
    ];
  });
  return [...begin, ...simulated];
}

/** Returns the names of actions from the root; numbers for those that are not recorded. */
function namesOf({ root }: SearchIteration, actions: readonly number[]): string[] {
  let node: SearchNode | undefined = root;
  return actions.map((action) => {
    node = node?.children.find((child) => child.action === action);
    return node?.name ?? String(action);
  });
}
