import type { About } from "../../base/about.ts";
import { basename } from "node:path";
import { z } from "zod";
import { canonicalJson } from "../../base/plain.ts";
import { check } from "../../base/check.ts";
import { InputError } from "../../base/errors.ts";
import type { Game } from "../../games/contract/game.ts";
import { MOST_ANCHOR_ELO } from "../../ratings/elo/scale.ts";
import { checkCode } from "../../specs/plugins/portable-code.ts";
import { hashOf } from "../../specs/files/hashes.ts";
import type { RankedBy } from "../../ratings/report.ts";
import type { Entrant } from "../../specs/agents.ts";
import type { GivenObjects } from "../../specs/families.ts";
import { loadGame } from "../../specs/games.ts";
import {
  isCode,
  referTo,
  ResolvedAgent,
  type FileReference,
  type Reference,
} from "../../specs/references.ts";
import { adjudicationSchema, type Adjudication } from "./adjudication.ts";
import { timeShape, type TimeControl } from "./time-control.ts";

/** The openings of a pairing: random plies, or lines of actions in turn. */
export type Openings = { readonly randomPlies: number } | ListedOpenings;

/** Openings that stand in the plan, so that a run does not depend on the file that they come from. */
export interface ListedOpenings {
  readonly lines: readonly (readonly number[])[];
  /** The name of their file, for people; absent if the config has the lines. */
  readonly file?: string | undefined;
  /** `random`: shuffled by the run's seed, and each pairing begins at a place of its own [sequential]. */
  readonly order?: "sequential" | "random" | undefined;
}

/** The key of a plan's objects, which are no data: they are neither stored nor sent to workers. */
export const OBJECTS: unique symbol = Symbol("objects");

/** The key of a plan's origin, which is neither stored in the plan nor sent to workers. */
export const ORIGIN: unique symbol = Symbol("origin");

/** The config that a plan was made from. */
interface Origin {
  /** The folder that its relative paths start at. */
  readonly folder: string;
  /** Its file; absent if a program made it. */
  readonly path?: string | undefined;
}

/** A format by its name in `arena/formats/index.ts`, and its options. */
export interface FormatSpec {
  readonly type: string;
  readonly [option: string]: unknown;
}

/** An entrant of a plan. */
export interface PlannedEntrant extends Entrant {
  /** Its own time control; absent if it has that of the plan. */
  readonly time?: TimeControl | undefined;
}

/**
 * A checked tournament with everything filled in: it alone determines every game. It is frozen in
 * the run's folder and sent to the workers.
 */
export interface TournamentPlan extends About {
  /** Games and agents that a program wrote into the config as objects. Such a plan is played in this thread. */
  readonly [OBJECTS]?: GivenObjects | undefined;
  readonly [ORIGIN]?: Origin | undefined;
  readonly formatVersion: 1;
  readonly name: string;
  readonly game: { readonly id: string } & Readonly<Record<string, unknown>>;
  readonly gameVersion: number;
  /** The hash of a game's code, if the game is a file of the user's. */
  readonly gameCode?: string | undefined;
  readonly players: number;
  readonly seed: string;
  /** The format, which decides the pairings of each round. */
  readonly format: FormatSpec;
  /** Blocks for each pairing. */
  readonly blocks: number;
  /** Blocks of a round, in formats that take it. */
  readonly round?: number | undefined;
  readonly openings: Openings;
  /** The clocks of the players but for those with their own; absent if only `moveTimeoutMs` limits their time. */
  readonly time?: TimeControl | undefined;
  /** The rules that end games before their end; absent if only the game's own rules do. */
  readonly adjudicate?: Adjudication | undefined;
  /** An agent that takes longer for one decision forfeits by time-out, whatever its clock shows. */
  readonly moveTimeoutMs: number;
  /** The memory of a worker's process, in MB; an agent that takes more forfeits [DEFAULT_MEMORY_MB]. */
  readonly memoryMb?: number | undefined;
  /** The most that the answers of chat models may cost together, in the unit of their prices [no limit]. */
  readonly maxCost?: number | undefined;
  /** The processes of players that a worker keeps, besides those of the game at hand [DEFAULT_HOSTS]. */
  readonly hosts?: number | undefined;
  /** True if each worker of this machine has a core of its own; no result depends on it [false]. */
  readonly affinity?: boolean | undefined;
  readonly entrants: readonly PlannedEntrant[];
  /** The order of the table [elo, in older runs]. */
  readonly rankBy?: RankedBy | undefined;
  /** The evaluator that takes luck out of the mean returns: a heuristic of the game or a weights file. */
  readonly luck?: string | undefined;
  /** False if stored games do not keep the agents' thoughts [true]. */
  readonly thoughts?: boolean | undefined;
  /** The entrant whose rating is fixed, and its rating. */
  readonly anchor?: { readonly entrant: string; readonly elo: number } | undefined;
}

/** The part of a plan that follows from its game. */
export function planGame(
  game: Game,
  id: string,
): Pick<TournamentPlan, "formatVersion" | "game" | "gameVersion" | "players"> {
  return {
    formatVersion: 1,
    game: { ...game.options, id, ...(game.setups && { setups: game.setups }) },
    gameVersion: game.version,
    players: game.players,
  };
}

/** Loads the game of a plan. Throws InputError. */
export async function gameOf({ game, [OBJECTS]: objects }: TournamentPlan): Promise<Game> {
  return loadGame(game, objects);
}

/** Loads the game of the run in `dir`. Throws InputError if its version or its code has changed since the run was begun. */
export async function loadPlannedGame(plan: TournamentPlan, dir: string): Promise<Game> {
  checkCode(referTo("game", plan.game.id).code, plan.gameCode);
  const game = await gameOf(plan);
  if (game.version === plan.gameVersion) return game;
  throw new InputError(
    `was played by version ${plan.gameVersion} of ${game.id}; this is version ${game.version}`,
    dir,
  );
}

/** The most games of a block: one for each rotation of the seats, or in games of one player one for each entrant. */
export function gamesOfBlock(players: number, entrants: number): number {
  return players > 1 ? players : entrants;
}

/** The games, agents and files that a plan names. A process resolves a plan once; stores and messages have the plan alone. */
export interface ResolvedPlan {
  readonly game: Reference;
  /** By entrant. */
  readonly agents: readonly ResolvedAgent[];
  /** The endgame tables that end games. */
  readonly tables: FileReference | undefined;
}

/** Resolves the names in a plan; relative paths are taken from `dir`, the folder of its run. */
export function resolvePlan({ game, entrants, adjudicate }: TournamentPlan, dir: string): ResolvedPlan {
  const { tables } = adjudicate ?? {};
  return {
    game: referTo("game", game.id),
    agents: entrants.map(({ spec }) => new ResolvedAgent(spec, dir)),
    tables: tables === undefined ? undefined : (referTo("tables", tables, dir) as FileReference),
  };
}

/** Limits of configs and of stored plans. */
export const MAX_BLOCKS = 10_000_000;
export const MAX_RANDOM_PLIES = 1000;
/** Each pairing takes memory while its games are played and rated. */
export const MAX_PAIRINGS = 250_000;

/** The shape of every plan. A stored plan may be damaged, or of a later version. */
const planShape = z.looseObject({
  formatVersion: z.literal(1),
  name: z.string(),
  game: z.looseObject({ id: z.string() }),
  gameVersion: z.int(),
  players: z.int().min(1).max(100),
  seed: z.string(),
  format: z.looseObject({
    type: z.string(),
    pairings: z.int().min(1).optional(),
    challengers: z.array(z.string()).optional(),
    rounds: z.int().min(1).optional(),
    thirdPlace: z.boolean().optional(),
    size: z.int().min(0).optional(),
  }),
  blocks: z.int().min(0).max(MAX_BLOCKS),
  round: z.int().min(1).max(MAX_BLOCKS).optional(),
  openings: z.union([
    z.strictObject({ randomPlies: z.int().min(0).max(MAX_RANDOM_PLIES) }),
    z.strictObject({
      lines: z.array(z.array(z.int())),
      file: z.string().optional(),
      order: z.enum(["sequential", "random"]).optional(),
    }),
  ]),
  time: timeShape.optional(),
  adjudicate: adjudicationSchema.optional(),
  moveTimeoutMs: z.number().positive(),
  affinity: z.boolean().optional(),
  thoughts: z.boolean().optional(),
  luck: z.string().optional(),
  anchor: z
    .looseObject({ entrant: z.string(), elo: z.number().min(-MOST_ANCHOR_ELO).max(MOST_ANCHOR_ELO) })
    .optional(),
  entrants: z.array(
    z.looseObject({
      name: z.string(),
      spec: z.looseObject({ agent: z.string() }),
      time: timeShape.optional(),
    }),
  ),
});

/** Reads the JSON of a stored plan; throws InputError if it is damaged, or of a later version. */
export function parsePlan(json: unknown, source: string): TournamentPlan {
  return check(planShape, json, source) as unknown as TournamentPlan;
}

/*
 * Files of the user's count by the hash of their content, and by their names without folders: ids are the same wherever
 * the files lie.
 */

/** Identifies the rules: game, version, options, time control and adjudication. */
export function gameKey(plan: TournamentPlan): string {
  const { gameVersion, gameCode, time, adjudicate } = plan;
  const game = portableGame(plan);
  const key: unknown[] = gameCode === undefined ? [game, gameVersion] : [game, gameVersion, gameCode];
  if (time !== undefined) key.push({ time });
  if (adjudicate !== undefined) key.push({ adjudicate });
  return canonicalJson(key);
}

/** The game as plans have it; a file of the user's has its name without a folder. */
function portableGame({ game, gameCode }: TournamentPlan): TournamentPlan["game"] {
  return gameCode === undefined ? game : { ...game, id: basename(game.id) };
}

/** The spec of an entrant; files of the user's whose hash is known have their names without folders. */
function portableSpec({ spec, code }: Entrant): Entrant["spec"] {
  if (code === undefined) return spec;
  return new ResolvedAgent(spec).renamed((file) => (isCode(file) ? basename(file.name) : file.name));
}

/** The plan without the folders of the user's files. */
export function portablePlan(plan: TournamentPlan): TournamentPlan {
  const entrants = plan.entrants.map((entrant) => ({ ...entrant, spec: portableSpec(entrant) }));
  return { ...plan, game: portableGame(plan), entrants };
}

/** Identifies an entrant: its name, its spec, its code, its program and its time control. */
export function entrantKey(entrant: PlannedEntrant): string {
  const { name, code, program, time } = entrant;
  const parts = [code, program, time && canonicalJson({ time })].filter((part) => part !== undefined);
  return hashOf(name, canonicalJson(portableSpec(entrant)), ...parts);
}

/** The time control of each entrant, in the plan's order; undefined without clocks. */
export function timesOf({
  time,
  entrants,
}: Pick<TournamentPlan, "time" | "entrants">): readonly TimeControl[] | undefined {
  return time && entrants.map((entrant) => entrant.time ?? time);
}

/** A place where two values as data differ, and what they have there, as JSON. */
interface Difference {
  /** Such as `entrants[2].spec.depth`. */
  readonly path: string;
  readonly one: string;
  readonly other: string;
}

/** The places where two values as data differ. A key without a value is equal to one with null. */
export function differences(one: unknown, other: unknown, path = ""): Difference[] {
  if (canonicalJson(one ?? null) === canonicalJson(other ?? null)) return [];
  const nested = typeof one === "object" && typeof other === "object" && one !== null && other !== null;
  if (!nested) return [{ path, one: JSON.stringify(one) ?? "none", other: JSON.stringify(other) ?? "none" }];
  const keys = [...new Set([...Object.keys(one), ...Object.keys(other)])];
  return keys.flatMap((key) => {
    const inner = Array.isArray(one) ? `${path}[${key}]` : path === "" ? key : `${path}.${key}`;
    return differences(
      (one as Readonly<Record<string, unknown>>)[key],
      (other as Readonly<Record<string, unknown>>)[key],
      inner,
    );
  });
}
