import { statSync } from "node:fs";
import { z } from "zod";
import { InputError } from "../base/errors.ts";
import { formatPath } from "../base/check.ts";
import type { Problems } from "../base/problems.ts";
import type { AgentSpec, Budget, MakeHelpers } from "../agents/agent.ts";
import { prepareAgent, type AgentSources, type PreparedAgent } from "../agents/prepare.ts";
import { equipForAgents, loadEvaluator } from "./evaluators.ts";
import type { TablesAndBook, TablesAndBookOptions } from "../agents/tables-and-book.ts";
import { unsupportedByTables, type EndgameTables } from "../endgames/endgame-tables.ts";
import { loadBook } from "../files/book-file.ts";
import { loadTables } from "../files/tables-file.ts";
import type { Game } from "../game/game.ts";
import { helpersBy, type Loader } from "../players/helper-threads.ts";
import { agentFamilies, type AgentFamilies } from "./families.ts";
import { loadGame } from "./games.ts";
import { ResolvedAgent } from "./references.ts";

/** An agent as configs give it: the short form, or an object. */
export const agentSchema = z.union([z.string().min(1), z.looseObject({ agent: z.string().min(1) })]);

/** An entrant as configs give it: an agent that may have a name. */
export const entrantSchema = z.union([
  z.string().min(1),
  z.looseObject({ name: z.string().min(1).optional(), agent: z.string().min(1) }),
]);
type GivenAgent = z.output<typeof agentSchema>;
type GivenEntrant = z.output<typeof entrantSchema>;

/** One configured agent of a tournament: data, not an object. */
export interface Entrant {
  readonly name: string;
  /** Agent id, options with defaults filled in, and budget. */
  readonly spec: AgentSpec;
  /** A hash of the user's code in it, in a tournament; absent where there is none. */
  readonly code?: string | undefined;
}

/** `alpha-beta:depth=6,evaluator=threats` as data, and `opponent.agent=greedy` as an object; throws InputError. */
export function parseAgentSpec(text: string): AgentSpec {
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

function parseValue(text: string): unknown {
  if (text === "true") return true;
  if (text === "false") return false;
  const number = Number(text);
  return text !== "" && Number.isFinite(number) ? number : text;
}

/** The spec in short form, its keys in the order given. */
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

/** The long form of a config's agent; relative paths in it are taken from `baseDir`. Throws InputError. */
export function locateAgent(given: GivenAgent, baseDir: string): AgentSpec {
  const spec: AgentSpec = typeof given === "string" ? parseAgentSpec(given) : given;
  return new ResolvedAgent(spec, baseDir).located;
}

/** Checks a located spec for a game and loads what it names; throws InputError, its paths relative to the spec. */
export async function loadAgent(game: Game, spec: AgentSpec): Promise<PreparedAgent> {
  const families = await agentFamilies([spec.agent]);
  return readAgent(await equipForAgents(game, [spec]), spec, { families });
}

/**
 * As `loadAgent`, but at once: with our agents, or with the families in `sources`; reads files of weights and tables. Where a file of
 * the user's is needed for the evaluator, `game` must come from `equipGame`. Throws InputError.
 */
export function readAgent(game: Game, spec: AgentSpec, sources: AgentSources = {}): PreparedAgent {
  // Threads could not load an evaluator that is given as an object.
  const helpers = sources.evaluator === undefined ? { findHelpers } : {};
  return prepareAgent(game, spec, { loadEvaluator, loadTablesAndBook, ...helpers, ...sources });
}

function findHelpers(game: Game, spec: AgentSpec): MakeHelpers {
  return helpersBy(import.meta.url, game, spec);
}

/** @public The threads of helpers import it from this module. */
export const prepareFromSpecs: Loader["prepareFromSpecs"] = async (gameSpec, spec) => {
  const game = await loadGame(gameSpec);
  return { game, prepared: await loadAgent(game, spec) };
};

/** Reads the files that the options name; throws InputError, its paths relative to the agent's spec. */
function loadTablesAndBook(game: Game, { tables, book }: TablesAndBookOptions): TablesAndBook {
  return {
    tables: tables === undefined ? undefined : at("tables", () => tablesFor(game, tables)),
    book: book === undefined ? undefined : at("book", () => loadBook(book, game)),
  };
}

/** Tables that some agent still uses, by their file and their game: agents of one process share them. */
const inUse = new Map<string, WeakRef<EndgameTables>>();

function tablesFor(game: Game, path: string): EndgameTables {
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

/** Runs `read`; an InputError is one of the option `key`. */
function at<T>(key: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    throw new InputError(error.message.split("\n").map((message) => ({ path: key, message })));
  }
}

/** The spec with its defaults and its budget filled in; throws InputError. */
function fillSpec(game: Game, spec: AgentSpec, sources: AgentSources): AgentSpec {
  const { options, budget } = readAgent(game, spec, sources);
  return { agent: spec.agent, ...options, ...budget };
}

/** What planning the entrants of a config needs. */
export interface EntrantContext {
  /** Undefined where the config's game is wrong: then only what does not depend on it is checked. */
  readonly game: Game | undefined;
  readonly baseDir: string;
  readonly defaultBudget: Budget;
  /** Agents that a program gave as objects. */
  readonly agents?: AgentFamilies;
  /** Where in the config the entrants stand. */
  readonly path: readonly PropertyKey[];
  readonly problems: Problems;
}

/**
 * The entrants with everything filled in; what is wrong goes to `problems`. An entry that is undefined was
 * found wrong before.
 */
export async function planEntrants(
  given: readonly (GivenEntrant | undefined)[],
  context: EntrantContext,
): Promise<Entrant[]> {
  const { path, problems } = context;
  const entrants: Entrant[] = [];
  for (const [index, entry] of given.entries()) {
    const entrant = entry === undefined ? undefined : await planEntrant(entry, [...path, index], context);
    entrants.push(entrant ?? { name: "", spec: { agent: "" } });
  }
  const names = entrants.map(({ name }) => name);
  for (const [index, name] of names.entries()) {
    const first = names.indexOf(name);
    if (first === index || name === "") continue;
    const message = `"${name}" is already the name of ${formatPath([...path, first])}; names must differ`;
    problems.add([...path, index, "name"], message);
  }
  return entrants;
}

async function planEntrant(
  entry: GivenEntrant,
  path: readonly PropertyKey[],
  { game, baseDir, defaultBudget, agents = {}, problems }: EntrantContext,
): Promise<Entrant | undefined> {
  const parsed = problems.at(path, () => (typeof entry === "string" ? parseAgentSpec(entry) : entry));
  if (parsed === undefined) return undefined;
  const { name: named, ...rest } = parsed as AgentSpec & { name?: string };
  const name = named ?? (typeof entry === "string" ? entry : formatAgentSpec(rest as AgentSpec));
  const spec = locateAgent(rest as AgentSpec, baseDir);
  const known = await problems.atAsync([...path, "agent"], () => agentFamilies([spec.agent]));
  if (known === undefined || game === undefined) return { name, spec };
  const families = { ...known, ...agents };
  const equipped = await problems.atAsync([...path, "evaluator"], () => equipForAgents(game, [spec]));
  if (equipped === undefined) return { name, spec };
  const full = problems.at(path, () => fillSpec(equipped, spec, { families, defaultBudget }));
  return { name, spec: full ?? spec };
}
