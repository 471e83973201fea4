import { dirname, resolve } from "node:path";
import { z } from "zod";
import { check } from "../base/check.ts";
import { readDocument } from "../specs/files.ts";
import { InputError } from "../base/errors.ts";
import { Problems } from "../base/problems.ts";
import { budgetSchema } from "../agents/budget.ts";
import { TERMINAL, type Game } from "../games/game.ts";
import { createGame } from "../games/index.ts";
import { entrantSchema, planEntrants } from "./entrants.ts";
import type { Openings, TournamentPlan } from "./plan.ts";
import { gameFamilies, resolvePluginId } from "./plugins.ts";

/** The shape of a tournament file; games, agents and their options are checked after it. */
export const tournamentSchema = z.strictObject({
  name: z
    .string()
    .regex(/^[\w.-]+$/, "must consist of letters, digits, - _ and .")
    .describe("names the run's folder"),
  game: z
    .union([z.string(), z.looseObject({ id: z.string() })])
    .describe("a game's id, or { id, options... }"),
  seed: z.union([z.string(), z.number()]).default("agon").describe("every random choice descends from it"),
  blocks: z
    .int()
    .min(1)
    .describe("blocks for each pairing; a block is one opening played under every seat rotation"),
  openings: z
    .union([
      z.strictObject({ randomPlies: z.int().min(0).describe("random plies before the agents take over") }),
      z.strictObject({
        lines: z.array(z.string()).min(1).describe("actions, separated by blanks, in the game's notation"),
      }),
    ])
    .default({ randomPlies: 0 }),
  budget: budgetSchema.default({}).describe("for entrants that name none"),
  moveTimeoutMs: z
    .number()
    .min(100)
    .default(60_000)
    .describe("an agent that takes longer for one decision forfeits the game"),
  anchor: z
    .strictObject({ entrant: z.string(), elo: z.number() })
    .optional()
    .describe("the entrant whose rating is fixed; without it the mean is 0"),
  entrants: z.array(entrantSchema).min(1),
});
export type TournamentConfig = z.input<typeof tournamentSchema>;
type Checked = z.output<typeof tournamentSchema>;

/** Reads and checks a tournament file; throws InputError with all its problems. */
export async function loadTournament(path: string): Promise<TournamentPlan> {
  return planTournament(readDocument(path), { baseDir: dirname(resolve(path)), source: path });
}

/** Checks a tournament; relative paths in it are taken from `baseDir`. Throws InputError with all its problems. */
export async function planTournament(
  config: unknown,
  { baseDir, source = "" }: { baseDir: string; source?: string },
): Promise<TournamentPlan> {
  const problems = new Problems();
  const parts = checkParts(config, problems);
  const game = parts.game === undefined ? undefined : await loadGame(parts.game, baseDir, problems);
  const entrants = await planEntrants(parts.entrants ?? [], {
    game,
    baseDir,
    defaultBudget: parts.budget ?? {},
    problems,
  });
  if (game !== undefined) checkCount(entrants.length, game, problems);
  const names = entrants.map(({ name }) => name);
  if (parts.anchor !== undefined && !names.includes(parts.anchor.entrant)) {
    problems.add(
      ["anchor", "entrant"],
      `"${parts.anchor.entrant}" is no entrant; allowed: ${names.join(", ")}`,
    );
  }
  const openings = game && parts.openings && planOpenings(parts.openings, game, problems);
  problems.throwIfAny(source);
  const { name, seed, blocks, moveTimeoutMs, anchor } = parts as Checked;
  return {
    formatVersion: 1,
    name,
    game: { ...game!.options, id: resolvePluginId(gameId(parts.game!), baseDir) },
    gameVersion: game!.version,
    players: game!.players,
    seed: String(seed),
    blocks,
    openings: openings!,
    moveTimeoutMs,
    entrants: entrants.map(({ name: entrant, spec }) => ({ name: entrant, spec })),
    ...(anchor === undefined ? {} : { anchor }),
  };
}

/**
 * The parts of a config that have the right shape. Where the whole has not, each part is looked at by
 * itself, so that what is wrong in the others is told as well. An entrant that is wrong is undefined.
 */
function checkParts(
  config: unknown,
  problems: Problems,
): Partial<Omit<Checked, "entrants">> & { entrants?: (Checked["entrants"][number] | undefined)[] } {
  const whole = problems.at([], () => check(tournamentSchema, config));
  if (whole !== undefined) return whole;
  if (typeof config !== "object" || config === null) return {};
  const given = config as Record<string, unknown>;
  const parts = Object.entries(tournamentSchema.shape).map(([key, schema]) => [
    key,
    schema.safeParse(given[key]).data,
  ]);
  const entrants: unknown = given["entrants"];
  return {
    ...(Object.fromEntries(parts) as Partial<Checked>),
    entrants: Array.isArray(entrants) ? entrants.map((entrant) => entrantSchema.safeParse(entrant).data) : [],
  };
}

const gameId = (game: Checked["game"]): string => (typeof game === "string" ? game : game.id);

async function loadGame(
  spec: Checked["game"],
  baseDir: string,
  problems: Problems,
): Promise<Game | undefined> {
  const id = resolvePluginId(gameId(spec), baseDir);
  const families = await problems.atAsync(["game"], () => gameFamilies(id));
  return (
    families &&
    problems.at(["game"], () => createGame(typeof spec === "string" ? id : { ...spec, id }, families))
  );
}

function checkCount(entrants: number, game: Game, problems: Problems): void {
  const needed = Math.max(2, game.players);
  if (entrants < needed) problems.add(["entrants"], `${entrants} given; ${game.id} needs at least ${needed}`);
}

function planOpenings(openings: Checked["openings"], game: Game, problems: Problems): Openings {
  if ("randomPlies" in openings) return openings;
  const read = (line: string, index: number) =>
    problems.at(["openings", "lines", index], () => parseLine(game, line)) ?? [];
  return { lines: openings.lines.map(read) };
}

/** Plays an opening line; throws InputError at an impossible action or one that ends the game. */
function parseLine(game: Game, line: string): number[] {
  const state = game.start();
  return line
    .trim()
    .split(/\s+/)
    .filter((word) => word !== "")
    .map((word) => {
      const action = game.parseAction(word, state);
      state.apply(action);
      if (state.toMove === TERMINAL) throw new InputError(`"${word}" in "${line}" ends the game`);
      return action;
    });
}
