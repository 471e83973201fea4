import { formatLikelihood, formatPercent } from "../../base/text.ts";
import type { Report, RankedEntrant } from "../../ratings/report.ts";

/** A table for people, as text or as Markdown. Columns are aligned right, except those in `left`. */
export interface Section {
  readonly title: string;
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly left: readonly number[];
  /** Columns to leave out if there is too little room, in this order. */
  readonly lessImportant: readonly number[];
}

/** The rating table, the cross-table and the likelihood of superiority. */
export function reportSections(report: Report): Section[] {
  const names = report.entrants.map(({ name }) => name);
  const sections = [ratings(report, names)];
  if (names.length > 1) sections.push(crossTable(report, names), superiority(report, names));
  return sections;
}

/** `First seat: +21 Elo (95% interval +3 to +39)`; no line in games of one player. */
export function firstSeatLines({ players, firstSeatElo, firstSeatLow, firstSeatHigh }: Report): string[] {
  if (players < 2) return [];
  const [elo, low, high] = [firstSeatElo, firstSeatLow, firstSeatHigh].map(formatSigned);
  return [`First seat: ${elo} Elo (95% interval ${low} to ${high})`];
}

/** The lines that testers read first if there are two entrants: Elo difference, likelihood of superiority, score. */
export function matchLines({ players, entrants, superiority: chances }: Report): string[] {
  if (players < 2 || entrants.length !== 2) return [];
  const [one, other] = entrants;
  // Each interval is against the zero of the scale, which lies between the two or is one of them.
  const margin = (one.high - one.low + (other.high - other.low)) / 2;
  const result = `${one.wins} won, ${one.draws} drawn, ${one.losses} lost`;
  return [
    `Elo difference: ${formatSigned(one.elo - other.elo)} +/- ${whole(margin)}, ` +
      `LOS: ${formatLikelihood(chances[0][1])}%, score: ${formatPercent(one.score)}% (${result})`,
  ];
}

function ratings(report: Report, names: readonly string[]): Section {
  const byReturn = report.rankedBy === "return";
  // In games that are won, drawn or lost, the mean return says the same as the score.
  const showsReturn = byReturn || report.entrants.some(({ meanReturn }) => Math.abs(meanReturn) > 1);
  const returns = [
    ...(showsReturn
      ? [{ head: "Return", cell: ({ meanReturn }: RankedEntrant) => formatMean(meanReturn) }]
      : []),
    ...(byReturn
      ? [{ head: "+/-", cell: (one: RankedEntrant) => formatMean(one.returnHigh - one.meanReturn) }]
      : []),
  ];
  const columns: readonly { head: string; cell: (entrant: RankedEntrant, at: number) => string }[] = [
    { head: "#", cell: ({ rank }) => String(rank) },
    { head: "Entrant", cell: (_, at) => names[at] },
    ...(byReturn ? returns : []),
    { head: "Elo", cell: ({ elo }) => whole(elo) },
    { head: "+/-", cell: formatMargin },
    { head: "Games", cell: ({ games }) => String(games) },
    { head: "Score%", cell: ({ score }) => formatPercent(score) },
    { head: "Won", cell: ({ wins }) => String(wins) },
    { head: "Drawn", cell: ({ draws }) => String(draws) },
    { head: "Lost", cell: ({ losses }) => String(losses) },
    ...(byReturn ? [] : returns),
    { head: "Nodes", cell: ({ nodesPerMove }) => formatMean(nodesPerMove) },
    { head: "ms", cell: ({ msPerMove }) => formatMean(msPerMove) },
  ];
  const heads = columns.map(({ head }) => head);
  return {
    title: `${report.game}: ${report.games} game${report.games === 1 ? "" : "s"}`,
    header: heads,
    rows: report.entrants.map((entrant, at) => columns.map(({ cell }) => cell(entrant, at))),
    left: [1],
    lessImportant: ["ms", "Nodes", "Lost", "Drawn", "Won", "Games"].map((head) => heads.indexOf(head)),
  };
}

/** The number of games is in the title if all pairs played equally often, otherwise in each cell. */
function crossTable({ crossTable: cells }: Report, names: readonly string[]): Section {
  const counts = new Set(cells.flat().flatMap((cell) => (cell === null ? [] : [cell.games])));
  const [count] = counts;
  const uniform = counts.size === 1;
  return {
    title: `Score % of row against column${uniform ? `, ${count} game${count === 1 ? "" : "s"} each` : " (games)"}`,
    header: matrixHeader(names),
    rows: names.map((name, row) => [
      String(row + 1),
      name,
      ...cells[row].map((cell) =>
        cell === null ? "-" : `${formatPercent(cell.score)}${uniform ? "" : ` (${cell.games})`}`,
      ),
    ]),
    left: [1],
    lessImportant: [],
  };
}

function superiority({ superiority: chances }: Report, names: readonly string[]): Section {
  return {
    title: "Likelihood in % that row is stronger than column",
    header: matrixHeader(names),
    rows: names.map((name, row) => [
      String(row + 1),
      name,
      ...chances[row].map((chance, column) => (row === column ? "-" : formatLikelihood(chance))),
    ]),
    left: [1],
    lessImportant: [],
  };
}

/** Columns are named by rank, because names would not fit. */
function matrixHeader(names: readonly string[]): string[] {
  return ["#", "Entrant", ...names.map((_, column) => String(column + 1))];
}

/**
 * `35`, or `+820 -410` if the two sides of the interval differ.
 * @internal tests try it on figures that few tables have.
 */
export function formatMargin({ elo, low, high }: Pick<RankedEntrant, "elo" | "low" | "high">): string {
  const up = Math.round(high - elo);
  const down = Math.round(elo - low);
  return Math.abs(up - down) <= 1 ? String(up) : `+${up} -${down}`;
}

/** @internal tests try it on figures that few tables have. */
export function formatSigned(elo: number): string {
  return Math.round(elo) > 0 ? `+${whole(elo)}` : whole(elo);
}

/**
 * Three significant digits below 100, whole numbers from there on.
 * @internal tests try it on figures that few tables have.
 */
export function formatMean(mean: number): string {
  if (mean === 0) return "0";
  const size = Math.abs(mean);
  if (size >= 100) return whole(mean);
  return mean.toFixed(size < 1 ? 3 : size < 10 ? 2 : 1);
}

/** Rounded, and never `-0`. */
function whole(value: number): string {
  return String(Math.round(value) + 0);
}
