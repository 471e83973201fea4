import { z } from "zod";
import { InputError, unknownName } from "../base/errors.ts";
import { agents } from "../agents/index.ts";
import { fittingAgents } from "../agents/prepare.ts";
import { games } from "../games/index.ts";
import type { Game } from "../games/game.ts";

export interface OptionDescription {
  readonly name: string;
  readonly description: string;
  readonly default: unknown;
  /** The JSON Schema of the value. */
  readonly schema: unknown;
}

export interface GameDescription {
  readonly id: string;
  readonly summary: string;
  readonly options: readonly OptionDescription[];
  /** What follows is of the game with its default options; absent where it has none. */
  readonly traits?: Readonly<Record<string, unknown>>;
  readonly heuristics?: readonly { readonly name: string; readonly summary: string }[];
  readonly policies?: readonly { readonly name: string; readonly summary: string }[];
  readonly features?: readonly { readonly name: string; readonly summary: string; readonly size: number }[];
  readonly agents?: readonly string[];
}

export interface AgentDescription {
  readonly id: string;
  readonly summary: string;
  readonly budgets: readonly string[];
  readonly options: readonly OptionDescription[];
  /** The games, in their default forms, that it can play. */
  readonly games: readonly string[];
}

export function describeGames(only?: string): GameDescription[] {
  return select("game", Object.keys(games), only).map((id) => {
    const family = games[id]!;
    const { summary, options } = family;
    const defaults = options.safeParse({});
    const description = { id, summary, options: describeOptions(options) };
    return defaults.success
      ? { ...description, ...describeDefaultGame(family.create(defaults.data)) }
      : description;
  });
}

function describeDefaultGame(game: Game): Partial<GameDescription> {
  const {
    players,
    chance,
    hiddenInformation,
    zeroSum,
    rewardsAlongTheWay,
    minReturn,
    maxReturn,
    maxActions,
    maxPlies,
  } = game;
  return {
    traits: {
      players,
      chance,
      hiddenInformation,
      zeroSum,
      rewardsAlongTheWay,
      minReturn,
      maxReturn,
      maxActions,
      maxPlies,
    },
    heuristics: Object.entries(game.heuristics).map(([name, { summary }]) => ({ name, summary })),
    policies: Object.entries(game.policies).map(([name, { summary }]) => ({ name, summary })),
    features: Object.entries(game.featureSets).map(([name, { summary, size }]) => ({ name, summary, size })),
    agents: fittingAgents(game),
  };
}

export function describeAgents(only?: string): AgentDescription[] {
  const defaultGames = Object.values(games).flatMap((family) => {
    const defaults = family.options.safeParse({});
    return defaults.success ? [{ id: family.id, fitting: fittingAgents(family.create(defaults.data)) }] : [];
  });
  return select("agent", Object.keys(agents), only).map((id) => ({
    id,
    summary: agents[id]!.summary,
    budgets: agents[id]!.budgets,
    options: describeOptions(agents[id]!.options),
    games: defaultGames.filter(({ fitting }) => fitting.includes(id)).map((game) => game.id),
  }));
}

function select(kind: string, ids: readonly string[], only: string | undefined): readonly string[] {
  if (only === undefined) return ids;
  if (!ids.includes(only)) throw new InputError(unknownName(kind, only, ids));
  return [only];
}

function describeOptions(schema: z.ZodObject): OptionDescription[] {
  const json = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  return Object.entries(json.properties ?? {}).map(([name, value]) => {
    const {
      description = "",
      default: fallback,
      ...rest
    } = value as Record<string, unknown> & { description?: string };
    return { name, description, default: fallback, schema: rest };
  });
}

export function formatGame(game: GameDescription, full: boolean): string {
  const head = `${game.id.padEnd(18)}${game.summary}`;
  if (!full) return head;
  const traits = Object.entries(game.traits ?? {}).map(([name, value]) => `${name}: ${String(value)}`);
  return [
    head,
    ...formatOptions(game.options),
    ...section("traits", traits),
    ...section("heuristics", named(game.heuristics)),
    ...section("policies", named(game.policies)),
    ...section(
      "features",
      (game.features ?? []).map(
        ({ name, summary, size }) => `${name.padEnd(16)} ${size} features: ${summary}`,
      ),
    ),
    ...section("agents", game.agents === undefined ? [] : [game.agents.join(", ")]),
  ].join("\n");
}

export function formatAgent(agent: AgentDescription, full: boolean): string {
  const head = `${agent.id.padEnd(18)}${agent.summary}`;
  if (!full) return head;
  return [
    head,
    ...section("budget", [agent.budgets.join(", ") || "none needed"]),
    ...formatOptions(agent.options),
    ...section("games", [agent.games.join(", ")]),
  ].join("\n");
}

function named(list: readonly { readonly name: string; readonly summary: string }[] = []): string[] {
  return list.map(({ name, summary }) => `${name.padEnd(16)} ${summary}`);
}

function formatOptions(options: readonly OptionDescription[]): string[] {
  return section(
    "options",
    options.map(({ name, description, default: fallback }) => {
      const shown = fallback === undefined ? "" : ` [${JSON.stringify(fallback)}]`;
      return `${name.padEnd(16)} ${description}${shown}`;
    }),
  );
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`  ${title}`, ...lines.map((line) => `    ${line}`)];
}
