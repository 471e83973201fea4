import type { CurvePoint, LearningCurve } from "./curve.ts";
import type { MeanReturn } from "../../ratings/mean-return.ts";
import { againstSection, curveSection, LOSSES, lossesOf, unitOf } from "../../ratings/sections/curve.ts";
import { csvText, markdownSection, textSection } from "../../ratings/sections/draw.ts";
import type { Section } from "../../ratings/sections/section.ts";
import { LINE_COLOURS, pictureOf } from "./chart.ts";

/** The columns of scores that stand in place of an Elo. */
const SATURATED = ["scoreLow", "scoreHigh"];
/** The last columns of a curve with test positions. */
const RIGHT = ["right", "rightLow", "rightHigh"];

/**
 * The learning curve as comma-separated values. The last columns are mean returns against each agent of the pool, then, if there
 * are any, intervals of scores that stand in place of an Elo, losses and the share of test positions that is right.
 */
export function formatCurveCsv({ points, pool }: LearningCurve): string {
  const figures = ({ mean, low, high }: MeanReturn) =>
    [mean, low, high].map((figure) => Number(figure.toPrecision(6)));
  const hasRight = points.some(({ right }) => right !== undefined);
  const hasSaturated = points.some(({ saturated }) => saturated !== undefined);
  const named = lossesOf(points);
  const rows = points.map((point) => {
    const { games, score, saturated, meanReturn, against, tdError, losses, right } = point;
    return [
      games,
      ...eloFigures(point),
      score.toFixed(4),
      ...figures(meanReturn),
      tdError === undefined ? "" : Number(tdError.toPrecision(4)),
      ...against.flatMap(figures),
      ...(hasSaturated ? [saturated?.low, saturated?.high].map((share) => share?.toFixed(4) ?? "") : []),
      ...named.map((name) => losses?.[name]?.toPrecision(6) ?? ""),
      ...(hasRight ? [right?.share, right?.low, right?.high].map((share) => share?.toFixed(4) ?? "") : []),
    ].join(",");
  });
  const agents = points.some(({ against }) => against.length > 0) ? pool : [];
  const returnColumns = agents.flatMap(({ name }) => [name, `${name} low`, `${name} high`].map(csvText));
  const head = [
    `${unitOf(points)},elo,low,high,score,return,returnLow,returnHigh,tdError`,
    ...returnColumns,
    ...(hasSaturated ? SATURATED : []),
    ...named.map((name) => LOSSES[name].column),
    ...(hasRight ? RIGHT : []),
  ].join(",");
  return `${[head, ...rows].join("\n")}\n`;
}

/** Elo and its interval with one decimal; empty where the score stands in their place. */
export function eloFigures({ elo, low, high, saturated }: CurvePoint): string[] {
  return [elo, low, high].map((figure) => (saturated === undefined ? figure.toFixed(1) : ""));
}

/**
 * The learning curve and its pool as a table in Markdown, and with several agents in the pool a second one with the mean
 * return against each of them. With `width` they are tables for a terminal of `width` characters: last columns without
 * room are left out.
 */
export function formatCurveTable(
  { points, pool }: LearningCurve,
  { width }: { width?: number | undefined } = {},
): string {
  const sections = [
    curveSection(points, pool),
    ...(hasSeveral(pool, points) ? [againstSection(points, pool)] : []),
  ];
  return drawSections(sections, width);
}

/** Sections in Markdown, or with `width` for a terminal of `width` characters. */
export function drawSections(sections: readonly Section[], width: number | undefined): string {
  const draw = (section: Section) =>
    width === undefined ? markdownSection(section) : textSection(section, width);
  return `${sections.map(draw).join("\n\n")}\n`;
}

/** True if returns against the agents of the pool are several curves. */
function hasSeveral(pool: LearningCurve["pool"], points: LearningCurve["points"]): boolean {
  return pool.length > 1 && points.some(({ against }) => against.length > 0);
}

/**
 * The learning curve as an SVG picture for light and dark pages. Its two charts show, over the games trained, Elo with
 * its 95% interval and the pool's agents as levels, and the mean return a game, against each agent of the pool where there
 * are several. `main` says which one is the upper.
 */
export function formatCurveSvg(
  { points, pool }: LearningCurve,
  title: string,
  { main = "elo" }: { main?: "elo" | "return" } = {},
): string {
  const rating = {
    title: "Elo, 95% interval",
    lines: [
      {
        name: "trained",
        points: points
          .filter(({ saturated }) => saturated === undefined)
          .map(({ games, elo, low, high }) => ({ x: games, y: elo, low, high })),
      },
    ],
    levels: pool.map(({ name, elo }) => ({ name, y: elo })),
    digits: 0,
  };
  const lineOf = (name: string, of: (point: CurvePoint) => MeanReturn) => ({
    name,
    points: points.map((point) => {
      const { mean, low, high } = of(point);
      return { x: point.games, y: mean, low, high };
    }),
  });
  const areSeveral = hasSeveral(pool, points) && pool.length <= LINE_COLOURS;
  const returns = {
    title: `Mean return a game${areSeveral ? " against each agent" : ""}, 95% interval`,
    lines: areSeveral
      ? pool.map(({ name }, at) => lineOf(name, ({ against }) => against[at]!))
      : [lineOf("trained", ({ meanReturn }) => meanReturn)],
    levels: [],
    digits: points.every(({ meanReturn: { mean } }) => Math.abs(mean) < 100) ? 3 : 0,
  };
  const charts = main === "elo" ? [rating, returns] : [returns, rating];
  return pictureOf(
    title,
    lossesOf(points).length > 0 ? [...charts, lossChart(points)] : charts,
    unitOf(points) === "epochs" ? "epochs" : "games trained",
  );
}

/** The losses of the checkpoints that have some. */
function lossChart(points: LearningCurve["points"]): Parameters<typeof pictureOf>[1][number] {
  const lines = lossesOf(points).map((name) => ({
    name: LOSSES[name].head.toLowerCase().replace(" loss", ""),
    points: points.flatMap(({ games, losses }) => {
      const y = losses?.[name];
      return y === undefined ? [] : [{ x: games, y, low: y, high: y }];
    }),
  }));
  return { title: "Loss", lines, levels: [], digits: 3 };
}
