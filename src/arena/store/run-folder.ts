import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { InputError } from "../../base/errors.ts";
import { makeFolder, writeWhole } from "../../specs/files/write-file.ts";
import { referTo, ResolvedAgent, type FileReference, type SpecKey } from "../../specs/references.ts";
import { lockFolder } from "../../specs/files/lock.ts";
import type { Entrant } from "../../specs/agents.ts";
import { formatOf, hasOneRound, type Formats } from "../formats/index.ts";
import { canonicalJson } from "../../base/plain.ts";
import { differences, type TournamentPlan, gameKey } from "../plan/plan.ts";
import { Store } from "./store.ts";
import { hashOf } from "../../specs/files/hashes.ts";

interface OpenOptions {
  /** True to go on with a run of the same plan. */
  readonly resume: boolean;
  /** True to add the plan's entrants to a run, which keeps those that it has [false]. */
  readonly grow?: boolean | undefined;
  readonly formats?: Formats | undefined;
}

/**
 * Opens the folder of a run. A new folder gets the plan. An old one must have the same plan, and `resume` must be true, or a
 * plan whose entrants can be added, and `grow` must be true; otherwise it throws InputError. No other process can open the
 * folder until the store is closed. Weights and tables are copied into the folder under the hash of their content, so the
 * run does not depend on the originals.
 */
export function openRun(
  dir: string,
  plan: TournamentPlan,
  { resume, grow = false, formats }: OpenOptions,
): { store: Store; plan: TournamentPlan } {
  if (grow && !Store.exists(dir)) throw new InputError("holds no run that could grow", dir);
  makeFolder(dir);
  const lock = lockFolder(dir);
  let store: Store | undefined;
  try {
    if (Store.exists(dir) && !resume && !grow)
      throw new InputError("holds a run already; go on with --resume, or name another folder", dir);
    const given = freezePlan(plan, dir);
    store = Store.open(dir, lock);
    const before = store.loadPlan();
    const frozen = grow && before !== undefined ? grown(before, given, { dir, formats }) : given;
    if (before !== undefined && !grow) checkSame(before, frozen, { dir, formats });
    store.savePlan(frozen);
    return { store, plan: frozen };
  } catch (error) {
    store?.close();
    lock.release();
    throw error;
  }
}

/** The latest run of that name in `parent`; throws InputError if there is none. */
export function newestRun(parent: string, name: string): string {
  const stamped = new RegExp(`^${name.replaceAll(".", "\\.")}-\\d{8}-\\d{6}(-\\d+)?$`);
  const runs = existsSync(parent)
    ? readdirSync(parent).filter((dir) => stamped.test(dir) && readdirSync(join(parent, dir)).length > 0)
    : [];
  const newest = runs.toSorted(new Intl.Collator("en", { numeric: true }).compare).at(-1);
  if (newest === undefined)
    throw new InputError(`no run of "${name}" to go on with; name its folder with --out`, parent);
  return join(parent, newest);
}

/** Copies the files that the plan names into the run's folder, but for code; returns the plan that uses the copies. */
export function freezePlan(plan: TournamentPlan, dir: string): TournamentPlan {
  const entrants = plan.entrants.map((entrant) => freezeFiles(entrant, dir));
  const { luck, adjudicate } = plan;
  const copyOf = (key: SpecKey, name: string): string => {
    const file = referTo(key, name);
    return file.kind === "built-in" ? name : keepCopy(file, dir);
  };
  return {
    ...plan,
    entrants,
    ...(luck === undefined ? {} : { luck: copyOf("evaluator", luck) }),
    ...(adjudicate?.tables === undefined
      ? {}
      : { adjudicate: { ...adjudicate, tables: copyOf("tables", adjudicate.tables) } }),
  };
}

/** Copies the files that the entrant names into the run's folder, but for code; returns the entrant that uses the copies. */
export function freezeFiles(entrant: Entrant, dir: string): Entrant {
  const agent = new ResolvedAgent(entrant.spec);
  const spec = agent.renamed((file) => (file.kind === "code" ? file.name : keepCopy(file, dir)));
  return { ...entrant, spec };
}

/** Copies a file, and those that belong to it, into the run's folder; returns the name of the copy there. */
function keepCopy({ kind, path, files, hash, extension }: FileReference, dir: string): string {
  const short = hash.slice(0, 8);
  // A single file is named after its content. Several files keep their names, because the first one names the others.
  const alone = files.length === 1;
  const folder = alone ? kind : join(kind, short);
  const name = alone ? `${basename(path, extension)}-${short}${extension}` : basename(path);
  for (const file of files)
    writeWhole(join(dir, folder, alone ? name : relative(dirname(path), file)), readFileSync(file));
  return join(folder, name);
}

/**
 * The plan of a run that gets the entrants of another plan, behind its own. An entrant is known by its spec and its code,
 * whatever its name. Every pairing of the run must be one of the grown plan, so that its games stay. Throws InputError.
 */
function grown(
  before: TournamentPlan,
  now: TournamentPlan,
  { dir, formats }: { dir: string; formats: Formats | undefined },
): TournamentPlan {
  const keys = new Set(before.entrants.map(playOf));
  const added = now.entrants.filter((entrant) => !keys.has(playOf(entrant)));
  const names = new Set(before.entrants.map(({ name }) => name));
  const taken = added.find(({ name }) => names.has(name));
  if (taken !== undefined)
    throw new InputError(
      `has another entrant that is called "${taken.name}"; give the new one another name`,
      dir,
    );
  const plan = { ...now, name: before.name, entrants: [...before.entrants, ...added] };
  const { format, entrants, anchor } = plan;
  checkSame({ ...before, format, entrants, anchor }, plan, { dir, formats });
  if (!hasOneRound(plan, formats) || !hasOneRound(before, formats))
    throw new InputError(`cannot grow: in the format ${format.type} results decide who meets whom`, dir);
  const pairings = pairingsOf(plan, formats);
  const lost = [...pairingsOf(before, formats)].find((pairing) => !pairings.has(pairing));
  if (lost !== undefined) {
    const met = lost.split(",").map((entrant) => entrants[Number(entrant)]!.name);
    throw new InputError(
      `cannot grow: ${met.join(" and ")} have met, and would not meet with the new entrants in the format ${format.type}`,
      dir,
    );
  }
  return plan;
}

/** The part of an entrant that determines its play, as a text. */
function playOf({ spec, code = "" }: Entrant): string {
  return canonicalJson([spec, code]);
}

/** The pairings of the first round. */
function pairingsOf(plan: TournamentPlan, formats: Formats | undefined): Set<string> {
  const matches = formatOf(plan, formats).round(plan, 0, { matches: [], scores: [] }) ?? [];
  return new Set(matches.map(({ entrants }) => entrants.join()));
}

/**
 * Throws InputError unless the plans are the same. `rankBy` and `thoughts` may differ, and `blocks` may have grown where
 * all games are of one round: in several rounds more blocks would change who meets whom.
 */
function checkSame(
  before: TournamentPlan,
  now: TournamentPlan,
  { dir, formats }: { dir: string; formats: Formats | undefined },
): void {
  const free = { blocks: 0, rankBy: undefined, thoughts: undefined };
  const problems = differences({ ...before, ...free }, { ...now, ...free }).map(({ path, one, other }) => ({
    path,
    message: `${one} there, ${other} now`,
  }));
  if (now.blocks < before.blocks)
    problems.push({ path: "blocks", message: `${before.blocks} there, fewer now: ${now.blocks}` });
  if (now.blocks > before.blocks && !hasOneRound(now, formats))
    problems.push({ path: "blocks", message: `${before.blocks} there, more now: ${now.blocks}` });
  if (problems.length > 0) {
    throw new InputError(
      problems.map(({ path, message }) => ({
        path,
        message: /(?:^gameCode|\.code)$/.test(path)
          ? `${fileOf(now, path)}, or a file that it imports, has changed since the run was begun`
          : `the run was begun with another config: ${message}`,
      })),
      dir,
    );
  }
}

/** The file whose code has its hash at `path` of the plan. */
function fileOf(plan: TournamentPlan, path: string): string {
  const entrant = /\[(\d+)\]/.exec(path)?.[1];
  if (entrant === undefined) return plan.game.id;
  const { files } = new ResolvedAgent(plan.entrants[Number(entrant)]!.spec);
  return files.flatMap(({ kind, name }) => (kind === "code" ? [name] : [])).join(" or ");
}

/*
 * Identities that are equal in two runs, whatever their folders and machines.
 */

/** Hash of the rules: equal for one file of the user's in two places. */
export function rulesOf(plan: TournamentPlan): string {
  // The positions that games begin at are no rules.
  const { setups: _, ...game } = plan.game as TournamentPlan["game"] & { setups?: unknown };
  return hashOf(gameKey({ ...plan, game: { ...game, id: nameOf(game.id) } }));
}

/** The make of an entrant: a hash of everything but its name. */
export interface Make {
  /** Hash of its weights; undefined if there are none, or they cannot be read. */
  readonly weights: string | undefined;
  /** Hash of spec, code and weights: equal in two runs for the same player. */
  readonly make: string;
}

/**
 * The make of an entrant of the run in `dir`.
 * @param unknown a part of the make where files or the hash of code are missing, so that it is not known
 */
export function makeOf({ spec, code }: Entrant, dir: string, unknown: string): Make {
  const agent = new ResolvedAgent(spec, dir);
  const { files } = agent;
  const file = files.find(({ kind }) => kind === "weights");
  const weights = file && readableHash(file);
  const hasCode = files.some(({ kind }) => kind === "code");
  const isKnown = (file === undefined || weights !== undefined) && (!hasCode || code !== undefined);
  const portable = agent.renamed(({ kind, name }) => {
    if (kind === "code") return basename(name);
    return kind === "weights" ? (weights ?? name) : name;
  });
  return { weights, make: hashOf(canonicalJson(portable), code ?? "", isKnown ? "" : unknown) };
}

/** The name of a file of the user's without its folder, any other name as it is. */
function nameOf(id: string): string {
  return referTo("game", id).kind === "code" ? basename(id) : id;
}

/** The hash of a file's content; undefined if it cannot be read. */
function readableHash(file: FileReference): string | undefined {
  try {
    return file.hash;
  } catch (error) {
    const isRefused = error instanceof InputError || typeof (error as { code?: unknown }).code === "string";
    if (!isRefused) throw error;
    return undefined;
  }
}
