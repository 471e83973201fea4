import { counted, formatLikelihood, formatPercent } from "../../base/text.ts";
import type { LotteryShare } from "../beyond/beyond-elo.ts";
import type { ChatUse, ClockUse, DeedCounts } from "../format-results.ts";
import type { RankedEntrant, Report } from "../report.ts";
import {
  createSection,
  figures,
  formatClock,
  formatDigits,
  formatInterval,
  formatMean,
  NUMBERS,
  whole,
  type Cell,
  type ColumnOf,
  type Section,
} from "./section.ts";

type RankedColumn = ColumnOf<RankedEntrant>;

/** The rating table. */
export function ratingSection(report: Report): Section {
  const { game, games, adjudicated, entrants, luck } = report;
  const byReturn = report.rankedBy !== "elo";
  const hasLuck = luck !== undefined;
  // In games that are won, drawn or lost, the mean return says the same as the score.
  const showsReturn = byReturn || hasLuck || entrants.some(({ meanReturn }) => Math.abs(meanReturn) > 1);
  const returns: readonly (RankedColumn | false)[] = [
    showsReturn && mean("Return", ({ meanReturn }) => meanReturn, "mean return of a game"),
    (byReturn || hasLuck) && mean("+/-", (one) => one.returnHigh - one.meanReturn, MARGIN),
    ...(hasLuck ? LUCK_COLUMNS : []),
  ];
  // Games that were played elsewhere tell neither.
  const isMeasured = entrants.some(({ nodesPerMove, msPerMove }) => nodesPerMove > 0 || msPerMove > 0);
  const columns: readonly (RankedColumn | false)[] = [
    { head: "#", cell: ({ rank }) => rank },
    {
      head: "Entrant",
      kind: "name",
      cell: ({ name }) => ({ text: name, order: name, games: { entrant: name } }),
    },
    ...(byReturn ? returns : []),
    figures("Elo", ({ elo }) => elo, whole),
    { head: "+/-", cell: formatMargin, only: "text" },
    {
      head: "95%",
      only: "page",
      tooltip: "interval of the Elo",
      cell: (one) => ({ text: formatInterval(one), order: one.high - one.low }),
    },
    { head: "Games", cell: ({ games: own }) => own, importance: 6 },
    figures("Score%", ({ score }) => score, formatPercent),
    { head: "Won", cell: ({ wins }) => wins, importance: 5 },
    { head: "Drawn", cell: ({ draws }) => draws, importance: 4 },
    { head: "Lost", cell: ({ losses }) => losses, importance: 3 },
    ...(byReturn ? [] : returns),
    entrants.some(({ exploitability }) => exploitability !== undefined) && EXPLOITABILITY,
    isMeasured && mean("Nodes", ({ nodesPerMove }) => nodesPerMove, "nodes a move", 2),
    isMeasured && mean("ms", ({ msPerMove }) => msPerMove, "milliseconds a move", 1),
    entrants.some(({ forfeits }) => forfeits > 0) && {
      head: "Forfeits",
      cell: ({ forfeits }) => forfeits,
      only: "page",
    },
  ];
  const title = `${game}: ${counted(games, "game")}${adjudicated > 0 ? `, ${adjudicated} adjudicated` : ""}`;
  return createSection({ title }, entrants, columns);
}

const MARGIN = "half of the 95% interval";

function mean<Row = RankedEntrant>(
  head: string,
  value: (row: Row) => number,
  tooltip?: string,
  importance?: number,
): ColumnOf<Row> {
  return figures(head, value, formatMean, { tooltip, importance });
}

/** Columns of reports that take luck out. */
const LUCK_COLUMNS: readonly RankedColumn[] = [
  mean("Luck", ({ luck }) => luck!, "mean luck of a game"),
  mean("Adjusted", ({ adjustedReturn }) => adjustedReturn!, "mean return less luck"),
  mean("+/-", ({ adjustedReturn, adjustedHigh }) => adjustedHigh! - adjustedReturn!, MARGIN),
];

/** The column of games whose strategies can be judged without play. */
const EXPLOITABILITY: RankedColumn = figures(
  "Exploit.",
  ({ exploitability }) => exploitability ?? Infinity,
  (gain) => (gain === Infinity ? "-" : formatDigits(gain, 3)),
  { tooltip: "exploitability: what a player wins who knows the strategy" },
);

/** The cross-table and the likelihood of superiority; none for one entrant, or very many. */
export function matrixSections(report: Report): Section[] {
  if (report.entrants.length < 2 || report.crossTable.length === 0) return [];
  return [crossTable(report), superiority(report)];
}

/** The number of games is in the title if all pairs played equally often, otherwise in each cell. */
function crossTable({ crossTable: cells, entrants }: Report): Section {
  const counts = new Set(cells.flat().flatMap((cell) => (cell === null ? [] : [cell.games])));
  const [count] = counts;
  const isUniform = counts.size === 1;
  const names = entrants.map(({ name }) => name);
  return matrix(
    `Score % of row against column${isUniform ? `, ${counted(count!, "game")} each` : " (games)"}`,
    names,
    (row, column) => {
      const met = cells[row]![column] ?? null;
      if (met === null) return "-";
      const [entrant, opponent] = [names[row]!, names[column]!];
      return {
        text: `${formatPercent(met.score)}${isUniform ? "" : ` (${met.games})`}`,
        tooltip: `${entrant} against ${opponent}: ${formatPercent(met.score)}% of ${counted(met.games, "game")}`,
        games: { entrant, opponent },
        heat: 2 * met.score - 1,
      };
    },
  );
}

function superiority({ superiority: chances, entrants }: Report): Section {
  return matrix(
    "Likelihood in % that row is stronger than column",
    entrants.map(({ name }) => name),
    (row, column) => {
      const chance = chances[row]![column]!;
      return row === column ? "-" : { text: formatLikelihood(chance), heat: 2 * chance - 1 };
    },
  );
}

/** A table of entrants against entrants. Columns are named by rank, because names would not fit. */
function matrix(
  title: string,
  names: readonly string[],
  cell: (row: number, column: number) => string | Cell,
): Section {
  return createSection({ title }, names, [
    NUMBERS,
    { head: "Entrant", kind: "name", cell: (name) => name },
    ...names.map((tooltip, column): ColumnOf<string> => ({
      head: String(column + 1),
      tooltip,
      cell: (_, row) => cell(row, column),
    })),
  ]);
}

type NamedShare = LotteryShare & { readonly name: string };

/** Shares below this are 0.0% when they are printed. */
export const LEAST_SHARE = 0.0005;

/** The maximal lottery, the largest shares first; empty where it is not known. */
export function lotteryOf({ beyondElo, entrants }: Report): NamedShare[] {
  return (beyondElo?.lottery ?? [])
    .map((one, at) => ({ ...one, name: entrants[at]!.name }))
    .toSorted((a, b) => b.share - a.share);
}

/** `10.2 to 35.0`; empty where it is not known. */
export function shareInterval({ low, high }: LotteryShare): string {
  return low === null || high === null ? "" : `${formatPercent(low)} to ${formatPercent(high)}`;
}

/** The entrants that the maximal lottery draws, or may draw. */
export function lotterySection(report: Report): Section {
  const shown = lotteryOf(report).filter(
    ({ share, high }) => share >= LEAST_SHARE || (high ?? 0) >= LEAST_SHARE,
  );
  return createSection({ title: "Maximal lottery" }, shown, [
    { head: "Entrant", kind: "name", cell: ({ name }) => name },
    figures("Share%", ({ share }) => share, formatPercent),
    { head: "95%", cell: shareInterval },
  ]);
}

const TIME: ColumnOf<ClockUse> = { head: "Time", cell: ({ time = "" }) => time };

/** The use that entrants made of their clocks. */
export function clockSection(clocks: readonly ClockUse[]): Section {
  const note = "The time that entrants took of what they had, and the least that was left until a flag fell.";
  return createSection({ title: "Clocks: time used of what there was, least time left", note }, clocks, [
    NUMBERS,
    { head: "Entrant", kind: "name", cell: ({ name }) => name },
    ...(clocks.some(({ time }) => time !== undefined) ? [TIME] : []),
    figures("Used%", ({ share }) => share, formatPercent),
    { head: "Lowest", cell: ({ lowestMs }) => (lowestMs === null ? "?" : formatClock(lowestMs)) },
    { head: "Flags", cell: ({ flags }) => flags },
  ]);
}

/** The tokens, time and cost of chat models. */
export function chatSection(uses: readonly ChatUse[]): Section {
  const each = (head: string, value: (use: ChatUse) => number, importance: number, text = formatMean) =>
    figures(head, (use: ChatUse) => value(use) / Math.max(1, use.games), text, { importance });
  const money = (cost: number) => formatDigits(cost, 3);
  const note =
    "Answers, tokens and cost are means of a game. Illegal answers are those without a legal action.";
  return createSection({ title: "Chat models: answers, tokens and cost a game", note }, uses, [
    NUMBERS,
    { head: "Entrant", kind: "name", cell: ({ name }) => name },
    each("Answers", ({ answers }) => answers, 4),
    figures("Illegal%", ({ illegal, answers }) => illegal / Math.max(1, answers), formatPercent),
    each("Tokens in", ({ tokensIn }) => tokensIn, 2),
    each("Tokens out", ({ tokensOut }) => tokensOut, 2),
    figures("s/answer", ({ seconds, answers }) => seconds / Math.max(1, answers), formatMean, {
      importance: 1,
    }),
    each("Cost", ({ cost }) => cost, 5, money),
    figures("Cost in all", ({ cost }) => cost, money, { importance: 3 }),
  ]);
}

/** The kinds of actions that entrants chose. */
export function deedSection(deeds: readonly DeedCounts[]): Section {
  const note = "How often entrants chose actions of each kind, a game.";
  return createSection({ title: "Actions a game, by kind", note }, deeds, [
    NUMBERS,
    { head: "Entrant", kind: "name", cell: ({ name }) => name },
    ...Object.keys(deeds[0]?.counts ?? {}).map((kind) =>
      mean<DeedCounts>(
        `${kind.charAt(0).toUpperCase()}${kind.slice(1)}`,
        ({ counts, games }) => (games === 0 ? 0 : counts[kind]! / games),
        `${kind} a game`,
      ),
    ),
  ]);
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
