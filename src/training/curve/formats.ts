import type { LearningCurve } from "./curve.ts";
import { CHART_STYLE, drawChart, escapeText } from "../../arena/report/chart.ts";

/** The learning curve as comma-separated values. */
export function formatCurveCsv({ points }: LearningCurve): string {
  const rows = points.map(({ games, elo, low, high, score, meanReturn: { mean, low: least, high: most } }) =>
    [
      games,
      ...[elo, low, high].map((figure) => figure.toFixed(1)),
      score.toFixed(4),
      ...[mean, least, most].map((figure) => Number(figure.toPrecision(6))),
    ].join(","),
  );
  return `${["games,elo,low,high,score,return,returnLow,returnHigh", ...rows].join("\n")}\n`;
}

/** The learning curve and its pool as a table, for a terminal as well as for Markdown. */
export function formatCurveTable({ points, pool }: LearningCurve): string {
  const interval = ({ elo, low, high }: { elo: number; low: number; high: number }) => [
    whole(elo),
    `${whole(low)} to ${whole(high)}`,
  ];
  return drawTable([
    ["Games trained", "Elo", "95% interval", "Score %", "Return"],
    ...points.map((point) => [
      String(point.games),
      ...interval(point),
      (100 * point.score).toFixed(1),
      formatReturn(point),
    ]),
    ...pool.map((entrant) => [entrant.name, ...interval(entrant), "", ""]),
  ]);
}

/** With three decimals, or none if the return is 100 or more. */
function formatReturn({ meanReturn: { mean, high } }: LearningCurve["points"][number]): string {
  const digits = Math.abs(mean) < 100 ? 3 : 0;
  return `${(mean + 0).toFixed(digits)} +/- ${(high - mean).toFixed(digits)}`;
}

function whole(elo: number): string {
  return String(Math.round(elo) + 0);
}

/** A Markdown table, padded; the first column is aligned left, the others right. */
function drawTable(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  const lines = rows.map((row) => {
    const cells = row.map((cell, at) => (at === 0 ? cell.padEnd(widths[at]!) : cell.padStart(widths[at]!)));
    return `| ${cells.join(" | ")} |`;
  });
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
