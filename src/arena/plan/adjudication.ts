import { z } from "zod";
import { TABLES_NAME } from "../../agents/tables-and-book.ts";
import type { Problems } from "../../base/check.ts";
import type { EndgameTables } from "../../games/endgames/endgame-tables.ts";
import type { Game } from "../../games/contract/game.ts";
import { tablesFor } from "../../specs/agents.ts";
import { locateName } from "../../specs/references.ts";

/** The rules by which a tournament ends games before their end, as configs write them and plans freeze them. */
export const adjudicationSchema = z.strictObject({
  maxPlies: z
    .int()
    .min(1)
    .optional()
    .describe("plies, those of the opening included, after which a game ends: a draw in zero-sum games"),
  resign: z
    .strictObject({
      value: z
        .number()
        .positive()
        .describe("a player resigns whose values are at most the negative of this, in the game's units"),
      plies: z.int().min(1).max(1000).describe("in so many decisions of its own in a row"),
      both: z
        .boolean()
        .default(true)
        .describe("true if the other player's last values, as many, must be at least `value`"),
    })
    .optional()
    .describe("two-player zero-sum games: the end of a game that a player has given up"),
  draw: z
    .strictObject({
      value: z.number().min(0).describe("the most that a value may be from zero, in the game's units"),
      plies: z.int().min(1).max(10_000).describe("in so many decisions of the game in a row"),
      from: z.int().min(0).default(0).describe("decisions up to this ply of the game do not count"),
    })
    .optional()
    .describe("two-player zero-sum games: the end of a game that all players find equal"),
  tables: z
    .string()
    .regex(TABLES_NAME, "must be a file of tables, which end in .agon")
    .optional()
    .describe("file made by `agon tables`: a game ends in a position whose result is there"),
  perfect: z
    .int()
    .min(1)
    .optional()
    .describe(
      "the plies after which a game ends with the result of perfect play, in games without chance that have the policy `perfect`",
    ),
});

/** The rules of adjudication, checked. */
export type Adjudication = Readonly<z.output<typeof adjudicationSchema>>;

/** Loads the endgame tables of the rules; throws InputError. */
export function loadAdjudicationTables(
  game: Game,
  rules: Adjudication | undefined,
  dir: string,
): EndgameTables | undefined {
  return rules?.tables === undefined ? undefined : tablesFor(game, locateName("tables", rules.tables, dir));
}

/**
 * Checks that the rules fit the game, and that no opening is over at once. Mistakes go to `problems`.
 * @param of.openingPlies the plies of the longest opening
 */
export function checkAdjudication(
  rules: Adjudication,
  {
    game,
    baseDir,
    openingPlies,
    problems,
  }: { game: Game; baseDir: string; openingPlies: number; problems: Problems },
): void {
  const { maxPlies, resign, draw, tables, perfect } = rules;
  const path = ["adjudicate"];
  if ([maxPlies, resign, draw, tables, perfect].every((rule) => rule === undefined))
    problems.add(path, "has no rule; allowed: maxPlies, resign, draw, tables, perfect");
  problems.at([...path, "tables"], () => loadAdjudicationTables(game, rules, baseDir));
  for (const [key, rule] of Object.entries({ resign, draw })) {
    if (rule === undefined) continue;
    if (game.players !== 2 || !game.zeroSum) {
      const traits =
        game.players !== 2 ? `${game.players} player${game.players === 1 ? "" : "s"}` : "other returns";
      problems.add([...path, key], `needs two players whose returns sum to zero; ${game.id} has ${traits}`);
    } else if (rule.value > game.maxReturn) {
      problems.add(
        [...path, key, "value"],
        `must be at most ${game.maxReturn}, the highest return of ${game.id}`,
      );
    }
  }
  if (perfect !== undefined && (game.chance || game.policies["perfect"] === undefined))
    problems.add(
      [...path, "perfect"],
      `needs a game without chance that has the policy perfect, such as connect-four; ${game.id} has ${game.chance ? "chance" : "none"}`,
    );
  for (const [key, plies] of Object.entries({ maxPlies, perfect }))
    if (plies !== undefined && plies <= openingPlies)
      problems.add([...path, key], `must be more than ${openingPlies}, the plies of the longest opening`);
}
