import { z } from "zod";
import { InputError } from "../../base/errors.ts";
import type { Facets, FeatureSet, Heuristic } from "../contract/facets.ts";
import { defineGame } from "../contract/game.ts";
import { plantTree, type Tree, node as treeNode } from "./schema.ts";
import { parseLegal } from "../contract/notation.ts";
import { CHANCE, TERMINAL, type Rules, type State } from "../contract/rules.ts";
import { mixHigh, mixLow } from "../../base/hashing.ts";
import { PLAYER_PAINTS, type Paint, type Painted, type Picture, type Shape } from "../contract/picture.ts";
import { areaAround, circle, label, rect, trianglePoints, type Spot } from "../shared/shapes.ts";

const options = z.strictObject({
  players: z.int().min(1).max(6).default(2).describe("number of players"),
  root: treeNode.describe("the whole tree: a decision or a chance event"),
});

/**
 * A game tree written out by hand, for textbook cases. An action or outcome is the number of the
 * child, written as its name; a position is the path of names from the root, or `.` for the root.
 *
 * ```yaml
 * game:
 *   id: tree
 *   root:
 *     player: 0
 *     actions:
 *       safe: 3
 *       bold: { chance: [{ probability: 1/3, node: 9 }, { probability: 2/3, node: 0 }] }
 *       wait: { player: 1, actions: [5, 2], value: 4 }
 * ```
 */
export const tree = defineGame({
  id: "tree",
  summary: "an explicit game tree, written in the config",
  options,
  rules({ players, root }): Rules<TreeState> {
    const planted = plantTree(root, players);
    const { maxActions, maxPlies, zeroSum } = planted;
    return {
      players,
      chance: planted.toMove.includes(CHANCE),
      zeroSum,
      minReturn: planted.minValue,
      maxReturn: planted.maxValue,
      maxActions,
      maxPlies,
      start: () => new TreeState(planted),
      formatAction: (child, { node }) => planted.name[planted.firstChild[node] + child]!,
      formatState: ({ node }) => pathTo(planted, node),
      parseState(text) {
        const state = new TreeState(planted);
        const path = text.trim();
        if (path === ".") return state;
        for (const name of path.split("/")) {
          try {
            state.apply(parseLegal(this, name, state));
          } catch (error) {
            if (!(error instanceof InputError)) throw error;
            throw new InputError(`"${path}" at ${pathTo(planted, state.node)}: ${error.message}`);
          }
        }
        return state;
      },
      render: ({ node }) => render(planted, node),
    };
  },
  facets({ players, root }): Facets<TreeState> {
    const planted = plantTree(root, players);
    return {
      featureSets: { nodes: nodeFeatures(planted) },
      heuristics: { value: valueHeuristic(planted) },
      picture: createPicture(planted, (node) => pathTo(planted, node)),
    };
  },
});

function pathTo({ parent, name }: Tree, node: number): string {
  const names: string[] = [];
  for (let at = node; at !== 0; at = parent[at]) names.push(name[at]!);
  return names.length === 0 ? "." : names.toReversed().join("/");
}

function render(planted: Tree, node: number): string {
  const { firstChild, childCount, probability, name, toMove } = planted;
  const children = Array.from({ length: childCount[node] }, (_, child) => {
    const at = firstChild[node] + child;
    const odds = toMove[node] === CHANCE ? ` (${Number(probability[at].toPrecision(4))})` : "";
    return `  ${name[at]}${odds}: ${describeNode(planted, at)}`;
  });
  return [`${pathTo(planted, node)}: ${describeNode(planted, node)}`, ...children].join("\n");
}

function describeNode({ toMove, value, players }: Tree, node: number): string {
  if (toMove[node] === CHANCE) return "chance";
  if (toMove[node] !== TERMINAL) return `player ${toMove[node] + 1}`;
  return Array.from(value.subarray(node * players, (node + 1) * players), String).join(", ");
}

/**
 * `nodes`: one feature for each node, so that a linear evaluator is a table of values. In a two-player
 * zero-sum tree the value is +1 for player 0 and -1 for player 1. In other trees there is one feature for
 * each node and player.
 */
function nodeFeatures(planted: Tree): FeatureSet<TreeState> {
  const { size, players } = planted;
  const signed = players === 2 && planted.zeroSum;
  const views = signed ? 1 : players;
  return {
    summary: "one for each node: a table of values",
    version: 1,
    size: size * views,
    maxActive: 1,
    extract({ node }, player, index, value) {
      index[0] = signed ? node : node * players + player;
      value[0] = signed && player === 1 ? -1 : 1;
      return 1;
    },
    describe(feature) {
      const path = pathTo(planted, Math.floor(feature / views));
      return signed ? path : `${path} for player ${(feature % views) + 1}`;
    },
  };
}

function valueHeuristic({ players, value }: Tree): Heuristic<TreeState> {
  return {
    summary: "the `value` written at the node; without one 0, or the middle of a tree that is not zero-sum",
    evaluate: ({ node }, player) => value[node * players + player],
  };
}

/** A place in a game tree. An action or outcome is the number of the child. */
export class TreeState implements State {
  toMove: number;
  node = 0;
  private readonly tree: Tree;

  constructor(tree: Tree) {
    this.tree = tree;
    this.toMove = tree.toMove[0];
  }

  get hashLow(): number {
    return mixLow(this.node, 0, 0, 0);
  }

  get hashHigh(): number {
    return mixHigh(this.node, 0, 0, 0);
  }

  legalActions(out: Int32Array, at: number): number {
    const count = this.tree.childCount[this.node];
    for (let child = 0; child < count; child++) out[at + child] = child;
    return count;
  }

  chanceOutcomes(out: Int32Array, probabilities: Float64Array, at: number): number {
    if (this.toMove !== CHANCE) return 0;
    const { probability, firstChild } = this.tree;
    const count = this.legalActions(out, at);
    const first = firstChild[this.node];
    for (let child = 0; child < count; child++) probabilities[at + child] = probability[first + child];
    return count;
  }

  apply(child: number): void {
    this.node = this.tree.firstChild[this.node] + child;
    this.toMove = this.tree.toMove[this.node];
  }

  undo(): void {
    this.node = this.tree.parent[this.node];
    this.toMove = this.tree.toMove[this.node];
  }

  returns(player: number): number {
    return this.toMove === TERMINAL ? this.tree.value[this.node * this.tree.players + player] : 0;
  }

  copyFrom(other: this): void {
    this.toMove = other.toMove;
    this.node = other.node;
  }
}

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
function createPicture(planted: Tree, pathTo: (node: number) => string): Picture<TreeState> | undefined {
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
