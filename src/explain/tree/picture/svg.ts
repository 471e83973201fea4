import { escapeText } from "../../../base/text.ts";
import {
  FIGURE_HALF,
  itemOf,
  widthOfText,
  type Figure,
  type Item,
  layOut,
  SEARCH_TREE_STYLE,
} from "./items.ts";
import {
  type SearchIteration,
  type SearchTree,
  countShown,
  foldTree,
  type ShownLimits,
} from "../search-tree.ts";
import { describeDecision, describeNode, formatIterationTitle, moverOf } from "../text/text.ts";

/** The space between two levels, besides the height of the figures. */
const LEVEL = 52;
/** The space between two nodes of a level. */
const GAP = 10;
const MARGIN = 20;
/** The space from the top of a tree's picture to the middle of its root. */
const HEAD = 66;
/** The space between two trees of a row. */
const APART = 56;
/** The size of a heading, relative to other text. */
const HEADING = 1.2;
/** Half the height of a figure. */
const TALL = 18;

/** One drawn tree; its left upper corner is at 0, 0. */
interface Drawing {
  readonly width: number;
  readonly height: number;
  readonly lines: readonly string[];
  readonly figures: ReadonlySet<Figure | "cut" | "fold" | "line">;
}

/** Draws iterations of a search as the text of an SVG file: a row of trees, light or dark as the reader's system is. */
export function drawSearchTree(
  tree: SearchTree,
  iterations: readonly SearchIteration[],
  limits: ShownLimits = {},
): string {
  const drawings = iterations.map((iteration) => drawIteration(iteration, limits));
  const heading = describeDecision(tree);
  const figures = new Set(drawings.flatMap((one) => [...one.figures]));
  const legend = drawLegend(figures, tree.agent === "mcts");
  const row = drawings.reduce((sum, { width }) => sum + width, 0) + APART * (drawings.length - 1);
  const width = Math.max(row, HEADING * widthOfText(heading), legend.width) + 2 * MARGIN;
  const top = 40;
  const bottom = top + Math.max(...drawings.map(({ height }) => height));
  const height = bottom + 44;
  let x = (width - row) / 2;
  const placed = drawings.map((drawing) => {
    const text = `<g transform="translate(${fixed(x)} ${top})">\n${drawing.lines.join("\n")}\n</g>`;
    x += drawing.width + APART;
    return text;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${fixed(width)}" height="${fixed(height)}" viewBox="0 0 ${fixed(width)} ${fixed(height)}" role="img">`,
    `<title>${escapeText(heading)}</title>`,
    `<style>${SEARCH_TREE_STYLE}</style>`,
    `<rect class="ground" width="${fixed(width)}" height="${fixed(height)}"/>`,
    `<text class="head" x="${MARGIN}" y="28">${escapeText(heading)}</text>`,
    ...placed,
    `<g transform="translate(${MARGIN} ${fixed(bottom + 20)})">\n${legend.lines.join("\n")}\n</g>`,
    "</svg>\n",
  ].join("\n");
}

function drawIteration(iteration: SearchIteration, limits: ShownLimits): Drawing {
  const shown = foldTree(iteration.root, limits);
  const title = formatIterationTitle(iteration, countShown(shown));
  const root = itemOf(shown);
  const layout = layOut<Item>(root, GAP);
  const width = Math.max(layout.width, widthOfText(title, true));
  const shift = (width - layout.width) / 2;
  const edges: string[] = [];
  const nodes: string[] = [];
  const figures = new Set<Figure | "cut" | "fold" | "line">();
  const level = LEVEL + tallest(root);
  let deepest = 0;
  const walk = (item: Item, depth: number, parent: string): void => {
    const at: Place = { x: layout.x.get(item)! + shift, y: HEAD + depth * level };
    const path = item.kind === "node" ? item.path.join("/") : parent;
    deepest = Math.max(deepest, depth);
    nodes.push(...(item.kind === "cut" ? cutOff(parent, drawItem(item, at)) : drawItem(item, at)));
    figures.add(item.kind === "node" ? item.figure : item.kind === "cut" ? "cut" : "fold");
    if (item.kind === "node" && item.isOnLine && item.label !== "") figures.add("line");
    for (const child of item.children) {
      const edge = drawEdge(at, { x: layout.x.get(child)! + shift, y: at.y + level }, child, dropOf(item));
      edges.push(...(child.kind === "cut" ? cutOff(path, edge) : edge));
      walk(child, depth + 1, path);
    }
  };
  walk(root, 0, "");
  return {
    width,
    height: HEAD + deepest * level + 40,
    lines: [
      `<text class="small" x="${fixed(width / 2)}" y="22" text-anchor="middle">${escapeText(title)}</text>`,
    ]
      .concat(edges)
      .concat(nodes),
    figures,
  };
}

interface Place {
  readonly x: number;
  readonly y: number;
}

/** Attributes of an action that was cut off at the node of that path. */
function cutOff(path: string, lines: readonly string[]): string[] {
  return [`<g data-cut="${path}">`, ...lines, "</g>"];
}

/** Returns the height of an item above its middle, its label included. */
function topOf(item: Item): number {
  if (item.kind === "cut") return 26;
  if (item.kind === "fold") return 11;
  return item.label === "" ? TALL : heightOf(item) / 2 + 18;
}

const dropOf = (item: Item) => (item.kind === "node" ? heightOf(item) / 2 : 0);

/** Returns the height of the highest figure at and below an item. */
function tallest(item: Item): number {
  return Math.max(item.kind === "node" ? heightOf(item) : 0, ...item.children.map(tallest));
}

/** Returns the height of a node's figure. */
function heightOf({ figure, inside }: Item & { kind: "node" }): number {
  if (inside.length > 1) return (figure === "circle" ? 22 : 10) + 13 * inside.length;
  return figure === "up" || figure === "down" || figure === "circle" ? 2 * TALL : 28;
}

/** Draws the edge from a figure, which reaches `drop` below its middle, to the item below it. */
function drawEdge(from: Place, to: Place, item: Item, drop: number): string[] {
  const begin = { x: from.x, y: from.y + drop };
  const end = { x: to.x, y: to.y - topOf(item) };
  const kind =
    item.kind === "node"
      ? item.isOnLine
        ? "edge line"
        : "edge"
      : item.kind === "fold"
        ? "edge folded"
        : "edge cut";
  const target = item.kind === "node" ? ` data-to="${item.path.join("/")}"` : "";
  const edge = `<path class="${kind}"${target} d="M${fixed(begin.x)} ${fixed(begin.y)}L${fixed(end.x)} ${fixed(end.y)}"/>`;
  if (item.kind !== "cut") return [edge];
  // Two strokes across the branch.
  const strokes = [0.7, 0.82].map((part) => {
    const x = begin.x + part * (end.x - begin.x);
    const y = begin.y + part * (end.y - begin.y);
    return `M${fixed(x - 7)} ${fixed(y + 3)}L${fixed(x + 7)} ${fixed(y - 3)}`;
  });
  return [edge, `<path class="strike" d="${strokes.join("")}"/>`];
}

function drawItem(item: Item, { x, y }: Place): string[] {
  if (item.kind === "cut")
    return [
      text(item.label, { x, y: y - 14, kind: "small unseen" }),
      ...(item.note === "" ? [] : [text(item.note, { x, y: y + 2, kind: "small why" })]),
    ];
  if (item.kind === "fold")
    return [
      `<rect class="fold" x="${fixed(x - item.half)}" y="${fixed(y - 11)}" width="${fixed(2 * item.half)}" height="22" rx="11"/>`,
      text(item.label, { x, y: y + 4, kind: "small" }),
    ];
  const { node, figure, half, label, inside, beside, isOnLine } = item;
  // A triangle is widest at its base; its text stands there.
  const drop = figure === "up" ? 12 : figure === "down" ? -1 : 5;
  const middle = y + drop - (inside.length - 1) * 6.5;
  const isNumbered = node.order > 0;
  const below = item.children.length === 0;
  const height = heightOf(item);
  const order = String(node.order);
  return [
    `<g class="node" data-order="${node.order}" data-path="${item.path.join("/")}"><title>${escapeText(describeNode(node))}</title>`,
    shapeOf(figure, { x, y, half, height, isOnLine }),
    ...(label === "" ? [] : [text(label, { x, y: y - height / 2 - 5, kind: "name" })]),
    ...inside.map((line, at) => {
      const isValue = line === inside[inside[0] === moverOf(node) ? 1 : 0];
      return text(line, { x, y: middle + at * 13, kind: isValue ? "value in" : "small in" });
    }),
    ...beside.map((line, at) => {
      const isValue = inside.length === 0 && at === 0;
      const dy = beside.length > 1 ? at * 14 - 2 : figure === "up" ? 12 : 4;
      return text(line, { x: x + half + 2, y: y + dy, kind: isValue ? "value" : "small", anchor: "start" });
    }),
    ...(isNumbered
      ? [
          below
            ? text(order, { x, y: y + height / 2 + 12, kind: "order" })
            : text(order, {
                x: x - half - (figure === "up" ? -8 : 3),
                y: y - 5,
                kind: "order",
                anchor: "end",
              }),
        ]
      : []),
    "</g>",
  ];
}

function shapeOf(
  figure: Figure,
  { x, y, half, height, isOnLine }: Place & { half: number; height: number; isOnLine: boolean },
): string {
  const kind = `${figure}${isOnLine ? " line" : ""}`;
  switch (figure) {
    case "up":
    case "down": {
      const [tip, base] = figure === "up" ? [y - TALL, y + TALL] : [y + TALL, y - TALL];
      const points = [x, tip, x - half, base, x + half, base].map(fixed).join(" ");
      return `<polygon class="${kind}" points="${points}"/>`;
    }
    case "circle":
      return height > 2 * TALL || half > FIGURE_HALF
        ? `<ellipse class="${kind}" cx="${fixed(x)}" cy="${fixed(y)}" rx="${fixed(half)}" ry="${fixed(height / 2)}"/>`
        : `<circle class="${kind}" cx="${fixed(x)}" cy="${fixed(y)}" r="${TALL}"/>`;
    default: {
      const round = figure === "box" ? 10 : figure === "estimate" ? 14 : 2;
      const box = { x: x - half, y: y - height / 2, width: 2 * half, height, rx: round };
      const list = Object.entries(box).map(([name, value]) => `${name}="${fixed(value)}"`);
      return `<rect class="${kind}" ${list.join(" ")}/>`;
    }
  }
}

function text(
  content: string,
  { x, y, kind, anchor = "middle" }: Place & { kind: string; anchor?: "start" | "middle" | "end" },
): string {
  return `<text class="${kind}" x="${fixed(x)}" y="${fixed(y)}" text-anchor="${anchor}">${escapeText(content)}</text>`;
}

/** The meanings of the figures, in the order of the legend. */
const LEGEND = {
  up: "MAX: the highest value",
  down: "MIN: the lowest",
  circle: "mean",
  box: "a player's choice",
  leaf: "end of the game",
  estimate: "evaluated",
  table: "from the table",
  probe: "a look before the search",
  cut: "cut off",
  fold: "not shown",
  line: "principal variation",
} as const satisfies Record<Figure | "cut" | "fold" | "line", string>;

/** Draws the meanings of the figures in use, in one line. */
function drawLegend(used: ReadonlySet<string>, isSimulated: boolean): { width: number; lines: string[] } {
  const lines: string[] = [];
  let x = 0;
  const legend = isSimulated ? { ...LEGEND, box: "mean of n simulations, for who chose it" } : LEGEND;
  for (const [figure, meaning] of Object.entries(legend) as [keyof typeof LEGEND, string][]) {
    if (!used.has(figure)) continue;
    lines.push(
      `<g transform="translate(${fixed(x + 12)} 0) scale(0.45)">${legendSign(figure)}</g>`,
      text(meaning, { x: x + 28, y: 4, kind: "small", anchor: "start" }),
    );
    x += 28 + widthOfText(meaning, true) + 18;
  }
  return { width: x, lines };
}

function legendSign(figure: keyof typeof LEGEND): string {
  if (figure === "cut") return drawEdge({ x: -24, y: -TALL }, { x: 26, y: 26 }, LEGEND_CUT, TALL).join("");
  if (figure === "line") return `<path class="edge line" d="M-24 0L24 0"/>`;
  if (figure === "fold") return `<rect class="fold" x="-24" y="-11" width="48" height="22" rx="11"/>`;
  return shapeOf(figure, { x: 0, y: 0, half: 22, height: 28, isOnLine: false });
}

const LEGEND_CUT: Item = { kind: "cut", label: "", note: "", left: 0, right: 0, children: [] };

function fixed(value: number): string {
  return String(Number(value.toFixed(1)));
}
