import { dirname, resolve } from "node:path";
import { z } from "zod";
import { check, formatPath } from "../base/check.ts";
import { readDocument } from "../base/document.ts";
import { InputError, type Problem } from "../base/errors.ts";
import { budgetSchema } from "../agents/budget.ts";
import { formatAgentSpec, parseAgentSpec, type AgentSpec } from "../agents/spec.ts";
import { prepareAgent } from "../agents/prepare.ts";
import type { AgentFamily } from "../agents/agent.ts";
import type { Budget } from "../agents/budget.ts";
import { resolveEvaluatorName } from "../evaluators/index.ts";
import { TERMINAL, type Game } from "../games/game.ts";
import { createGame } from "../games/index.ts";
import type { Entrant, Openings, TournamentPlan } from "./plan.ts";
import { agentFamilies, gameFamilies, resolvePluginId } from "./plugins.ts";

const entrantSchema = z.union([
  z.string().min(1),
  z.looseObject({ name: z.string().min(1).optional(), agent: z.string().min(1) }),
]);

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

/** Reads and checks a tournament file; throws InputError with all its problems. */
export async function loadTournament(path: string): Promise<TournamentPlan> {
  return planTournament(readDocument(path), { baseDir: dirname(resolve(path)), source: path });
}

/** Checks a tournament; relative paths in it are taken from `baseDir`. */
export async function planTournament(
  config: unknown,
  { baseDir, source = "" }: { baseDir: string; source?: string },
): Promise<TournamentPlan> {
  const checked = check(tournamentSchema, config, source);
  const problems: Problem[] = [];
  const at = <T>(path: readonly PropertyKey[], run: () => T): T | undefined => {
    try {
      return run();
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      problems.push(...error.problems.map((problem) => nest(path, problem)));
      return undefined;
    }
  };

  const rawSpec = typeof checked.game === "string" ? { id: checked.game } : checked.game;
  const gameSpec = { ...rawSpec, id: resolvePluginId(rawSpec.id, baseDir) };
  const gamePath = ["game"];
  const games = await load(() => gameFamilies(gameSpec.id), [...gamePath, "id"], problems);
  const isBareId = typeof checked.game === "string";
  const game = games && at(gamePath, () => createGame(isBareId ? gameSpec.id : gameSpec, games));
  const entrants = await planEntrants(checked.entrants, {
    game,
    baseDir,
    defaultBudget: checked.budget,
    problems,
    at,
  });

  const names = entrants.map(({ name }) => name);
  names.forEach((name, index) => {
    const first = names.indexOf(name);
    if (first < index) {
      problems.push({
        path: `entrants[${index}].name`,
        message: `"${name}" is already the name of entrants[${first}]; names must differ`,
      });
    }
  });
  if (checked.anchor !== undefined && !names.includes(checked.anchor.entrant)) {
    problems.push({
      path: "anchor.entrant",
      message: `"${checked.anchor.entrant}" is no entrant; allowed: ${names.join(", ")}`,
    });
  }
  if (game !== undefined && entrants.length < Math.max(2, game.players)) {
    problems.push({
      path: "entrants",
      message: `${entrants.length} given; ${game.id} needs at least ${Math.max(2, game.players)}`,
    });
  }
  const { openings } = checked;
  const planned: Openings | undefined =
    game === undefined || "randomPlies" in openings
      ? (openings as Openings)
      : {
          lines: openings.lines.map(
            (line, index) => at(["openings", "lines", index], () => parseLine(game, line)) ?? [],
          ),
        };
  if (problems.length > 0 || game === undefined) throw new InputError(problems, source);
  return {
    formatVersion: 1,
    name: checked.name,
    game: { ...game.options, id: gameSpec.id },
    gameVersion: game.version,
    players: game.players,
    seed: String(checked.seed),
    blocks: checked.blocks,
    openings: planned,
    moveTimeoutMs: checked.moveTimeoutMs,
    entrants,
    ...(checked.anchor === undefined ? {} : { anchor: checked.anchor }),
  };
}

interface EntrantContext {
  readonly game: Game | undefined;
  readonly baseDir: string;
  readonly defaultBudget: Budget;
  readonly problems: Problem[];
  readonly at: <T>(path: readonly PropertyKey[], run: () => T) => T | undefined;
}

async function planEntrants(
  given: readonly z.output<typeof entrantSchema>[],
  { game, baseDir, defaultBudget, problems, at }: EntrantContext,
): Promise<Entrant[]> {
  const entrants: Entrant[] = [];
  for (const [index, entry] of given.entries()) {
    const path = ["entrants", index];
    const parsed = at(path, () => (typeof entry === "string" ? parseAgentSpec(entry) : entry));
    if (parsed === undefined) continue;
    const { name: givenName, ...rest } = parsed as AgentSpec & { name?: string };
    const spec: AgentSpec = { ...rest, agent: resolvePluginId(rest.agent, baseDir) };
    const name = givenName ?? (typeof entry === "string" ? entry : formatAgentSpec(rest as AgentSpec));
    const families = await load(() => agentFamilies([spec.agent]), [...path, "agent"], problems);
    entrants.push({ name, spec });
    if (families === undefined || game === undefined) continue;
    const full = at(path, () => fillSpec({ game, spec, baseDir, families, defaultBudget }));
    if (full !== undefined) entrants[entrants.length - 1] = { name, spec: full };
  }
  return entrants;
}

/** The spec with its defaults and its budget filled in and its paths absolute. */
export function fillSpec(parts: {
  game: Game;
  spec: AgentSpec;
  baseDir: string;
  families?: Readonly<Record<string, AgentFamily>>;
  defaultBudget: Budget;
}): AgentSpec {
  const { game, spec, baseDir, families, defaultBudget } = parts;
  const evaluator = spec["evaluator"];
  const located =
    typeof evaluator === "string" ? { ...spec, evaluator: resolveEvaluatorName(evaluator, baseDir) } : spec;
  const prepared = prepareAgent(game, located, { ...(families ? { families } : {}), defaultBudget });
  return { agent: spec.agent, ...prepared.options, ...prepared.budget };
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

async function load<T>(
  run: () => Promise<T>,
  path: readonly PropertyKey[],
  problems: Problem[],
): Promise<T | undefined> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    problems.push({ path: formatPath(path), message: error.message });
    return undefined;
  }
}

function nest(path: readonly PropertyKey[], problem: Problem): Problem {
  const outer = formatPath(path);
  const separator = problem.path === "" || problem.path.startsWith("[") ? "" : ".";
  return { path: `${outer}${separator}${problem.path}`, message: problem.message };
}
