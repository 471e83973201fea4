import type { LearningCurve } from "./rating-pool.ts";

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

/** Three digits of the fraction, or none where returns are large. */
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
