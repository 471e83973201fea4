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

const MCTS: Algorithm = [
  [null, "for each simulation:"],
  ["select", "  from the root, go to the child with the highest bound, or to one never tried"],
  ["expand", "  stop at a node that was never tried, or at the end of the game"],
  ["play-out", "  play at random to the end, or ask the evaluator"],
  ["back-up", "  add the result to each node on the way"],
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
};
