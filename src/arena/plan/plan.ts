import { z } from "zod";
import { check } from "../../base/check.ts";
import type { Game } from "../../game/game.ts";
import { hashOf } from "../../files/hashes.ts";
import type { Entrant } from "../../specs/agents.ts";
import type { GivenObjects } from "../../specs/families.ts";
import { referTo, ResolvedAgent, type Reference } from "../../specs/references.ts";

/** What the process of a worker may take, unless the plan says something else. */
export const DEFAULT_MEMORY_MB = 4096;

/** How the games of a match are begun. */
export type Openings = { readonly randomPlies: number } | { readonly lines: readonly (readonly number[])[] };

/** The key of what is no data in a plan, so that it is neither stored nor sent to workers. */
export const OBJECTS: unique symbol = Symbol("objects");

/** A format by its name in `arena/formats/index.ts`, and its options. */
export interface FormatSpec {
  readonly type: string;
  readonly [option: string]: unknown;
}

/**
 * A checked tournament with everything filled in: it alone determines every game. It is frozen in
 * the run's folder and sent to the workers.
 */
export interface TournamentPlan {
  /** Games and agents that a program wrote into the config. With them all is played in this thread. */
  readonly [OBJECTS]?: GivenObjects | undefined;
  readonly formatVersion: 1;
  readonly name: string;
  readonly game: { readonly id: string } & Readonly<Record<string, unknown>>;
  readonly gameVersion: number;
  /** A hash of the code of a game that is a file of the user's. */
  readonly gameCode?: string | undefined;
  readonly players: number;
  readonly seed: string;
  /** Who meets whom. */
  readonly format: FormatSpec;
  /** Blocks for each pairing. */
  readonly blocks: number;
  readonly openings: Openings;
  /** An agent that takes longer for one decision forfeits by time-out. */
  readonly moveTimeoutMs: number;
  /** What the process of a worker may take, in MB; an agent that takes more forfeits [DEFAULT_MEMORY_MB]. */
  readonly memoryMb?: number | undefined;
  readonly entrants: readonly Entrant[];
  /** What the table is ordered by; absent in older runs: Elo. */
  readonly rankBy?: "elo" | "return" | undefined;
  /** Whether stored games keep what the agents thought; absent: they do. */
  readonly thoughts?: boolean | undefined;
  /** The entrant whose rating is fixed, and at what. */
  readonly anchor?: { readonly entrant: string; readonly elo: number } | undefined;
}

/** The part of a plan that follows from its game. */
export function planGame(
  game: Game,
  id: string,
): Pick<TournamentPlan, "formatVersion" | "game" | "gameVersion" | "players"> {
  return {
    formatVersion: 1,
    game: { ...game.options, id },
    gameVersion: game.version,
    players: game.players,
  };
}

/** What a plan names. A process that reads a plan resolves it once; stores and messages have the plan alone. */
export interface ResolvedPlan {
  readonly game: Reference;
  /** By entrant. */
  readonly agents: readonly ResolvedAgent[];
}

/** Resolves what a plan names; relative paths in it are taken from `dir`, the folder of its run. */
export function resolvePlan({ game, entrants }: TournamentPlan, dir: string): ResolvedPlan {
  return {
    game: referTo("game", game.id),
    agents: entrants.map(({ spec }) => new ResolvedAgent(spec, dir)),
  };
}

/** The most that a plan may ask for, of a config as of a stored plan. */
export const MAX_BLOCKS = 10_000_000;
export const MAX_RANDOM_PLIES = 1000;

/** What every plan has; a stored one may be damaged, or of a later version. */
const planShape = z.looseObject({
  formatVersion: z.literal(1),
  name: z.string(),
  game: z.looseObject({ id: z.string() }),
  gameVersion: z.int(),
  players: z.int().min(1).max(100),
  seed: z.string(),
  format: z
    .looseObject({
      type: z.string(),
      pairings: z.int().min(1).optional(),
      size: z.int().min(0).optional(),
    })
    .optional(),
  pool: z.int().min(0).optional(),
  lineUps: z.int().min(1).optional(),
  blocks: z.int().min(0).max(MAX_BLOCKS),
  openings: z.union([
    z.strictObject({ randomPlies: z.int().min(0).max(MAX_RANDOM_PLIES) }),
    z.strictObject({ lines: z.array(z.array(z.int())) }),
  ]),
  moveTimeoutMs: z.number().positive(),
  thoughts: z.boolean().optional(),
  entrants: z.array(z.looseObject({ name: z.string(), spec: z.looseObject({ agent: z.string() }) })),
});

/**
 * A plan from the JSON that a store has; throws InputError where it is none, or of a later version. Plans of earlier
 * versions say `pool` or `lineUps` instead of a format.
 */
export function parsePlan(json: unknown, source: string): TournamentPlan {
  const { pool, lineUps, ...plan } = check(planShape, json, source);
  const format =
    pool !== undefined
      ? { type: "pool", size: pool }
      : lineUps !== undefined
        ? { type: "sample", pairings: lineUps }
        : { type: "round-robin" };
  return { ...plan, format: plan.format ?? format } as unknown as TournamentPlan;
}

/** The plan as versions without formats wrote it. */
export function withoutFormat({
  format,
  ...plan
}: TournamentPlan): Omit<TournamentPlan, "format"> & { pool?: number; lineUps?: number } {
  if (format.type === "pool") return { ...plan, pool: Number(format["size"]) };
  return format.type === "sample" ? { ...plan, lineUps: Number(format["pairings"]) } : plan;
}

/** Identifies the rules: game, version and options. */
export function gameKey(plan: TournamentPlan): string {
  const { game, gameVersion, gameCode } = plan;
  return canonicalJson(gameCode === undefined ? [game, gameVersion] : [game, gameVersion, gameCode]);
}

/** Identifies an entrant: its name and all that it is made from. */
export function entrantKey({ name, spec, code }: Entrant): string {
  return hashOf(name, canonicalJson(spec), ...(code === undefined ? [] : [code]));
}

/** JSON with sorted keys: equal data gives equal text. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    inner !== null && typeof inner === "object" && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}
