import { availableParallelism } from "node:os";
import { createRandom, type Random } from "../base/random.ts";
import type { Report } from "../ratings/report.ts";
import { hasOneRound, plannedGames, formatOf } from "./formats/index.ts";
import type { TournamentPlan } from "./plan/plan.ts";
import type { RunProgress } from "./play/standings.ts";
import { playTournament } from "./tournament.ts";
import { findGroups } from "../ratings/counts/groups.ts";
import { Tally } from "../ratings/counts/tally.ts";
import { rateTally } from "../ratings/elo/rate.ts";
import { ELO_SCALE } from "../ratings/elo/scale.ts";
import type { GameScore } from "../ratings/record.ts";
import { playOut } from "./formats/format.ts";
import { scoreBlock } from "./schedule/rounds.ts";

/** Workers may take so long to start. */
const START_MS = 10_000;
/** An entrant with fewer games says nothing about its interval. */
const LEAST_GAMES = 20;
/** The most tournaments of several rounds that are simulated, and the most games in all of them. */
const MOST_RUNS = 21;
const MOST_GAMES = 400_000;

/** The expected size of a tournament, its length on this machine, and the width of its intervals. */
export interface Forecast {
  /** The number of games. */
  readonly games: Extent;
  /** The games that were played to measure; nothing of them is kept. */
  readonly measured: number;
  /** Absent if too few games ended. */
  readonly gamesPerSecond?: number;
  /** The time for all games at that pace. */
  readonly seconds?: Extent;
  readonly entrants: readonly {
    readonly name: string;
    /** Half the width of the 95% interval after all games, in Elo; absent where it is not known yet. */
    readonly halfWidth?: number;
  }[];
}

/** At least and at most, and what is expected where the two differ. */
interface Extent {
  readonly least: number;
  readonly most: number;
  readonly expected?: number;
}

/**
 * Plays the first games of a tournament for a while and extrapolates. Intervals shrink with the square root of the number of
 * games. In formats of several rounds, tournaments are simulated with the ratings measured, and intervals are the medians of
 * theirs. Throws InputError, GameFault.
 * @param seconds the time for measuring; 0 plays nothing
 * @param workers processes that play [one a core]
 * @param baseDir folder that relative paths are taken from
 */
export async function forecast(
  plan: TournamentPlan,
  {
    seconds,
    workers = availableParallelism(),
    baseDir,
  }: { seconds: number; workers?: number; baseDir?: string },
): Promise<Forecast> {
  const games = plannedGames(plan, { total: undefined });
  const names = plan.entrants.map(({ name }) => ({ name }));
  if (seconds === 0) return { games, measured: 0, entrants: names };
  const stop = new AbortController();
  const stopIn = (ms: number) => setTimeout(() => stop.abort(), ms);
  let last: RunProgress | undefined;
  let timer = stopIn(START_MS + seconds * 1000);
  const { played, report } = await playTournament(plan, {
    workers,
    baseDir,
    signal: stop.signal,
    onProgress(progress) {
      // The time begins with the first games, when the workers have started.
      if (last === undefined) {
        clearTimeout(timer);
        timer = stopIn(seconds * 1000);
      }
      last = progress;
    },
  });
  clearTimeout(timer);
  const pace = last?.gamesPerSecond ?? 0;
  const { halfWidths, expected } = hasOneRound(plan)
    ? { halfWidths: shrunkWidths(names, report, played / games.most), expected: undefined }
    : simulatedWidths(plan, report, played);
  const entrants = names.map((one, at) => {
    const halfWidth = halfWidths[at]!;
    return Number.isFinite(halfWidth) ? { ...one, halfWidth } : one;
  });
  const size = { ...games, ...(expected !== undefined && games.least < games.most && { expected }) };
  if (pace === 0) return { games: size, measured: played, entrants };
  const length = {
    least: size.least / pace,
    most: size.most / pace,
    ...(size.expected !== undefined && { expected: size.expected / pace }),
  };
  return { games: size, measured: played, gamesPerSecond: pace, seconds: length, entrants };
}

/** The measured half widths after all games, of which a share was played; Infinity where too few games say nothing. */
function shrunkWidths(names: readonly { name: string }[], report: Report, share: number): number[] {
  return names.map(({ name }) => {
    const { low, high, games } = report.entrants.find((one) => one.name === name)!;
    return games >= LEAST_GAMES ? ((high - low) / 2) * Math.sqrt(share) : Infinity;
  });
}

/** The medians of simulated tournaments with the measured ratings: of the half widths, and of the number of games. */
function simulatedWidths(
  plan: TournamentPlan,
  report: Report,
  played: number,
): { readonly halfWidths: readonly number[]; readonly expected: number | undefined } {
  const unknown = { halfWidths: plan.entrants.map(() => Infinity), expected: undefined };
  if (played < LEAST_GAMES) return unknown;
  const measured = plan.entrants.map(({ name }) => report.entrants.find((one) => one.name === name)!);
  const truth = {
    elo: measured.map(({ elo }) => elo),
    firstSeatElo: report.firstSeatElo,
    drawRate: measured.reduce((sum, { drawRate, games }) => sum + drawRate * games, 0) / (2 * played),
  };
  const random = createRandom(plan.seed, "forecast");
  const { most } = plannedGames(plan, { total: undefined });
  const count = Math.max(3, Math.min(MOST_RUNS, Math.floor(MOST_GAMES / most)));
  const runs = Array.from({ length: count }, () => simulateRun(plan, truth, random));
  return {
    halfWidths: plan.entrants.map((_, at) => median(runs.map(({ halfWidths }) => halfWidths[at]!))),
    expected: median(runs.map(({ games }) => games)),
  };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1]!;
}

/**
 * The truth behind simulated games.
 * @internal tests alone import it.
 */
export interface Truth {
  /** By entrant. */
  readonly elo: readonly number[];
  /** The advantage of the first seat, in Elo. */
  readonly firstSeatElo: number;
  /** The share of games that are drawn, in games of two players. */
  readonly drawRate: number;
}

/**
 * The outcome of a simulated tournament.
 * @internal tests alone import it.
 */
export interface SimulatedRun {
  readonly games: number;
  /** Half the width of each entrant's 95% interval, in Elo; Infinity where it is open. */
  readonly halfWidths: readonly number[];
}

/**
 * Plays a tournament of two or more players with simulated games, which are independent of each other.
 * @internal tests alone import it.
 */
export function simulateRun(plan: TournamentPlan, truth: Truth, random: Random): SimulatedRun {
  const tally = new Tally(plan.entrants.length);
  let count = 0;
  playOut(formatOf(plan), plan, (entrants) => {
    const games = entrants.map((_, rotation): GameScore => {
      const seats = entrants.map((__, seat) => entrants[(seat + rotation) % entrants.length]!);
      return { seats, returns: drawReturns(seats, truth, random), forfeitSeat: -1 };
    });
    tally.addBlock(games);
    count += games.length;
    return scoreBlock(entrants, games);
  });
  const { entrants } = rateTally(tally, findGroups(tally), {});
  return { games: count, halfWidths: entrants.map(({ low, high }) => (high - low) / 2) };
}

/**
 * The returns of a game: strengths with Gumbel noise, whose order has the odds of the Elo (Luce 1959). In games of two
 * players draws come from both sides alike, and there are fewer where one is much the stronger.
 */
function drawReturns(
  seats: readonly number[],
  { elo, firstSeatElo, drawRate }: Truth,
  random: Random,
): number[] {
  const strengths = seats.map(
    (entrant, seat) => (elo[entrant]! + (seat === 0 ? firstSeatElo : 0)) / ELO_SCALE,
  );
  if (seats.length !== 2) return strengths.map((own) => own - Math.log(-Math.log(1 - random.float())));
  const expected = 1 / (1 + Math.exp(strengths[1]! - strengths[0]!));
  const drawn = Math.min(drawRate, 2 * Math.min(expected, 1 - expected));
  const number = random.float();
  if (number < drawn) return [0, 0];
  return number < drawn / 2 + expected ? [1, -1] : [-1, 1];
}
