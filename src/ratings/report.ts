import { simulateErrors, type ChosenTournament, type SimulatedErrors } from "./adaptive/chosen-pairings.ts";
import { lookBeyondElo, type BeyondElo } from "./beyond/beyond-elo.ts";
import { ReturnMeans, type MeanReturn } from "./mean-return.ts";
import type { EloInterval, Anchor } from "./elo/scale.ts";
import { LuckTally, type EntrantLuck, type LuckReport, type LuckSource } from "./luck.ts";
import { findGroups } from "./counts/groups.ts";
import { DuelCounts, type Duel, countHeadToHead } from "./counts/head-to-head.ts";
import { rateTally } from "./elo/rate.ts";
import { Tally, addResults, emptyResults, type Results } from "./counts/tally.ts";
import { Repeats } from "./warnings/repeats.ts";
import { Forfeits } from "./warnings/forfeits.ts";
import { findWarnings } from "./warnings/warnings.ts";
import { contests, sourceOf, type GameRecord, type GameSource } from "./record.ts";
import type { SprtReport } from "./sprt/sequential-test.ts";

/** The figure that ranks the entrants. */
export type RankedBy = "elo" | "return" | "adjusted-return";

/** All figures of the tables, as plain data. Its keys are the JSON contract. */
export interface Report {
  readonly game: string;
  readonly games: number;
  /** Games that the tournament's own rules ended before their end. */
  readonly adjudicated: number;
  /** Seats of a game. */
  readonly players: number;
  /** Advantage of the first seat over the mean of the others, and its 95% interval. */
  readonly firstSeatElo: number;
  readonly firstSeatLow: number;
  readonly firstSeatHigh: number;
  /** Best first. The matrices below have the same order; they are empty for more than 1000 entrants. */
  readonly entrants: readonly RankedEntrant[];
  /** [row][column]: the score of `row` against `column`; null if they did not meet. */
  readonly crossTable: readonly (readonly (Encounter | null)[])[];
  /** [row][column]: probability that `row` is the stronger; 0.5 on the diagonal. */
  readonly superiority: readonly (readonly number[])[];
  /** The part of the results that ratings cannot explain; null for fewer than three entrants, and where the noise is not known. */
  readonly beyondElo: BeyondElo | null;
  /** The order of the entrants: by Elo, or by mean return if returns say more than places do. */
  readonly rankedBy: RankedBy;
  /** The counts of a match; absent unless two entrants play games of two players. */
  readonly duel?: Duel;
  /** The sequential test that the games were played for. */
  readonly sprt?: SprtReport | undefined;
  /** True if the intervals allow for pairings that were chosen by results; absent if no format chose them. */
  readonly allowsForChoice?: boolean;
  /** The spread of a game with and without its luck; absent if luck was not taken out. */
  readonly luck?: LuckReport;
  readonly warnings: readonly string[];
}

/** One row of the table. */
export interface RankedEntrant {
  readonly rank: number;
  readonly name: string;
  readonly elo: number;
  /** 95% interval. */
  readonly low: number;
  readonly high: number;
  readonly games: number;
  /** First place alone, first place shared, anything else. */
  readonly wins: number;
  readonly draws: number;
  readonly losses: number;
  /** Share of opponents beaten, ties counting a half: 0..1. */
  readonly score: number;
  readonly drawRate: number;
  /** Mean utility of its games, in the game's units: points at backgammon, the score at 2048. */
  readonly meanReturn: number;
  /** Its 95% interval over blocks; with one block, both ends are the mean. */
  readonly returnLow: number;
  readonly returnHigh: number;
  /** Mean luck of its games, in the game's units; this and the next three are absent if luck was not taken out. */
  readonly luck?: number;
  /** Mean of utility less luck, and its 95% interval over blocks; with one block, both ends are the mean. */
  readonly adjustedReturn?: number;
  readonly adjustedLow?: number;
  readonly adjustedHigh?: number;
  /**
   * The mean gain of a player who knows its strategy and plays best against it, in the game's units; 0 if it is unbeatable.
   * Only in small games of hidden information, for agents that can tell their probabilities.
   */
  readonly exploitability?: number;
  readonly nodesPerMove: number;
  readonly msPerMove: number;
  readonly forfeits: number;
}

/** The games of one entrant against another. */
interface Encounter {
  /** Share of the games, ties counting a half: 0..1. */
  readonly score: number;
  readonly games: number;
}

export interface ReportInput {
  /** The game's name, for people. */
  readonly game: string;
  /** Names, by the records' entrant indexes. */
  readonly entrants: readonly string[];
  /** The games, in memory or read block by block. */
  readonly records: readonly GameRecord[] | GameSource;
  readonly anchor?: Anchor | undefined;
  /** `adjusted-return` without `luck` is `return` [elo]. */
  readonly rankBy?: RankedBy | undefined;
  /** Tells the luck of games, which is then taken out of the mean returns [none]. */
  readonly luck?: LuckSource | undefined;
  /** Reasons to doubt the table that no game shows; they come first [none]. */
  readonly warnings?: readonly string[] | undefined;
  readonly sprt?: SprtReport | undefined;
  /** The tournament, if its pairings were chosen by results [they were not]. */
  readonly chosen?: ChosenTournament | undefined;
}

/** Rates the games and computes all figures of the tables. The order of the records does not matter. */
export function createReport(input: ReportInput): Report {
  const { game, entrants, records, anchor, rankBy = "elo", luck, warnings = [], sprt, chosen } = input;
  const source = sourceOf(records);
  const lucks = luck && new LuckTally(luck, entrants.length);
  const tally = new Tally(entrants.length);
  const means = new ReturnMeans(entrants.length);
  const results = entrants.map(emptyResults);
  const forfeits = new Forfeits();
  const repeats = new Repeats();
  const duels = entrants.length === 2 ? new DuelCounts() : undefined;
  let gameCount = 0;
  let adjudicated = 0;
  let players = 0;
  for (const block of source.blocks()) {
    const compared = contests(block);
    tally.addBlock(compared);
    means.addBlock(block);
    duels?.addBlock(compared);
    lucks?.addBlock(block);
    addResults(results, block, compared);
    for (const counted of block) {
      forfeits.add(counted);
      repeats.add(counted);
      if (counted.ending === "adjudicated") adjudicated++;
    }
    gameCount += block.length;
    players = block[0].seats.length;
  }
  const groups = findGroups(tally);
  let errors: SimulatedErrors | undefined;
  const rating = rateTally(tally, groups, {
    anchor,
    errors: chosen && ((ratings) => (errors = simulateErrors(chosen, ratings))),
  });
  const { count, score, games } = countHeadToHead(tally);
  const returns = means.means();
  const lucky = lucks?.entrants();
  const rankedBy = rankBy === "adjusted-return" && lucky === undefined ? "return" : rankBy;
  const figures =
    rankedBy === "elo"
      ? rating.entrants.map(({ elo }) => Math.round(100 * elo))
      : rankedBy === "return"
        ? returns.map(({ mean }) => roundReturn(mean))
        : lucky!.map(({ adjusted }) => roundReturn(adjusted.mean));
  const order = rankingOrder(entrants, figures);
  const matrix = <Cell>(cell: (one: number, other: number) => Cell) =>
    count > 0 ? order.map((one) => order.map((other) => cell(one, other))) : [];
  return {
    game,
    games: gameCount,
    adjudicated,
    players,
    firstSeatElo: rating.firstSeat.elo,
    firstSeatLow: rating.firstSeat.low,
    firstSeatHigh: rating.firstSeat.high,
    entrants: order.map((entrant, place) =>
      rankedEntrant(
        place + 1,
        entrants[entrant],
        { ...rating.entrants[entrant], return: returns[entrant], luck: lucky?.[entrant] },
        results[entrant],
      ),
    ),
    crossTable: matrix((one, other) => {
      const pair = one * entrants.length + other;
      return games[pair] === 0 ? null : { score: score[pair] / games[pair], games: games[pair] };
    }),
    superiority: matrix((one, other) => rating.superiority[one][other]),
    beyondElo: lookBeyondElo(
      tally,
      rating.entrants.map(({ elo }) => elo),
      order,
    ),
    rankedBy,
    ...(duels !== undefined && players === 2 && { duel: duels.duel([entrants[0], entrants[1]]) }),
    ...(sprt === undefined ? {} : { sprt }),
    ...(chosen && { allowsForChoice: errors !== undefined }),
    ...(lucks && { luck: lucks.report() }),
    warnings: [
      ...warnings,
      ...(chosen !== undefined && errors === undefined ? [CHOICE_IGNORED] : []),
      ...findWarnings({ entrants, tally, groups, forfeits, repeats: repeats.found() }),
      ...(lucks?.warnings() ?? []),
    ],
  };
}

const CHOICE_IGNORED =
  "pairings were chosen by results, and too few tournaments could be simulated to allow for that: intervals may be too narrow, " +
  "and entrants too far apart";

/** The entrants, highest figure first. Figures are rounded, so that equal ones are in the order of the names. */
function rankingOrder(names: readonly string[], figures: readonly number[]): number[] {
  return names
    .map((_, entrant) => entrant)
    .toSorted((a, b) => figures[b] - figures[a] || (names[a] < names[b] ? -1 : 1));
}

function roundReturn(mean: number): number {
  return Number(mean.toPrecision(12));
}

function rankedEntrant(
  rank: number,
  name: string,
  {
    elo,
    low,
    high,
    return: meanReturn,
    luck,
  }: EloInterval & { readonly return: MeanReturn; readonly luck: EntrantLuck | undefined },
  results: Results,
): RankedEntrant {
  const { games, wins, draws, losses, forfeits } = results;
  return {
    rank,
    name,
    elo,
    low,
    high,
    games,
    wins,
    draws,
    losses,
    score: ratio(results.points, results.opponents),
    drawRate: ratio(draws, wins + draws + losses),
    meanReturn: meanReturn.mean,
    returnLow: finiteOr(meanReturn.low, meanReturn.mean),
    returnHigh: finiteOr(meanReturn.high, meanReturn.mean),
    ...(luck && {
      luck: luck.luck,
      adjustedReturn: luck.adjusted.mean,
      adjustedLow: finiteOr(luck.adjusted.low, luck.adjusted.mean),
      adjustedHigh: finiteOr(luck.adjusted.high, luck.adjusted.mean),
    }),
    nodesPerMove: ratio(results.nodes, results.decisions),
    msPerMove: ratio(results.timeUs / 1000, results.decisions),
    forfeits,
  };
}

function finiteOr(value: number, other: number): number {
  return Number.isFinite(value) ? value : other;
}

function ratio(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}
