import type { SprtCounts } from "../../ratings/sprt/sequential-test.ts";
import type { Numbers } from "../../specs/agents.ts";
import type { FormatSpec } from "../plan/plan.ts";

/** Options of entrants that are others than in their specs, by entrant. */
export type ChangedOptions = Readonly<Record<number, Numbers>>;

/** A pairing that plays some of its blocks. Blocks of a pairing are counted from 0. */
export interface Match {
  /** As many as the game has players; an entrant may be there more than once. */
  readonly entrants: readonly number[];
  /** The first block. A pairing that meets again continues with the blocks that it has not played. */
  readonly from: number;
  readonly blocks: number;
  /** The options that entrants have in this match alone [those of their specs]. */
  readonly options?: ChangedOptions;
}

/** The result of one block of a match. */
export interface BlockScore {
  /** Counted from 0. */
  readonly round: number;
  /** Index of the match in its round. */
  readonly match: number;
  readonly block: number;
  /** By entrant of the match: the mean share of the field that it beat, as `shareBeaten` counts it. */
  readonly scores: readonly number[];
  /**
   * [one][other], by entrants of the match: the mean score of one against the other, ties a half; 0 against itself. Absent
   * unless more than two play.
   */
  readonly duels?: readonly (readonly number[])[];
  /** By entrant of the match: its mean return. */
  readonly returns: readonly number[];
}

/**
 * The part of a tournament that a format sees. Both lists only grow, and a tournament has one `Past` object: a format may
 * keep sums for it, and add only what is new.
 */
export interface Past {
  /** The matches of all rounds before the one that is asked for, round by round. */
  readonly matches: readonly (readonly Match[])[];
  /** Scores of the rounds up to `number - lag`, never of later ones, in the order of the schedule. */
  readonly scores: readonly BlockScore[];
}

/** The number of blocks of a round that a config does not name. It must not depend on the machine: it is part of the results. */
export const DEFAULT_ROUND = 64;

/** The parts of a plan that a format reads. */
export interface FormatPlan {
  readonly format: FormatSpec;
  readonly entrants: readonly { readonly name: string }[];
  readonly players: number;
  readonly blocks: number;
  /** Blocks of a round, in formats that take it [DEFAULT_ROUND]. */
  readonly round?: number | undefined;
  readonly seed: string;
}

/**
 * A format decides the pairings of each round. It is a pure function of the plan and of finished rounds, so code that
 * knows no format can resume, verify and export a run, and give it to any number of workers.
 */
export interface Format {
  /** The number of games, at least and at most. Throws InputError if the plan does not fit the format. */
  size(plan: FormatPlan): { readonly least: number; readonly most: number };
  /** 1 if a round needs the results of all rounds before it; 2 if it needs those of all but the last one. */
  readonly lag: 1 | 2;
  /** True if the plan says how many blocks a round has. */
  readonly takesRound?: true;
  /** True if copies of an entrant fill the seats of a game, so that two entrants are enough for any number of players. */
  readonly copies?: true;
  /** True if entrants join while it is played, so that one is enough to begin. */
  readonly joins?: true;
  /** The matches of round `number`, counted from 0; undefined when the tournament is over. */
  round(plan: FormatPlan, number: number, past: Past): readonly Match[] | undefined;
  /** The blocks of the sequential test that the format is, as far as their scores are known; other formats have none. */
  sprt?(plan: FormatPlan, past: Past): SprtCounts;
}

/**
 * Something that follows a tournament's scores: `begin` makes it from the plan, and `add` gives it each round whose scores are
 * in, in order. Only new rounds are added, since a past only grows.
 */
export function following<Follower>(
  begin: (plan: FormatPlan) => Follower,
  add: (follower: Follower, scores: readonly BlockScore[], past: Past) => void,
): (plan: FormatPlan, past: Past) => Follower {
  const known = new WeakMap<Past, { readonly follower: Follower; scores: number }>();
  return (plan, past) => {
    const entry = known.get(past) ?? { follower: begin(plan), scores: 0 };
    known.set(past, entry);
    const { scores } = past;
    while (entry.scores < scores.length) {
      const begun = entry.scores;
      while (scores[entry.scores]?.round === scores[begun]!.round) entry.scores++;
      add(entry.follower, scores.slice(begun, entry.scores), past);
    }
    return entry.follower;
  };
}

/** A format of one round, in which each pairing plays all blocks. `count` says how many pairings there are. */
export function singleRound({
  count,
  pairings,
}: {
  readonly count: (plan: FormatPlan) => number;
  readonly pairings: (plan: FormatPlan) => Iterable<readonly number[]>;
}): Format {
  return {
    lag: 1,
    size(plan) {
      const games = count(plan) * plan.players * plan.blocks;
      return { least: games, most: games };
    },
    round(plan, number) {
      if (number > 0) return undefined;
      return Array.from(pairings(plan), (entrants) => ({ entrants, from: 0, blocks: plan.blocks }));
    },
  };
}

/**
 * Plays a tournament from its beginning, with results that are made up.
 * @param draw makes the result of a block of a match between these entrants
 */
export function playOut(
  format: Format,
  plan: FormatPlan,
  draw: (entrants: readonly number[]) => Omit<BlockScore, "round" | "match" | "block">,
): void {
  const matches: (readonly Match[])[] = [];
  const scores: BlockScore[] = [];
  const past = { matches, scores };
  let finished = 0;
  const finishUpTo = (end: number): void => {
    for (; finished < end; finished++)
      for (const [match, { entrants, from, blocks }] of matches[finished]!.entries())
        for (let block = from; block < from + blocks; block++)
          scores.push({ round: finished, match, block, ...draw(entrants) });
  };
  for (let number = 0; ; number++) {
    finishUpTo(number - format.lag + 1);
    const next = format.round(plan, number, past);
    if (next === undefined) break;
    matches.push(next);
  }
  finishUpTo(matches.length);
}

/** The number of games of some matches: a block has one game for each rotation of the seats. */
export function gamesOf(matches: readonly Match[]): number {
  return matches.reduce((sum, { entrants, blocks }) => sum + entrants.length * blocks, 0);
}

/** The finished blocks of a match. */
interface MatchTotal {
  readonly entrants: readonly number[];
  readonly blocks: number;
  /** By entrant of the match: the sum of its scores, rounded such that sums are equal if they are equal in exact numbers. */
  readonly scores: readonly number[];
}

/** The sums of all matches, by round. */
export function matchTotals({ matches, scores }: Past): (readonly MatchTotal[])[] {
  const totals = matches.map((round) =>
    round.map(({ entrants }) => ({ entrants, blocks: 0, scores: entrants.map(() => 0) })),
  );
  for (const block of scores) {
    const total = totals[block.round]![block.match]!;
    total.blocks++;
    for (const [side, score] of block.scores.entries())
      total.scores[side] = roundScore(total.scores[side]! + score);
  }
  return totals;
}

/** Rounds a sum of scores, which are fractions with small denominators. */
export function roundScore(sum: number): number {
  return Number(sum.toFixed(9));
}
