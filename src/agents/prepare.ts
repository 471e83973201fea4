import type { z } from "zod";
import { check, Problems } from "../base/check.ts";
import { InputError } from "../base/errors.ts";
import { didYouMean, unknownName } from "../base/text.ts";
import { namedEvaluator, noEvaluator } from "../evaluators/index.ts";
import type { ForeignBook } from "../games/contract/books.ts";
import type { Book } from "../games/endgames/book.ts";
import type { EndgameTables } from "../games/endgames/endgame-tables.ts";
import { varyGame, type Evaluator, type Game, hidden } from "../games/contract/game.ts";
import {
  BUDGET_KEYS,
  budgetSchema,
  type Agent,
  type AgentFamily,
  type AgentParts,
  type AgentSpec,
  type Budget,
  type MakeHelpers,
  type Strategy,
} from "./agent.ts";
import { changedWeights, withWeights } from "./changed-weights.ts";
import { agents } from "./index.ts";
import { agentWith, gameWith, TABLES_AND_BOOK_KEYS, tablesAndBookOptions } from "./tables-and-book.ts";

/** An agent whose spec is checked for a game; `create` makes one that plays. */
export interface PreparedAgent {
  /** The spec with its defaults and its budget. */
  readonly spec: AgentSpec;
  readonly budget: Budget;
  /** The options with defaults filled in, also `tables` and `book`. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly family: AgentFamily;
  readonly parts: AgentParts<Record<string, unknown>>;
  create(): Agent;
}

/** Sources of the parts of agents, for `prepareAgent`. */
export interface AgentSources {
  readonly families?: Readonly<Record<string, AgentFamily>>;
  /** The budget of a spec that gives none, without limits that the agent does not keep. */
  readonly defaultBudget?: Budget;
  /** True if turns have clocks. Agents that share them out need no budget then. */
  readonly hasClocks?: boolean;
  /** Replaces the evaluator that the spec names. */
  readonly evaluator?: Evaluator;
  /** Finds the evaluator that a spec names; by default `namedEvaluator`, which reads no weights files. */
  readonly loadEvaluator?: (game: Game, name: string) => Evaluator;
  /** These read the endgame tables, the book and the strategy that an agent's options name, which are refused without them. */
  readonly loadTables?: (game: Game, path: string) => EndgameTables | undefined;
  readonly loadBook?: (game: Game, path: string) => Book | ForeignBook | undefined;
  readonly loadStrategy?: (game: Game, path: string) => Strategy;
  /** Finds a way to start an agent's threads; throws InputError if there is none. Absent: agents have one thread. */
  readonly findHelpers?: (game: Game, spec: AgentSpec) => MakeHelpers;
}

/**
 * Checks a spec for a game and finds its evaluator. Throws an InputError that lists every problem, with paths
 * relative to the spec.
 */
export function prepareAgent(game: Game, spec: AgentSpec, sources: AgentSources = {}): PreparedAgent {
  const { families = agents, loadEvaluator = namedEvaluator, loadStrategy = noFiles } = sources;
  const { loadTables = noFiles, loadBook = noFiles, findHelpers = noHelpers } = sources;
  /** The reader of files for the agents among the options. */
  const readers = { loadEvaluator, loadStrategy };
  const family = Object.hasOwn(families, spec.agent) ? families[spec.agent] : undefined;
  if (family === undefined) {
    const isPath = /[/\\]|\.\w+$/.test(spec.agent);
    const program = `; a program in another language is { agent: program, command: ${spec.agent} }`;
    const message = unknownName("agent", spec.agent, Object.keys(families));
    throw new InputError([{ path: "agent", message: isPath ? message + program : message }]);
  }
  const { options, budget, tablesAndBook, weights } = splitSpec(spec, family);
  const problems = new Problems();
  const trait = family.unsupported(game, options);
  if (trait !== undefined) {
    const fitting = fittingAgents(game, families).join(", ");
    problems.add(
      ["agent"],
      `${spec.agent} cannot play ${game.id}, which has ${trait}; agents that fit: ${fitting}`,
    );
  }
  const effective = Object.keys(budget).length > 0 ? budget : heeded(sources.defaultBudget ?? {}, family);
  const hasTime = sources.hasClocks === true && family.heedsClocks === true;
  const needsBudget = !hasTime && (family.needsBudget ?? family.budgets.length > 0);
  if (needsBudget && Object.keys(effective).length === 0) {
    problems.add([], `${spec.agent} needs a budget: ${family.budgets.join(", ")}`);
  }
  const name = options["evaluator"];
  const loaded =
    sources.evaluator !== undefined
      ? sources.evaluator
      : typeof name === "string"
        ? problems.at(["evaluator"], () => loadEvaluator(game, name))
        : noEvaluator;
  const evaluator =
    weights === undefined || loaded === undefined
      ? loaded
      : problems.at(["weights"], () => withWeights(game, loaded, weights));
  if (trait === undefined)
    for (const { path, message } of family.problems?.(game, options, evaluator) ?? [])
      problems.add([path], message);
  const modelled = options["opponent"];
  const opponent =
    typeof modelled === "object"
      ? problems.at(["opponent"], () =>
          prepareOpponent(game, modelled as AgentSpec, { evaluator: evaluator!, ...readers }),
        )
      : undefined;
  const inner = options["search"];
  const search =
    typeof inner === "object"
      ? problems.at(["search"], () => prepareAgent(opened(game), inner as AgentSpec, readers))
      : undefined;
  const planned = options["strategy"];
  const strategy =
    typeof planned === "string" && trait === undefined
      ? problems.at(["strategy"], () => loadStrategy(game, planned))
      : undefined;
  const wantsHelpers = agents[family.id] === family && Number(options["threads"] ?? 1) > 1;
  const makeHelpers = wantsHelpers
    ? problems.at(["threads"], () => findHelpers(game, { ...spec, ...effective }))
    : undefined;
  const { tables, book } = tablesAndBook;
  const known = {
    tables: tables === undefined ? undefined : problems.at(["tables"], () => loadTables(game, tables)),
    book: book === undefined ? undefined : problems.at(["book"], () => loadBook(game, book)),
  };
  problems.throwIfAny();
  const parts = {
    game: gameWith(game, known),
    options,
    evaluator: evaluator!,
    ...(opponent && { opponent }),
    ...(search && { search }),
    ...(strategy && { strategy }),
    ...(makeHelpers && { makeHelpers }),
  };
  const filled = { ...options, ...tablesAndBook, ...(weights && { weights }) };
  return {
    spec: { agent: spec.agent, ...filled, ...effective },
    budget: effective,
    options: filled,
    family,
    parts,
    create() {
      const agent: unknown = family.create(parts);
      if (typeof (agent as Partial<Agent> | undefined)?.choose === "function")
        return agentWith(agent as Agent, game, parts.game, known);
      throw new InputError(
        `${spec.agent}: the result of \`create\` must be an object with a function \`choose\``,
      );
    },
  };
}

/**
 * Prepares the agent that models the opponents of another one. It is a built-in agent. Its evaluator is by default the other
 * agent's evaluator. In a game of hidden information it plays the drawn world as if all were open, unless it is an agent
 * that decides by what a player knows.
 */
function prepareOpponent(
  game: Game,
  spec: AgentSpec,
  { evaluator, ...readers }: AgentSources & { readonly evaluator: Evaluator },
): PreparedAgent {
  const family = Object.hasOwn(agents, spec.agent) ? agents[spec.agent]! : undefined;
  const played = gameSeenBy(spec.agent, game);
  const hasEvaluator = family !== undefined && "evaluator" in family.options.shape;
  const prepared =
    spec["evaluator"] !== undefined || !hasEvaluator
      ? prepareAgent(played, spec, readers)
      : prepareAgent(played, { ...spec, evaluator: "none" }, { ...readers, evaluator });
  if (played.hiddenInformation && prepared.create().weigh === undefined)
    throw new InputError(
      `${spec.agent} cannot tell how likely its actions are; allowed: random, strategy, greedy`,
    );
  return prepared;
}

/** The game with nothing hidden. A drawn world of a dealt game is dealt, so that chance has no part in it. */
function opened(game: Game): Game {
  return varyGame(game, { hiddenInformation: false, chance: game.chance && !game.dealt });
}

/** The game as an agent plays it in a drawn world: with nothing hidden, unless the agent decides by what a player knows. */
export function gameSeenBy(agent: string, game: Game): Game {
  const needsAll = Object.hasOwn(agents, agent) && agents[agent]!.unsupported(game, {}) === hidden(game);
  return game.hiddenInformation && needsAll ? opened(game) : game;
}

function noFiles(): never {
  throw new InputError("files cannot be read here");
}

function noHelpers(): never {
  throw new InputError("must be 1 here: no threads can be started");
}

/** Splits a spec into options, budget, tables and book, and weights, all checked; throws InputError with every problem. */
function splitSpec({ agent, ...rest }: AgentSpec, family: AgentFamily) {
  const given = Object.entries(withPreset(rest, family));
  const problems = new Problems();
  const isBudget = (key: string) => (BUDGET_KEYS as readonly string[]).includes(key);
  const own = Object.keys(family.options.shape);
  // An agent's own option of the same name takes precedence.
  const isTablesOrBook = (key: string) => TABLES_AND_BOOK_KEYS.includes(key) && !own.includes(key);
  const isWeights = (key: string) => key === "weights" && !own.includes(key);
  const allowed = [
    ...own,
    ...family.budgets,
    ...TABLES_AND_BOOK_KEYS,
    ...(own.includes("evaluator") ? ["weights"] : []),
    ...(family.presets === undefined ? [] : ["preset"]),
  ];
  const unknown = given.map(([key]) => key).filter((key) => !allowed.includes(key));
  for (const key of unknown)
    problems.add(
      [key],
      isBudget(key)
        ? `${agent} does not heed the budget "${key}"; it heeds ${family.budgets.join(", ") || "none"}`
        : `unknown key "${key}"${didYouMean(key, allowed)}; ${agent} takes ${allowed.join(", ")}`,
    );
  const part = <Schema extends z.ZodType>(schema: Schema, isOfIt: (key: string) => boolean) => {
    const own = given.filter(([key]) => allowed.includes(key) && isOfIt(key));
    return problems.at([], () => check(schema, Object.fromEntries(own)))!;
  };
  const parts = {
    budget: part(budgetSchema, isBudget),
    options: part(family.options, (key) => !isBudget(key) && !isTablesOrBook(key) && !isWeights(key)),
    tablesAndBook: part(tablesAndBookOptions, isTablesOrBook),
    weights: part(changedWeights, isWeights)?.weights,
  };
  problems.throwIfAny();
  return parts;
}

/** Returns the options with those of the preset that they name in its place. Throws InputError for an unknown one. */
function withPreset(
  given: Readonly<Record<string, unknown>>,
  { presets }: AgentFamily,
): Readonly<Record<string, unknown>> {
  const { preset: name, ...rest } = given;
  if (presets === undefined || name === undefined) return given;
  if (typeof name === "string" && Object.hasOwn(presets, name)) return { ...presets[name]!.options, ...rest };
  const message = unknownName(
    "preset",
    typeof name === "string" ? name : JSON.stringify(name),
    Object.keys(presets),
  );
  throw new InputError([{ path: "preset", message }]);
}

/** Returns the limits of a budget that the agents of a family keep. */
function heeded(budget: Budget, family: AgentFamily): Budget {
  return Object.fromEntries(
    Object.entries(budget).filter(
      ([key, value]) => value !== undefined && family.budgets.some((name) => name === key),
    ),
  );
}

/** Returns the ids of the agents that can play a game with their default options. */
export function fittingAgents(
  game: Game,
  families: Readonly<Record<string, AgentFamily>> = agents,
): string[] {
  return Object.entries(families)
    .filter(([, family]) => {
      const { shape } = family.options;
      const required = {
        ...("evaluator" in shape && { evaluator: "none" }),
        ...("command" in shape && { command: ["program"] }),
        ...("url" in shape && { url: "http://localhost", model: "any" }),
      };
      const options = family.options.safeParse(required);
      return options.success && family.unsupported(game, options.data) === undefined;
    })
    .map(([id]) => id);
}
