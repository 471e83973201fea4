import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { InputError } from "../../base/errors.ts";
import { makeFolder, writeWhole } from "../../specs/files/write-file.ts";
import { isCode, referTo, ResolvedAgent, type FileReference, type SpecKey } from "../../specs/references.ts";
import { lockFolder } from "../../specs/files/lock.ts";
import { withProgram, type Entrant } from "../../specs/agents.ts";
import { formatOf, hasOneRound } from "../formats/index.ts";
import { canonicalJson } from "../../base/plain.ts";
import {
  differences,
  entrantKey,
  gameKey,
  ORIGIN,
  portablePlan,
  type PlannedEntrant,
  type TournamentPlan,
} from "../plan/plan.ts";
import { codeFiles, describeChange, hashCode } from "../../specs/plugins/portable-code.ts";
import type { Played } from "../../ratings/format-results.ts";
import { Store } from "./store.ts";
import { hashOf } from "../../specs/files/hashes.ts";

interface OpenOptions {
  /** True to go on with a run of the same plan. */
  readonly resume: boolean;
  /** True to add the plan's entrants to a run, which keeps those that it has [false]. */
  readonly grow?: boolean | undefined;
  /** The name of an entrant that has changed: it is added as a new version, and `grow` must be true. */
  readonly as?: string | undefined;
  /** True for the plan of the run itself, by `planOfRun`: its files are in the folder [false]. */
  readonly stored?: boolean | undefined;
  /** Who plays now, for the store to note. */
  readonly sitting?: Played | undefined;
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
  { resume, grow = false, as, stored = false, sitting }: OpenOptions,
): { store: Store; plan: TournamentPlan } {
  if (grow && !Store.exists(dir)) throw new InputError("holds no run that could grow", dir);
  makeFolder(dir);
  const lock = lockFolder(dir);
  let store: Store | undefined;
  try {
    if (Store.exists(dir) && !resume && !grow)
      throw new InputError("holds a run already; go on with --resume, or name another folder", dir);
    const given = stored ? plan : freezePlan(plan, dir);
    store = Store.open(dir, lock);
    const before = store.loadPlan();
    const frozen = grow && before !== undefined ? grown(before, given, { dir, as }) : given;
    if (before !== undefined && !grow) checkSame(before, frozen, dir);
    if (!stored) {
      store.savePlan(frozen);
      keepConfig(plan, dir);
    }
    if (sitting !== undefined) store.addSitting(sitting);
    return { store, plan: frozen };
  } catch (error) {
    store?.close();
    lock.release();
    throw error;
  }
}

/**
 * The plan that the run in `dir` is of, to go on with it wherever it is: the user's files are those that it was begun with,
 * or their copies. Programs are those of now. Throws InputError.
 */
export function planOfRun(dir: string): TournamentPlan {
  const plan = Store.reading({ dir }, (store) => store.requirePlan(dir));
  return { ...plan, entrants: plan.entrants.map(withProgram) };
}

/** Copies the config into the folder of its run. Where entrants of another config were added, both are there. */
function keepConfig(plan: TournamentPlan, dir: string): void {
  const { path } = plan[ORIGIN] ?? {};
  if (path === undefined || statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return;
  const text = readFileSync(path, "utf8");
  const [, name, ending] = /^(.*?)(\.[^.]*)?$/.exec(basename(path))!;
  for (let number = 1; ; number++) {
    const copy = join(dir, "config", `${name}${number === 1 ? "" : `-${number}`}${ending ?? ""}`);
    const before = existsSync(copy) ? readFileSync(copy, "utf8") : undefined;
    if (before === undefined) writeWhole(copy, text);
    if (before === undefined || before === text) return;
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
  const spec = agent.renamed((file) => (isCode(file) ? file.name : keepCopy(file, dir)));
  return { ...entrant, spec };
}

/** Copies a file, and those that belong to it, into the run's folder; returns the name of the copy there. */
function keepCopy({ kind, path, files, code, hash, extension }: FileReference, dir: string): string {
  // The feature set of weights stays beside them.
  const features = kind === "weights" ? codeFiles(code) : [];
  const short = (features.length > 0 ? hashOf(hash, hashCode(code)!) : hash).slice(0, 8);
  // A single file is named after its content. Several files keep their names, because the first one names the others.
  const alone = files.length + features.length === 1;
  const folder = alone ? kind : join(kind, short);
  const name = alone ? `${basename(path, extension)}-${short}${extension}` : basename(path);
  const copy = (file: string, as: string) => writeWhole(join(dir, folder, as), readFileSync(file));
  for (const file of files) copy(file, alone ? name : relative(dirname(path), file));
  for (const file of features) copy(file, relative(dirname(features[0]!), file));
  return join(folder, name);
}

/**
 * The plan of a run that gets the entrants of another plan, behind its own. An entrant is known by its spec and its code,
 * whatever its name. Every pairing of the run must be one of the grown plan, so that its games stay. Throws InputError.
 */
function grown(
  before: TournamentPlan,
  now: TournamentPlan,
  { dir, as }: { dir: string; as: string | undefined },
): TournamentPlan {
  const keys = new Set(before.entrants.map(playOf));
  const names = new Map(before.entrants.map((entrant) => [entrant.name, entrant]));
  const missing = now.entrants.filter((entrant) => !keys.has(playOf(entrant)));
  const taken = missing.filter(({ name }) => names.has(name));
  const [first] = taken;
  if (first !== undefined && (as === undefined || taken.length > 1)) {
    const changes = changesOf(names.get(first.name)!, first);
    throw new InputError(
      changes.length === 0 || as !== undefined
        ? `has another entrant that is called "${taken.at(as === undefined ? 0 : 1)!.name}"; give the new one another name`
        : changes.map((message) => ({ path: first.name, message: `${message}; ${AS_NEW}` })),
      dir,
    );
  }
  if (as !== undefined && (first === undefined || names.has(as)))
    throw new InputError(
      first === undefined
        ? `--as ${as} names a changed entrant, and none of those in the run has changed`
        : `has an entrant "${as}" already; name the new version otherwise`,
      dir,
    );
  const added = missing.map((entrant) => (entrant === first ? { ...entrant, name: as! } : entrant));
  const plan = { ...now, name: before.name, entrants: [...before.entrants, ...added] };
  const { format, entrants, anchor } = plan;
  checkSame({ ...before, format, entrants, anchor }, plan, dir);
  if (!hasOneRound(plan) || !hasOneRound(before))
    throw new InputError(`cannot grow: in the format ${format.type} results decide who meets whom`, dir);
  const pairings = pairingsOf(plan);
  const lost = [...pairingsOf(before)].find((pairing) => !pairings.has(pairing));
  if (lost !== undefined) {
    const met = lost.split(",").map((entrant) => entrants[Number(entrant)]!.name);
    throw new InputError(
      `cannot grow: ${met.join(" and ")} have met, and would not meet with the new entrants in the format ${format.type}`,
      dir,
    );
  }
  return plan;
}

const AS_NEW = "enter it as a new version with --as NAME";

/** The messages about what two entrants of one name have changed: the user's files, and the program. */
function changesOf(before: Entrant, now: Entrant): string[] {
  const files = new ResolvedAgent(now.spec).files.filter(isCode).map(({ name }) => name);
  const [program] = (now.spec["command"] ?? []) as readonly string[];
  return [
    ...(before.code === now.code ? [] : [describeChange(files, before.code, now.code)]),
    ...(before.program === now.program ? [] : [describeChange([program!], before.program, now.program)]),
  ];
}

/** The part of an entrant that determines its play, as a text. */
function playOf(entrant: PlannedEntrant): string {
  return entrantKey({ ...entrant, name: "" });
}

/** The pairings of the first round. */
function pairingsOf(plan: TournamentPlan): Set<string> {
  const matches = formatOf(plan).round(plan, 0, { matches: [], scores: [] }) ?? [];
  return new Set(matches.map(({ entrants }) => entrants.join()));
}

/**
 * Throws InputError unless the plans are the same. Words for readers, `rankBy`, `thoughts`, `affinity` and `maxCost` may
 * differ, and `blocks` may have grown where all games are of one round: in several rounds more blocks would change who meets
 * whom.
 */
function checkSame(before: TournamentPlan, now: TournamentPlan, dir: string): void {
  const words = { title: undefined, date: undefined, description: undefined };
  const free = {
    blocks: 0,
    rankBy: undefined,
    thoughts: undefined,
    affinity: undefined,
    maxCost: undefined,
    ...words,
  };
  const problems = differences({ ...portablePlan(before), ...free }, { ...portablePlan(now), ...free }).map(
    ({ path, one, other }) => ({ path, message: `${one} there, ${other} now` }),
  );
  if (now.blocks < before.blocks)
    problems.push({ path: "blocks", message: `${before.blocks} there, fewer now: ${now.blocks}` });
  if (now.blocks > before.blocks && !hasOneRound(now))
    problems.push({ path: "blocks", message: `${before.blocks} there, more now: ${now.blocks}` });
  if (problems.length > 0) {
    throw new InputError(
      problems.map(({ path, message }) => ({
        path,
        message:
          changeAt(path, before, now) ??
          grownAt(path, { before, now, dir }) ??
          `the run was begun with another config: ${message}`,
      })),
      dir,
    );
  }
}

/** The message if the hash at `path` of the plan is that of the user's code or of a program. */
function changeAt(path: string, before: TournamentPlan, now: TournamentPlan): string | undefined {
  if (path === "gameCode") return describeChange([now.game.id], before.gameCode, now.gameCode);
  const entrant = /^entrants\[(\d+)\]\.(?:code|program)$/.exec(path)?.[1];
  const changes = entrant && changesOf(before.entrants[Number(entrant)]!, now.entrants[Number(entrant)]!);
  return changes && `${changes.join("; ")}; ${AS_NEW}`;
}

/** The message if `path` is an entrant that entered the run after it was begun. */
function grownAt(
  path: string,
  { before, now, dir }: { before: TournamentPlan; now: TournamentPlan; dir: string },
): string | undefined {
  const at = Number(/^entrants\[(\d+)\]$/.exec(path)?.[1] ?? before.entrants.length);
  if (at >= before.entrants.length || at < now.entrants.length) return undefined;
  return `"${before.entrants[at]!.name}" entered the run later, and is not in the config; to go on with all of them: agon run ${dir} --resume`;
}

/*
 * Identities that are equal in two runs, whatever their folders and machines.
 */

/** Hash of the rules: equal for one file of the user's in two places. */
export function rulesOf(plan: TournamentPlan): string {
  // The positions that games begin at are no rules.
  const { setups: _, ...game } = plan.game as TournamentPlan["game"] & { setups?: unknown };
  const isFile = referTo("game", game.id).kind === "code";
  return hashOf(gameKey({ ...plan, game: isFile ? { ...game, id: basename(game.id) } : game }));
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
export function makeOf(
  { spec, code, program = "", time }: PlannedEntrant,
  dir: string,
  unknown: string,
): Make {
  const agent = new ResolvedAgent(spec, dir);
  const { files } = agent;
  const file = files.find(({ kind }) => kind === "weights");
  const weights = file && readableHash(file);
  const hasCode = files.some(isCode);
  const isKnown = (file === undefined || weights !== undefined) && (!hasCode || code !== undefined);
  const portable = agent.renamed((one) => {
    if (isCode(one)) return basename(one.name);
    return one.kind === "weights" ? (weights ?? one.name) : one.name;
  });
  const parts = [code ?? "", program, isKnown ? "" : unknown, ...(time ? [canonicalJson({ time })] : [])];
  return { weights, make: hashOf(canonicalJson(portable), ...parts) };
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
