import type { LearningCurve } from "./curve.ts";
import { CHART_STYLE, drawChart } from "../../arena/results/chart.ts";
import { escapeText } from "../../base/xml.ts";

/** The learning curve as comma-separated values. */
export function formatCurveCsv({ points }: LearningCurve): string {
  const rows = points.map(
    ({ games, elo, low, high, score, meanReturn: { mean, low: least, high: most }, tdError }) =>
      [
        games,
        ...[elo, low, high].map((figure) => figure.toFixed(1)),
        score.toFixed(4),
        ...[mean, least, most].map((figure) => Number(figure.toPrecision(6))),
        tdError === undefined ? "" : Number(tdError.toPrecision(4)),
      ].join(","),
  );
  return `${["games,elo,low,high,score,return,returnLow,returnHigh,tdError", ...rows].join("\n")}\n`;
}

/**
 * The learning curve and its pool as a table in Markdown. With `width` it is a table for a terminal of `width`
 * characters: last columns without room are left out.
 */
export function formatCurveTable(
  { points, pool }: LearningCurve,
  { width }: { width?: number | undefined } = {},
): string {
  const interval = ({ elo, low, high }: { elo: number; low: number; high: number }) => [
    whole(elo),
    `${whole(low)} to ${whole(high)}`,
  ];
  const rows = [
    ["Games trained", "Elo", "95% interval", "Score %", "Return", "TD error"],
    ...points.map((point) => [
      String(point.games),
      ...interval(point),
      (100 * point.score).toFixed(1),
      formatReturn(point),
      point.tdError === undefined ? "" : formatError(point.tdError),
    ]),
    ...pool.map((entrant) => [entrant.name, ...interval(entrant), "", "", ""]),
  ];
  return width === undefined ? drawMarkdown(rows) : drawColumns(rows, width);
}

/** With three decimals, or none if the return is 100 or more. */
function formatReturn({ meanReturn: { mean, high } }: LearningCurve["points"][number]): string {
  const digits = Math.abs(mean) < 100 ? 3 : 0;
  return `${(mean + 0).toFixed(digits)} +/- ${(high - mean).toFixed(digits)}`;
}

/** With three decimals, or as many as three digits need. */
function formatError(error: number): string {
  return error >= 100 ? error.toFixed(0) : error.toPrecision(3);
}

function whole(elo: number): string {
  return String(Math.round(elo) + 0);
}

/** The cells of each row, as wide as their column: the first column is aligned left, the others right. */
function padded(rows: readonly (readonly string[])[]): { widths: number[]; cells: string[][] } {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  const pad = (cell: string, at: number) =>
    at === 0 ? cell.padEnd(widths[at]!) : cell.padStart(widths[at]!);
  return { widths, cells: rows.map((row) => row.map(pad)) };
}

/** Columns over a rule, without those at the end that would go beyond `width`. */
function drawColumns(rows: readonly (readonly string[])[], width: number): string {
  const { widths, cells } = padded(rows);
  let shown = widths.length;
  const total = () => widths.slice(0, shown).reduce((sum, one) => sum + 2 + one, -2);
  while (shown > 3 && total() > width) shown--;
  const [head, ...body] = cells.map((row) => row.slice(0, shown).join("  ").trimEnd());
  const rule = widths.slice(0, shown).map((one) => "-".repeat(one));
  return `${[head, rule.join("  "), ...body].join("\n")}\n`;
}

function drawMarkdown(rows: readonly (readonly string[])[]): string {
  const { widths, cells } = padded(rows);
  const lines = cells.map((row) => `| ${row.join(" | ")} |`);
  const rule = `| ${widths.map((width, at) => (at === 0 ? "-".repeat(width) : `${"-".repeat(width - 1)}:`)).join(" | ")} |`;
  return `${[lines[0]!, rule, ...lines.slice(1)].join("\n")}\n`;
}

const WIDTH = 880;
const LEFT = 64;
/** Space for the names of the pool's agents. */
const RIGHT = 250;
const TOP = 72;
const MAIN_HEIGHT = 300;
const GAP = 52;
const SECOND_HEIGHT = 150;
const BOTTOM = 56;

/**
 * The learning curve as an SVG picture for light and dark pages. Its two charts show, over the games trained, Elo with
 * its 95% interval and the pool's agents as levels, and the mean return a game. `main` says which one is the upper.
 */
export function formatCurveSvg(
  { points, pool }: LearningCurve,
  title: string,
  { main = "elo" }: { main?: "elo" | "return" } = {},
): string {
  const rating = {
    title: "Elo, 95% interval",
    points: points.map(({ games, elo, low, high }) => ({ x: games, y: elo, low, high })),
    levels: pool.map(({ name, elo }) => ({ name, y: elo })),
    digits: 0,
  };
  const returns = {
    title: "Mean return a game, 95% interval",
    points: points.map(({ games, meanReturn: { mean, low, high } }) => ({ x: games, y: mean, low, high })),
    levels: [],
    digits: points.every(({ meanReturn: { mean } }) => Math.abs(mean) < 100) ? 3 : 0,
  };
  const [first, second] = main === "elo" ? [rating, returns] : [returns, rating];
  const common = { left: LEFT, width: WIDTH - LEFT - RIGHT, lastX: points.at(-1)?.games ?? 0 };
  const below = TOP + MAIN_HEIGHT + GAP;
  const height = below + SECOND_HEIGHT + BOTTOM;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" role="img">`,
    `<title>${escapeText(title)}</title>`,
    `<style>${CHART_STYLE}</style>`,
    `<rect class="page" width="${WIDTH}" height="${height}" rx="6"/>`,
    `<text class="title" x="${LEFT}" y="32">${escapeText(title)}</text>`,
    drawChart({ ...common, ...first, top: TOP, height: MAIN_HEIGHT }),
    drawChart({ ...common, ...second, top: below, height: SECOND_HEIGHT, xTitle: "games trained" }),
    "</svg>\n",
  ].join("\n");
}
