import { InputError } from "../base/errors.ts";
import type { AgentFamily } from "../agents/agent.ts";
import { agents } from "../agents/index.ts";
import type { GameFamily } from "../game/game.ts";
import { games } from "../games/index.ts";
import { importPlugin } from "../plugins/import-plugin.ts";
import { referTo } from "./references.ts";

/** The games that a spec may name, by id. */
export type GameFamilies = Readonly<Record<string, GameFamily>>;
/** The agents that a spec may name, by id. */
export type AgentFamilies = Readonly<Record<string, AgentFamily>>;

/** The built-in games, and the one that the file `id` exports as `game` if it is a path. */
export async function gameFamilies(id: string): Promise<GameFamilies> {
  return referTo("game", id).kind === "code" ? { ...games, [id]: await importPlugin(id, "game") } : games;
}

/** The built-in agents, and those that the files among `ids` export as `agent`. */
export async function agentFamilies(ids: readonly string[]): Promise<AgentFamilies> {
  const own = await Promise.all(
    ids
      .filter((id) => referTo("agent", id).kind === "code")
      .map(async (id) => [id, await importPlugin(id, "agent")] as const),
  );
  return { ...agents, ...Object.fromEntries(own) };
}

/*
 * A program may write a game or an agent itself into a config, what `defineGame` or `defineAgent` returned, where a
 * file would have an id. A config is data, so the object is taken out of it, and its id is left in its place.
 */

/** The games and agents that were taken out of a config, by id. They can be used in this thread only. */
export interface GivenObjects {
  readonly games: GameFamilies;
  readonly agents: AgentFamilies;
}

/** Where a program writes a game: an id or a path, the game itself, or either of them with options. */
export type WrittenGame = string | GameFamily | ({ readonly id: string | GameFamily } & Options);
/** Where a program writes an agent: a spec, the agent itself, or a spec in whose `agent` it stands. */
export type WrittenAgent = string | AgentFamily | ({ readonly agent: string | AgentFamily } & Options);
type Options = Readonly<Record<string, unknown>>;

/** Whether a config had objects in it. */
export function hasObjects(objects: GivenObjects): boolean {
  return Object.keys(objects.games).length + Object.keys(objects.agents).length > 0;
}

/** Our games and those among the objects; undefined where none is, and files are looked for. */
export function gamesOf(objects: GivenObjects | undefined): GameFamilies | undefined {
  const given = objects?.games ?? {};
  return Object.keys(given).length === 0 ? undefined : { ...games, ...given };
}

/** Takes games and agents out of a config, one place after the other. */
export class ObjectTaker {
  private readonly games = new Map<string, GameFamily>();
  private readonly agents = new Map<string, AgentFamily>();

  get objects(): GivenObjects {
    return { games: Object.fromEntries(this.games), agents: Object.fromEntries(this.agents) };
  }

  /** What stands for a game, as data; throws InputError where another game has its id. */
  game(given: unknown): unknown {
    if (isGame(given)) return this.keep("game", this.games, given);
    if (!isRecord(given) || !isGame(given["id"])) return given;
    return { ...given, id: this.keep("game", this.games, given["id"]) };
  }

  /** What stands for an agent, as data; throws InputError where another agent has its id. */
  agent(given: unknown): unknown {
    if (isAgent(given)) return this.keep("agent", this.agents, given);
    if (!isRecord(given) || !isAgent(given["agent"])) return given;
    return { ...given, agent: this.keep("agent", this.agents, given["agent"]) };
  }

  private keep<Family extends { readonly id: string }>(
    what: "game" | "agent",
    kept: Map<string, Family>,
    family: Family,
  ): string {
    const { id } = family;
    const ours: Readonly<Record<string, unknown>> = what === "game" ? games : agents;
    const known = Object.hasOwn(ours, id) ? ours[id] : kept.get(id);
    if (known === undefined) kept.set(id, family);
    else if (known !== family)
      throw new InputError(`another ${what} has the id "${id}" already; give this one an id of its own`);
    return id;
  }
}

/** Applies `take` to the part of a config under `key`, if there is one; to each entry, if it is a list. */
export function takeAt(config: unknown, key: string, take: (given: unknown) => unknown): unknown {
  if (!isRecord(config) || !Object.hasOwn(config, key)) return config;
  const given = config[key];
  return { ...config, [key]: Array.isArray(given) ? given.map(take) : take(given) };
}

function isRecord(given: unknown): given is Readonly<Record<string, unknown>> {
  return typeof given === "object" && given !== null;
}

function isFamily(given: unknown): given is Readonly<Record<string, unknown>> & { readonly id: string } {
  return isRecord(given) && typeof given["create"] === "function" && typeof given["id"] === "string";
}

function isAgent(given: unknown): given is AgentFamily {
  return isFamily(given) && typeof given["unsupported"] === "function";
}

function isGame(given: unknown): given is GameFamily {
  return isFamily(given) && !isAgent(given);
}
