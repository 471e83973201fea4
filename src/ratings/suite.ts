import type { ComparisonResults, RunReport } from "./format-results.ts";
import type { Report } from "./report.ts";
import { Z95, type EloInterval } from "./elo/scale.ts";

/** The ratings of one game of a suite. */
export interface SuiteGame {
  /** The game's name in the suite. */
  readonly label: string;
  readonly report: Pick<Report, "entrants" | "games">;
}

/** The results of a suite. Its keys are the JSON contract. */
export interface SuiteReport {
  readonly suite: string;
  readonly games: readonly {
    /** The name in the suite, and of the folder of the run. */
    readonly label: string;
    readonly game: string;
    readonly games: number;
  }[];
  /** The ratings over all games, best first; absent if each game was a comparison with the first entrant. */
  readonly entrants?: readonly SuiteEntrant[];
  /** The first entrant against each of the others; absent if it was none. */
  readonly compared?: { readonly name: string; readonly others: readonly ComparedEntrant[] };
  /** Those of each game, with its label. */
  readonly warnings: readonly string[];
}

/** An entrant with which the first one was compared. */
interface ComparedEntrant {
  readonly name: string;
  /** By game: the Elo of the first entrant less this one's, with an interval that holds whenever a pairing ends. */
  readonly games: readonly ComparedGame[];
}

/** See `ComparisonResults`. */
export type ComparedGame = Omit<ComparisonResults["comparisons"][number], "name">;

/** An entrant of a suite. Intervals are 95% intervals. */
interface SuiteEntrant extends EloInterval {
  readonly rank: number;
  readonly name: string;
  /** Its rating in each game, in the order of the suite's games. */
  readonly games: readonly EloInterval[];
}

/**
 * The entrants of a suite by their ratings over all games, best first. A rating over all is the mean of those in the games:
 * each game counts the same, however many games of it were played. Since Elo is a logarithm of odds, it is the geometric
 * mean of the odds, the mean by which benchmark suites rank (Fleming and Wallace 1986, "How not to lie with statistics").
 * The games of a suite are independent, so the variance of the mean is the sum of theirs, divided by their number squared.
 * @param games at least one; all have the same entrants
 * @internal tests check it apart from texts
 */
export function rateSuite(games: readonly SuiteGame[]): SuiteEntrant[] {
  const names = games[0]!.report.entrants.map(({ name }) => name);
  const rated = names.map((name) => {
    const own = games.map(({ report }) => {
      const { elo, low, high } = report.entrants.find((entrant) => entrant.name === name)!;
      return { elo, low, high };
    });
    return { name, ...meanElo(own), games: own };
  });
  return rated
    .toSorted((a, b) => b.elo - a.elo || (a.name < b.name ? -1 : 1))
    .map((entrant, place) => ({ rank: place + 1, ...entrant }));
}

/** The mean of independent ratings, with its 95% interval. */
function meanElo(ratings: readonly EloInterval[]): EloInterval {
  const count = ratings.length;
  const elo = ratings.reduce((sum, rating) => sum + rating.elo, 0) / count;
  const variance = ratings.reduce((sum, { low, high }) => sum + ((high - low) / 2 / Z95) ** 2, 0);
  const margin = (Z95 * Math.sqrt(variance)) / count;
  return { elo, low: elo - margin, high: elo + margin };
}

/** The report of a suite, from those of its games; at least one, all with the same entrants. */
export function reportSuite(
  suite: string,
  games: readonly (SuiteGame & { readonly report: RunReport })[],
): SuiteReport {
  const compared = games.flatMap(({ report: { format } }) => (format?.type === "comparison" ? [format] : []));
  const [first] = compared;
  return {
    suite,
    games: games.map(({ label, report }) => ({ label, game: report.game, games: report.games })),
    ...(first !== undefined && compared.length === games.length
      ? {
          compared: {
            name: first.name,
            others: first.comparisons.map(({ name }, at) => ({
              name,
              games: compared.map(({ comparisons }) => {
                const { name: _, ...own } = comparisons[at]!;
                return own;
              }),
            })),
          },
        }
      : { entrants: rateSuite(games) }),
    warnings: games.flatMap(({ label, report }) => report.warnings.map((warning) => `${label}: ${warning}`)),
  };
}
