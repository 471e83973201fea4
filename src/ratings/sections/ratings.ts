import { counted, formatLikelihood, formatPercent } from "../../base/text.ts";
import type { LotteryShare } from "../beyond/beyond-elo.ts";
import type { Report, RankedEntrant } from "../report.ts";
import type { ScoreCount } from "../sprt/likelihood.ts";
import type { SprtReport } from "../sprt/sequential-test.ts";

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
  if (names.length > 1 && report.crossTable.length > 0)
    sections.push(crossTable(report, names), superiority(report, names));
  return sections;
}

/** `First seat: +21 Elo (95% interval +3 to +39)`; no line in games of one player. */
export function firstSeatLines({ players, firstSeatElo, firstSeatLow, firstSeatHigh }: Report): string[] {
  if (players < 2) return [];
  const [elo, low, high] = [firstSeatElo, firstSeatLow, firstSeatHigh].map(formatSigned);
  return [`First seat: ${elo} Elo (95% interval ${low} to ${high})`];
}

/** A line on intervals that allow for pairings chosen by results. */
export function choiceLines({ allowsForChoice }: Report): string[] {
  return allowsForChoice === true ? ["Pairings were chosen by results; the intervals allow for it."] : [];
}

/** `Standard deviation of a game: 1.23 of 2.41, 51% (luck by pubeval)`; no line if luck was not taken out. */
export function luckLines({ luck }: Report): string[] {
  if (luck === undefined) return [];
  const { evaluator, deviation, adjustedDeviation } = luck;
  const share = deviation === 0 ? "" : `, ${Math.round((100 * adjustedDeviation) / deviation)}%`;
  return [
    `Standard deviation of a game: ${formatMean(adjustedDeviation)} of ${formatMean(deviation)}${share} ` +
      `(luck by ${evaluator})`,
  ];
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

/** The lines of a sequential test: its decision, the ratio with its bounds, the blocks by score. */
export function sprtLines({ sprt, players }: Report): string[] {
  if (sprt === undefined) return [];
  const { llr, lower, upper, elo0, elo1, alpha, beta, model, eloLow, eloHigh } = sprt;
  const { blocks, counts, after } = sprt;
  const later = after.reduce((sum, count) => sum + count.blocks, 0);
  return [
    `SPRT: ${describeDecision(sprt)}`,
    `LLR ${llr.toFixed(2)} of ${lower.toFixed(2)} to ${upper.toFixed(2)} after ${counted(blocks, "block")}; ` +
      `${model} Elo ${elo0} to ${elo1}, alpha ${alpha}, beta ${beta}`,
    `${players === 2 ? "Ptnml" : "Blocks by score"}: ${formatCounts(counts, players)}`,
    ...(later === 0
      ? []
      : [
          `Rated, but played too late to decide: ${counted(later, "block")}, ${formatCounts(after, players)}`,
        ]),
    "A sequential test ends when its results are extreme: the Elo and the interval above are biased. " +
      `An interval that holds whenever a test ends: ${formatEnd(eloLow)} to ${formatEnd(eloHigh)}.`,
  ];
}

function describeDecision({ decision, entrants, elo0, elo1, alpha, beta, blocks }: SprtReport): string {
  const lead = `the Elo of ${entrants[0]} over ${entrants[1]} is`;
  if (decision === "H1") return `accepted H1: ${lead} above ${elo0} (wrong in at most ${formatRate(alpha)})`;
  if (decision === "H0") return `accepted H0: ${lead} below ${elo1} (wrong in at most ${formatRate(beta)})`;
  return `no decision after ${counted(blocks, "block")}`;
}

/** `+12`, or `?` where the interval is open. */
export function formatEnd(elo: number | null): string {
  return elo === null ? "?" : formatSigned(elo);
}

function formatRate(rate: number): string {
  return `${Number((100 * rate).toFixed(2))}% of tests`;
}

/** `13 37 50 25 3` for pairs, `0: 13, 0.083: 37` for blocks of more scores. */
function formatCounts(counts: readonly ScoreCount[], players: number): string {
  if (players === 2) return counts.map(({ blocks }) => blocks).join(" ");
  return counts
    .filter(({ blocks }) => blocks > 0)
    .map(({ score, blocks }) => `${Number(score.toFixed(3))}: ${blocks}`)
    .join(", ");
}

/** The number of entrants of a lottery that are named. */
const NAMED = 5;

/** A sentence that says whether ratings explain the results. If they do not, one more has the maximal lottery. */
export function beyondEloLines({ beyondElo, entrants }: Report): string[] {
  if (beyondElo === null) return [];
  const { share, low, high, pValue, isExplained, cycle, lottery } = beyondElo;
  const chance = pValue < 0.001 ? "p < 0.001" : `p = ${pValue.toPrecision(2)}`;
  if (isExplained)
    return [`Ratings explain the results: ${formatPercent(share)}% of their variance is left (${chance}).`];
  const left = `${formatPercent(share)}% (${formatPercent(low)} to ${formatPercent(high)})`;
  const round =
    cycle?.isSure === true
      ? `; ${cycle.entrants.map((one, at) => `${entrants[one].name} beats ${entrants[cycle.entrants[(at + 1) % 3]].name} ${formatPercent(cycle.scores[at])}%`).join(", ")}`
      : "";
  return [
    `Ratings do not explain everything: ${left} of their variance is left (${chance})${round}.`,
    ...(lottery === null ? [] : [lotteryLine(lottery, entrants)]),
  ];
}

function lotteryLine(lottery: readonly LotteryShare[], entrants: Report["entrants"]): string {
  const shown = lottery
    .map((one, at) => ({ ...one, name: entrants[at].name }))
    .filter(({ share }) => share >= 0.0005)
    .toSorted((a, b) => b.share - a.share);
  const named = shown.slice(0, NAMED).map(({ name, share, low, high }) => {
    const interval =
      low === null || high === null ? "" : ` (${formatPercent(low)} to ${formatPercent(high)})`;
    return `${name} ${formatPercent(share)}%${interval}`;
  });
  const more = shown.length > NAMED ? `, and ${shown.length - NAMED} more` : "";
  return `Maximal lottery: ${named.join(", ")}${more}.`;
}

function ratings(report: Report, names: readonly string[]): Section {
  const byReturn = report.rankedBy !== "elo";
  const hasLuck = report.luck !== undefined;
  // In games that are won, drawn or lost, the mean return says the same as the score.
  const showsReturn =
    byReturn || hasLuck || report.entrants.some(({ meanReturn }) => Math.abs(meanReturn) > 1);
  const returns = [
    ...(showsReturn
      ? [{ head: "Return", cell: ({ meanReturn }: RankedEntrant) => formatMean(meanReturn) }]
      : []),
    ...(byReturn || hasLuck
      ? [{ head: "+/-", cell: (one: RankedEntrant) => formatMean(one.returnHigh - one.meanReturn) }]
      : []),
    ...(hasLuck ? LUCK_COLUMNS : []),
  ];
  // Games that were played elsewhere tell neither.
  const isMeasured = report.entrants.some(({ nodesPerMove, msPerMove }) => nodesPerMove > 0 || msPerMove > 0);
  const effort = [
    { head: "Nodes", cell: ({ nodesPerMove }: RankedEntrant) => formatMean(nodesPerMove) },
    { head: "ms", cell: ({ msPerMove }: RankedEntrant) => formatMean(msPerMove) },
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
    ...(report.entrants.some(({ exploitability }) => exploitability !== undefined) ? [EXPLOITABILITY] : []),
    ...(isMeasured ? effort : []),
  ];
  const heads = columns.map(({ head }) => head);
  return {
    title: `${report.game}: ${counted(report.games, "game")}${report.adjudicated > 0 ? `, ${report.adjudicated} adjudicated` : ""}`,
    header: heads,
    rows: report.entrants.map((entrant, at) => columns.map(({ cell }) => cell(entrant, at))),
    left: [1],
    lessImportant: ["ms", "Nodes", "Lost", "Drawn", "Won", "Games"]
      .map((head) => heads.indexOf(head))
      .filter((column) => column >= 0),
  };
}

/** Columns of reports that take luck out. */
const LUCK_COLUMNS: readonly { head: string; cell: (entrant: RankedEntrant) => string }[] = [
  { head: "Luck", cell: ({ luck }) => formatMean(luck!) },
  { head: "Adjusted", cell: ({ adjustedReturn }) => formatMean(adjustedReturn!) },
  { head: "+/-", cell: ({ adjustedReturn, adjustedHigh }) => formatMean(adjustedHigh! - adjustedReturn!) },
];

/** The column of games whose strategies can be judged without play. */
const EXPLOITABILITY = {
  head: "Exploit.",
  cell: ({ exploitability }: RankedEntrant) =>
    exploitability === undefined ? "-" : String(Number(exploitability.toPrecision(3))),
};

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

/** A whole number with its sign. */
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
