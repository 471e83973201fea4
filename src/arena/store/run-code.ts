import { chmodSync, existsSync, readFileSync, statSync } from "node:fs";
import { join, relative, resolve, sep } from "node:path";
import { z } from "zod";
import { InputError } from "../../base/errors.ts";
import { readJson } from "../../specs/files/documents.ts";
import { writeWhole } from "../../specs/files/write-file.ts";
import { codeFiles, commonFolder, describeChange, hashCode } from "../../specs/plugins/portable-code.ts";
import { isCode, referTo, ResolvedAgent } from "../../specs/references.ts";
import { check } from "../../base/check.ts";
import { OBJECTS, ORIGIN, type TournamentPlan } from "../plan/plan.ts";

/*
 * The user's files that play in a run are copied into its folder, under the hash of their content: code/HASH. A stored plan
 * names the copies, so that the folder can be moved, and played again after the files have changed. As long as the files
 * themselves have that content, they play: they may need packages and data that nobody has named.
 */

const FOLDER = "code";

/** The files of the user's that one hash in the plan is of. */
interface Owner {
  readonly hash: string;
  /** The files and folders that the plan names. */
  readonly names: readonly string[];
  /** These with all files that belong to them. */
  readonly files: () => string[];
}

/** The folders that copies were made from, by the first digits of the hash. */
const sourcesShape = z.record(
  z.string(),
  z.strictObject({
    /** From the folder of the run. */
    fromRun: z.string(),
    /** From the folder of the config. */
    fromConfig: z.string(),
  }),
);
type Sources = z.output<typeof sourcesShape>;

const shortOf = (hash: string) => hash.slice(0, 8);

function readSources(dir: string): Sources {
  const path = join(dir, FOLDER, "sources.json");
  return existsSync(path) ? check(sourcesShape, readJson(path), path) : {};
}

/** Copies the user's files that play into the folder of the run; returns the plan that names the copies. */
export function keepCode(plan: TournamentPlan, dir: string): TournamentPlan {
  const sources = readSources(dir);
  const before = JSON.stringify(sources);
  const kept = renamed(plan, ({ hash, names, files }) => {
    const copy = join(FOLDER, shortOf(hash));
    const inRun = names.every((name) => isBelow(resolve(dir, copy), name));
    const all = files();
    const root = inRun ? resolve(dir, copy) : commonFolder(all);
    if (!inRun) {
      const folder = plan[ORIGIN]?.folder ?? ".";
      sources[shortOf(hash)] = { fromRun: relative(dir, root), fromConfig: relative(folder, root) };
      for (const file of all) copyOnce(file, join(dir, copy, relative(root, file)));
    }
    return (name) => join(copy, relative(root, name));
  });
  if (JSON.stringify(sources) !== before)
    writeWhole(join(dir, FOLDER, "sources.json"), `${JSON.stringify(sources, null, 2)}\n`);
  return kept;
}

/**
 * The stored plan with the absolute paths of the user's files: those that the run was begun with if they have not changed,
 * or the copies in the folder of the run.
 * @param files the folder that has them instead of the config's; throws InputError if they are not there or have changed
 */
export function locateCode(stored: TournamentPlan, dir: string, files?: string): TournamentPlan {
  const sources = readSources(dir);
  return renamed(stored, ({ hash, names }, hashWith) => {
    const copy = join(FOLDER, shortOf(hash));
    // Plans of older versions have absolute paths.
    if (!names.every((name) => isBelow(copy, name))) return (name) => name;
    const inFolder = (root: string) => (name: string) => resolve(root, relative(copy, name));
    const source = sources[shortOf(hash)];
    const given =
      source && (files === undefined ? join(dir, source.fromRun) : join(files, source.fromConfig));
    const now = given && hashWith(inFolder(given));
    if (given !== undefined && now === hash) return inFolder(given);
    if (files !== undefined)
      throw new InputError(describeChange(names.map(inFolder(given ?? files)), hash, now));
    return inFolder(join(dir, copy));
  });
}

/**
 * The plan with other names for the user's files whose hashes it has.
 * @param naming gives the names of one owner's files; `hashWith` is the hash of the content under other names, if they are there
 */
function renamed(
  plan: TournamentPlan,
  naming: (
    owner: Owner,
    hashWith: (nameOf: (name: string) => string) => string | undefined,
  ) => (name: string) => string,
): TournamentPlan {
  const { game, gameCode } = plan;
  const gameName = (hash: string) =>
    naming({ hash, names: [game.id], files: () => codeFiles([game.id]) }, (nameOf) =>
      ifThere(() => hashCode([nameOf(game.id)])),
    )(game.id);
  const entrants = plan.entrants.map((entrant) => {
    const agent = new ResolvedAgent(entrant.spec);
    const own = agent.files.filter(isCode);
    if (
      entrant.code === undefined ||
      own.length === 0 ||
      Object.hasOwn(plan[OBJECTS]?.agents ?? {}, entrant.spec.agent)
    )
      return entrant;
    const using = (nameOf: (name: string) => string) =>
      agent.renamed((file) => (isCode(file) ? nameOf(file.name) : file.name));
    const owner: Owner = {
      hash: entrant.code,
      names: own.map(({ name }) => name),
      files: () => own.flatMap((file) => (file.kind === "code" ? codeFiles([file.path]) : file.files)),
    };
    return {
      ...entrant,
      spec: using(naming(owner, (nameOf) => ifThere(() => new ResolvedAgent(using(nameOf)).codeHash))),
    };
  });
  const isFile = gameCode !== undefined && referTo("game", game.id).kind === "code";
  return { ...plan, ...(isFile && { game: { ...game, id: gameName(gameCode) } }), entrants };
}

function ifThere(hash: () => string | undefined): string | undefined {
  try {
    return hash();
  } catch {
    return undefined;
  }
}

function isBelow(folder: string, path: string): boolean {
  return path.startsWith(`${folder}${sep}`);
}

/** Copies a file with its mode. The place has the hash in its name, so a file that is there has this content. */
function copyOnce(file: string, to: string): void {
  if (existsSync(to)) return;
  writeWhole(to, readFileSync(file));
  chmodSync(to, statSync(file).mode);
}
