import { CHANCE } from "../../games/game.ts";
import type { Cut, SearchIteration, SearchNode, Unseen, Value } from "./search-tree.ts";

/*
 * What is written at the nodes of a search tree, in text and pictures alike.
 */

/** A value with at most four digits after the point; a tuple in round brackets. */
export function formatValue(value: Value | null): string {
  if (value === null) return "?";
  if (typeof value !== "number") return `(${value.map(formatNumber).join(", ")})`;
  return formatNumber(value);
}

function formatNumber(value: number): string {
  return String(Number(value.toFixed(Math.abs(value) >= 100 ? 1 : 4)));
}

/** A probability: a fraction with a small denominator where it is one, otherwise three digits. */
export function formatProbability(probability: number): string {
  for (let below = 1; below <= 36; below++) {
    const above = Math.round(probability * below);
    if (above > 0 && Math.abs(probability - above / below) < 1e-9)
      return below === 1 ? "1" : `${above}/${below}`;
  }
  return String(Number(probability.toPrecision(3)));
}

/** The window when the search came: `[3, +∞]`; empty where the search has none. */
export function formatWindow({ window }: SearchNode): string {
  if (window === undefined) return "";
  const [alpha, beta] = window;
  return `[${alpha === null ? "-∞" : formatNumber(alpha)}, ${beta === null ? "+∞" : formatNumber(beta)}]`;
}

/** `2 <= alpha 3` */
export function formatCut({ bound, limit, value }: Cut): string {
  return `${formatNumber(value)} ${bound === "alpha" ? "<=" : ">="} ${bound} ${formatNumber(limit)}`;
}

/** Who is to move: `MAX`, `MIN`, `chance`, `player 2`. */
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

/** `depth 3, 512 nodes`, `40 simulations` */
export function formatIterationTitle({ depth, simulations, nodes, isFinished }: SearchIteration): string {
  const what =
    simulations === null
      ? `depth ${depth}, ${nodes} node${nodes === 1 ? "" : "s"}`
      : `${simulations} simulation${simulations === 1 ? "" : "s"}`;
  return isFinished ? what : `${what}, stopped by the budget`;
}
