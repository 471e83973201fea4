import type { FormatSpec } from "../plan/plan.ts";

/** A pairing that plays some of its blocks. Blocks of a pairing are counted from 0. */
export interface Match {
  /** As many as the game has players; an entrant may be there more than once. */
  readonly entrants: readonly number[];
  /** The first block. A pairing that meets again continues with the blocks that it has not played. */
  readonly from: number;
  readonly blocks: number;
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

/** The parts of a plan that a format reads. */
export interface FormatPlan {
  readonly format: FormatSpec;
  readonly entrants: { readonly length: number };
  readonly players: number;
  readonly blocks: number;
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
  /** The matches of round `number`, counted from 0; undefined when the tournament is over. */
  round(plan: FormatPlan, number: number, past: Past): readonly Match[] | undefined;
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

/** The number of games of some matches: a block has one game for each rotation of the seats. */
export function gamesOf(matches: readonly Match[]): number {
  return matches.reduce((sum, { entrants, blocks }) => sum + entrants.length * blocks, 0);
}
