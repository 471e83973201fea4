import { escapeText } from "../../base/text.ts";
import { shortenNames } from "../../ratings/sections/short-names.ts";

/*
 * Curves as SVG. Observable Plot, which draws the page, would add 0.7 MB and a document object model to the program.
 */

const WIDTH = 880;
const LEFT = 64;
/** Space for the names of the pool's agents. */
const RIGHT = 250;
const TOP = 72;
const MAIN_HEIGHT = 300;
const GAP = 52;
const SECOND_HEIGHT = 150;
const BOTTOM = 56;

/** Charts over one axis, such as the games trained, as an SVG picture below each other; the first one is the largest. */
export function pictureOf(
  title: string,
  charts: readonly Pick<Chart, "title" | "lines" | "levels" | "digits">[],
  axis = "games trained",
): string {
  const lastX = Math.max(
    0,
    ...charts.flatMap(({ lines }) => lines.map(({ points }) => points.at(-1)?.x ?? 0)),
  );
  const common = { left: LEFT, width: WIDTH - LEFT - RIGHT, lastX };
  let top = TOP;
  const parts = charts.map((chart, at) => {
    const height = at === 0 ? MAIN_HEIGHT : SECOND_HEIGHT;
    const xTitle = at === charts.length - 1 ? axis : undefined;
    const part = drawChart({ ...common, ...chart, top, height, xTitle });
    top += height + GAP;
    return part;
  });
  const height = top - GAP + BOTTOM;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" role="img">`,
    `<title>${escapeText(title)}</title>`,
    `<style>${CHART_STYLE}</style>`,
    `<rect class="page" width="${WIDTH}" height="${height}" rx="6"/>`,
    `<text class="title" x="${LEFT}" y="32">${escapeText(title)}</text>`,
    ...parts,
    "</svg>\n",
  ].join("\n");
}

/** A value on the chart, with its interval; ends that are not finite reach to the chart's edge. */
interface ChartPoint {
  readonly x: number;
  readonly y: number;
  readonly low: number;
  readonly high: number;
}

/** A curve with its band and its name. */
interface ChartLine {
  readonly name: string;
  /** The points in ascending order of x; those whose value is not finite are left out. */
  readonly points: readonly ChartPoint[];
}

/** A horizontal line with its name beside it. */
interface ChartLevel {
  readonly name: string;
  readonly y: number;
}

/** Curves before named levels, as part of a picture; sizes in pixels. */
export interface Chart {
  readonly title: string;
  readonly lines: readonly ChartLine[];
  readonly levels: readonly ChartLevel[];
  /** Digits after the point of labels. */
  readonly digits: number;
  /** The end of the horizontal axis, which begins at 0. */
  readonly lastX: number;
  /** The title of the horizontal axis; undefined if a chart below has the same axis. */
  readonly xTitle?: string | undefined;
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/**
 * The colours of charts: by day and, where the viewer's page is dark, by night.
 * @internal tests draw charts alone
 */
export const CHART_STYLE = `
text { font: 12px system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; fill: #57606a }
.page { fill: #ffffff } .title { font-size: 15px; font-weight: 600; fill: #1f2328 } .head { font-weight: 600; fill: #1f2328 }
.grid { stroke: #d8dee4 } .axis { stroke: #8c959f } .level { stroke: #8c959f; stroke-dasharray: 5 4 }
.band { fill: #0969da; fill-opacity: .16 } .line { fill: none; stroke: #0969da; stroke-width: 2; stroke-linejoin: round }
.bar { stroke: #0969da; stroke-opacity: .5 } .dot { fill: #0969da } .own { fill: #0969da; font-weight: 600 }
${colours(["#bc4c00", "#1a7f37", "#8250df", "#bf3989", "#9a6700", "#0a7d8c", "#6e5a4e"])}
@media (prefers-color-scheme: dark) {
text { fill: #9ea7b3 } .page { fill: #0d1117 } .title, .head { fill: #e6edf3 }
.grid { stroke: #262c36 } .axis, .level { stroke: #6e7681 }
.band { fill: #58a6ff; fill-opacity: .2 } .line, .bar { stroke: #58a6ff } .dot, .own { fill: #58a6ff }
${colours(["#f0883e", "#3fb950", "#bc8cff", "#f778ba", "#d29922", "#39c5cf", "#b8a397"])}
}`;

/** The most lines of a chart that have a colour of their own. */
export const LINE_COLOURS = 8;

/** The style of the lines after the first one. */
function colours(after: readonly string[]): string {
  return after
    .flatMap((colour, at) => {
      const of = (name: string) => `.${name}.c${at + 1}`;
      return [
        `${of("line")}, ${of("bar")} { stroke: ${colour} }`,
        `${of("band")}, ${of("dot")}, ${of("own")} { fill: ${colour} }`,
      ];
    })
    .join(" ");
}

/** The classes of a part of a line, by the line's number. */
function classOf(name: string, line: number): string {
  const colour = line % LINE_COLOURS;
  return colour === 0 ? name : `${name} c${colour}`;
}

/** Above these the line is drawn without dots. */
const MOST_DOTS = 60;
const LABEL_HEIGHT = 14;
const LONGEST_NAME = 28;

/**
 * The chart as SVG elements, for a page whose style is CHART_STYLE. All numbers in it are finite.
 * @internal tests draw charts alone
 */
export function drawChart(chart: Chart): string {
  const { left, top, width, height, title, xTitle, digits } = chart;
  const [right, bottom] = [left + width, top + height];
  const lines = chart.lines.map(({ name, points }) => ({
    name,
    points: points.filter(({ y }) => Number.isFinite(y)),
  }));
  const levels = chart.levels.filter(({ y }) => Number.isFinite(y));
  const vertical = roundTicks(
    ...rangeOf(
      lines.flatMap(({ points }) => points),
      levels,
    ),
    height / 50,
  );
  const [least, most] = [vertical.values[0]!, vertical.values.at(-1)!];
  const lastX = Math.max(chart.lastX, 1);
  const horizontal = roundTicks(0, lastX, 6);
  const xOf = (x: number) => fixed(left + (x / lastX) * width);
  const yOf = (y: number) => {
    const within = Math.min(most, Math.max(least, Number.isNaN(y) ? least : y));
    return fixed(bottom - ((within - least) / (most - least)) * height);
  };
  const line = (name: string, x1: number, y1: number, x2: number, y2: number) =>
    `<line class="${name}" x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}"/>`;
  const labels = [
    ...levels.map(({ name, y }) => ({ name, y, style: "" })),
    ...lines.flatMap(({ name, points }, at) =>
      points.slice(-1).map(({ y }) => ({ name, y, style: ` class="${classOf("own", at)}"` })),
    ),
  ];
  const names = shortenNames(
    labels.map(({ name }) => name),
    LONGEST_NAME,
  );
  return [
    `<text class="head" x="${left}" y="${top - 12}">${escapeText(title)}</text>`,
    ...vertical.values.flatMap((value, at) => [
      line("grid", left, yOf(value), right, yOf(value)),
      `<text x="${left - 8}" y="${yOf(value) + 4}" text-anchor="end">${vertical.labels[at]}</text>`,
    ]),
    line("axis", left, bottom, right, bottom),
    ...horizontal.values.flatMap((value, at) => {
      if (value > lastX) return [];
      const tick = line("axis", xOf(value), bottom, xOf(value), bottom + 5);
      if (xTitle === undefined) return [tick];
      const label = `<text x="${xOf(value)}" y="${bottom + 20}" text-anchor="middle">${horizontal.labels[at]}</text>`;
      return [tick, label];
    }),
    xTitle === undefined
      ? ""
      : `<text x="${left + width / 2}" y="${bottom + 40}" text-anchor="middle">${escapeText(xTitle)}</text>`,
    ...levels.map(({ y }) => line("level", left, yOf(y), right, yOf(y))),
    ...lines.flatMap(({ points }, at) => drawCurve(points, at, xOf, yOf)),
    ...spread(
      labels.map(({ y }) => yOf(y)),
      top,
      bottom,
    ).map((y, at) => {
      const { name, y: value, style } = labels[at]!;
      const text = `<tspan>${formatValue(value, digits)} ${escapeText(names[at]!)}</tspan>`;
      return `<text${style} x="${right + 8}" y="${fixed(y + 4)}">${text}<title>${escapeText(name)}</title></text>`;
    }),
  ]
    .filter((part) => part !== "")
    .join("\n");
}

function drawCurve(
  points: readonly ChartPoint[],
  number: number,
  xOf: (x: number) => number,
  yOf: (y: number) => number,
): string[] {
  const path = (corners: readonly string[]) => `M${corners.join(" L")}`;
  const corners = (pick: (point: ChartPoint) => number) =>
    points.map((point) => `${xOf(point.x)},${yOf(pick(point))}`);
  const dots = points.map(
    ({ x, y }) => `<circle class="${classOf("dot", number)}" cx="${xOf(x)}" cy="${yOf(y)}" r="2.5"/>`,
  );
  if (points.length === 1) {
    const { x, low, high } = points[0]!;
    return [
      `<line class="${classOf("bar", number)}" x1="${xOf(x)}" y1="${yOf(low)}" x2="${xOf(x)}" y2="${yOf(high)}"/>`,
      ...dots,
    ];
  }
  if (points.length === 0) return [];
  return [
    `<path class="${classOf("band", number)}" d="${path([...corners(({ high }) => high), ...corners(({ low }) => low).toReversed()])}Z"/>`,
    `<path class="${classOf("line", number)}" d="${path(corners(({ y }) => y))}"/>`,
    ...(points.length > MOST_DOTS ? [] : dots),
  ];
}

/**
 * The range of the vertical axis: it holds every value and level, and intervals up to half of that range beyond them.
 */
function rangeOf(points: readonly ChartPoint[], levels: readonly ChartLevel[]): [number, number] {
  const values = [...points, ...levels].map(({ y }) => y);
  if (values.length === 0) return [0, 1];
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const ends = points.flatMap(({ low, high }) => [low, high]).filter(Number.isFinite);
  const beyond = most === least ? Infinity : (most - least) / 2;
  return [
    Math.max(least - beyond, Math.min(least, ...ends)),
    Math.min(most + beyond, Math.max(most, ...ends)),
  ];
}

/** Heights near the wanted ones, in pixels, that leave room for a line of text each. */
function spread(wanted: readonly number[], top: number, bottom: number): number[] {
  const order = [...wanted.keys()].toSorted((a, b) => wanted[a]! - wanted[b]! || a - b);
  const heights = [...wanted];
  // Down from the top, then back up from the bottom.
  let least = top;
  for (const at of order) least = (heights[at] = Math.max(heights[at]!, least)) + LABEL_HEIGHT;
  let most = Math.max(bottom, top + (order.length - 1) * LABEL_HEIGHT);
  for (const at of order.toReversed()) most = (heights[at] = Math.min(heights[at]!, most)) - LABEL_HEIGHT;
  return heights;
}

/** Rounded, and never `-0`. */
function formatValue(value: number, digits: number): string {
  return (Number(value.toFixed(digits)) + 0).toFixed(digits);
}

function fixed(pixels: number): number {
  return Number(pixels.toFixed(1));
}

/** Ticks of an axis: multiples of 1, 2 or 5 times a power of ten, ascending. */
interface Ticks {
  readonly values: readonly number[];
  /** One for each value, with the same unit (k, M) and the same digits after the point. */
  readonly labels: readonly string[];
}

/**
 * About `count` round ticks (a third to the double), the first at most `low` and the last at least `high`. If the two
 * are (nearly) equal, the ticks lie around them.
 * @internal tests try it on ranges that few charts have.
 */
export function roundTicks(low: number, high: number, count: number): Ticks {
  const size = Math.max(Math.abs(low), Math.abs(high));
  const margin = high - low > 1e-6 * Math.max(size, 1e-6) ? 0 : Math.max(size / 2, 1);
  const [least, most] = [low - margin, high + margin];
  const step = roundStep((most - least) / count);
  const first = Math.floor(least / step.size + 1e-9);
  const last = Math.ceil(most / step.size - 1e-9);
  const values = Array.from({ length: last - first + 1 }, (_, at) => step.times(first + at));
  return { values, labels: labelsOf(values, step.size) };
}

/** The smallest of 1, 2 and 5 times a power of ten that is at least `size`. */
function roundStep(size: number): { size: number; times: (count: number) => number } {
  const power = Math.floor(Math.log10(size));
  const lead = [1, 2, 5, 10].find((factor) => size <= factor * 10 ** power * (1 + 1e-9))!;
  // Negative powers of ten are not exact, their reciprocals are.
  const times = (count: number) =>
    power < 0 ? (count * lead) / 10 ** (0 - power) : count * lead * 10 ** power;
  return { size: times(1), times };
}

function labelsOf(values: readonly number[], step: number): string[] {
  const largest = Math.max(...values.map(Math.abs));
  const [unit, name] = largest >= 1e6 ? [1e6, "M"] : largest >= 1e4 ? [1e3, "k"] : [1, ""];
  const digits = Math.min(20, Math.max(0, 0 - Math.floor(Math.log10(step / unit) + 1e-9)));
  return values.map((value) => (value === 0 ? "0" : `${(value / unit).toFixed(digits)}${name}`));
}
