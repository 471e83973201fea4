import { z } from "zod";
import type { Game, State } from "../games/contract/game.ts";
import { endingAtTables } from "../games/endgames/ending-at-tables.ts";
import { bookActions, type Book } from "../games/endgames/book.ts";
import type { EndgameTables } from "../games/endgames/endgame-tables.ts";
import type { Agent, Decision, Turn } from "./agent.ts";
import { decideByTables } from "./by-endgame-tables.ts";

/** Names of files of endgame tables. */
export const TABLES_NAME = /\.agon$/;
/** Names of files of opening books. */
export const BOOK_NAME = /\.json$/;

/** The options of every agent that name its endgame tables and its opening book. */
export const tablesAndBookOptions = z.strictObject({
  tables: z
    .string()
    .regex(TABLES_NAME, "must be a file of tables, which end in .agon")
    .optional()
    .describe(
      "file made by `agon tables`: what is in it is played without an error, and searches know its results",
    ),
  book: z
    .string()
    .regex(BOOK_NAME, "must be an opening book, which ends in .json")
    .optional()
    .describe("file made by `agon book`: where it has moves, one of them is played, drawn by its weights"),
});
/** The options, checked: names of files. */
export type TablesAndBookOptions = z.output<typeof tablesAndBookOptions>;
/** The names of these options. */
export const TABLES_AND_BOOK_KEYS: readonly string[] = tablesAndBookOptions.keyof().options;

/** The endgame tables and the opening book of an agent, loaded. */
export interface TablesAndBook {
  readonly tables?: EndgameTables | undefined;
  readonly book?: Book | undefined;
}

/** Returns the game as the agent's search sees it: it ends where endgame tables know the result. */
export function gameWith(game: Game, { tables }: TablesAndBook): Game {
  return tables === undefined ? game : endingAtTables(game, tables);
}

/**
 * Returns an agent that plays by the book, else by the endgame tables, else as `agent` decides.
 * @param ending the game as `gameWith` made it
 */
export function agentWith(agent: Agent, game: Game, ending: Game, { tables, book }: TablesAndBook): Agent {
  if (tables === undefined && book === undefined) return agent;
  return {
    choose(root, turn) {
      const decision =
        (book && decideByBook(game, book, root, turn)) ??
        (tables && decideByTables(game, tables, root, turn));
      if (decision !== undefined) return decision;
      const view = ending.start();
      view.copyFrom(root);
      return agent.choose(view, turn);
    },
    isHosted: agent.isHosted ?? false,
    newGame: (begun) => agent.newGame?.(begun),
    endGame: (returns, actions, from) => agent.endGame?.(returns, actions, from),
    close: () => agent.close?.(),
  };
}

/**
 * Draws a move of the book by the weights; undefined where the book has none. The same generator draws the same move.
 */
function decideByBook(game: Game, book: Book, state: State, { random }: Turn): Decision | undefined {
  const moves = bookActions(game, book, state);
  if (moves.length === 0) return undefined;
  const sum = moves.reduce((all, { weight }) => all + weight, 0);
  const odds = Float64Array.from(moves, ({ weight }) => weight / sum);
  const { action } = moves[random.weighted(odds, 0, moves.length)]!;
  return { action, nodes: 0, line: [action] };
}
