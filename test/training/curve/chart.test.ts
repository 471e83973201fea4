import { describe, expect, test } from "vitest";
import { CHART_STYLE, drawChart, LINE_COLOURS, type Chart } from "../../../src/training/curve/chart.ts";
import { elements, readXml, type Element } from "../../support/xml.ts";

const point = (x: number, y: number, half = 1) => ({ x, y, low: y - half, high: y + half });

const curve = [point(0, 0), point(3, 40), point(7, 100)];
const trained = (points: Chart["lines"][number]["points"]) => ({ lines: [{ name: "trained", points }] });

const base: Chart = {
  title: "Elo & more",
  ...trained(curve),
  levels: [{ name: "random", y: 20 }],
  digits: 1,
  lastX: 7,
  xTitle: "games",
  left: 50,
  top: 40,
  width: 350,
  height: 200,
};

const draw = (change: Partial<Chart> = {}) => readXml(`<svg>${drawChart({ ...base, ...change })}</svg>`);
const number = (element: Element, name: string) => Number(element.attributes[name]);
const texts = (svg: Element) => elements(svg, "text");
const [right, bottom] = [400, 240];

describe("the axes", () => {
  test("begin at 0 on the left and end at lastX on the right; a tick beyond is left out", () => {
    const [axis, ...ticks] = elements(draw(), "line", "axis");
    expect(axis!.attributes).toMatchObject({ x1: "50", x2: "400", y1: "240", y2: "240" });
    // Every second game, to 6: 8 lies beyond the axis.
    expect(ticks.map((tick) => number(tick, "x1"))).toEqual([50, 150, 250, 350]);
    for (const tick of ticks)
      expect(tick.attributes).toMatchObject({ x2: tick.attributes["x1"], y1: "240", y2: "245" });
    const labels = texts(draw()).filter((text) => number(text, "y") === bottom + 20);
    expect(labels.map((label) => [number(label, "x"), label.text])).toEqual([
      [50, "0"],
      [150, "2"],
      [250, "4"],
      [350, "6"],
    ]);
    const title = texts(draw()).find((text) => text.text === "games")!;
    expect([number(title, "x"), number(title, "y")]).toEqual([225, 280]);
  });

  test("where the last tick is the end of the axis, it is drawn", () => {
    const ticks = elements(draw({ lastX: 8 }), "line", "axis").slice(1);
    expect(number(ticks.at(-1)!, "x1")).toBe(right);
  });

  test("without a title the horizontal axis has no numbers", () => {
    const svg = draw({ xTitle: undefined });
    expect(elements(svg, "line", "axis")).toHaveLength(5);
    expect(texts(svg).filter((text) => number(text, "y") > bottom + 4)).toEqual([]);
  });

  test("grid lines go up evenly from the bottom to the top, each with its number", () => {
    const svg = draw();
    const heights = elements(svg, "line", "grid").map((line) => number(line, "y1"));
    expect([heights[0], heights.at(-1)]).toEqual([bottom, base.top]);
    for (const [at, height] of heights.entries())
      expect(height).toBeCloseTo(bottom - (200 * at) / (heights.length - 1), 0);
    const labels = texts(svg).filter((text) => number(text, "x") === base.left - 8);
    expect(labels.map((label) => number(label, "y"))).toEqual(heights.map((height) => height + 4));
    const head = texts(svg).find((text) => text.attributes["class"] === "head")!;
    expect([head.text, number(head, "x"), number(head, "y")]).toEqual(["Elo & more", 50, 28]);
  });

  test("a chart without points still has axes", () => {
    const svg = draw({ lines: [], levels: [], lastX: 0 });
    expect(elements(svg, "line", "grid").length).toBeGreaterThan(1);
    expect(elements(svg, "path")).toEqual([]);
    expect(elements(svg, "circle")).toEqual([]);
  });
});

/** The value at a height, by the numbers beside the grid lines. */
function valueAt(svg: Element, height: number): number {
  const labels = texts(svg).filter((text) => number(text, "x") === base.left - 8);
  const [low, high] = [labels[0]!, labels.at(-1)!].map((label) => ({
    value: Number(label.text),
    height: number(label, "y") - 4,
  }));
  return low!.value + ((low!.height - height) / (low!.height - high!.height)) * (high!.value - low!.value);
}

describe("the curve", () => {
  test("goes through the values, within the ends of the intervals", () => {
    const svg = draw();
    const dots = elements(svg, "circle", "dot");
    expect(dots.map((dot) => number(dot, "cx"))).toEqual([50, 200, 400]);
    for (const [at, dot] of dots.entries())
      expect(valueAt(svg, number(dot, "cy"))).toBeCloseTo(curve[at]!.y, 0);
    const corners = (name: string) =>
      [...elements(svg, "path", name)[0]!.attributes["d"]!.matchAll(/([\d.]+),([\d.]+)/g)].map((corner) =>
        corner.slice(1).map(Number),
      );
    expect(corners("line")).toEqual(dots.map((dot) => [number(dot, "cx"), number(dot, "cy")]));
    const band = corners("band");
    expect(band.map(([x]) => x)).toEqual([50, 200, 400, 400, 200, 50]);
    const ends = [...curve.map(({ high }) => high), ...curve.map(({ low }) => low).toReversed()];
    for (const [at, [, y]] of band.entries()) expect(valueAt(svg, y!)).toBeCloseTo(ends[at]!, 0);
  });

  test("of one point is its interval; of values that are not finite there is nothing", () => {
    const svg = draw(trained([point(7, 40, 10), point(3, NaN), point(5, Infinity)]));
    expect(elements(svg, "circle", "dot")).toHaveLength(1);
    const [bar] = elements(svg, "line", "bar");
    expect(bar!.attributes).toMatchObject({ x1: "400", x2: "400" });
    expect(valueAt(svg, number(bar!, "y1"))).toBeCloseTo(30, 0);
    expect(valueAt(svg, number(bar!, "y2"))).toBeCloseTo(50, 0);
    expect(elements(svg, "path")).toEqual([]);
  });

  test("has dots for up to 60 points", () => {
    const dots = (count: number) =>
      elements(
        draw({ ...trained(Array.from({ length: count }, (_, x) => point(x, x))), lastX: count }),
        "circle",
      );
    expect(dots(60)).toHaveLength(60);
    expect(dots(61)).toEqual([]);
  });

  test("a wide interval does not press the values together: the axis goes on by half of their range at most", () => {
    const wide = draw({ levels: [], ...trained([point(0, 0), { x: 7, y: 100, low: -1e6, high: 1e6 }]) });
    expect(valueAt(wide, bottom)).toBeGreaterThanOrEqual(-100);
    expect(valueAt(wide, bottom)).toBeLessThanOrEqual(-50);
    expect(valueAt(wide, base.top)).toBeLessThanOrEqual(200);
    expect(valueAt(wide, base.top)).toBeGreaterThanOrEqual(150);
  });
});

describe("several lines", () => {
  const svg = draw({
    lines: [
      { name: "a", points: curve },
      { name: "b", points: [point(0, 0), point(7, 200)] },
    ],
  });

  test("share the axes; each has its band, colour and name", () => {
    const classes = elements(svg, "path").map(({ attributes }) => attributes["class"]);
    expect(classes).toEqual(["band", "line", "band c1", "line c1"]);
    const heads = texts(svg).filter((text) => text.attributes["class"]?.startsWith("own"));
    expect(heads.map(({ children, attributes }) => [children[0]!.text, attributes["class"]])).toEqual([
      ["100.0 a", "own"],
      ["200.0 b", "own c1"],
    ]);
    const last = elements(svg, "circle", "dot c1").at(-1)!;
    expect(valueAt(svg, number(last, "cy"))).toBeCloseTo(200, 0);
  });

  test("have a rule for each colour, by day and by night", () => {
    for (let colour = 1; colour < LINE_COLOURS; colour++)
      expect(CHART_STYLE.split(`.line.c${colour},`)).toHaveLength(3);
    expect(CHART_STYLE).not.toContain(`.c${LINE_COLOURS}`);
  });
});

describe("the names beside the chart", () => {
  const names = (change: Partial<Chart>) =>
    texts(draw(change))
      .filter((text) => number(text, "x") === right + 8)
      .map((text) => ({
        text: text.children[0]!.text,
        whole: text.children[1]!.text,
        y: number(text, "y") - 4,
        own: text.attributes["class"] === "own",
      }));

  test("stand at their values; the last point is the trained one", () => {
    const found = names({});
    expect(found.map(({ text, own }) => [text, own])).toEqual([
      ["20.0 random", false],
      ["100.0 trained", true],
    ]);
    const svg = draw();
    expect(valueAt(svg, found[0]!.y)).toBeCloseTo(20, 0);
    expect(valueAt(svg, found[1]!.y)).toBeCloseTo(100, 0);
    const [level] = elements(svg, "line", "level");
    expect(number(level!, "y1")).toBe(found[0]!.y);
  });

  test("of equal values leave room for a line each, in the chart where it is high enough", () => {
    for (const [y, count] of [
      [0, 5],
      [100, 5],
      [50, 12],
      [50, 40],
    ] as const) {
      const levels = Array.from({ length: count }, (_, at) => ({ name: `n${at}`, y }));
      const heights = names({ levels })
        .map((name) => name.y)
        .toSorted((a, b) => a - b);
      for (let at = 1; at < heights.length; at++)
        expect(heights[at]! - heights[at - 1]!).toBeGreaterThanOrEqual(13.9);
      expect(heights[0]).toBeGreaterThanOrEqual(base.top);
      if (count < 14) expect(heights.at(-1)).toBeLessThanOrEqual(bottom);
    }
  });

  test("that are long are cut, and whole in the tip; a value is never -0", () => {
    const long = "x".repeat(29);
    const found = names({
      lines: [],
      levels: [
        { name: long, y: -0.01 },
        { name: long.slice(1), y: 5 },
      ],
    });
    expect(found.map(({ text, whole }) => [text, whole])).toEqual([
      [`0.0 ${"x".repeat(13)}...${"x".repeat(12)}`, long],
      [`5.0 ${"x".repeat(28)}`, "x".repeat(28)],
    ]);
  });
});
