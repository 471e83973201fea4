import type { AgentSpec } from "../agents/spec.ts";
import { canonicalJson, hashOf } from "./hash.ts";

/** One configured agent of a tournament: data, not an object. */
export interface Entrant {
  readonly name: string;
  /** Agent id, options with defaults filled in, and budget. */
  readonly spec: AgentSpec;
}

/** How the games of a match are begun. */
export type Openings = { readonly randomPlies: number } | { readonly lines: readonly (readonly number[])[] };

/**
 * A checked tournament with everything filled in: it alone determines every game. It is frozen in
 * the run's folder and sent to the workers.
 */
export interface TournamentPlan {
  readonly formatVersion: 1;
  readonly name: string;
  readonly game: { readonly id: string } & Readonly<Record<string, unknown>>;
  readonly gameVersion: number;
  readonly players: number;
  readonly seed: string;
  /** Blocks for each match. */
  readonly blocks: number;
  readonly openings: Openings;
  /** An agent that takes longer for one decision forfeits by time-out. */
  readonly moveTimeoutMs: number;
  readonly entrants: readonly Entrant[];
  /** The entrant whose rating is fixed, and at what. */
  readonly anchor?: { readonly entrant: string; readonly elo: number } | undefined;
}

/** Identifies the rules: game, version and options. */
export function gameKey(plan: TournamentPlan): string {
  return canonicalJson([plan.game, plan.gameVersion]);
}

/** Identifies an entrant: its name and all that it is made from. */
export function entrantKey({ name, spec }: Entrant): string {
  return hashOf(name, canonicalJson(spec));
}
