import { parse } from "node:path";
import { z } from "zod";
import { check, Problems } from "../../base/check.ts";
import { InputError, type Problem } from "../../base/errors.ts";
import { planDocument, type Source } from "../../specs/files/documents.ts";
import { entrantSchema, nameEntrant } from "../../specs/agents.ts";
import { gameIdOf, gameSchema } from "../../specs/games.ts";
import { type Note, planTournament } from "../plan/config.ts";
import type { TournamentPlan } from "../plan/plan.ts";
import { nameSchema } from "../../base/about.ts";

/** Several tournaments with the same entrants: one for each game. */
export interface Suite {
  readonly name: string;
  readonly tournaments: readonly SuiteTournament[];
}

/** A tournament of a suite. */
export interface SuiteTournament {
  /** Its name in the suite, and that of the folder of its run in the suite's. */
  readonly label: string;
  readonly plan: TournamentPlan;
}

/** A game with keys of the tournament that are others for it. */
export const changedGameSchema = z.looseObject({
  game: gameSchema,
  name: nameSchema.optional(),
  entrants: z.record(z.string(), z.looseObject({})).optional(),
});
export type GivenGame = z.output<typeof changedGameSchema>;

/** The shape of a suite. Its tournaments are checked one by one. */
const suiteSchema = z.looseObject({
  name: nameSchema,
  games: z.array(z.union([changedGameSchema, gameSchema])).min(1),
  entrants: z.array(entrantSchema).min(1),
});

/** True if a document is a suite, which has `games` in place of `game`. */
export function isSuite(document: unknown): boolean {
  return typeof document === "object" && document !== null && Object.hasOwn(document, "games");
}

/** Reads and checks the file of a suite, or of a tournament, which is a suite of one. Throws InputError with all problems. */
export async function loadSuite(path: string, options: { note?: Note } = {}): Promise<Suite> {
  return planDocument(path, async (document, from) => {
    if (isSuite(document)) return planSuite(document, { ...from, ...options });
    const plan = await planTournament(document, { ...from, ...options });
    return { name: plan.name, tournaments: [{ label: plan.name, plan }] };
  });
}

/**
 * Checks a suite. Its tournaments have its keys, but for those that their games change; options in the `entrants` of a game
 * replace those of the entrants with these names. Throws InputError with all problems.
 * @internal tests have no files
 */
export async function planSuite(config: unknown, from: Source & { note?: Note }): Promise<Suite> {
  const { games: written, entrants: given, ...shared } = check(suiteSchema, config, from.source);
  const problems = new Problems();
  const entrants = given.flatMap(
    (entry, at) => problems.at(["entrants", at], () => nameEntrant(entry)) ?? [],
  );
  const games = written.map(gameOf);
  const labels = labelGames(games, problems);
  for (const [at, { entrants: changes = {} }] of games.entries()) {
    const names = entrants.map(({ name }) => name);
    for (const name of Object.keys(changes))
      if (!names.includes(name))
        problems.add(["games", at, "entrants", name], `is no entrant; allowed: ${names.join(", ")}`);
  }
  problems.throwIfAny(from.source);
  const drafts = games.map(({ entrants: changes = {}, ...own }, at) => ({
    label: labels[at]!,
    at,
    config: {
      ...shared,
      ...own,
      entrants: entrants.map((entrant) => ({ ...entrant, ...changes[entrant.name] })),
    },
  }));
  return { name: shared.name, tournaments: await planDrafts(shared.name, drafts, from) };
}

/** A game of a config: alone, or with keys of the tournament that are others for it. */
export function gameOf(written: GivenGame | GivenGame["game"]): GivenGame {
  return typeof written === "object" && "game" in written ? (written as GivenGame) : { game: written };
}

/** A tournament of a suite before its check. */
export interface Draft {
  readonly label: string;
  /** The index of its game in the config. */
  readonly at: number;
  /** Its config without a name. */
  readonly config: Readonly<Record<string, unknown>>;
}

/** Checks the tournaments of a suite; throws InputError with all problems. Those that all games have stand in it once. */
export async function planDrafts(
  name: string,
  drafts: readonly Draft[],
  { source, baseDir, note = () => {} }: Source & { note?: Note },
): Promise<SuiteTournament[]> {
  // Drafts may share a file.
  const notes = new Set<string>();
  const from = { baseDir, note: (text: string) => void notes.add(text) };
  const tried = await Promise.all(
    drafts.map(async ({ label, config }) => tryPlan({ ...config, name: `${name}-${label}` }, from)),
  );
  for (const text of notes) note(text);
  const found = tried.map((one) => ("formatVersion" in one ? [] : one));
  const isShared = ({ path, message }: Problem) =>
    found.every((list) => list.some((other) => other.path === path && other.message === message));
  const own = found.flatMap((list, index) =>
    list
      .filter((problem) => !isShared(problem))
      .map(({ path, message }) => ({
        path: `games[${drafts[index]!.at}]`,
        message: path === "" ? message : `${path}: ${message}`,
      })),
  );
  const problems = [...found[0]!.filter(isShared), ...own];
  if (problems.length > 0) throw new InputError(problems, source);
  return drafts.map(({ label }, index) => ({ label, plan: tried[index] as TournamentPlan }));
}

async function tryPlan(
  config: unknown,
  from: { baseDir: string; note?: Note },
): Promise<TournamentPlan | readonly Problem[]> {
  try {
    return await planTournament(config, from);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return error.problems;
  }
}

/** The names of games in the suite: those that the config gives, or their ids, with a number where several have one id. */
export function labelGames(games: readonly GivenGame[], problems: Problems): string[] {
  const labels: string[] = [];
  for (const [at, { name, game }] of games.entries()) {
    const id = parse(gameIdOf(game)).name;
    const same = games
      .slice(0, at)
      .filter((other) => other.name === undefined && parse(gameIdOf(other.game)).name === id);
    const label = name ?? (same.length === 0 ? id : `${id}-${same.length + 1}`);
    if (labels.includes(label))
      problems.add(["games", at], `"${label}" is the name of another game; give it a name`);
    labels.push(label);
  }
  return labels;
}
