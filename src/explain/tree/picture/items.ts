import { TERMINAL } from "../../../games/contract/game.ts";
import type { SearchNode, ShownNode } from "../search-tree.ts";
import { formatCut, formatNodeValue, formatProbability, formatWindow, moverOf } from "../text/text.ts";

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
  const isTriangle = figure === "up" || figure === "down";
  const isWide = !isTriangle && (figure !== "circle" || node.visits !== undefined);
  const isInside = isWide || value.length <= ROOM;
  const counts = countsOf(node);
  const inside = isInside
    ? [figure === "estimate" ? `≈ ${value}` : value, ...(isTriangle ? [] : counts)]
    : [];
  const owner = figure === "box" || (figure === "circle" && isWide) ? [moverOf(node)] : [];
  const hasWindow = isTriangle || figure === "table";
  const beside = [
    ...(isInside ? [] : [value]),
    ...(isTriangle ? counts : []),
    ...(hasWindow ? [formatWindow(node)] : []),
  ].filter((text) => text !== "");
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

/** Lines for a node of a tree that grows by simulations. */
function countsOf({ visits, bound, prior, proof }: SearchNode): string[] {
  return [
    ...(visits === undefined ? [] : [`n = ${visits}`]),
    ...(bound === undefined ? [] : [`bound ${bound.toFixed(2)}`]),
    ...(prior === undefined ? [] : [`prior ${prior.toFixed(2)}`]),
    ...(proof === "exact" ? ["solved"] : []),
  ];
}

function figureOf({ toMove, role, leaf, visits }: SearchNode): Figure {
  if (leaf === "usual" || leaf === "look") return "probe";
  if (leaf === "table") return "table";
  if (toMove === TERMINAL) return "leaf";
  if (leaf === "evaluated") return "estimate";
  if (visits !== undefined && role === "simulated") return "box";
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

/** Colours on light and on dark ground, which the colour-blind can tell apart; shapes and strokes say the same. */
const COLOURS = {
  ground: ["#ffffff", "#16181c"],
  ink: ["#1d1f23", "#e8e8e6"],
  faint: ["#5f6368", "#a3a6ab"],
  edge: ["#8b8f96", "#6d7178"],
  cut: ["#b3261e", "#ff8a80"],
  max: ["#d7e9f7", "#123a57"],
  min: ["#fde2cf", "#57300f"],
  mean: ["#ece6f6", "#3a2f52"],
  choice: ["#dff2ea", "#12402f"],
  leaf: ["#f3f3f1", "#2a2d33"],
} as const satisfies Record<string, readonly [light: string, dark: string]>;

type Colour = keyof typeof COLOURS;

const variables = (at: 0 | 1) =>
  (Object.keys(COLOURS) as Colour[]).map((name) => `--t-${name}:${COLOURS[name][at]}`).join(";");

const fill = (name: Colour) => `fill:var(--t-${name})`;
const stroke = (name: Colour) => `stroke:var(--t-${name})`;

/** The style of a picture of a search tree. Its names begin with `--t-`, so that a page can give other colours. */
export const SEARCH_TREE_STYLE = [
  `svg{${variables(0)};font-family:system-ui,-apple-system,"Segoe UI",sans-serif;font-size:13px}`,
  `@media(prefers-color-scheme:dark){svg{${variables(1)}}}`,
  `.ground{${fill("ground")}}`,
  `text{${fill("ink")};paint-order:stroke;${stroke("ground")};stroke-width:3px;stroke-linejoin:round}`,
  "text.in{stroke:none}",
  ".head{font-size:15px;font-weight:600}.value{font-weight:600}.small,.order{font-size:11px}",
  `.small,.order{${fill("faint")}}.order{font-size:9px;font-style:italic}`,
  `.node .small{${fill("ink")}}.why{${fill("cut")};font-weight:600}`,
  `.edge{fill:none;${stroke("edge")};stroke-width:1.2px}.edge.line{${stroke("ink")};stroke-width:2.6px}`,
  `.edge.cut,.strike{fill:none;${stroke("cut")};stroke-width:1.2px}.edge.cut{stroke-dasharray:5 3}.strike{stroke-width:2px}`,
  `.edge.folded{stroke-dasharray:2 3}.fold{${fill("ground")};${stroke("edge")};stroke-dasharray:2 3}`,
  `.up,.down,.circle,.box,.leaf,.estimate,.table,.probe{${stroke("ink")};stroke-width:1.2px}`,
  `polygon.line,circle.line,ellipse.line,rect.line{stroke-width:2.6px}`,
  `.up{${fill("max")}}.down{${fill("min")}}.circle{${fill("mean")}}.box{${fill("choice")}}`,
  `.leaf,.estimate,.probe,.table{${fill("leaf")}}.table{stroke-dasharray:6 3}.probe{stroke-dasharray:1 3}`,
].join("");
