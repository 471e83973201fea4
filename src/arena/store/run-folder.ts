import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, extname, join, relative } from "node:path";
import { InputError } from "../../base/errors.ts";
import { isPluginPath, isWeightsPath } from "../../evaluators/index.ts";
import { makeFolder, writeWhole } from "../../files/documents.ts";
import { mapTablesAndBook } from "../../specs/knowledge.ts";
import { lockFolder } from "../../files/lock.ts";
import { filesOfWeights } from "../../files/weights-file.ts";
import type { Entrant } from "../../specs/agents.ts";
import { hasOneRound, type Formats } from "../formats/index.ts";
import { canonicalJson, hashOf, type TournamentPlan } from "../plan/plan.ts";
import { Store } from "./store.ts";

/**
 * Opens the folder of a run. A new folder gets the plan; an old one must have the same plan, and `resume` must be true,
 * else InputError is thrown. No other process can open it before the store is closed. Weights and tables are copied into the folder under the hash of their content, so that a run can be
 * rated, verified and resumed after the originals have changed.
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

/** Copies the files of weights, endgame tables and books into the run's folder; returns the entrant that uses the copies. */
export function freezeFiles(entrant: Entrant, dir: string): Entrant {
  const spec = mapTablesAndBook(entrant.spec, (path, key) => {
    const extension = extname(path);
    const copy = join(key, `${basename(path, extension)}-${hashOfFile(path).slice(0, 8)}${extension}`);
    writeWhole(join(dir, copy), readFileSync(path));
    return copy;
  });
  return freezeWeights(spec === entrant.spec ? entrant : { ...entrant, spec }, dir);
}

/** Copies all files of the entrant's weights into the run's folder; returns the entrant that uses the copies. */
function freezeWeights(entrant: Entrant, dir: string): Entrant {
  const evaluator = entrant.spec["evaluator"];
  if (typeof evaluator !== "string" || !isWeightsPath(evaluator)) return entrant;
  const files = filesOfWeights(evaluator);
  const hash = hashOf(...files.map((file) => hashOfFile(file))).slice(0, 8);
  // A single file is named after its content. Several files keep their names, because the first one names the others.
  const alone = files.length === 1;
  const folder = alone ? "weights" : join("weights", hash);
  for (const file of files) {
    const name = alone ? `${basename(file, ".json")}-${hash}.json` : relative(dirname(evaluator), file);
    writeWhole(join(dir, folder, name), readFileSync(file));
  }
  const name = alone ? `${basename(evaluator, ".json")}-${hash}.json` : basename(evaluator);
  return { ...entrant, spec: { ...entrant.spec, evaluator: join(folder, name) } };
}

function hashOfFile(path: string): string {
  return createHash("sha256").update(readFileSync(path)).digest("hex");
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

/** What the code at `path` of the plan belongs to. */
function fileOf(plan: TournamentPlan, path: string): string {
  const entrant = /\[(\d+)\]/.exec(path)?.[1];
  if (entrant === undefined) return plan.game.id;
  const { agent, evaluator } = plan.entrants[Number(entrant)]!.spec;
  return [agent, evaluator].filter((name) => typeof name === "string" && isPluginPath(name)).join(" or ");
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
