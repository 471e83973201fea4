import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatCurveCsv, formatCurveSvg, formatCurveTable } from "../../../src/training/curve/formats.ts";
import type { CurvePoint, LearningCurve } from "../../../src/training/curve/curve.ts";
import { elements, readXml, type Element } from "../../support/xml.ts";
import { slowTest } from "../../support/thorough.ts";

const point = (games: number, [elo, low, high]: number[], mean = [0, -0.5, 0.5]): CurvePoint => ({
  games,
  elo: elo!,
  low: low!,
  high: high!,
  score: 0.5,
  meanReturn: { mean: mean[0]!, low: mean[1]!, high: mean[2]! },
  against: [],
});

const curve: LearningCurve = {
  warnings: [],
  points: [point(0, [0, -100, 100]), point(500, [600, 500, 700]), point(1000, [1000, 900, 1000])],
  pool: [
    { name: "random", elo: -0.01, low: 0, high: 0 },
    { name: "greedy", elo: 800, low: 700, high: 900 },
  ],
};

const draw = (...args: Parameters<typeof formatCurveSvg>) => readXml(formatCurveSvg(...args));
const numbers = (element: Element, ...names: string[]) =>
  names.map((name) => Number(element.attributes[name]));
const corners = (path: Element) =>
  [...path.attributes["d"]!.matchAll(/([-\d.]+),([-\d.]+)/g)].map((pair) => [
    Number(pair[1]),
    Number(pair[2]),
  ]);

/** The places of the two charts, left, top, right and bottom, by their axes and highest grid lines. */
function frames(svg: Element): number[][] {
  const axes = elements(svg, "line", "axis").filter(
    ({ attributes }) => attributes["y1"] === attributes["y2"],
  );
  const grid = elements(svg, "line", "grid").map((line) => numbers(line, "y1")[0]!);
  return axes.map((axis, at) => {
    const [left, bottom, right] = numbers(axis, "x1", "y1", "x2") as [number, number, number];
    const above = at === 0 ? 0 : numbers(axes[at - 1]!, "y1")[0]!;
    return [left, Math.min(...grid.filter((y) => y > above && y <= bottom)), right, bottom];
  });
}

describe("the picture of a learning curve", () => {
  const svg = draw(curve, "mine: nim");
  const [first, second] = frames(svg) as [number[], number[]];

  test("has a dot for each checkpoint where its games and its Elo say", () => {
    const [left, top, right, bottom] = first as [number, number, number, number];
    // The axis goes from -200 to 1000, ticks 200 apart, or as far as the labels say.
    const labels = elements(svg, "text").filter(({ attributes }) => attributes["text-anchor"] === "end");
    const axis = labels
      .map(({ text }) => Number(text))
      .slice(
        0,
        labels.findIndex(({ text }, at) => at > 0 && Number(text) < Number(labels[at - 1]!.text)),
      );
    const [least, most] = [Math.min(...axis), Math.max(...axis)];
    expect(least).toBeLessThanOrEqual(-100);
    expect(most).toBeGreaterThanOrEqual(1000);
    const dots = elements(svg, "circle")
      .slice(0, 3)
      .map((dot) => numbers(dot, "cx", "cy"));
    const expected = curve.points.map(({ games, elo }) => [
      left + (games / 1000) * (right - left),
      bottom - ((elo - least) / (most - least)) * (bottom - top),
    ]);
    for (const [at, [x, y]] of expected.entries()) {
      expect(dots[at]![0]).toBeCloseTo(x!, 0);
      expect(dots[at]![1]).toBeCloseTo(y!, 0);
    }
  });

  test("has the pool's agents as level lines with names and figures, and the last checkpoint's figure", () => {
    const dots = elements(svg, "circle").map((dot) => numbers(dot, "cy")[0]!);
    const levels = elements(svg, "line", "level").map((level) => numbers(level, "y1", "y2"));
    // random has the first checkpoint's Elo, all but.
    expect(levels[0]).toEqual([dots[0], dots[0]]);
    expect(levels[1]![0]).toBeLessThan(dots[1]!);
    expect(levels[1]![0]).toBeGreaterThan(dots[2]!);
    expect(elements(svg, "tspan").map(({ text }) => text)).toEqual([
      "0 random",
      "800 greedy",
      "1000 trained",
      "0.000 trained",
    ]);
  });

  test("has the 95% band around the line", () => {
    const [band] = elements(svg, "path", "band");
    const [line] = elements(svg, "path", "line");
    const around = corners(band!);
    const middle = corners(line!);
    expect(around).toHaveLength(6);
    for (const [at, [x, y]] of middle.entries()) {
      expect(around[at]![0]).toBe(x);
      expect(around[5 - at]![0]).toBe(x);
      expect(around[at]![1]).toBeLessThanOrEqual(y!);
      expect(around[5 - at]![1]).toBeGreaterThan(y!);
    }
  });

  test("has Elo above the return, or the return above where it is the main figure", () => {
    const heads = (main?: "elo" | "return") =>
      elements(draw(curve, "mine", main && { main }), "text", "head").map(({ text }) => text);
    expect(heads()).toEqual(["Elo, 95% interval", "Mean return a game, 95% interval"]);
    expect(heads("elo")).toEqual(heads());
    expect(heads("return")).toEqual(heads().toReversed());
    expect(first[3]! - first[1]!).toBeGreaterThan(second[3]! - second[1]!);
  });

  test("names of agents with the same rating stay apart", () => {
    const pool = Array.from({ length: 8 }, (_, at) => ({ name: `agent ${at}`, elo: 500, low: 0, high: 0 }));
    const labels = elements(draw({ ...curve, pool }, "mine"), "text").filter(({ children }) =>
      children.some(({ name }) => name === "tspan"),
    );
    const heights = labels
      .slice(0, 9)
      .map((label) => numbers(label, "y")[0]!)
      .toSorted((a, b) => a - b);
    for (let at = 1; at < heights.length; at++)
      expect(heights[at]! - heights[at - 1]!).toBeGreaterThanOrEqual(13.9);
  });

  test("an interval without end reaches to the edges of its chart", () => {
    const wide = { ...curve, points: curve.points.with(1, point(500, [600, -Infinity, Infinity])) };
    const svg = draw(wide, "mine");
    const [[, top, , bottom]] = frames(svg) as [number[]];
    const around = corners(elements(svg, "path", "band")[0]!);
    expect([around[1]![1], around[4]![1]]).toEqual([top, bottom]);
  });
});

const figure = fc.double({ min: -5000, max: 5000, noNaN: true });
const end = fc.oneof(figure, fc.constantFrom(-Infinity, Infinity, NaN));
const anyCurve = fc.record({
  points: fc
    .array(fc.tuple(fc.nat(1e7), fc.oneof(figure, end), end, end, fc.oneof(figure, end), end, end), {
      maxLength: 6,
    })
    .map((rows) =>
      rows.toSorted((a, b) => a[0] - b[0]).map(([games, ...f]) => point(games, f.slice(0, 3), f.slice(3))),
    ),
  pool: fc.array(
    fc.record({ name: fc.string({ unit: "binary" }), elo: fc.oneof(figure, end), low: end, high: end }),
    { maxLength: 5 },
  ),
});

slowTest("any curve is well-formed SVG of finite numbers, inside its frame, without scripts", () => {
  fc.assert(
    fc.property(
      anyCurve,
      fc.string({ unit: "binary" }),
      fc.constantFrom("elo", "return"),
      (any, title, main) => {
        const svg = draw({ warnings: [], ...any }, title, { main });
        const [width, height] = numbers(svg, "width", "height") as [number, number];
        const names = new Set(["svg", "title", "style", "rect", "text", "tspan", "line", "path", "circle"]);
        const visit = (element: Element) => {
          expect(names.has(element.name)).toBe(true);
          for (const [key, value] of Object.entries(element.attributes)) {
            if (!/^([xy][12]?|c[xy]|d)$/.test(key)) continue;
            const found = value.match(/[^MLZ, ]+/g)!.map(Number);
            expect(found.every((n) => n >= 0 && n <= Math.max(width, height))).toBe(true);
          }
          for (const child of element.children) visit(child);
        };
        visit(svg);
        const labels = elements(svg, "text").filter(({ attributes }) => "text-anchor" in attributes);
        expect(labels.map(({ text }) => text).join(" ")).toMatch(/^([-\d.]+[kM]? )+games trained$/);
      },
    ),
    { seed: 1 },
  );
});

test("markup in names and titles is text", () => {
  const name = `<script>alert("&amp;")</script>`;
  const pool = [{ name, elo: 0, low: 0, high: 0 }];
  const svg = draw({ ...curve, pool }, name);
  expect(elements(svg, "title").map(({ text }) => text)).toContain(name);
  expect(elements(svg, "text", "title")[0]!.text).toBe(name);
});

describe("the table of a learning curve", () => {
  const learned = {
    ...curve,
    points: curve.points.map((one, at) => ({ ...one, tdError: at === 0 ? undefined : 0.17 })),
  };

  test("is Markdown; on a terminal it has columns over a rule", () => {
    const [head, rule, first, second] = formatCurveTable(learned).split("\n");
    expect(head).toBe("| Games trained | Elo | 95% interval | Score % | Return | TD error |");
    expect(rule).toMatch(/^\| -+ \|( -+: \|){5}$/);
    expect(first).toMatch(/^\| 0 .*\| {2}\|$/);
    expect(second).toMatch(/^\| 500 .*\| 0\.170 \|$/);
    expect(formatCurveTable(learned, { width: 80 }).split("\n").slice(0, 2)).toEqual([
      "Games trained   Elo  95% interval  Score %           Return  TD error",
      "-------------  ----  ------------  -------  ---------------  --------",
    ]);
  });

  test("leaves its last columns out where there is no room", () => {
    for (const width of [120, 70, 60, 40, 34]) {
      const lines = formatCurveTable(learned, { width }).split("\n");
      expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(width);
    }
    expect(formatCurveTable(learned, { width: 1 }).split("\n")[0]).toMatch(/Elo  95% interval$/);
  });

  test("the values separated by commas have the error of each checkpoint that learned", () => {
    const rows = formatCurveCsv(learned).trimEnd().split("\n");
    expect(rows.map((row) => row.split(",").at(-1))).toEqual(["tdError", "", "0.17", "0.17"]);
  });
});

describe("mean returns against each agent of the pool", () => {
  const against = (games: number, ...means: number[]): CurvePoint => ({
    ...point(games, [games, games - 50, games + 50]),
    against: means.map((mean) => ({ mean, low: mean - 0.25, high: mean + 0.25 })),
  });
  const two: LearningCurve = {
    ...curve,
    pool: [curve.pool[0]!, { ...curve.pool[1]!, name: 'the "best", today' }],
    points: [against(0, -0.5, -1), against(500, 0.75, -0.25)],
  };

  test("are a second table, with a column for each", () => {
    for (const width of [undefined, 100]) {
      const second = formatCurveTable(two, { width }).split("\n\n")[1]!.trimEnd().split("\n");
      expect(second[0]).toMatch(/Return against .*random .*the "best", today/);
      expect(second.at(-1)).toMatch(/500 .* 0\.750 \+\/- 0\.250 .*-0\.250 \+\/- 0\.250/);
    }
  });

  test("are the last columns of the values, whose names are in quotation marks where they need them", () => {
    const [head, , last] = formatCurveCsv(two).trimEnd().split("\n");
    expect(head!.split("tdError,")[1]).toBe(
      'random,random low,random high,"the ""best"", today","the ""best"", today low","the ""best"", today high"',
    );
    expect(last!.split(",").slice(9).map(Number)).toEqual([0.75, 0.5, 1, -0.25, -0.5, 0]);
  });

  test("are lines of the lower chart, each with its name", () => {
    const picture = formatCurveSvg(two, "mine: nim");
    expect(picture).toContain("Mean return a game against each agent, 95% interval");
    const paths = elements(readXml(picture), "path").filter(({ attributes }) =>
      attributes["class"]!.startsWith("line"),
    );
    // One of Elo, two of returns.
    expect(paths.length).toBe(3);
  });

  test("are left out for a pool of one, which the mean return tells of", () => {
    const one = { ...two, pool: [two.pool[0]!], points: [against(0, -0.5), against(500, 0.75)] };
    expect(formatCurveTable(one)).not.toContain("against");
    expect(formatCurveSvg(one, "one")).not.toContain("against");
  });
});

test("of a fit it has epochs and losses", () => {
  const points = [0, 2].map((epochs) => ({
    ...point(epochs, [0, -1, 1]),
    losses: { training: 0.5 - epochs / 10, validation: 0.25 },
  }));
  const fitted = { ...curve, points };
  const [head, , last] = formatCurveCsv(fitted).split("\n");
  expect(head).toMatch(/^epochs,elo,.*,trainingLoss,validationLoss$/);
  expect(last).toMatch(/^2,.*,0\.300000,0\.250000$/);
  expect(formatCurveTable(fitted)).toMatch(/^\| Epochs .*\| Training loss \| Validation loss \|$/m);
  const svg = draw(fitted, "mine");
  expect(frames(svg)).toHaveLength(3);
  const texts = elements(svg, "text").map(({ text }) => text);
  expect(texts).toEqual(expect.arrayContaining(["Loss", "epochs"]));
  const names = elements(svg, "tspan").map(({ text }) => text);
  expect(names.slice(-2)).toEqual(["0.300 training", "0.250 validation"]);
});

test("of expert iteration it has losses beside games and the TD error", () => {
  const points = [
    point(0, [0, -1, 1]),
    { ...point(512, [0, -1, 1]), losses: { value: 0.25, policy: 0.125, entropy: 0.5 } },
  ];
  const learnt = { ...curve, points };
  const [head, first, last] = formatCurveCsv(learnt).split("\n");
  expect(head).toMatch(/^games,elo,.*,valueLoss,policyLoss,targetEntropy$/);
  expect(first).toMatch(/,,,$/);
  expect(last).toMatch(/^512,.*,0\.250000,0\.125000,0\.500000$/);
  expect(formatCurveTable(learnt)).toMatch(
    /^\| Games trained .*\| TD error \| Value loss \| Policy loss \| Target entropy \|$/m,
  );
  const names = elements(draw(learnt, "mine"), "tspan").map(({ text }) => text);
  expect(names.slice(-3)).toEqual(["0.250 value", "0.125 policy", "0.500 target entropy"]);
});
