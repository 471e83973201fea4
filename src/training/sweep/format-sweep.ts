import { LINE_COLOURS } from "../../arena/results/chart.ts";
import type { MeanInterval } from "../../ratings/mean-interval.ts";
import { drawColumns, drawMarkdown, pictureOf } from "../curve/formats.ts";
import type { SettingReport, SweepReport } from "./sweep-report.ts";

/** The curves of all trainings as comma-separated values: a line for each checkpoint. */
export function formatSweepCsv({ settings }: SweepReport): string {
  const rows = settings.flatMap(({ name, trainings }) =>
    trainings.flatMap(({ seed, points }) =>
      points.map(({ games, elo, low, high, meanReturn: { mean, low: least, high: most } }) =>
        [
          ...[name, seed].map(quoted),
          games,
          ...[elo, low, high].map((figure) => figure.toFixed(1)),
          ...[mean, least, most].map((figure) => Number(figure.toPrecision(6))),
        ].join(","),
      ),
    ),
  );
  return `${["setting,seed,games,elo,low,high,return,returnLow,returnHigh", ...rows].join("\n")}\n`;
}

function quoted(text: string): string {
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * The settings as a table in Markdown, in their order; with `width` as a table for a terminal of `width` characters.
 */
export function formatSweepTable(
  { settings, measure }: SweepReport,
  { width }: { width?: number | undefined } = {},
): string {
  const digits = digitsOf(settings, measure);
  const rows = [
    ["Setting", "Seeds", measure === "elo" ? "Elo" : "Return", "95%", "Difference", "95%"],
    ...settings.map(({ name, trainings, reached, difference }) => [
      name,
      String(trainings.length),
      ...cells(reached, digits),
      ...cells(difference, digits),
    ]),
  ];
  return width === undefined ? drawMarkdown(rows) : drawColumns(rows, width);
}

/** A mean and its margin; the margin is empty where it is not known. */
function cells(figure: MeanInterval | undefined, digits: number): [string, string] {
  if (figure === undefined) return ["", ""];
  const { mean, margin } = figure;
  const fixed = (value: number) => (Number(value.toFixed(digits)) + 0).toFixed(digits);
  return [fixed(mean), margin === undefined ? "" : `+/- ${fixed(margin)}`];
}

function digitsOf(settings: readonly SettingReport[], measure: SweepReport["measure"]): number {
  const small = settings.every(({ reached }) => reached === undefined || Math.abs(reached.mean) < 100);
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
      title: `${measure === "elo" ? "Elo" : "Mean return a game"}, 95% interval over the seeds`,
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
