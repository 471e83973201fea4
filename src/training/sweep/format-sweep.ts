import type { MeanInterval } from "../../ratings/mean-return.ts";
import { csvText } from "../../ratings/sections/draw.ts";
import { type ColumnOf, createSection, type Section } from "../../ratings/sections/section.ts";
import { LINE_COLOURS, pictureOf } from "../curve/chart.ts";
import type { CurvePoint } from "../curve/curve.ts";
import { drawSections, eloFigures } from "../curve/formats.ts";
import { textOf } from "./sweep.ts";
import { MEASURES, type SettingReport, type SweepReport } from "./sweep-report.ts";

/**
 * The curves of all trainings as comma-separated values: a line for each checkpoint, with a column for each key of the settings.
 * The last columns are a score that stands in place of an Elo, the mean return against the worst opponent, and the share of test positions that is right, if there are any.
 */
export function formatSweepCsv({ settings }: SweepReport): string {
  const keys = Object.keys(settings[0]?.values ?? {});
  const points = settings.flatMap(({ trainings }) => trainings.flatMap((training) => training.points));
  const further = Object.entries(FURTHER).filter(([, of]) =>
    points.some((point) => of(point)[0] !== undefined),
  );
  const short = (figure: number | undefined) => (figure === undefined ? "" : Number(figure.toPrecision(6)));
  const rows = settings.flatMap(({ name, values, trainings }) =>
    trainings.flatMap(({ seed, points: curve }) =>
      curve.map((point) => {
        const { games, meanReturn } = point;
        return [
          csvText(name),
          ...keys.map((key) => cellOf(values[key])),
          csvText(seed),
          games,
          ...eloFigures(point),
          ...[meanReturn.mean, meanReturn.low, meanReturn.high].map(short),
          ...further.flatMap(([, of]) => of(point).map(short)),
        ].join(",");
      }),
    ),
  );
  const ends = ["return", ...further.map(([name]) => name)].flatMap((name) => [
    name,
    `${name}Low`,
    `${name}High`,
  ]);
  const head = ["setting", ...keys.map(csvText), "seed", "games", "elo", "low", "high", ...ends].join(",");
  return `${[head, ...rows].join("\n")}\n`;
}

/** A value of a setting; a number is no formula, whatever its sign. */
function cellOf(value: unknown): string {
  return typeof value === "number" ? String(value) : csvText(textOf(value));
}

/** The measures that only some ratings have, each with its interval. */
const FURTHER: Readonly<Record<string, (point: CurvePoint) => readonly (number | undefined)[]>> = {
  score: ({ score, saturated }) => [saturated && score, saturated?.low, saturated?.high],
  worst: ({ worst }) => [worst?.mean, worst?.low, worst?.high],
  right: ({ right }) => [right?.share, right?.low, right?.high],
};

/**
 * The settings as a table in Markdown, in their order; with `width` as a table for a terminal of `width` characters.
 */
export function formatSweepTable(
  report: SweepReport,
  { width }: { width?: number | undefined } = {},
): string {
  const { findings } = report;
  const said = findings.length === 0 ? "" : `\n${findings.join("\n")}\n`;
  return drawSections([sweepSection(report)], width) + said;
}

/** The settings and what they reached, in their order. */
export function sweepSection({ settings, measure }: Pick<SweepReport, "settings" | "measure">): Section {
  const digits = digitsOf(settings, measure);
  return createSection({}, settings, [
    { head: "Setting", kind: "text", cell: ({ name }) => name },
    { head: "Seeds", cell: ({ trainings }) => trainings.length },
    { head: MEASURES[measure], cell: ({ reached }) => meanOf(reached, digits) },
    { head: "95%", cell: ({ reached }) => marginOf(reached, digits), importance: 3 },
    { head: "Difference", cell: ({ difference }) => meanOf(difference, digits), importance: 2 },
    { head: "95%", cell: ({ difference }) => marginOf(difference, digits), importance: 1 },
    ...(settings[0]?.panel ?? []).flatMap(({ name }, at): ColumnOf<SettingReport>[] => {
      const decimals = name === "Right %" ? 1 : 3;
      return [
        { head: name, cell: ({ panel }) => meanOf(panel[at]!.reached, decimals), importance: 2 },
        { head: "95%", cell: ({ panel }) => marginOf(panel[at]!.reached, decimals), importance: 0 },
      ];
    }),
  ]);
}

function meanOf(figure: MeanInterval | undefined, digits: number): string {
  return figure === undefined ? "" : fixed(figure.mean, digits);
}

/** Half of the interval; empty where it is not known. */
function marginOf(figure: MeanInterval | undefined, digits: number): string {
  return figure?.margin === undefined ? "" : `+/- ${fixed(figure.margin, digits)}`;
}

/** Rounded, and never `-0`. */
function fixed(value: number, digits: number): string {
  return (Number(value.toFixed(digits)) + 0).toFixed(digits);
}

function digitsOf(settings: readonly SettingReport[], measure: SweepReport["measure"]): number {
  const small = settings.every(({ reached }) => reached === undefined || Math.abs(reached.mean) < 100);
  if (measure === "score") return 1;
  return measure === "return" && small ? 3 : 0;
}

/**
 * The mean curves of the settings, with 95% bands over the seeds, as an SVG picture for light and dark pages. Of more
 * settings than there are colours the best ones are shown.
 */
export function formatSweepSvg({ name, measure, settings }: SweepReport): string {
  const shown = settings
    .filter(({ curve }) => curve.length > 0)
    .toSorted((a, b) => b.reached!.mean - a.reached!.mean)
    .slice(0, LINE_COLOURS);
  const inOrder = settings.filter((setting) => shown.includes(setting));
  const all = inOrder.length === settings.length ? "" : `, the best ${inOrder.length} of ${settings.length}`;
  const seeds = Math.max(0, ...inOrder.map(({ trainings }) => trainings.length));
  return pictureOf(`${name}: mean of ${seeds} seeds${all}`, [
    {
      title: `${measure === "return" ? "Mean return a game" : MEASURES[measure]}, 95% interval over the seeds`,
      lines: inOrder.map((setting) => ({
        name: setting.name,
        points: setting.curve.map(({ games, mean, margin = 0 }) => ({
          x: games,
          y: mean,
          low: mean - margin,
          high: mean + margin,
        })),
      })),
      levels: [],
      digits: digitsOf(settings, measure),
    },
  ]);
}
