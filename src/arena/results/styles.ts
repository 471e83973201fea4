import { escapeControls, InputError } from "../../base/errors.ts";
import type { Duel, WonDrawnLost } from "../../ratings/counts/duel.ts";
import { normalBelow } from "../../ratings/elo/scale.ts";
import { sampleElo } from "../../ratings/elo/sample-elo.ts";
import type { RankedEntrant, Report } from "../../ratings/report.ts";
import type { SprtReport } from "../../ratings/sprt/sequential-test.ts";

/** A program whose lines results can be written in. */
export type Style = "fastchess" | "cutechess" | "ordo";

/** Throws InputError if the style does not show games of so many players, or so many entrants. */
export function refuseStyle(
  style: Style,
  { players, entrants }: { readonly players: number; readonly entrants: number },
): void {
  if (players !== 2)
    throw new InputError(`--style ${style} shows games of two players; these have ${players}`);
  if (style !== "ordo" && entrants !== 2)
    throw new InputError(
      `--style ${style} shows two entrants; there are ${entrants}; --style ordo shows any number`,
    );
}

/** The results in the lines of another program, for scripts that read these. Throws InputError as `refuseStyle` does. */
export function formatStyle(report: Report, style: Style): string {
  refuseStyle(style, { players: report.players, entrants: report.entrants.length });
  if (style === "ordo") return formatOrdo(report);
  const { names, ...counts } = report.duel!;
  const duel = { ...counts, names: [escapeControls(names[0]), escapeControls(names[1])] as const };
  const { sprt } = report;
  return style === "fastchess" ? formatFastchess(duel, sprt) : formatCutechess(duel, sprt);
}

/** The scores of the kinds of pairs that a duel counts. */
const PAIR_SCORES = [0, 0.25, 0.5, 0.5, 0.75, 1];

/** The block that fastchess prints at the end of a match. Pairs of games are the sample if most games are in pairs. */
function formatFastchess({ names, bySeat, pairs }: Duel, sprt: SprtReport | undefined): string {
  const [won, drawn, lost] = sumOf(bySeat);
  const games = won + drawn + lost;
  const pairCount = pairs.reduce((sum, count) => sum + count, 0);
  const isPaired = 4 * pairCount > games;
  const elo = isPaired ? sampleElo(PAIR_SCORES, pairs, 2) : sampleElo([1, 0.5, 0], [won, drawn, lost], 1);
  const [lostBoth, lostDrew, wonLost, drewBoth, wonDrew, wonBoth] = pairs;
  const drawRatio = isPaired ? (wonLost + drewBoth) / pairCount : drawn / games;
  const pairsRatio = isPaired ? `, PairsRatio: ${fixed((wonDrew + wonBoth) / (lostBoth + lostDrew), 2)}` : "";
  const points = won + drawn / 2;
  const lines = [
    `Results of ${names[0]} vs ${names[1]}:`,
    `Elo: ${fixed(elo.elo, 2)} +/- ${fixed(elo.margin, 2)}, ` +
      `nElo: ${fixed(elo.normalised, 2)} +/- ${fixed(elo.normalisedMargin, 2)}`,
    `LOS: ${fixed(100 * elo.superiority, 2)} %, DrawRatio: ${fixed(100 * drawRatio, 2)} %${pairsRatio}`,
    `Games: ${games}, Wins: ${won}, Losses: ${lost}, Draws: ${drawn}, ` +
      `Points: ${fixed(points, 1)} (${fixed((100 * points) / games, 2)} %)`,
  ];
  if (isPaired)
    lines.push(
      `Ptnml(0-2): [${[lostBoth, lostDrew, wonLost + drewBoth, wonDrew, wonBoth].join(", ")}], ` +
        `WL/DD Ratio: ${fixed(wonLost / drewBoth, 2)}`,
    );
  if (sprt !== undefined) {
    const { llr, lower, upper, elo0, elo1 } = sprt;
    const share = llr >= 0 ? llr / upper : -llr / lower;
    lines.push(
      `LLR: ${fixed(llr, 2)} (${fixed(100 * share, 1)}%) (${fixed(lower, 2)}, ${fixed(upper, 2)}) ` +
        `[${fixed(elo0, 2)}, ${fixed(elo1, 2)}]`,
    );
  }
  const rule = "-".repeat(50);
  return [rule, ...lines, rule].join("\n");
}

/** The lines that cutechess-cli prints at the end of a match. Games are the sample. */
function formatCutechess({ names, bySeat }: Duel, sprt: SprtReport | undefined): string {
  const total = sumOf(bySeat);
  const [won, drawn, lost] = total;
  const { elo, margin } = sampleElo([1, 0.5, 0], total, 1);
  const [first, second] = bySeat;
  const white: WonDrawnLost = [first[0] + second[2], first[1] + second[1], first[2] + second[0]];
  const sides: readonly (readonly [string, WonDrawnLost])[] = [
    [`${names[0]} playing White`, first],
    [`${names[0]} playing Black`, second],
    ["White vs Black", white],
  ];
  return [
    `Score of ${names[0]} vs ${names[1]}: ${scoreLine(total)}`,
    ...sides
      .filter(([, results]) => results.some((count) => count > 0))
      .map(([name, results]) => `...      ${name}: ${scoreLine(results)}`),
    `Elo difference: ${fixed(elo, 1)} +/- ${fixed(margin, 1)}, ` +
      `LOS: ${fixed(100 * normalBelow((won - lost) / Math.sqrt(won + lost)), 1)} %, ` +
      `DrawRatio: ${fixed((100 * drawn) / (won + drawn + lost), 1)} %`,
    ...(sprt === undefined ? [] : [cutechessTest(sprt)]),
  ].join("\n");
}

/** `SPRT: llr 3.01 (102.2%), lbound -2.94, ubound 2.94 - H1 was accepted`. */
function cutechessTest({ llr, lower, upper, decision }: SprtReport): string {
  const short = (value: number) => String(Number(value.toPrecision(3)));
  const accepted = decision === null ? "" : ` - ${decision} was accepted`;
  const share = fixed((100 * llr) / upper, 1);
  return `SPRT: llr ${short(llr)} (${share}%), lbound ${short(lower)}, ubound ${short(upper)}${accepted}`;
}

/** `10 - 5 - 3  [0.639] 18`: won, lost, drawn, score, games. */
function scoreLine([won, drawn, lost]: WonDrawnLost): string {
  const games = won + drawn + lost;
  return `${won} - ${lost} - ${drawn}  [${fixed((won + drawn / 2) / games, 3)}] ${games}`;
}

/** Ordo's table. An error that is fixed to 0, as that of an anchor, is `----`. */
function formatOrdo({ entrants }: Report): string {
  const names = entrants.map(({ name }) => escapeControls(name));
  const width = Math.max("PLAYER".length, ...names.map((name) => name.length));
  const header = `   # ${"PLAYER".padEnd(width)}    :  RATING  ERROR  POINTS  PLAYED   (%)`;
  const row = ({ rank, elo, low, high, wins, draws, games }: RankedEntrant, at: number) => {
    const error = (high - low) / 2;
    const points = wins + draws / 2;
    return [
      `${String(rank).padStart(4)} ${names[at]!.padEnd(width)}    :`,
      fixed(elo, 1).padStart(7),
      (error < 0.05 ? "----" : fixed(error, 1)).padStart(6),
      fixed(points, 1).padStart(7),
      String(games).padStart(7),
      fixed(games === 0 ? 0 : (100 * points) / games, 0).padStart(5),
    ].join(" ");
  };
  return [header, ...entrants.map(row)].join("\n");
}

function sumOf([one, other]: readonly [WonDrawnLost, WonDrawnLost]): WonDrawnLost {
  return [one[0] + other[0], one[1] + other[1], one[2] + other[2]];
}

/** A number as C prints it with this many decimals. */
function fixed(value: number, decimals: number): string {
  if (Number.isNaN(value)) return "nan";
  if (!Number.isFinite(value)) return value > 0 ? "inf" : "-inf";
  return value.toFixed(decimals);
}
