import { TERMINAL } from "../../games/game.ts";
import type { LayoutNode } from "./layout.ts";
import type { SearchNode } from "./search-tree.ts";
import type { ShownNode } from "./shown.ts";
import { formatCut, formatProbability, formatValue, formatWindow } from "./words.ts";

/** The figure that stands for a node. */
export type Figure = "up" | "down" | "circle" | "box" | "leaf" | "estimate" | "table" | "probe";

/** What is drawn at one place of a picture of a tree. */
export type Item = LayoutNode & { readonly children: readonly Item[] } & (
    | {
        readonly kind: "node";
        readonly node: SearchNode;
        readonly figure: Figure;
        /** Half the width of the figure. */
        readonly half: number;
        /** Above the figure: how one comes here. */
        readonly label: string;
        /** In the figure, a line each. */
        readonly inside: readonly string[];
        /** On the right of the figure, a line each. */
        readonly beside: readonly string[];
        readonly isOnLine: boolean;
      }
    /** An action that was never visited; `note` says why, at one of them. */
    | { readonly kind: "stub"; readonly label: string; readonly note: string }
    /** Nodes that are not shown. */
    | { readonly kind: "fold"; readonly label: string; readonly half: number }
  );

/** Widths of a character in the two sizes of text, about. */
const WIDE = 7.4;
const NARROW = 6;
const FIGURE_HALF = 23;
/** The longest text that a triangle or a circle has room for. */
const ROOM = 3;
/** Unseen actions that are drawn one by one. */
const STUBS = 4;

/** The width of a text, about. */
export function widthOfText(text: string, isSmall = false): number {
  return Array.from(text).length * (isSmall ? NARROW : WIDE);
}

/** What is drawn of a tree. */
export function itemOf(shown: ShownNode): Item {
  const { node, isOnLine, more } = shown;
  const children = [...shown.children.map(itemOf), ...(more > 0 ? [foldOf(more)] : []), ...stubsOf(node)];
  const figure = figureOf(node);
  const value = node.visits !== undefined && node.value === null ? "" : formatValue(node.value);
  const label = [node.name, node.probability === undefined ? "" : formatProbability(node.probability)]
    .filter((part) => part !== "")
    .join(": ");
  const isWide = !["up", "down", "circle"].includes(figure);
  const isInside = isWide || value.length <= ROOM;
  const inside = isInside ? [figure === "estimate" ? `≈ ${value}` : value, ...countsOf(node)] : [];
  const owner = figure === "box" && node.toMove >= 0 ? [`player ${node.toMove + 1}`] : [];
  const hasWindow = figure === "up" || figure === "down" || figure === "table";
  const beside = [...(isInside ? [] : [value]), ...(hasWindow ? [formatWindow(node)] : [])].filter(
    (text) => text !== "",
  );
  const lines = [...owner, ...inside].filter((text) => text !== "");
  const half = isWide
    ? Math.max(14, ...lines.map((text, at) => widthOfText(text, at > 0 || owner.length > 0) / 2 + 6))
    : FIGURE_HALF;
  const order = node.order > 0 ? widthOfText(String(node.order), true) : 0;
  return {
    kind: "node",
    node,
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

/** For MCTS: visits and the bound. */
function countsOf({ visits, bound }: SearchNode): string[] {
  return [
    ...(visits === undefined ? [] : [`n = ${visits}`]),
    ...(bound === undefined ? [] : [`bound ${bound.toFixed(2)}`]),
  ];
}

export function figureOf({ toMove, role, leaf }: SearchNode): Figure {
  if (leaf === "usual") return "probe";
  if (leaf === "table") return "table";
  if (role === "simulated") return "box";
  if (toMove === TERMINAL) return "leaf";
  if (leaf === "evaluated") return "estimate";
  if (role === "mean") return "circle";
  if (role === "max") return "up";
  return role === "min" ? "down" : "box";
}

function foldOf(more: number): Item {
  const label = `and ${more} more`;
  const half = widthOfText(label, true) / 2 + 6;
  return { kind: "fold", label, half, left: half, right: half, children: [] };
}

const NOTES = { usual: "not usual", budget: "budget spent", chance: "never tried" } as const;

function stubsOf({ unseen, cut }: SearchNode): Item[] {
  if (unseen === undefined) return [];
  const { names, count, reason } = unseen;
  const shown = names.length <= STUBS && names.length === count ? names : names.slice(0, STUBS - 1);
  const labels = shown.length < count ? [...shown, `+${count - shown.length}`] : shown;
  const why = cut
    ? formatCut(cut).replace("<=", "≤").replace(">=", "≥")
    : reason === "cut"
      ? ""
      : NOTES[reason];
  // The reason stands below the middle of them: together they are as wide.
  const least = (widthOfText(why, true) + 6) / labels.length / 2;
  return labels.map((label, at) => {
    const half = Math.max(8, least, widthOfText(label, true) / 2 + 2);
    const isMiddle = at === Math.floor(labels.length / 2);
    return { kind: "stub", label, note: isMiddle ? why : "", left: half, right: half, children: [] };
  });
}
