import { existsSync, statSync } from "node:fs";
import { parse, stringify } from "yaml";
import { z } from "zod";
import { InputError } from "../base/errors.ts";
import { Problems, formatPath } from "../base/check.ts";
import type { AgentSpec, MakeHelpers, Strategy } from "../agents/agent.ts";
import { prepareAgent, type AgentSources, type PreparedAgent } from "../agents/prepare.ts";
import { equipForAgent, loadEvaluator } from "./evaluators.ts";
import { unsupportedByTables, type EndgameTables } from "../games/endgames/endgame-tables.ts";
import { readBook } from "./files/book-file.ts";
import { loadStrategy } from "./files/strategy-file.ts";
import { loadTables } from "./files/tables-file.ts";
import type { Game } from "../games/contract/game.ts";
import { helpersBy, type Loader } from "../players/helper-threads.ts";
import { NO_LIMIT_MS, type EngineLoader } from "../players/engine/search.ts";
import type { ChatAgent } from "../players/chat/agent.ts";
import { hashOfProgram, locateCommand } from "../players/engines.ts";
import { HostedAgent } from "../players/hosted-agent.ts";
import { PlayerFault } from "../players/player-process.ts";
import { agentFamilies, agents, type AgentFamilies } from "./families.ts";
import { loadGame } from "./games.ts";
import { isChat, isHosted, isProgram, planHosted, type Limits } from "./hosts.ts";
import { isCode, referTo, ResolvedAgent } from "./references.ts";

/** An agent as configs write it: the short form, or an object. */
export const agentSchema = z.union([z.string().min(1), z.looseObject({ agent: z.string().min(1) })], {
  error: ({ input }) => agentAsKey(input),
});

/** An entrant as configs write it: an agent that may have a name. */
export const entrantSchema = z.union(
  [z.string().min(1), z.looseObject({ name: z.string().min(1).optional(), agent: z.string().min(1) })],
  { error: ({ input }) => agentAsKey(input) },
);
type GivenAgent = z.output<typeof agentSchema>;
type GivenEntrant = z.output<typeof entrantSchema>;

/** The message for a mapping with an agent as its key, such as `greedy: { ties: first }`; undefined for other values. */
function agentAsKey(given: unknown): string | undefined {
  if (typeof given !== "object" || given === null || Object.hasOwn(given, "agent")) return undefined;
  const { name, ...rest } = given as Readonly<Record<string, unknown>>;
  const [[agent, options] = ["", null], ...others] = Object.entries(rest);
  const known = Object.hasOwn(agents, agent) || referTo("agent", agent).kind === "code";
  if (!known || others.length > 0) return undefined;
  const named = name === undefined ? {} : { name };
  const meant =
    typeof options === "string"
      ? `${agent}:${options}`
      : formatFlow({ ...named, agent, ...(options as Readonly<Record<string, unknown>> | null) });
  return `has the agent as a key; write ${meant}`;
}

/** A value in one line of YAML. */
function formatFlow(value: unknown): string {
  return stringify(value, { collectionStyle: "flow", lineWidth: 0 }).trim();
}

/** A configured agent of a tournament, as data. */
export interface Entrant {
  readonly name: string;
  /** The agent's id, its options with their defaults, and its budget. */
  readonly spec: AgentSpec;
  /** The hash of the user's code and files that the agent needs; absent if it needs none. */
  readonly code?: string | undefined;
  /** The hash of the program that it is or that runs it, if that is none of the user's files. */
  readonly program?: string | undefined;
}

/** The entrant with the hashes of all that decides and is not agon's own. */
export function withHashes(entrant: Entrant): Entrant {
  const code = new ResolvedAgent(entrant.spec).codeHash;
  return withProgram({ ...entrant, ...(code && { code }) });
}

/** The entrant with the hash of the program that is on this machine. */
export function withProgram(entrant: Entrant): Entrant {
  const program = isProgram(entrant.spec) ? hashOfProgram(entrant.spec) : undefined;
  return { ...entrant, ...(program && { program }) };
}

/**
 * Parses `alpha-beta:depth=6,evaluator=threats`; `opponent.agent=greedy` makes a nested object. What begins with a brace is YAML, as
 * `{ agent: gtp, command: [gnugo, --mode, gtp] }`. Throws InputError.
 */
export function parseAgentSpec(text: string): AgentSpec {
  if (text.trimStart().startsWith("{")) return parseFlow(text);
  const colon = text.indexOf(":");
  const agent = (colon < 0 ? text : text.slice(0, colon)).trim();
  const spec: Record<string, unknown> & { agent: string } = { agent };
  if (colon < 0) return spec;
  for (const part of text.slice(colon + 1).split(",")) {
    const [key = "", ...rest] = part.split("=");
    if (key.trim() === "" || rest.length === 0) {
      throw new InputError(
        `"${part}" in "${text}" is not key=value; write it like alpha-beta:depth=6,evaluator=threats`,
      );
    }
    const name = key.trim();
    const [outer = "", ...inner] = name.split(".");
    if (inner.length > 0 && !Object.hasOwn(spec, outer)) spec[outer] = {};
    const into = (inner.length === 0 ? spec : spec[outer]) as Record<string, unknown>;
    const last = inner.length === 0 ? outer : inner.join(".");
    if (typeof into !== "object" || Object.hasOwn(into, last))
      throw new InputError(`"${name}" is given twice in "${text}"`);
    into[last] = parseValue(rest.join("=").trim());
  }
  return spec;
}

function parseFlow(text: string): AgentSpec {
  const message = `"${text}" is no agent; write it like { agent: gtp, command: [gnugo, --mode, gtp] }`;
  let spec: unknown;
  try {
    spec = parse(text);
  } catch {
    throw new InputError(message);
  }
  const { agent } = spec as { readonly agent?: unknown };
  if (typeof agent !== "string" || agent === "") throw new InputError(message);
  return spec as AgentSpec;
}

function parseValue(text: string): unknown {
  if (text === "true") return true;
  if (text === "false") return false;
  const number = Number(text);
  return text !== "" && Number.isFinite(number) ? number : text;
}

/** Formats a spec in the short form, its keys in the given order. */
export function formatAgentSpec({ agent, ...rest }: AgentSpec): string {
  const parts = Object.entries(rest)
    .filter(([, value]) => value !== undefined)
    .flatMap(([key, value]) =>
      typeof value === "object" && value !== null && !Array.isArray(value)
        ? Object.entries(value).map(([inner, one]) => [`${key}.${inner}`, one as unknown] as const)
        : [[key, value] as const],
    )
    .map(([key, value]) => `${key}=${typeof value === "string" ? value : JSON.stringify(value)}`);
  return parts.length === 0 ? agent : `${agent}:${parts.join(",")}`;
}

/** Returns an agent of a config in the long form, with absolute paths; relative ones start at `baseDir`. */
export function locateAgent(given: GivenAgent, baseDir: string): AgentSpec {
  const spec: AgentSpec = typeof given === "string" ? parseAgentSpec(given) : given;
  const { located } = new ResolvedAgent(spec, baseDir);
  if (located["command"] === undefined || !isProgram(located)) return located;
  return { ...located, ...locateCommand({ command: spec["command"], files: spec["files"] }, baseDir) };
}

/**
 * Checks a spec with absolute paths and loads all that it names. Throws InputError, whose paths are relative to the spec.
 * @param sources.families agents that a program gave as objects
 */
export async function loadAgent(
  game: Game,
  spec: AgentSpec,
  { families, ...sources }: Pick<AgentSources, "families" | "hasClocks" | "defaultBudget"> = {},
): Promise<PreparedAgent> {
  if (spec["sandbox"] === true && referTo("agent", spec.agent).kind === "code")
    throw new InputError([
      { path: "sandbox", message: "an agent in a file is shut in by tournaments alone" },
    ]);
  const problems = new Problems();
  const known = await problems.atAsync(["agent"], async () => agentFamilies(spec.agent, families));
  const equipped = known && (await problems.atAsync(["evaluator"], async () => equipForAgent(game, spec)));
  problems.throwIfAny();
  return readAgent(equipped!, spec, { ...sources, families: known! });
}

/**
 * Checks a spec and loads its weights, tables and book without waiting. The user's code must be there already: agents in
 * `sources.families`, evaluators and feature sets in a game from `equipGame`. Throws InputError.
 */
export function readAgent(game: Game, spec: AgentSpec, sources: AgentSources = {}): PreparedAgent {
  // Threads could not load an evaluator that is given as an object.
  const helpers = sources.evaluator === undefined ? { findHelpers } : {};
  return prepareAgent(game, spec, {
    loadEvaluator,
    loadTables: tablesFor,
    loadBook: (of, path) => readBook(path, of),
    loadStrategy: readStrategy,
    ...helpers,
    ...sources,
  });
}

function findHelpers(game: Game, spec: AgentSpec): MakeHelpers {
  return helpersBy(import.meta.url, game, spec);
}

/** Makes a game and an agent in a helper's thread. @public The thread imports this module by its URL. */
export const prepareFromSpecs: Loader["prepareFromSpecs"] = async (gameSpec, spec) => {
  const game = await loadGame(gameSpec);
  // Helpers are told when to stop.
  return { game, prepared: await loadAgent(game, spec, { hasClocks: true }) };
};

/** Loads games and agents for engines, which listen while they think. Their threads import this module by its URL. */
export const engineLoader: EngineLoader = {
  url: import.meta.url,
  loadGame,
  prepareAnyBudget: async (game, spec) => loadAgent(game, spec, { defaultBudget: { timeMs: NO_LIMIT_MS } }),
};

/** Reads a strategy; throws InputError if it is not for the game. */
function readStrategy(game: Game, path: string): Strategy {
  const { sets, sums, buckets } = loadStrategy(path, game);
  if (buckets !== undefined && game.abstraction === undefined)
    throw new InputError(`merges information states, and ${game.id} has no abstraction`, path);
  const known = new Map<string, { actions: readonly number[]; probabilities: Float64Array }>();
  let from = 0;
  for (const { player, key, actions } of sets) {
    const own = sums.slice(from, (from += actions.length));
    const sum = own.reduce((total, value) => total + value, 0);
    known.set(`${player}: ${key}`, {
      actions,
      probabilities: own.map((value) => (sum > 0 ? value / sum : 1 / actions.length)),
    });
  }
  return {
    merging: buckets === undefined ? undefined : game.abstraction!.create(buckets),
    at: (player, key) => known.get(`${player}: ${key}`),
  };
}

/** The endgame tables in use, by file and game. All agents of the process share them. */
const inUse = new Map<string, WeakRef<EndgameTables>>();

/** The endgame tables of a file; throws InputError if they are not for the game. */
export function tablesFor(game: Game, path: string): EndgameTables {
  const trait = unsupportedByTables(game);
  if (trait !== undefined) throw new InputError(`there are no tables for ${game.id}, which has ${trait}`);
  const { mtimeMs, size } = statSync(path, { throwIfNoEntry: false }) ?? { mtimeMs: 0, size: 0 };
  const key = JSON.stringify([path, mtimeMs, size, game.id, game.version, game.options]);
  const known = inUse.get(key)?.deref();
  if (known !== undefined) return known;
  const tables = loadTables(path, game);
  inUse.set(key, new WeakRef(tables));
  return tables;
}

/**
 * Fills in the defaults and the budget of a spec with absolute paths, and makes its agent once if that is code of the user's.
 * Throws InputError, whose paths are relative to the spec.
 */
export async function planSpec(
  game: Game,
  spec: AgentSpec,
  { budget: defaultBudget = {}, hasClocks = false }: Limits,
  families: AgentFamilies = {},
): Promise<AgentSpec> {
  const prepared = await loadAgent(game, spec, { families, defaultBudget, hasClocks });
  if (isProgram(spec)) {
    if (!hasClocks) refusePondering(prepared);
    await tryEngine(spec.agent, prepared.create() as HostedAgent);
  } else if (isChat(spec)) (prepared.create() as ChatAgent).start();
  else if (new ResolvedAgent(spec).code.length > 0) prepared.create();
  return prepared.spec;
}

/** Throws InputError if a program without a clock is to think in its opponent's time, and has no limit of time. */
function refusePondering({ options, budget }: PreparedAgent): void {
  if (options["ponder"] !== true || budget.timeMs !== undefined) return;
  const message =
    "needs timeMs or a clock (`time`): a search limited by nodes or depth gains nothing from its opponent's time";
  throw new InputError([{ path: "ponder", message }]);
}

/** Starts a program once, so that what it cannot do is told before the first game. Throws InputError. */
async function tryEngine(name: string, agent: HostedAgent): Promise<void> {
  try {
    await agent.start(0);
  } catch (error) {
    if (!(error instanceof PlayerFault)) throw error;
    throw new InputError(`${name} cannot be started: ${error.message}`);
  } finally {
    agent.close();
  }
}

/** Numbers in place of options in an agent's spec, by the option's name. An option may be a mapping of names to numbers. */
export type Numbers = Readonly<Record<string, number | Readonly<Record<string, number>>>>;

/** The spec with other numbers. Other keys of an option that is a mapping stay as they are. */
export function withNumbers(spec: AgentSpec, numbers: Numbers): AgentSpec {
  const changed = Object.entries(numbers).map(([option, number]) => [
    option,
    typeof number === "number" ? number : { ...(spec[option] as object | undefined), ...number },
  ]);
  return { ...spec, ...Object.fromEntries(changed) } as AgentSpec;
}

/** The surroundings of the entrants in a config. */
export interface EntrantContext {
  /** Undefined if the game in the config is wrong. Then only the checks run that need no game. */
  readonly game: Game | undefined;
  readonly baseDir: string;
  readonly limits: Limits;
  /** The agents that a program gave as objects. */
  readonly agents?: AgentFamilies;
  /** The path of the entrants in the config. */
  readonly path: readonly PropertyKey[];
  readonly problems: Problems;
}

/**
 * Fills in the entrants of a config and adds what is wrong to `problems`. An entry is undefined if an earlier check
 * refused it.
 */
export async function planEntrants(
  given: readonly (GivenEntrant | undefined)[],
  context: EntrantContext,
): Promise<Entrant[]> {
  const { path, problems } = context;
  const located = given.map((entry, index) =>
    entry === undefined ? undefined : locateEntrant(entry, [...path, index], context),
  );
  const full = await planSpecs(
    located.map((entrant) => (entrant?.isWhole === true ? entrant.spec : undefined)),
    context,
  );
  const entrants = located.map((entrant, index) => ({
    name: entrant?.name ?? "",
    spec: full[index] ?? entrant?.spec ?? { agent: "" },
  }));
  const names = entrants.map(({ name }) => name);
  for (const [index, name] of names.entries()) {
    const first = names.indexOf(name);
    if (first === index || name === "") continue;
    const message = `"${name}" is already the name of ${formatPath([...path, first])}; names must differ`;
    problems.add([...path, index, "name"], message);
  }
  return entrants;
}

/** An entrant of a config in the long form, with the name that tables show. Throws InputError. */
export function nameEntrant(entry: GivenEntrant): AgentSpec & { readonly name: string } {
  const spec: AgentSpec & { name?: string } = typeof entry === "string" ? parseAgentSpec(entry) : entry;
  return { ...spec, name: spec.name ?? (typeof entry === "string" ? entry : formatAgentSpec(spec)) };
}

/** The name and the spec of an entrant, with absolute paths; it is not whole if a file of it is not there. */
function locateEntrant(
  entry: GivenEntrant,
  path: readonly PropertyKey[],
  { baseDir, problems }: EntrantContext,
): (Entrant & { isWhole: boolean }) | undefined {
  const named = problems.at(path, () => nameEntrant(entry));
  if (named === undefined) return undefined;
  const { name, ...rest } = named;
  const spec = problems.at(path, () => locateAgent(rest as AgentSpec, baseDir));
  if (spec === undefined) return undefined;
  const lost = new ResolvedAgent(spec).files.filter((file) => isCode(file) && !existsSync(file.path));
  for (const { key, path: file } of lost)
    problems.add([...path, key], `${file} cannot be loaded: it is not there`);
  return { name, spec, isWhole: lost.length === 0 };
}

/** Fills in the specs of entrants, those with code of the user's in processes of their own. */
async function planSpecs(
  specs: readonly (AgentSpec | undefined)[],
  { game, path, limits, agents = {}, problems }: EntrantContext,
): Promise<(AgentSpec | undefined)[]> {
  if (game === undefined) return [];
  const isForeign = (spec: AgentSpec) => !Object.hasOwn(agents, spec.agent) && isHosted(game, spec);
  const foreign = new Map<AgentSpec, number>();
  const full: (AgentSpec | undefined)[] = [];
  for (const [index, spec] of specs.entries()) {
    if (spec === undefined) continue;
    full[index] = await problems.atAsync([...path, index], async () => {
      if (!isForeign(spec)) return planSpec(game, spec, limits, agents);
      foreign.set(spec, index);
      return undefined;
    });
  }
  const planned = await planHosted(game.spec!, [...foreign.keys()], limits);
  for (const [at, index] of [...foreign.values()].entries()) {
    full[index] = problems.at([...path, index], () => {
      const one = planned[at]!;
      if ("spec" in one) return one.spec;
      throw new InputError(one.problems);
    });
  }
  return full;
}
