import { describeOptions, type OptionDescription } from "../base/check.ts";
import { InputError } from "../base/errors.ts";
import { unknownName } from "../base/text.ts";
import type { Preset } from "../agents/agent.ts";
import { tablesAndBookOptions } from "../agents/tables-and-book.ts";
import { fittingAgents } from "../agents/prepare.ts";
import { entriesOf, tuplesOfSet } from "../evaluators/n-tuple.ts";
import { games } from "../games/index.ts";
import type { Game, GameFamily } from "../games/contract/game.ts";
import { loadGame } from "./games.ts";
import { agentFamilies, gameFamilies, agents } from "./families.ts";
import { referTo } from "./references.ts";

/** The description of a game for `agon games`. */
export interface GameDescription {
  readonly id: string;
  readonly summary: string;
  readonly options: readonly OptionDescription[];
  /** The game with its default options, as are the members below; absent if an option has no default. */
  readonly traits?: Readonly<Record<string, unknown>>;
  readonly heuristics?: readonly { readonly name: string; readonly summary: string }[];
  readonly policies?: readonly { readonly name: string; readonly summary: string }[];
  readonly features?: readonly { readonly name: string; readonly summary: string; readonly size: number }[];
  /** The board that n-tuple networks read; absent if the game has none. */
  readonly tupleBoard?: {
    readonly cells: number;
    readonly digits: number;
    readonly symmetries: number;
    /** The sets of tuples that configs may name; `entries` are those of all their tables. */
    readonly sets: readonly {
      readonly name: string;
      readonly summary: string;
      readonly tuples: number;
      readonly entries: number;
    }[];
  };
  readonly agents?: readonly string[];
}

/** The description of an agent for `agon agents`. */
export interface AgentDescription {
  readonly id: string;
  readonly summary: string;
  readonly budgets: readonly string[];
  readonly options: readonly OptionDescription[];
  readonly presets?: Readonly<Record<string, Preset>>;
  /** The ids of the games that it can play with their default options. */
  readonly games: readonly string[];
}

/** Describes all games, or the one that `only` names: an id, or the path of a file. Throws InputError for an unknown one. */
export async function describeGames(only?: string): Promise<GameDescription[]> {
  if (only === undefined || referTo("game", only).kind === "built-in") {
    return select("game", Object.keys(games), only).map((id) => describeGame(games[id]!));
  }
  const family = (await gameFamilies(only))[only]!;
  // Loading checks the game.
  if (family.options.safeParse({}).success) await loadGame(only);
  return [describeGame(family)];
}

function describeGame(family: GameFamily): GameDescription {
  const { id, summary, options } = family;
  const defaults = options.safeParse({});
  const description = { id, summary, options: describeOptions(options) };
  return defaults.success
    ? { ...description, ...describeDefaultGame(family.create(defaults.data)) }
    : description;
}

const TRAITS = [
  "players",
  "teams",
  "chance",
  "dealt",
  "hiddenInformation",
  "zeroSum",
  "rewardsAlongTheWay",
  "minReturn",
  "maxReturn",
  "maxActions",
  "maxPlies",
] as const satisfies readonly (keyof Game)[];

function describeDefaultGame(game: Game): Partial<GameDescription> {
  const { tupleBoard: board } = game;
  return {
    traits: Object.fromEntries(
      TRAITS.map((trait) => [trait, game[trait]]).filter(([, value]) => value !== undefined),
    ),
    heuristics: Object.entries(game.heuristics).map(([name, { summary }]) => ({ name, summary })),
    policies: Object.entries(game.policies).map(([name, { summary }]) => ({ name, summary })),
    features: Object.entries(game.featureSets).map(([name, { summary, size }]) => ({ name, summary, size })),
    ...(board && {
      tupleBoard: {
        cells: board.cells,
        digits: board.digits,
        symmetries: board.symmetries.length,
        sets: Object.entries(board.tupleSets ?? {}).map(([name, set]) => {
          const tuples = tuplesOfSet(board, set);
          const entries = entriesOf(board, tuples);
          return { name, summary: set.summary, tuples: tuples.length, entries };
        }),
      },
    }),
    agents: fittingAgents(game, agents),
  };
}

/** Describes all agents, or the one that `only` names: an id, or the path of a file. Throws InputError for an unknown one. */
export async function describeAgents(only?: string): Promise<AgentDescription[]> {
  const known = only === undefined ? agents : await agentFamilies(only);
  const defaultGames = Object.values(games).flatMap((family) => {
    const defaults = family.options.safeParse({});
    if (!defaults.success) return [];
    return [{ id: family.id, fitting: fittingAgents(family.create(defaults.data), known) }];
  });
  return select("agent", Object.keys(known), only).map((name) => {
    const { id, summary, budgets, options, presets } = known[name]!;
    return {
      id,
      summary,
      budgets,
      options: [...describeOptions(options), ...describeOptions(tablesAndBookOptions)],
      ...(presets && { presets }),
      games: defaultGames.filter(({ fitting }) => fitting.includes(name)).map((game) => game.id),
    };
  });
}

function select(kind: string, ids: readonly string[], only: string | undefined): readonly string[] {
  if (only === undefined) return ids;
  if (!ids.includes(only)) throw new InputError(unknownName(kind, only, ids));
  return [only];
}
