import { counted, formatLikelihood, formatPercent } from "../../base/text.ts";
import type { BeyondElo } from "../beyond/beyond-elo.ts";
import { finiteElo } from "../elo/scale.ts";
import type { Report } from "../report.ts";
import type { ScoreCount } from "../sprt/likelihood.ts";
import type { SprtReport } from "../sprt/sequential-test.ts";
import { LEAST_SHARE, lotteryOf, shareInterval } from "./ratings.ts";
import { formatEnd, formatMean, formatSigned, whole } from "./section.ts";

/** What a report says in sentences, below the rating table: paragraphs of lines. */
export function paragraphsOf(report: Report): string[][] {
  const alone = (lines: readonly string[]) => lines.map((line) => [line]);
  const [cited, ...details] = sprtLines(report);
  return [
    ...(cited === undefined ? alone(matchLines(report)) : [[cited], [`${SPRT_DETAILS}:`, ...details]]),
    ...[firstSeatLines, choiceLines, luckLines, beyondEloLines].flatMap((linesOf) => alone(linesOf(report))),
  ].filter((lines) => lines.length > 0);
}

/** `First seat: +21 Elo (95% interval +3 to +39)`; no line in games of one player. */
function firstSeatLines({ players, firstSeatElo, firstSeatLow, firstSeatHigh }: Report): string[] {
  if (players < 2) return [];
  const [elo, low, high] = [firstSeatElo, firstSeatLow, firstSeatHigh].map(formatSigned);
  return [`First seat: ${elo} Elo (95% interval ${low} to ${high})`];
}

/** A line on intervals that allow for pairings chosen by results. */
function choiceLines({ allowsForChoice }: Report): string[] {
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
function matchLines({ players, entrants, superiority: chances }: Report): string[] {
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

/** The title of the lines of a sequential test that are not cited. */
export const SPRT_DETAILS = "What the test decided by, and figures that are not to be cited";

/** The lines of a sequential test: first the one to cite, then what it decided by, and figures that do not allow for its end. */
export function sprtLines(report: Report): string[] {
  const { sprt, players } = report;
  if (sprt === undefined) return [];
  const { llr, lower, upper, elo0, elo1, alpha, beta, model } = sprt;
  const { blocks, counts, after } = sprt;
  const later = after.reduce((sum, count) => sum + count.blocks, 0);
  return [
    `SPRT: ${describeDecision(sprt)}: ${describeElo(sprt)}.`,
    `LLR ${llr.toFixed(2)} of ${lower.toFixed(2)} to ${upper.toFixed(2)} after ${counted(blocks, "block")}; ` +
      `${model} Elo ${elo0} to ${elo1}, alpha ${alpha}, beta ${beta}`,
    `${players === 2 ? "Ptnml" : "Blocks by score"}: ${formatCounts(counts, players)} (for other programs)`,
    ...(later === 0
      ? []
      : [
          `Rated, but played too late to decide: ${counted(later, "block")}, ${formatCounts(after, players)}`,
        ]),
    ...matchLines(report).map(
      (line) => `As if the number of games had been fixed, which is biased, as are ratings and LOS: ${line}`,
    ),
  ];
}

function describeDecision({ decision, entrants, elo0, elo1, alpha, beta, blocks }: SprtReport): string {
  const lead = `the Elo of ${entrants[0]} over ${entrants[1]} is`;
  if (decision === "H1") return `accepted H1: ${lead} above ${elo0} (wrong in at most ${formatRate(alpha)})`;
  if (decision === "H0") return `accepted H0: ${lead} below ${elo1} (wrong in at most ${formatRate(beta)})`;
  return `no decision after ${counted(blocks, "block")}`;
}

/** The Elo of the blocks that decided. Its interval holds at all looks together, so that it may end at any of them. */
function describeElo({ counts, blocks, eloLow, eloHigh }: SprtReport): string {
  const points = counts.reduce((sum, count) => sum + count.score * count.blocks, 0);
  const elo = formatEnd(blocks === 0 ? null : finiteElo(points / blocks));
  return `${elo} Elo (95% interval, valid whenever a test ends: ${formatEnd(eloLow)} to ${formatEnd(eloHigh)})`;
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
function beyondEloLines(report: Report): string[] {
  if (report.beyondElo === null) return [];
  const { share, low, high, pValue, isExplained, cycle } = report.beyondElo;
  const chance = chanceText(pValue);
  if (isExplained)
    return [
      `Ratings explain the results: ${formatPercent(share)}% of their variance is left${pValue < 0.05 ? "" : ` (${chance})`}.`,
    ];
  const left = `${formatPercent(share)}% (${formatPercent(low)} to ${formatPercent(high)})`;
  const round = cycle?.isSure === true ? `; ${cycleText(cycle, report)}` : "";
  return [
    `Ratings do not explain everything: ${left} of their variance is left (${chance})${round}.`,
    ...lotteryLines(report),
  ];
}

/** `p = 0.012`. */
export function chanceText(pValue: number): string {
  return pValue < 0.001 ? "p < 0.001" : `p = ${pValue.toPrecision(2)}`;
}

/** `a beats b 60.0%, b beats c 55.0%, c beats a 70.0%`. */
export function cycleText({ entrants, scores }: NonNullable<BeyondElo["cycle"]>, report: Report): string {
  const nameOf = (at: number) => report.entrants[entrants[at % entrants.length]].name;
  return scores
    .map((score, at) => `${nameOf(at)} beats ${nameOf(at + 1)} ${formatPercent(score)}%`)
    .join(", ");
}

function lotteryLines(report: Report): string[] {
  if (report.beyondElo?.lottery == null) return [];
  const shown = lotteryOf(report).filter(({ share }) => share >= LEAST_SHARE);
  const named = shown.slice(0, NAMED).map((one) => {
    const interval = shareInterval(one);
    return `${one.name} ${formatPercent(one.share)}%${interval === "" ? "" : ` (${interval})`}`;
  });
  const more = shown.length > NAMED ? `, and ${shown.length - NAMED} more` : "";
  return [`Maximal lottery: ${named.join(", ")}${more}.`];
}
