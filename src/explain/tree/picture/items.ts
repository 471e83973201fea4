import { CHANCE, TERMINAL } from "../../../games/contract/game.ts";
import type { LayoutNode } from "./layout.ts";
import type { SearchNode } from "../search-tree.ts";
import type { ShownNode } from "../shown.ts";
import { formatCut, formatNodeValue, formatProbability, formatWindow, moverOf } from "../text/words.ts";

/** The figure that stands for a node. */
export type Figure = "up" | "down" | "circle" | "box" | "leaf" | "estimate" | "table" | "probe";

/** The drawing at one place of a picture of a tree. */
export type Item = LayoutNode & { readonly children: readonly Item[] } & (
    | {
        readonly kind: "node";
        readonly node: SearchNode;
        /** The actions from the root. */
        readonly path: readonly number[];
        readonly figure: Figure;
        /** Half the width of the figure. */
        readonly half: number;
        /** Text above the figure: the action that leads here. */
        readonly label: string;
        /** Lines of text in the figure. */
        readonly inside: readonly string[];
        /** Lines of text to the right of the figure. */
        readonly beside: readonly string[];
        readonly isOnLine: boolean;
      }
    /** An action that was cut off; `note` says why, at one of them. */
    | { readonly kind: "cut"; readonly label: string; readonly note: string }
    /** Stands for nodes that are not shown. */
    | { readonly kind: "fold"; readonly label: string; readonly half: number }
  );

/** Approximate widths of a character in the two sizes of text. */
const WIDE = 7.8;
const NARROW = 6;
/** Half the width of a triangle. */
export const FIGURE_HALF = 23;
/** The longest text that a triangle or a circle has room for. */
const ROOM = 3;
/** Unseen actions that are drawn one by one. */
const MOST_CUTS = 4;

/** Returns the approximate width of a text. */
export function widthOfText(text: string, isSmall = false): number {
  return Array.from(text).length * (isSmall ? NARROW : WIDE);
}

/** Makes the items that are drawn for a tree. */
export function itemOf(shown: ShownNode, path: readonly number[] = []): Item {
  const { node, isOnLine, more } = shown;
  const children = [
    ...shown.children.map((child) => itemOf(child, [...path, child.node.action])),
    ...(more > 0 ? [foldOf(`and ${more} more`)] : []),
    ...cutsOf(node),
  ];
  const figure = figureOf(node);
  const value = node.visits !== undefined && node.value === null ? "" : formatNodeValue(node);
  const label = [node.name, node.probability === undefined ? "" : formatProbability(node.probability)]
    .filter((part) => part !== "")
    .join(": ");
  const isWide = node.visits !== undefined || !["up", "down", "circle"].includes(figure);
  const isInside = isWide || value.length <= ROOM;
  const inside = isInside ? [figure === "estimate" ? `≈ ${value}` : value, ...countsOf(node)] : [];
  const owner = figure === "box" || (figure === "circle" && isWide) ? [moverOf(node)] : [];
  const hasWindow = figure === "up" || figure === "down" || figure === "table";
  const beside = [...(isInside ? [] : [value]), ...(hasWindow ? [formatWindow(node)] : [])].filter(
    (text) => text !== "",
  );
  const lines = [...owner, ...inside].filter((text) => text !== "");
  const half = isWide
    ? Math.max(
        14,
        ...lines.map(
          (text, at) => widthOfText(text, at > 0 || owner.length > 0) / 2 + (figure === "circle" ? 18 : 8),
        ),
      )
    : FIGURE_HALF;
  const order = node.order > 0 ? widthOfText(String(node.order), true) : 0;
  return {
    kind: "node",
    node,
    path,
    figure,
    half,
    label,
    inside: lines,
    beside,
    isOnLine,
    left: Math.max(half + (children.length > 0 ? order + 3 : 0), widthOfText(label) / 2),
    right: Math.max(
      half + Math.max(0, ...beside.map((text, at) => 4 + widthOfText(text, isInside || at > 0))),
      widthOfText(label) / 2,
    ),
    children,
  };
}

/** Lines for a node of MCTS: visits and the bound. */
function countsOf({ visits, bound }: SearchNode): string[] {
  return [
    ...(visits === undefined ? [] : [`n = ${visits}`]),
    ...(bound === undefined ? [] : [`bound ${bound.toFixed(2)}`]),
  ];
}

function figureOf({ toMove, role, leaf, visits }: SearchNode): Figure {
  if (leaf === "usual" || leaf === "look") return "probe";
  if (leaf === "table") return "table";
  if (toMove === TERMINAL) return "leaf";
  if (visits !== undefined) return toMove === CHANCE ? "circle" : "box";
  if (leaf === "evaluated") return "estimate";
  if (role === "mean") return "circle";
  if (role === "max") return "up";
  return role === "min" ? "down" : "box";
}

function foldOf(label: string): Item {
  const half = widthOfText(label, true) / 2 + 6;
  return { kind: "fold", label, half, left: half, right: half, children: [] };
}

const NOTES = { usual: "not usual", budget: "not reached", chance: "never tried" } as const;

function cutsOf({ unseen, cut }: SearchNode): Item[] {
  if (unseen === undefined) return [];
  const { names, count, reason } = unseen;
  if (reason !== "cut") return [foldOf(`${count} ${NOTES[reason]}`)];
  const shown = names.length <= MOST_CUTS && names.length === count ? names : names.slice(0, MOST_CUTS - 1);
  const labels = shown.length < count ? [...shown, `+${count - shown.length}`] : shown;
  const why = cut
    ? formatCut(cut).replace("<=", "≤").replace(">=", "≥")
    : reason === "cut"
      ? ""
      : NOTES[reason];
  // The reason stands below the middle of the cut actions, which together are as wide.
  const least = (widthOfText(why, true) + 6) / labels.length / 2;
  return labels.map((label, at) => {
    const half = Math.max(8, least, widthOfText(label, true) / 2 + 2);
    const isMiddle = at === Math.floor(labels.length / 2);
    return { kind: "cut", label, note: isMiddle ? why : "", left: half, right: half, children: [] };
  });
}
