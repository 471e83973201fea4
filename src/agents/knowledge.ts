import { z } from "zod";
import type { Game } from "../game/game.ts";
import { endingAtTables } from "../endgames/ending-at-tables.ts";
import type { Book } from "../endgames/book.ts";
import type { Tables } from "../endgames/tables.ts";
import type { Agent } from "./agent.ts";
import { decideByBook } from "./by-book.ts";
import { decideByTables } from "./by-tables.ts";

/** What any agent may know before it plays: options that all of them take. */
export const knowledgeOptions = z.strictObject({
  tables: z
    .string()
    .regex(/\.agon$/, "must be a file of tables, which end in .agon")
    .optional()
    .describe(
      "file made by `agon tables`: what is in it is played without an error, and searches know its results",
    ),
  book: z
    .string()
    .regex(/\.json$/, "must be an opening book, which ends in .json")
    .optional()
    .describe("file made by `agon book`: where it has moves, one of them is played, drawn by its weights"),
});
/** The options, checked: names of files. */
export type KnowledgeOptions = z.output<typeof knowledgeOptions>;
/** The names of these options. */
export const KNOWLEDGE_KEYS: readonly string[] = knowledgeOptions.keyof().options;

/** What the options name. */
export interface Knowledge {
  readonly tables?: Tables | undefined;
  readonly book?: Book | undefined;
}

/** The game as a search of the agent sees it: it ends where the agent knows the result. */
export function gameWith(game: Game, { tables }: Knowledge): Game {
  return tables === undefined ? game : endingAtTables(game, tables);
}

/**
 * The agent, which decides only where what it knows does not.
 * @param ending the game as `gameWith` made it
 */
export function agentWith(agent: Agent, game: Game, ending: Game, { tables, book }: Knowledge): Agent {
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
    newGame: () => agent.newGame?.(),
  };
}
