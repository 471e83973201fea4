import { z } from "zod";
import { aboutOf, type About } from "../../base/about.ts";
import { check, Problems } from "../../base/check.ts";
import { InputError, type Problem } from "../../base/errors.ts";
import { counted } from "../../base/text.ts";
import type { Note } from "../../arena/plan/config.ts";
import { planDocument } from "../../specs/files/documents.ts";
import { hasObjects } from "../../specs/families.ts";
import { seedSchema, sweepSchema } from "../plan/config.ts";
import { planTraining, type TrainingPlan } from "../plan/plan.ts";

/** The most trainings of a sweep. */
const MOST_TRAININGS = 1000;

/** A setting with a longer name has a folder by its number. */
const LONGEST_FOLDER = 100;

/** Keys that are the same in all trainings of a sweep, with the reason. */
const FIXED: Readonly<Record<string, string>> = {
  name: "the sweep's folder has it",
  seed: "write `seeds` in the sweep",
  sweep: "a sweep has none inside",
  game: "results of different games cannot be compared",
  rating: "results are compared on one scale, that of the same rating",
};

/** Several trainings of one config, each setting with the same seeds. */
export interface Sweep {
  readonly name: string;
  readonly about: About;
  readonly seeds: readonly string[];
  readonly settings: readonly SweepSetting[];
  /** The number of players of the game: with one, trainings are compared by mean return, with more by Elo. */
  readonly players: number;
}

/** A setting of a sweep. */
interface SweepSetting {
  /** Its values, such as `lambda=0.7`; `seeds` where nothing but the seed changes. */
  readonly name: string;
  /** Its values, by the keys of the training; empty where nothing but the seed changes. */
  readonly values: Readonly<Record<string, unknown>>;
  /** Name of its folder in the folder of the sweep. */
  readonly folder: string;
  /** The config of its trainings, but for the seed: checked, its paths absolute. */
  readonly config: TrainingPlan["config"];
}

/** True if a document is a training with a sweep, which is several trainings. */
export function isSweep(document: unknown): boolean {
  return typeof document === "object" && document !== null && Object.hasOwn(document, "sweep");
}

/** Reads and checks a training's file with a sweep; throws InputError with all its problems. */
export async function loadSweep(path: string, options: { note?: Note } = {}): Promise<Sweep> {
  return planDocument(path, (document, from) => planSweep(document, { ...from, ...options }));
}

/** Checks a training with a sweep: every setting is a training that can be. Throws InputError with all problems. */
export async function planSweep(
  document: unknown,
  { baseDir, source = "", note = () => {} }: { baseDir: string; source?: string; note?: Note },
): Promise<Sweep> {
  const {
    sweep: { seeds: given, values },
    ...training
  } = check(
    z.looseObject({ name: z.string(), seed: seedSchema.default("agon"), sweep: sweepSchema }),
    document,
    source,
  );
  const problems = new Problems();
  const keys = Object.keys(values);
  for (const key of keys) {
    const reason = FIXED[key.split(".")[0]!];
    if (reason !== undefined) problems.add(["sweep", "values", key], `cannot be swept: ${reason}`);
  }
  const seeds =
    typeof given === "number"
      ? Array.from({ length: given }, (_, at) => `${training.seed}-${at + 1}`)
      : given;
  refuseTwice(seeds, seeds.map(folderOf), { path: ["sweep", "seeds"], problems });
  const drafts = combinations(values).map((changes) => ({ changes, name: nameOf(changes) }));
  const names = drafts.map(({ name }) => name);
  const folders = names.map((name, at) =>
    name.length > LONGEST_FOLDER ? `setting-${at + 1}` : folderOf(name),
  );
  refuseTwice(names, folders, { path: ["sweep", "values"], problems });
  const count = drafts.length * seeds.length;
  if (count < 2) problems.add(["sweep"], "is one training alone; give more seeds or values");
  if (count > MOST_TRAININGS)
    problems.add(["sweep"], `is ${counted(count, "training")}; at most ${MOST_TRAININGS}`);
  problems.throwIfAny(source);

  const settings: SweepSetting[] = [];
  let players = 0;
  // Settings share files of games.
  const notes = new Set<string>();
  const from = { baseDir, note: (text: string) => void notes.add(text) };
  for (const [at, { changes, name }] of drafts.entries()) {
    const config = problems.at(["sweep", "values"], () => changed(training, changes));
    if (config === undefined) continue;
    const plan = await planTraining({ ...config, seed: seeds[0] }, from).catch((error: unknown) => {
      if (!(error instanceof InputError)) throw error;
      throw new InputError(
        error.problems.map((problem) => ofSetting(problem, changes, name)),
        source,
      );
    });
    if (hasObjects(plan.objects))
      throw new InputError(
        "games and agents that are objects are no part of a sweep; name a file of yours",
        source,
      );
    players = plan.game.players;
    settings.push({ name, values: changes, folder: folders[at]!, config: plan.config });
  }
  problems.throwIfAny(source);
  for (const text of notes) note(text);
  return { name: training.name, about: aboutOf(training), seeds, settings, players };
}

/** The problem of a setting; it stands where the sweep has the key, if it is one of a swept key. */
function ofSetting({ path, message }: Problem, changes: Changes, name: string): Problem {
  const key = Object.keys(changes).find((one) => `${path}.`.startsWith(`${one}.`));
  if (key === undefined) return { path, message };
  return { path: `sweep.values.${key}`, message: `with ${name}: ${message}` };
}

/** One value for each key. */
type Changes = Readonly<Record<string, unknown>>;

/** Every choice of one value for each key, the last key's values changing first. */
function combinations(values: Readonly<Record<string, readonly unknown[]>>): Changes[] {
  return Object.entries(values).reduce<Changes[]>(
    (sofar, [key, choices]) =>
      sofar.flatMap((changes) => choices.map((value) => ({ ...changes, [key]: value }))),
    [{}],
  );
}

/** `lambda=0.7 stepSize=0.01`: keys are named by their last part where no other one ends with it. */
function nameOf(changes: Changes): string {
  const keys = Object.keys(changes);
  const lastOf = (key: string) => key.slice(key.lastIndexOf(".") + 1);
  const parts = keys.map((key) => {
    const isClear = keys.filter((other) => lastOf(other) === lastOf(key)).length === 1;
    return `${isClear ? lastOf(key) : key}=${textOf(changes[key])}`;
  });
  return parts.length === 0 ? "seeds" : parts.join(" ");
}

/** A value of a setting as text. */
export function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** The name of a setting or of a seed as every file system takes it. */
export function folderOf(name: string): string {
  return name.replaceAll(/[^\w.=+-]+/g, "_");
}

/** A copy of the training with the values in their places; throws InputError for a place that cannot be. */
function changed(training: object, changes: Changes): object {
  const copy = structuredClone(training) as Record<string, unknown>;
  for (const [path, value] of Object.entries(changes)) {
    const keys = path.split(".");
    let place = copy;
    for (const key of keys.slice(0, -1)) {
      const next = Object.hasOwn(place, key) ? place[key] : undefined;
      if (typeof next !== "object" || next === null || Array.isArray(next))
        throw new InputError([
          { path, message: `is no place in this training: \`${key}\` has no keys of its own there` },
        ]);
      place = next as Record<string, unknown>;
    }
    place[keys.at(-1)!] = value;
  }
  return copy;
}

function refuseTwice(
  names: readonly string[],
  folders: readonly string[],
  { path, problems }: { path: readonly string[]; problems: Problems },
): void {
  // File systems may not tell capitals from small letters.
  const small = folders.map((folder) => folder.toLowerCase());
  for (const [at, name] of names.entries()) {
    const first = names[small.indexOf(small[at]!)]!;
    if (small.indexOf(small[at]!) < at)
      problems.add(path, name === first ? `has "${name}" twice` : `"${first}" and "${name}" are one folder`);
  }
}
