import { z } from "zod";
import type { Game } from "../games/game.ts";
import { endingAtTables } from "../tables/ending-at-tables.ts";
import type { Tables } from "../tables/tables.ts";
import type { Agent } from "./agent.ts";
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
});
/** The options, checked: names of files. */
export type KnowledgeOptions = z.output<typeof knowledgeOptions>;
/** The names of these options. */
export const KNOWLEDGE_KEYS: readonly string[] = knowledgeOptions.keyof().options;

/** What the options name. */
export interface Knowledge {
  readonly tables?: Tables | undefined;
}

/** The game as a search of the agent sees it: it ends where the agent knows the result. */
export function gameWith(game: Game, { tables }: Knowledge): Game {
  return tables === undefined ? game : endingAtTables(game, tables);
}

/**
 * The agent, which decides only where what it knows does not.
 * @param ending the game as `gameWith` made it
 */
export function agentWith(agent: Agent, game: Game, ending: Game, { tables }: Knowledge): Agent {
  if (tables === undefined) return agent;
  return {
    choose(root, turn) {
      const decision = decideByTables(game, tables, root, turn);
      if (decision !== undefined) return decision;
      const view = ending.start();
      view.copyFrom(root);
      return agent.choose(view, turn);
    },
    newGame: () => agent.newGame?.(),
  };
}
