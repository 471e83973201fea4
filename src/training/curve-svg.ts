import { CHART_STYLE, drawChart, escapeText } from "./chart.ts";
import type { LearningCurve } from "./rating-pool.ts";

const WIDTH = 880;
const LEFT = 64;
/** Room for the names of the pool's agents. */
const RIGHT = 250;
const TOP = 72;
const MAIN_HEIGHT = 300;
const GAP = 52;
const SECOND_HEIGHT = 150;
const BOTTOM = 56;

/**
 * The learning curve as a picture: Elo with its 95% band against games trained, the pool's agents as
 * levels; below, the mean return a game. Where the return is the `main` figure, as in games of one player,
 * it is above. Plain SVG, readable on light and dark pages.
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
