import { z } from "zod";
import type { Game, Pass, Solving, Tactics } from "../../games/contract/game.ts";
import type { Problem } from "../../base/errors.ts";
import { threads, ties, type Preset } from "../agent.ts";
import { depthFirstOptions } from "../search/depth-first.ts";

const MOST_MEBIBYTES = 8192;

export const options = z.strictObject({
  ...depthFirstOptions,
  table: z
    .number()
    .min(0)
    .max(MOST_MEBIBYTES)
    .default(16)
    .describe("size of the transposition table in MiB; 0 for none"),
  threads,
  memory: z
    .enum(["decision", "game"])
    .default("decision")
    .describe(
      "the time for which the table and the order of actions are kept: one decision, or the whole game",
    ),
  ordering: z
    .enum(["none", "table", "history"])
    .default("history")
    .describe(
      "the actions that come first: none, the game's order; table, the table's action; history, killers, answers and history too",
    ),
  ties: ties
    .optional()
    .describe(
      "the choice among several best actions: a random one, or the first; the default is random unless ordering is none",
    ),
  solve: z
    .boolean()
    .default(false)
    .describe(
      "search to the ends of the game for the exact value, and how soon a win comes, by null windows alone",
    ),
  scout: z
    .boolean()
    .optional()
    .describe(
      "look at all actions but the first with a null window first (principal variation search); the default is true if ordering is history",
    ),
  quiescence: z
    .boolean()
    .optional()
    .describe(
      "go on along noisy actions where the depth ends; the default is true if the game has tactics and ordering is history",
    ),
  reductions: z
    .boolean()
    .optional()
    .describe(
      "search late actions less deep, and positions of an open window without an action in the table",
    ),
  extensions: z
    .boolean()
    .optional()
    .describe("search one ply deeper what forces the other player to react, such as a check"),
  nullMove: z
    .boolean()
    .optional()
    .describe("pass the turn first, less deep, and stop there if that is good enough already"),
  futility: z
    .number()
    .min(0)
    .optional()
    .describe(
      "distance from the window, for each ply left and in the game's units, from which on a position near the end of the depth is taken to stay outside; 0 for none; the default is the game's",
    ),
});

/** The algorithm of textbooks. Every option that may differ from it is off, so that each can be turned on alone. */
export const textbook: Preset = {
  summary: "the value of minimax of the same depth, by cut-offs alone",
  options: {
    deepening: false,
    ties: "first",
    table: 0,
    ordering: "none",
    scout: false,
    quiescence: false,
    reductions: false,
    extensions: false,
    nullMove: false,
    futility: 0,
  },
};

/** The options, checked. */
export type AlphaBetaOptions = z.output<typeof options>;

/** The options of a search in one game, with every default filled in. */
interface Settings {
  readonly ordering: AlphaBetaOptions["ordering"];
  readonly ties: "random" | "first";
  readonly deepening: boolean;
  readonly usesTable: boolean;
  /** True if values tell how soon a game is won. */
  readonly measures: boolean;
  readonly tactics: Tactics | null;
  readonly solving: Solving | null;
  readonly scout: boolean;
  readonly quiescence: boolean;
  readonly reductions: boolean;
  readonly extensions: boolean;
  readonly pass: Pass | null;
  readonly futility: number;
}

/** Finds further faults of the options: threads share nothing but the transposition table, so they need one. */
export function problemsOf(game: Game, { threads = 1, table }: AlphaBetaOptions): Problem[] {
  if (threads === 1 || (table > 0 && !game.rewardsAlongTheWay)) return [];
  const why = table > 0 ? `in ${game.id}, which has rewards along the way` : "where `table` is 0";
  return [{ path: "threads", message: `must be 1 ${why}: what threads find they share in the table` }];
}

/** Fills in the defaults, which the descriptions of the options tell. `solve` turns off all that is not exact. */
export function settings(options: AlphaBetaOptions, game: Game): Settings {
  const { solve } = options;
  const ordering = solve ? "history" : options.ordering;
  const remembers = ordering === "history";
  const tactics = remembers ? (game.tactics ?? null) : null;
  const isSelective = remembers && !solve;
  const byDefault = isSelective && tactics !== null;
  return {
    ordering,
    ties: options.ties ?? (ordering === "none" ? "first" : "random"),
    deepening: options.deepening && !solve,
    // With rewards along the way a value contains the rewards collected before the position, which are not in its hash.
    usesTable: options.table > 0 && !game.rewardsAlongTheWay,
    measures: ordering !== "none",
    tactics,
    solving: remembers ? (game.solving ?? null) : null,
    scout: options.scout ?? remembers,
    quiescence: byDefault && options.quiescence !== false,
    reductions: isSelective && (options.reductions ?? byDefault),
    extensions: byDefault && (options.extensions ?? tactics.extends === true),
    pass: byDefault && options.nullMove !== false ? (tactics.pass ?? null) : null,
    futility: isSelective ? (options.futility ?? tactics?.futility ?? 0) : 0,
  };
}
