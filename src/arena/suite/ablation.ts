import { z } from "zod";
import { BUDGET_KEYS, budgetSchema } from "../../agents/agent.ts";
import { check, Problems } from "../../base/check.ts";
import { planDocument, type Source } from "../../specs/files/documents.ts";
import { agentSchema, nameEntrant } from "../../specs/agents.ts";
import { gameSchema } from "../../specs/games.ts";
import {
  entrantJsonSchema,
  gameJsonSchema,
  configJsonSchema,
  toJsonSchema,
  type JsonSchema,
} from "../../specs/json-schema.ts";
import type { Note } from "../plan/config.ts";
import { MAX_BLOCKS } from "../plan/plan.ts";
import { tournamentSchema } from "../plan/tournament-schema.ts";
import { changedGameSchema, gameOf, labelGames, planDrafts, type Draft, type Suite } from "./config.ts";

/** The name of the agent with nothing changed. */
const BASE = "base";

const MARGIN = 20;
const BLOCKS = 500;

/** The keys of a tournament that an ablation has as well. */
const shared = tournamentSchema.pick({
  name: true,
  seed: true,
  round: true,
  openings: true,
  adjudicate: true,
  moveTimeoutMs: true,
  memoryMb: true,
  hosts: true,
});

/** The shape of an ablation's file. Games, agent and options are checked after it. */
const ablationSchema = shared.extend({
  agent: agentSchema.describe("the agent with nothing changed; it plays against each of its variants"),
  vary: z
    .record(z.string(), z.array(z.unknown()).min(1))
    .refine((vary) => Object.keys(vary).length > 0, "must name at least one option")
    .describe("options of the agent, each with the values that are tried; a variant has one option changed"),
  games: z
    .array(z.union([changedGameSchema.extend({ agent: z.looseObject({}).optional() }), gameSchema]))
    .min(1)
    .describe(
      "the games; { game, name, agent: { options of the agent in this game }, and keys that are others for it }",
    ),
  budgets: z
    .array(budgetSchema)
    .min(1)
    .default([{}])
    .describe(
      "the limits of a decision, the same for all; each game is played with each of them [the agent's own]",
    ),
  margin: z
    .number()
    .min(0)
    .max(1000)
    .default(MARGIN)
    .describe(
      "Elo: a pairing is over when one is stronger for sure, or both differ by less than this for sure",
    ),
  blocks: z.int().min(1).max(MAX_BLOCKS).default(BLOCKS).describe("the most blocks of a pairing"),
});

/** True if a document is an ablation, which varies an agent. */
export function isAblation(document: unknown): boolean {
  return typeof document === "object" && document !== null && Object.hasOwn(document, "vary");
}

/** Reads and checks an ablation's file; throws InputError with all its problems. */
export async function loadAblation(path: string, options: { note?: Note } = {}): Promise<Suite> {
  return planDocument(path, (document, from) => planAblation(document, { ...from, ...options }));
}

/**
 * Checks an ablation. It is a suite of comparisons: one for each game and budget, of the agent with all its variants. Throws
 * InputError with all problems.
 * @internal tests have no files
 */
export async function planAblation(config: unknown, from: Source & { note?: Note }): Promise<Suite> {
  const {
    name,
    agent,
    vary,
    games: written,
    budgets,
    margin,
    ...rest
  } = check(ablationSchema, config, from.source);
  const problems = new Problems();
  const named = problems.at(["agent"], () => nameEntrant(agent));
  const games = written.map(gameOf);
  const gameLabels = labelGames(games, problems);
  const budgetLabels = budgets.map((budget) =>
    BUDGET_KEYS.flatMap((key) => (budget[key] === undefined ? [] : [`${key}-${budget[key]}`])).join("-"),
  );
  for (const [at, label] of budgetLabels.entries())
    if (budgetLabels.indexOf(label) < at) problems.add(["budgets", at], "is there already");
  for (const [at, { entrants }] of games.entries())
    if (entrants !== undefined)
      problems.add(["games", at, "entrants"], "is for tournaments; changes for this game stand in `agent`");
  problems.throwIfAny(from.source);
  const variants = Object.entries(vary).flatMap(([option, values]) =>
    values.map((value) => ({ name: `${option}=${formatValue(value)}`, [option]: value })),
  );
  const drafts = games.flatMap(({ agent: own, ...changes }, at) =>
    budgets.map((budget, index): Draft => {
      const spec = { ...named!, ...(own as object | undefined) };
      return {
        label: [gameLabels[at]!, budgetLabels[index]!].filter((part) => part !== "").join("-"),
        at,
        config: {
          ...rest,
          format: { type: "comparison", margin },
          budget,
          ...changes,
          entrants: [{ ...spec, name: BASE }, ...variants.map((variant) => ({ ...spec, ...variant }))],
        },
      };
    }),
  );
  return { name, tournaments: await planDrafts(name, drafts, from) };
}

function formatValue(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** JSON Schema of ablation files, for editors. */
export function ablationJsonSchema(): JsonSchema {
  const schema = toJsonSchema(ablationSchema) as { properties: Record<string, JsonSchema> };
  return configJsonSchema("ablation", schema, {
    games: {
      ...schema.properties["games"],
      items: {
        anyOf: [
          gameJsonSchema(),
          {
            type: "object",
            required: ["game"],
            properties: { game: gameJsonSchema(), name: { type: "string" }, agent: { type: "object" } },
          },
        ],
      },
    },
    agent: { description: "the agent with nothing changed", ...entrantJsonSchema() },
  });
}
