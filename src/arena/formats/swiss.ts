import { InputError } from "../../base/errors.ts";
import { shareBeaten } from "../../ratings/score.ts";
import { divideRanking } from "./divide-ranking.ts";
import { matchTotals, roundScore, type Format, type FormatPlan, type Match, type Past } from "./format.ts";

/** The result of an entrant in a round. */
interface SwissResult {
  /** Entrants by index; empty for a bye. */
  readonly opponents: readonly number[];
  /** The share of the opponents that it beat over the blocks of the match, ties a half; 1 for a bye. */
  readonly points: number;
  /** The blocks played, and the sum of its scores in them. */
  readonly blocks: number;
  readonly score: number;
}

/** The place of an entrant in a Swiss tournament. */
interface SwissPlace {
  readonly entrant: number;
  /** The sum over its rounds. */
  readonly points: number;
  /** The sum of the points of its opponents, each as often as the two met. */
  readonly buchholz: number;
  /** The mean score over its blocks, 0 to 1. */
  readonly score: number;
  /** By round; undefined while its match is not finished. */
  readonly results: readonly (SwissResult | undefined)[];
}

/**
 * A Swiss tournament in Monrad's system. In each round the entrants are listed by points, equal ones in the order of the
 * config; the first meets the nearest below it that it has not met, and so on down the list. The winner of a match over
 * all its blocks gets a point, both a half if they are level. In games of more players an entrant gets the share of its
 * opponents that it beat. Entrants that are left over have a bye, which is worth a point: the lowest ones of those with
 * the fewest byes. Source: the rules of the Norwegian Chess Federation for Monrad tournaments (2.1.2), without
 * those of colours, because a block has all rotations of the seats.
 */
export const swiss: Format = {
  lag: 1,
  size(plan) {
    const { entrants, players, blocks } = plan;
    const games = roundsOf(plan) * Math.floor(entrants.length / players) * players * blocks;
    return { least: games, most: games };
  },
  round(plan, number, past) {
    if (number >= roundsOf(plan)) return undefined;
    const { players, blocks } = plan;
    const ranking = rankForPairing(plan, past);
    const meetings = new Meetings(past);
    const groups = divideRanking(ranking, {
      size: players,
      mostMet: meetings.most,
      haveMet: (one, other) => meetings.haveMet(one, other),
    });
    return groups.map((group) => {
      const entrants = group.toSorted((a, b) => a - b);
      return { entrants, from: blocks * meetings.times(entrants), blocks };
    });
  },
};

/** The number of rounds; throws InputError if the plan does not allow it. */
function roundsOf({ format, entrants, players }: FormatPlan): number {
  const rounds = Number(format["rounds"]);
  if (players === 1)
    throw new InputError("everybody plays alone in a game of one player: take the format round-robin");
  const count = entrants.length;
  const pairs = (count * (count - 1)) / 2;
  const pairsOfRound = (Math.floor(count / players) * players * (players - 1)) / 2;
  const most = Math.floor(pairs / pairsOfRound);
  if (rounds > most) {
    const message = `must be at most ${most}, got ${rounds}: in more rounds ${count} entrants would have to meet again`;
    throw new InputError([{ path: "rounds", message }]);
  }
  return rounds;
}

/** The entrants that play in the next round, those with the most points first. */
function rankForPairing(plan: FormatPlan, past: Past): number[] {
  const results = resultsOf(plan, past);
  const points = results.map((own) => sumOf(own, "points"));
  const byes = results.map((own) => own.filter((result) => result?.opponents.length === 0).length);
  const ranking = [...results.keys()].toSorted((a, b) => points[b]! - points[a]! || a - b);
  for (let left = ranking.length % plan.players; left > 0; left--) {
    const fewest = Math.min(...ranking.map((entrant) => byes[entrant]!));
    ranking.splice(
      ranking.findLastIndex((entrant) => byes[entrant] === fewest),
      1,
    );
  }
  return ranking;
}

/** The table of a Swiss tournament, best first: by points, by Buchholz, by score, then in the order of the config. */
export function swissTable(plan: FormatPlan, past: Past): SwissPlace[] {
  const results = resultsOf(plan, past);
  const points = results.map((own) => sumOf(own, "points"));
  const places = results.map((own, entrant) => ({
    entrant,
    points: points[entrant]!,
    buchholz: roundScore(
      own.flatMap((result) => result?.opponents ?? []).reduce((sum, other) => sum + points[other]!, 0),
    ),
    score: roundScore(sumOf(own, "score") / Math.max(1, sumOf(own, "blocks"))),
    results: own,
  }));
  return places.toSorted((a, b) => b.points - a.points || b.buchholz - a.buchholz || b.score - a.score);
}

function sumOf(results: readonly (SwissResult | undefined)[], key: "points" | "blocks" | "score"): number {
  return roundScore(results.reduce((sum, result) => sum + (result?.[key] ?? 0), 0));
}

/** The results by entrant and round. */
function resultsOf({ entrants }: FormatPlan, past: Past): (SwissResult | undefined)[][] {
  const bye: SwissResult = { opponents: [], points: 1, blocks: 0, score: 0 };
  const results = entrants.map((): (SwissResult | undefined)[] => past.matches.map(() => bye));
  for (const [round, totals] of matchTotals(past).entries()) {
    for (const [at, { entrants: met, blocks, scores }] of totals.entries()) {
      const isFinished = blocks === past.matches[round]![at]!.blocks;
      for (const [side, entrant] of met.entries()) {
        const opponents = met.filter((other) => other !== entrant);
        results[entrant]![round] = isFinished
          ? { opponents, points: shareBeaten(scores, side), blocks, score: scores[side]! }
          : undefined;
      }
    }
  }
  return results;
}

/** The meetings of all rounds. */
class Meetings {
  private readonly opponents = new Map<number, Set<number>>();
  private readonly matches = new Map<string, number>();

  constructor({ matches }: Past) {
    for (const { entrants } of matches.flat()) {
      this.matches.set(entrants.join(), this.times(entrants) + 1);
      for (const one of entrants) {
        const met = this.opponents.get(one) ?? new Set();
        this.opponents.set(one, met);
        for (const other of entrants) if (other !== one) met.add(other);
      }
    }
  }

  /** The most entrants that any one has met. */
  get most(): number {
    return Array.from(this.opponents.values(), ({ size }) => size).reduce((a, b) => Math.max(a, b), 0);
  }

  haveMet(one: number, other: number): boolean {
    return this.opponents.get(one)?.has(other) === true;
  }

  /** The number of matches of these entrants. */
  times(entrants: Match["entrants"]): number {
    return this.matches.get(entrants.join()) ?? 0;
  }
}
