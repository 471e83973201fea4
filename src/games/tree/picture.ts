import { PLAYER_PAINTS, type Paint, type Painted, type Picture, type Shape } from "../contract/picture.ts";
import { CHANCE, TERMINAL } from "../contract/rules.ts";
import { areaAround, circle, label, rect, trianglePoints, type Spot } from "../shared/shapes.ts";
import type { Tree } from "./plant.ts";
import type { TreeState } from "./state.ts";

/** Larger trees are not drawn. */
const MOST_NODES = 1000;
const ROW = 1.7;
const TOP = 0.75;
/** The strip left of the tree, which names the mover of each row. */
const MARGIN = 2.3;
const RADIUS = 0.42;
/** The diameter of an inner node's place. */
const ROUND = 1.15;
/** The share of an edge above its name. */
const ALONG = 0.64;

/**
 * A game tree as textbooks draw it: triangles up for player 0 (MAX) and down for player 1 (MIN), other shapes for more
 * players, circles for chance, and the utilities at the leaves. The path to the position is marked. Undefined for a
 * tree of more than MOST_NODES nodes. `pathTo` names a node.
 */
export function createPicture(
  planted: Tree,
  pathTo: (node: number) => string,
): Picture<TreeState> | undefined {
  if (planted.size > MOST_NODES) return undefined;
  const { size, players, toMove, parent, firstChild, probability, name, value, zeroSum } = planted;
  const isTwoSided = zeroSum && players === 2;
  const nodes = Array.from({ length: size }, (_, node) => node);
  const { spots, width, height } = layOut(
    planted,
    nodes.map((node) => widthOf(node)),
  );

  function valueText(node: number): string {
    const utilities = Array.from(value.subarray(node * players, (node + 1) * players), (utility) =>
      String(Number(utility.toPrecision(4))),
    );
    return isTwoSided ? utilities[0]! : utilities.join(", ");
  }
  function edgeText(node: number): string {
    if (toMove[parent[node]!] !== CHANCE) return name[node]!;
    const odds = String(Number(probability[node]!.toPrecision(3)));
    // A reader would take the number of an outcome without a name for a probability.
    return /^\d/.test(name[node]!) ? odds : `${name[node]} ${odds}`;
  }
  /** The width of a leaf. */
  function boxOf(node: number): number {
    return Math.max(0.85, 0.3 * valueText(node).length + 0.3);
  }
  /** The width of a node, with its text and the name of the edge above it. */
  function widthOf(node: number): number {
    const leaf = toMove[node] === TERMINAL ? boxOf(node) + 0.15 : ROUND;
    // The names of neighbouring edges stand closer together than the nodes below them.
    const edge = node === 0 ? 0 : labelWidth(edgeText(node)) / ALONG;
    return Math.max(leaf, edge);
  }
  const moverText = (mover: number) =>
    mover === CHANCE ? "chance" : isTwoSided ? ["MAX", "MIN"][mover]! : `player ${mover + 1}`;

  const drawEdge = (node: number, stroke: Paint, line: number): Shape => {
    const [from, to] = [spots[parent[node]!]!, spots[node]!];
    return { kind: "path", d: `M${path(from)}L${path(to)}`, stroke, width: line };
  };
  const drawNode = (node: number, here: number): Shape[] => {
    const spot = spots[node]!;
    const mover = toMove[node]!;
    if (mover !== TERMINAL) return [drawMover(mover, spot)];
    const w = boxOf(node);
    const line: Painted = node === here ? { stroke: "mark", width: 0.1 } : { stroke: "line", width: 0.04 };
    return [
      rect(areaAround(spot, w, 0.72), { round: 0.08, fill: "hole", ...line }),
      label(spot, valueText(node), { size: 0.48 }),
    ];
  };
  const drawName = (node: number): Shape[] => {
    const [from, to] = [spots[parent[node]!]!, spots[node]!];
    const at = { x: from.x + ALONG * (to.x - from.x), y: from.y + ALONG * (to.y - from.y) };
    const text = edgeText(node);
    return [
      rect(areaAround(at, labelWidth(text), 0.38), { round: 0.06, fill: "hole" }),
      label(at, text, { size: 0.34 }),
    ];
  };

  return {
    width,
    height,
    ground: [
      rect({ x: 0, y: 0, w: width, h: height }, { round: 0.15, fill: "hole" }),
      ...moversByRow(planted, spots).map(({ y, mover }) =>
        label({ x: MARGIN / 2, y }, moverText(mover), { size: 0.42, fill: "faint", bold: true }),
      ),
      ...nodes.slice(1).map((node) => drawEdge(node, "line", 0.04)),
    ],
    places: nodes.map((node) => {
      const isLeaf = toMove[node] === TERMINAL;
      const [w, h] = isLeaf ? [boxOf(node) + 0.14, 0.86] : [ROUND, ROUND];
      return { name: pathTo(node), ...areaAround(spots[node]!, w, h), isRound: !isLeaf };
    }),
    draw({ node: here }) {
      const played: number[] = [];
      for (let node = here; node !== 0; node = parent[node]!) played.push(node);
      return [
        ...played.map((node) => drawEdge(node, "mark", 0.12)),
        ...(toMove[here] === TERMINAL
          ? []
          : [circle(spots[here]!, ROUND / 2, { fill: "mark", opacity: 0.4 })]),
        ...nodes.flatMap((node) => drawNode(node, here)),
        ...nodes.slice(1).flatMap(drawName),
      ];
    },
    describe({ node: here }, node) {
      const said = toMove[node] === TERMINAL ? `value ${valueText(node)}` : moverText(toMove[node]!);
      return node === here ? `${said}, the position` : said;
    },
    touches: ({ node }, child) => [firstChild[node]! + child],
  };
}

function labelWidth(text: string): number {
  return 0.19 * text.length + 0.16;
}

function path({ x, y }: Spot): string {
  return `${Number(x.toFixed(4))} ${Number(y.toFixed(4))}`;
}

/** The mover at an inner node: chance and each player have a shape of their own. */
function drawMover(mover: number, { x, y }: Spot): Shape {
  const painted = { stroke: "edge", width: 0.05 } as const;
  if (mover === CHANCE) return circle({ x, y }, RADIUS, { fill: "light", ...painted });
  const fill = PLAYER_PAINTS[mover]!;
  if (mover < 2)
    return { kind: "polygon", points: trianglePoints({ x, y }, 0.88, 2 * mover), fill, ...painted };
  const corners = mover + 2;
  const points = Array.from({ length: corners }, (_, corner) => {
    const angle = (2 * Math.PI * (corner + 0.5)) / corners + Math.PI / 2;
    return [x + 1.1 * RADIUS * Math.cos(angle), y + 1.1 * RADIUS * Math.sin(angle)];
  }).flat();
  return { kind: "polygon", points, fill, ...painted };
}

/** Places leaves side by side, and every other node above the middle of its children. */
function layOut(
  { size, parent, firstChild, childCount }: Tree,
  widths: readonly number[],
): { spots: Spot[]; width: number; height: number } {
  const depth = new Int32Array(size);
  // A node comes after its parent.
  for (let node = 1; node < size; node++) depth[node] = depth[parent[node]!]! + 1;
  /** The room that a node needs together with everything below it. */
  const room = Float64Array.from(widths);
  for (let node = size - 1; node >= 0; node--) {
    let below = 0;
    for (let child = 0; child < childCount[node]!; child++) below += room[firstChild[node]! + child]!;
    room[node] = Math.max(room[node]!, below);
  }
  const left = new Float64Array(size).fill(MARGIN);
  for (let node = 0; node < size; node++) {
    const children = Array.from({ length: childCount[node]! }, (_, child) => firstChild[node]! + child);
    const below = children.reduce((sum, child) => sum + room[child]!, 0);
    let x = left[node]! + (room[node]! - below) / 2;
    for (const child of children) {
      left[child] = x;
      x += room[child]!;
    }
  }
  const spots = Array.from(left, (x, node) => ({ x: x + room[node]! / 2, y: TOP + depth[node]! * ROW }));
  return { spots, width: MARGIN + room[0]! + 0.3, height: TOP + Math.max(...depth) * ROW + TOP };
}

/** The rows whose inner nodes all have the same mover. */
function moversByRow({ size, toMove }: Tree, spots: readonly Spot[]): { y: number; mover: number }[] {
  const byRow = new Map<number, Set<number>>();
  for (let node = 0; node < size; node++) {
    if (toMove[node] === TERMINAL) continue;
    const { y } = spots[node]!;
    byRow.set(y, (byRow.get(y) ?? new Set()).add(toMove[node]!));
  }
  return Array.from(byRow, ([y, movers]) => ({ y, movers: [...movers] }))
    .filter(({ movers }) => movers.length === 1)
    .map(({ y, movers }) => ({ y, mover: movers[0]! }));
}
