import { expect, test } from "vitest";
import type { SearchTree } from "../../../../src/explain/tree/search-tree.ts";
import { drawSearchTree } from "../../../../src/explain/tree/picture/svg.ts";
import { createGame } from "../../../../src/games/index.ts";
import { elements, readXml, type Element } from "../../../support/xml.ts";
import { createTree } from "../../../agents/random-trees.ts";
import { observe } from "../observed.ts";

const ofClass = (root: Element, name: string, kind: string) =>
  elements(root, name).filter(({ attributes }) => attributes["class"]?.split(" ").includes(kind));

const T3 = createTree({ player: 0, actions: { left: 20, right: { player: 1, actions: [10, 99, 98] } } });

test("a cut-off: a triangle up and one down, two branches struck through, and the bound that cut them", async () => {
  const spec = "alpha-beta:depth=2,table=0,ordering=none,deepening=false";
  const found = await observe({ game: T3, spec });
  const svg = readXml(drawSearchTree(found, found.iterations));
  const nodes = ofClass(svg, "g", "node");
  expect(nodes.map(({ attributes }) => attributes["data-order"])).toEqual(["1", "2", "3", "4"]);
  expect(nodes.map(({ children }) => [children[1]!.name, children[1]!.attributes["class"]])).toEqual([
    ["polygon", "up line"],
    ["rect", "leaf line"],
    ["polygon", "down"],
    ["rect", "leaf"],
  ]);
  expect(ofClass(svg, "path", "cut")).toHaveLength(3); // and one in the legend
  // Strokes stand after each, and after nothing else.
  const paths = elements(svg, "path").map(({ attributes }) => attributes["class"]!);
  for (const [at, path] of paths.entries())
    expect(paths[at + 1] === "strike", `${at}: ${paths.join()}`).toBe(path.includes("cut"));
  expect(ofClass(svg, "text", "unseen").map(({ text }) => text)).toEqual(["2", "3"]);
  expect(ofClass(svg, "text", "why").map(({ text }) => text)).toEqual(["10 ≤ alpha 20"]);
  expect(elements(svg, "text").map(({ text }) => text)).toContain("[20, +∞]");
});

test("a value too long for its triangle stands beside it, before the window", async () => {
  const tree = createTree({
    player: 0,
    actions: { left: 200_000, right: { player: 1, actions: [100_000, 9] } },
  });
  const found = await observe({
    game: tree,
    spec: "alpha-beta:depth=2,table=0,ordering=none,deepening=false",
  });
  const svg = readXml(drawSearchTree(found, found.iterations));
  const [root] = ofClass(svg, "g", "node");
  const beside = elements(root!, "text").filter(({ attributes }) => attributes["text-anchor"] === "start");
  expect(beside.map(({ text, attributes }) => [text, attributes["class"]])).toEqual([
    ["200000", "value"],
    ["[-∞, +∞]", "small"],
  ]);
});

test("who maximises has the tip above, who minimises below; an estimate alone has a ≈", async () => {
  const spec = "alpha-beta:depth=3,evaluator=open-lines";
  const found = await observe({ game: createGame("tic-tac-toe"), spec });
  const svg = readXml(drawSearchTree(found, found.iterations));
  const kinds = ofClass(svg, "g", "node").map((node) => {
    const { attributes } = node.children[1]!;
    const [kind = ""] = attributes["class"]!.split(" ");
    const [, tip = 0, , base = 0, , other = 0] = (attributes["points"] ?? "").split(" ").map(Number);
    expect(base).toBe(other);
    expect(Math.sign(base - tip)).toBe(kind === "up" ? 1 : kind === "down" ? -1 : 0);
    // The value stands where the triangle is wide.
    const [value] = ofClass(node, "text", "in").map((text) => Number(text.attributes["y"]));
    if (value !== undefined && base !== tip)
      expect(Math.abs(value - base)).toBeLessThan(Math.abs(value - tip));
    const isMarked = elements(node, "text").some(({ text }) => text.startsWith("≈ "));
    expect(isMarked).toBe(kind === "estimate");
    return kind;
  });
  expect([...new Set(kinds)]).toEqual(expect.arrayContaining(["up", "down", "estimate"]));
});

test("chance: a circle, and a probability at each branch", async () => {
  const game = createTree({
    player: 0,
    actions: [{ chance: { head: { probability: "1/2", node: 4 }, tail: { probability: "1/2", node: 2 } } }],
  });
  const found = await observe({ game, spec: "expectimax:depth=2,deepening=false" });
  const svg = readXml(drawSearchTree(found, found.iterations));
  expect(ofClass(svg, "circle", "circle")).toHaveLength(2);
  const labels = ofClass(svg, "text", "name").map(({ text }) => text);
  expect(labels).toEqual(["1", "head: 1/2", "tail: 1/2"]);
});

test("iterations stand in a row, limits hold, everything is inside the picture", async () => {
  const spec = "alpha-beta:depth=3,evaluator=open-lines";
  const found = await observe({ game: createGame("tic-tac-toe"), spec });
  const svg = readXml(drawSearchTree(found, found.iterations, { nodes: 20, width: 5 }));
  const orders = ofClass(svg, "g", "node").map(({ attributes }) => attributes["data-order"]);
  expect(orders.filter((order) => order === "1")).toHaveLength(3);
  expect(orders.length).toBeLessThanOrEqual(3 * 20);
  const [width, height] = ["width", "height"].map((name) => Number(svg.attributes[name]));
  const rows = svg.children.filter(({ name }) => name === "g");
  for (const row of rows) {
    const [, x, y] = /translate\((\S+) (\S+)\)/.exec(row.attributes["transform"]!)!.map(Number);
    for (const { attributes } of elements(row, "text").filter((one) => one.attributes["x"])) {
      expect(x! + Number(attributes["x"])).toBeLessThanOrEqual(width!);
      expect(y! + Number(attributes["y"])).toBeLessThanOrEqual(height!);
    }
  }
  expect(elements(svg, "text").some(({ text }) => /^and \d+ more$/.test(text))).toBe(true);
});

test("hostile names are text", async () => {
  const found = await observe({ game: T3, spec: "minimax:depth=2" });
  const name = `<script>"&\u0000'`;
  const [iteration] = found.iterations;
  const root = {
    ...iteration!.root,
    children: iteration!.root.children.map((child) => ({ ...child, name })),
  };
  const hostile: SearchTree = { ...found, decision: { ...found.decision, action: name, line: [name] } };
  const svg = readXml(drawSearchTree(hostile, [{ ...iteration!, root }]));
  expect(elements(svg, "script")).toEqual([]);
  expect(ofClass(svg, "text", "name").map(({ text }) => text)).toContain(`<script>"&\ufffd'`);
});
