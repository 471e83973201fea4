import { describe, expect, test } from "vitest";
import { drawSearchTree } from "../../../../src/explain/tree/picture/svg.ts";
import { createGame } from "../../../../src/games/index.ts";
import { createTree } from "../../../agents/random-trees.ts";
import { elements, readXml, type Element } from "../../../support/xml.ts";
import { observe } from "../observed.ts";

/*
 * The places of all that a picture of a search has. Texts are taken a little narrower than the fonts of most systems
 * draw them, so that a text which only just has room does not fail here.
 */

interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

const numbers = ({ attributes }: Element, ...names: string[]) =>
  names.map((name) => Number(attributes[name] ?? 0));
const classes = ({ attributes }: Element) => (attributes["class"] ?? "").split(" ");

const ofClass = (root: Element, name: string, kind: string) =>
  elements(root, name).filter((one) => classes(one).includes(kind));

function boxOfText(element: Element): Box {
  const [x = 0, y = 0] = numbers(element, "x", "y");
  const isSmall = ["small", "order"].some((name) => classes(element).includes(name));
  const width = Array.from(element.text).length * (isSmall ? 5 : 6.5);
  const before = { start: 0, middle: 0.5, end: 1 }[element.attributes["text-anchor"] ?? "start"]!;
  return { left: x - before * width, right: x + (1 - before) * width, top: y - 7, bottom: y + 1 };
}

function boxOfShape(element: Element): Box {
  if (element.name === "polygon") {
    const points = element.attributes["points"]!.split(" ").map(Number);
    const [xs, ys] = [0, 1].map((odd) => points.filter((_, at) => at % 2 === odd)) as [number[], number[]];
    return { left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys) };
  }
  if (element.name === "rect") {
    const [x = 0, y = 0, width = 0, height = 0] = numbers(element, "x", "y", "width", "height");
    return { left: x, right: x + width, top: y, bottom: y + height };
  }
  const [x = 0, y = 0, r = 0] = numbers(element, "cx", "cy", "r");
  const [rx = 0, ry = 0] = element.name === "circle" ? [r, r] : numbers(element, "rx", "ry");
  return { left: x - rx, right: x + rx, top: y - ry, bottom: y + ry };
}

const overlap = (a: Box, b: Box) =>
  Math.min(a.right, b.right) - Math.max(a.left, b.left) > 0 &&
  Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 0;
const middleOf = ({ left, right }: Box) => (left + right) / 2;

interface Drawn {
  readonly node: Element;
  readonly shape: Box;
  readonly texts: readonly Element[];
}

/** The nodes of one tree of a picture, by their paths. */
function nodesOf(tree: Element): Map<string, Drawn> {
  return new Map(
    ofClass(tree, "g", "node").map((node) => [
      node.attributes["data-path"]!,
      { node, shape: boxOfShape(node.children[1]!), texts: elements(node, "text") },
    ]),
  );
}

const T3 = createTree({ player: 0, actions: { left: 20, right: { player: 1, actions: [10, 99, 98] } } });
const COIN = createTree({
  player: 0,
  actions: [{ chance: { head: { probability: "1/2", node: 4 }, tail: { probability: "1/2", node: 2 } } }, 3],
});
const PLAIN = "table=0,ordering=none,deepening=false";
const SEARCHES = [
  ["cut-offs", T3, `alpha-beta:depth=2,${PLAIN}`],
  ["many cut-offs", createGame("tic-tac-toe"), `alpha-beta:depth=3,evaluator=open-lines,${PLAIN}`],
  ["a table and iterations", createGame("nim"), "alpha-beta:depth=4"],
  ["looks before the search", createGame("connect-four"), "alpha-beta:depth=3,evaluator=threats"],
  ["chance", COIN, "expectimax:depth=2,deepening=false"],
  ["one of several players", createGame({ id: "nim", players: 3 }), "max-n:depth=2"],
  ["simulations", createGame("tic-tac-toe"), "mcts:simulations=40"],
  ["simulations of descent", createGame("tic-tac-toe"), "descent:simulations=40,evaluator=open-lines"],
  ["simulations with chance", createGame("pig"), "mcts:simulations=60"],
] as const;

describe.each(SEARCHES)("the picture of a search with %s", (_, game, spec) => {
  const draw = async () => {
    const found = await observe({ game, spec });
    const svg = readXml(drawSearchTree(found, found.iterations, { nodes: 30, width: 6 }));
    const groups = svg.children.filter(({ name }) => name === "g");
    return { svg, trees: groups.slice(0, -1), legend: groups.at(-1)! };
  };

  test("has no text on another one, and nothing outside", async () => {
    const { svg, trees, legend } = await draw();
    const [width = 0, height = 0] = numbers(svg, "width", "height");
    for (const group of [...trees, legend]) {
      const [, dx = 0, dy = 0] = /translate\((\S+) (\S+)\)/.exec(group.attributes["transform"]!)!.map(Number);
      const texts = elements(group, "text").map((one) => ({ text: one.text, box: boxOfText(one) }));
      for (const [at, { text, box }] of texts.entries()) {
        expect(dx + box.left, text).toBeGreaterThanOrEqual(0);
        expect(dx + box.right, text).toBeLessThanOrEqual(width);
        expect(dy + box.bottom, text).toBeLessThanOrEqual(height);
        expect(
          texts.slice(0, at).filter((other) => overlap(other.box, box)),
          text,
        ).toEqual([]);
      }
    }
  });

  test("has each node's texts in, above, below and beside its figure", async () => {
    const { trees } = await draw();
    for (const { node, shape, texts } of trees.flatMap((tree) => [...nodesOf(tree).values()])) {
      expect(texts.filter((one) => classes(one).includes("value")).length).toBeLessThanOrEqual(1);
      for (const one of texts) {
        const box = boxOfText(one);
        const kinds = classes(one);
        const where = `${one.text} of ${node.attributes["data-path"]}`;
        if (kinds.includes("in")) {
          expect(middleOf(box), where).toBeCloseTo(middleOf(shape));
          expect(box.left, where).toBeGreaterThanOrEqual(shape.left);
          expect(box.top, where).toBeGreaterThanOrEqual(shape.top);
          expect(box.bottom, where).toBeLessThanOrEqual(shape.bottom);
        } else if (kinds.includes("name")) {
          expect(middleOf(box), where).toBeCloseTo(middleOf(shape));
          expect(shape.top - box.bottom, where).toBeGreaterThan(0);
          expect(shape.top - box.bottom, where).toBeLessThan(6);
        } else if (kinds.includes("order")) {
          const isBelow = box.top > shape.bottom && box.top < shape.bottom + 8;
          const isBefore = box.right < middleOf(shape) - 12 && box.right > shape.left - 9;
          expect([isBelow, isBefore], where).toContain(true);
        } else {
          expect(box.left - shape.right, where).toBeGreaterThan(0);
          expect(box.left - shape.right, where).toBeLessThan(6);
          expect(box.top, where).toBeGreaterThan(shape.top - 3);
          expect(box.bottom, where).toBeLessThan(shape.bottom + 8);
        }
      }
    }
  });

  test("has branches from under a figure to above the next, which is a level below", async () => {
    const { trees } = await draw();
    for (const tree of trees) {
      const nodes = nodesOf(tree);
      const edges = elements(tree, "path").filter((one) => one.attributes["data-to"] !== undefined);
      expect(edges.length).toBe(ofClass(tree, "g", "node").length - 1);
      const paths = edges.map((edge) => edge.attributes["data-to"]!);
      for (const [at, edge] of edges.entries()) {
        const to = paths[at]!;
        // A look before the search has the path of the search.
        if (paths.filter((other) => other === to).length > 1) continue;
        const [parent, child] = [nodes.get(to.split("/").slice(0, -1).join("/"))!, nodes.get(to)!];
        const ends = /^M(\S+) (\S+)L(\S+) (\S+)$/.exec(edge.attributes["d"]!)!.slice(1).map(Number);
        const [fromX, fromY, toX, toY] = ends as [number, number, number, number];
        expect(fromX).toBeCloseTo(middleOf(parent.shape), 0);
        expect(toX).toBeCloseTo(middleOf(child.shape), 0);
        expect(Math.abs(fromY - parent.shape.bottom)).toBeLessThan(0.2);
        expect(child.shape.top - toY).toBeGreaterThan(12);
        expect(child.shape.top - toY).toBeLessThan(24);
        expect(toY - fromY).toBeGreaterThan(12);
        const label = child.texts.find((one) => classes(one).includes("name"))!;
        expect(boxOfText(label).top - toY).toBeGreaterThanOrEqual(0);
      }
      for (const strike of ofClass(tree, "path", "strike"))
        expect(strike.attributes["d"]).toMatch(/^M\S+ \S+L\S+ \S+M\S+ \S+L\S+ \S+$/);
    }
  });
});
