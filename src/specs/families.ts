import { InputError } from "../base/errors.ts";
import type { AgentFamily } from "../agents/agent.ts";
import { agents as agentsHere } from "../agents/index.ts";
import { chat } from "../players/chat/agent.ts";
import { engines } from "../players/engines.ts";
import type { GameFamily } from "../games/contract/game.ts";
import { games } from "../games/index.ts";
import { importPlugin } from "./plugins/import-plugin.ts";
import { referTo } from "./references.ts";

/** The games that a spec may name, by id. */
export type GameFamilies = Readonly<Record<string, GameFamily>>;
/** The agents that a spec may name, by id. */
export type AgentFamilies = Readonly<Record<string, AgentFamily>>;

/** The agents that ship: those that decide in this thread, those that are programs, and those that ask a server. */
export const agents: AgentFamilies = { ...agentsHere, ...engines, chat };

/** Returns the built-in games; if `id` is a path, the game of that file alone. */
export async function gameFamilies(id: string): Promise<GameFamilies> {
  return referTo("game", id).kind === "code" ? { [id]: await importPlugin(id, "game") } : games;
}

/** Returns the built-in agents, the agent of the file `id` if that is a path, and those that a program gave as objects. */
export async function agentFamilies(id: string, given: AgentFamilies = {}): Promise<AgentFamilies> {
  const own = referTo("agent", id).kind === "code" ? { [id]: await importPlugin(id, "agent") } : {};
  return { ...agents, ...own, ...given };
}

/*
 * A program may write a game or an agent into a config as an object: the value of `defineGame` or `defineAgent`. The
 * checks of configs need data, so ObjectTaker takes the objects out and leaves their ids in their places.
 */

/** The games and agents that a program gave as objects, by id. Only this thread can use them. */
export interface GivenObjects {
  readonly games: GameFamilies;
  readonly agents: AgentFamilies;
}

/** A game as a program may write it: an id, a path or an object, with or without options. */
export type WrittenGame = string | GameFamily | ({ readonly id: string | GameFamily } & Options);
/** An agent as a program may write it: a spec, an object, or a spec whose `agent` is an object. */
export type WrittenAgent = string | AgentFamily | ({ readonly agent: string | AgentFamily } & Options);
type Options = Readonly<Record<string, unknown>>;

/** The objects of a config without any. */
export const NO_OBJECTS: GivenObjects = { games: {}, agents: {} };

/** True if a config contained objects. */
export function hasObjects(objects: GivenObjects): boolean {
  return Object.keys(objects.games).length + Object.keys(objects.agents).length > 0;
}

/** Takes games and agents out of a config and remembers them. */
export class ObjectTaker {
  private readonly games = new Map<string, GameFamily>();
  private readonly agents = new Map<string, AgentFamily>();

  get objects(): GivenObjects {
    return { games: Object.fromEntries(this.games), agents: Object.fromEntries(this.agents) };
  }

  /** Returns a game of a config as data; throws InputError if another game has the same id. */
  game(given: unknown): unknown {
    if (isGame(given)) return this.keep("game", this.games, given);
    if (!isRecord(given) || !isGame(given["id"])) return given;
    return { ...given, id: this.keep("game", this.games, given["id"]) };
  }

  /** Returns an agent of a config as data; throws InputError if another agent has the same id. */
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

/** Applies `take` to the value under `key`, or to each entry if that is a list. Does nothing if the key is absent. */
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
