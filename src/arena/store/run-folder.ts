import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { InputError } from "../../base/errors.ts";
import { makeFolder, writeWhole } from "../../files/documents.ts";
import { ResolvedAgent, type FileReference } from "../../specs/references.ts";
import { lockFolder } from "../../files/lock.ts";
import type { Entrant } from "../../specs/agents.ts";
import { hasOneRound, type Formats } from "../formats/index.ts";
import { canonicalJson, type TournamentPlan } from "../plan/plan.ts";
import { Store } from "./store.ts";

/**
 * Opens the folder of a run. A new folder gets the plan. An old one must have the same plan, and `resume` must be true;
 * otherwise it throws InputError. No other process can open the folder until the store is closed. Weights and tables are
 * copied into the folder under the hash of their content, so the run does not depend on the originals.
 */
export function openRun(
  dir: string,
  plan: TournamentPlan,
  { resume, formats }: { resume: boolean; formats?: Formats | undefined },
): { store: Store; plan: TournamentPlan } {
  makeFolder(dir);
  const lock = lockFolder(dir);
  let store: Store | undefined;
  try {
    if (Store.exists(dir) && !resume)
      throw new InputError("holds a run already; go on with --resume, or name another folder", dir);
    const frozen = { ...plan, entrants: plan.entrants.map((entrant) => freezeFiles(entrant, dir)) };
    store = Store.open(dir, lock);
    const before = store.loadPlan();
    if (before !== undefined) checkSame(before, frozen, { dir, formats });
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
  const stamped = new RegExp(`^${name.replaceAll(".", "\\.")}-\\d{8}-\\d{6}$`);
  const runs = existsSync(parent) ? readdirSync(parent).filter((dir) => stamped.test(dir)) : [];
  const newest = runs.toSorted().at(-1);
  if (newest === undefined)
    throw new InputError(`no run of "${name}" to go on with; name its folder with --out`, parent);
  return join(parent, newest);
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
 * Throws InputError unless the plans are the same. `rankBy` and `thoughts` may differ, and `blocks` may have grown where
 * all games are of one round: in several rounds more blocks would change who meets whom.
 */
function checkSame(
  before: TournamentPlan,
  now: TournamentPlan,
  { dir, formats }: { dir: string; formats: Formats | undefined },
): void {
  const free = { blocks: 0, rankBy: undefined, thoughts: undefined };
  const problems = differences({ ...before, ...free }, { ...now, ...free }, "");
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

function differences(before: unknown, now: unknown, path: string): { path: string; message: string }[] {
  if (canonicalJson(before ?? null) === canonicalJson(now ?? null)) return [];
  const nested = typeof before === "object" && typeof now === "object" && before !== null && now !== null;
  if (!nested) return [{ path, message: `${JSON.stringify(before)} there, ${JSON.stringify(now)} now` }];
  const keys = [...new Set([...Object.keys(before), ...Object.keys(now)])];
  return keys.flatMap((key) => {
    const inner = Array.isArray(before) ? `${path}[${key}]` : path === "" ? key : `${path}.${key}`;
    return differences(
      (before as Record<string, unknown>)[key],
      (now as Record<string, unknown>)[key],
      inner,
    );
  });
}
