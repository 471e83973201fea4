import { ReturnMeans, type MeanReturn } from "./mean-return.ts";
import type { EloInterval } from "./elo/scale.ts";
import { findGroups } from "./counts/groups.ts";
import { countHeadToHead } from "./counts/head-to-head.ts";
import { rateTally, type Anchor } from "./elo/rate.ts";
import { Tally } from "./counts/tally.ts";
import { Repeats } from "./warnings/repeats.ts";
import { findWarnings, Forfeits } from "./warnings/warnings.ts";
import { contests, sourceOf, type GameRecord, type GameSource } from "./record.ts";
import { addResults, emptyResults, type Results } from "./counts/results.ts";

/** The figure that ranks the entrants. */
export type RankedBy = "elo" | "return";

/** All figures of the tables, as plain data. Its keys are the JSON contract. */
export interface Report {
  readonly game: string;
  readonly games: number;
  /** Seats of a game. */
  readonly players: number;
  /** Advantage of the first seat over the mean of the others, and its 95% interval. */
  readonly firstSeatElo: number;
  readonly firstSeatLow: number;
  readonly firstSeatHigh: number;
  /** Best first. The matrices below have the same order. */
  readonly entrants: readonly RankedEntrant[];
  /** [row][column]: the score of `row` against `column`; null if they did not meet. */
  readonly crossTable: readonly (readonly (Encounter | null)[])[];
  /** [row][column]: probability that `row` is the stronger; 0.5 on the diagonal. */
  readonly superiority: readonly (readonly number[])[];
  /** The order of the entrants: by Elo, or by mean return if returns say more than places do. */
  readonly rankedBy: RankedBy;
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
  /** [elo] */
  readonly rankBy?: RankedBy | undefined;
}

/** Rates the games and computes all figures of the tables. The order of the records does not matter. */
export function createReport({ game, entrants, records, anchor, rankBy = "elo" }: ReportInput): Report {
  const source = sourceOf(records);
  const tally = new Tally(entrants.length);
  const means = new ReturnMeans(entrants.length);
  const results = entrants.map(emptyResults);
  const forfeits = new Forfeits();
  const repeats = new Repeats();
  let gameCount = 0;
  let players = 0;
  for (const block of source.blocks()) {
    const compared = contests(block);
    tally.addBlock(compared);
    means.addBlock(block);
    addResults(results, block, compared);
    for (const counted of block) {
      forfeits.add(counted);
      repeats.add(counted);
    }
    gameCount += block.length;
    players = block[0].seats.length;
  }
  const groups = findGroups(tally);
  const rating = rateTally(tally, groups, { anchor });
  const { score, games } = countHeadToHead(tally);
  const returns = means.means();
  const figures =
    rankBy === "elo"
      ? rating.entrants.map(({ elo }) => Math.round(100 * elo))
      : returns.map(({ mean }) => roundReturn(mean));
  const order = rankingOrder(entrants, figures);
  const matrix = <Cell>(cell: (one: number, other: number) => Cell) =>
    order.map((one) => order.map((other) => cell(one, other)));
  return {
    game,
    games: gameCount,
    players,
    firstSeatElo: rating.firstSeat.elo,
    firstSeatLow: rating.firstSeat.low,
    firstSeatHigh: rating.firstSeat.high,
    entrants: order.map((entrant, place) =>
      rankedEntrant(
        place + 1,
        entrants[entrant],
        { ...rating.entrants[entrant], return: returns[entrant] },
        results[entrant],
      ),
    ),
    crossTable: matrix((one, other) => {
      const pair = one * entrants.length + other;
      return games[pair] === 0 ? null : { score: score[pair] / games[pair], games: games[pair] };
    }),
    superiority: matrix((one, other) => rating.superiority[one][other]),
    rankedBy: rankBy,
    warnings: findWarnings({ entrants, tally, groups, forfeits, repeats: repeats.found() }),
  };
}

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
  { elo, low, high, return: meanReturn }: EloInterval & { readonly return: MeanReturn },
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
    returnLow: Number.isFinite(meanReturn.low) ? meanReturn.low : meanReturn.mean,
    returnHigh: Number.isFinite(meanReturn.high) ? meanReturn.high : meanReturn.mean,
    nodesPerMove: ratio(results.nodes, results.decisions),
    msPerMove: ratio(results.timeUs / 1000, results.decisions),
    forfeits,
  };
}

function ratio(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}
