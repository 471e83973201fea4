import { z } from "zod";
import { budgetSchema } from "../../agents/agent.ts";
import { MOST_ANCHOR_ELO } from "../../ratings/elo/scale.ts";
import { DEFAULT_HOSTS } from "../../players/hosted-agent.ts";
import { entrantSchema } from "../../specs/agents.ts";
import { gameSchema } from "../../specs/games.ts";
import {
  entrantJsonSchema,
  gameJsonSchema,
  configJsonSchema,
  toJsonSchema,
  type JsonSchema,
} from "../../specs/json-schema.ts";
import { adaptiveSchema } from "../formats/adaptive.ts";
import { DEFAULT_ROUND } from "../formats/format.ts";
import { comparisonSchema } from "../formats/comparison.ts";
import { sprtSchema } from "../formats/sprt.ts";
import { DEFAULT_MEMORY_MB } from "../play/worker-fork.ts";
import { adjudicationSchema } from "./adjudication.ts";
import { MAX_BLOCKS, MAX_PAIRINGS, MAX_RANDOM_PLIES } from "./plan.ts";
import { aboutShape, nameSchema } from "../../base/about.ts";
import { timeSchema } from "./time-control.ts";

/** The longest decision without a time control, in ms. */
export const DEFAULT_TIMEOUT_MS = 60_000;

/** The shape of a tournament file. Games, agents and their options are checked after it. */
export const tournamentSchema = z.strictObject({
  name: nameSchema.describe("names the run's folder"),
  ...aboutShape,
  game: gameSchema,
  seed: z.union([z.string(), z.number()]).default("agon").describe("every random choice descends from it"),
  blocks: z
    .int()
    .min(1)
    .max(MAX_BLOCKS)
    .describe("blocks for each pairing; a block is one opening played under every seat rotation"),
  format: z
    .union([
      z.enum(["round-robin", "knockout"]),
      z.discriminatedUnion("type", [
        z.strictObject({ type: z.literal("round-robin") }),
        z.strictObject({
          type: z.literal("sample"),
          pairings: z
            .int()
            .min(1)
            .max(MAX_PAIRINGS)
            .describe(
              "draw this many of the sets of entrants that could meet; every entrant is in as many as any other, or one more",
            ),
        }),
        z.strictObject({
          type: z.literal("gauntlet"),
          challengers: z
            .array(z.string())
            .min(1)
            .describe(
              "names of entrants; each meets all others but the challengers, who do not meet each other",
            ),
        }),
        z.strictObject({
          type: z.literal("swiss"),
          rounds: z.int().min(1).describe("rounds; in each, entrants with about as many points meet"),
        }),
        z.strictObject({
          type: z.literal("knockout"),
          thirdPlace: z
            .boolean()
            .optional()
            .describe("true if the losers of the semi-finals play for the third place [false]"),
        }),
        sprtSchema,
        comparisonSchema,
        adaptiveSchema,
      ]),
    ])
    .optional()
    .describe("the pairings [round-robin: every set of as many entrants as the game has players]"),
  round: z
    .int()
    .min(1)
    .max(MAX_BLOCKS)
    .optional()
    .describe(
      `blocks of a round, in formats that decide round by round (sprt, comparison, adaptive); results depend on it, and never on the number of workers [${DEFAULT_ROUND}]`,
    ),
  openings: z
    .union([
      z.strictObject({
        randomPlies: z
          .int()
          .min(0)
          .max(MAX_RANDOM_PLIES)
          .describe("random plies before the agents take over"),
      }),
      z.strictObject({
        lines: z.array(z.string()).min(1).describe("actions, separated by blanks, in the game's notation"),
      }),
      z.strictObject({
        starts: z
          .literal(true)
          .describe(
            "true: the positions that the game may begin at by its rules, such as the 960 of Chess960, shuffled",
          ),
      }),
      z.strictObject({
        file: z
          .string()
          .describe(
            "openings: a file of games that the game reads (.pgn, .sgf), a PolyGlot book of chess (.bin), a list of positions (.epd, .fen), else one line of moves an opening",
          ),
        order: z
          .enum(["sequential", "random"])
          .default("sequential")
          .describe(
            "sequential: each pairing begins with the first opening; random: the openings are shuffled, and each pairing begins at a place of its own",
          ),
        plies: z
          .int()
          .min(1)
          .max(MAX_RANDOM_PLIES)
          .optional()
          .describe("the plies that are taken of each opening [all]"),
        strict: z
          .boolean()
          .default(false)
          .describe(
            "true: games and lines that cannot be read refuse the file; they are left out otherwise, and named",
          ),
      }),
    ])
    .default({ randomPlies: 0 })
    .describe("the plies before the agents take over"),
  budget: budgetSchema.default({}).describe("limits of entrants that name none"),
  time: timeSchema
    .optional()
    .describe(
      "the clocks of the players, in seconds: { main, increment } and so on, or short as 10+0.1, 40/60, 60+5x10, 0.5/move",
    ),
  adjudicate: adjudicationSchema
    .optional()
    .describe("the ends of games before their end, by what the agents report; they are part of a game's id"),
  moveTimeoutMs: z
    .number()
    .min(100)
    .optional()
    .describe(
      `an agent that takes longer for one decision forfeits the game [${DEFAULT_TIMEOUT_MS}; with \`time\` that and ten times the main time]`,
    ),
  memoryMb: z
    .int()
    .min(256)
    .optional()
    .describe(
      `megabytes that the process of a worker may take; an agent that takes more forfeits the game [${DEFAULT_MEMORY_MB}]`,
    ),
  maxCost: z
    .number()
    .positive()
    .optional()
    .describe(
      "the most that the answers of chat models may cost together, by their prices; then the run ends, and can go on",
    ),
  hosts: z
    .int()
    .min(1)
    .max(1000)
    .optional()
    .describe(
      `processes of players that a worker keeps, besides those of the game at hand; the one used longest ago ends first [${DEFAULT_HOSTS}]`,
    ),
  affinity: z
    .boolean()
    .default(false)
    .describe(
      "true: each worker has a core of its own, with all players that decide in its games; on Linux, by taskset",
    ),
  thoughts: z
    .boolean()
    .default(true)
    .describe("true if stored games keep the agents' thoughts: values, depths, nodes, times, lines"),
  anchor: z
    .strictObject({ entrant: z.string(), elo: z.number().min(-MOST_ANCHOR_ELO).max(MOST_ANCHOR_ELO) })
    .optional()
    .describe("the entrant whose rating is fixed; without it the mean is 0"),
  luck: z
    .string()
    .optional()
    .describe(
      "a heuristic of the game or a weights file; the report takes luck out of mean returns by it, in games with chance",
    ),
  rankBy: z
    .enum(["elo", "return", "adjusted-return"])
    .optional()
    .describe(
      "the figure that orders the table; `adjusted-return` is the mean return without `luck` " +
        "[elo; the mean return in games whose returns do not sum to zero]",
    ),
  entrants: z
    .array(entrantSchema)
    .min(1)
    .describe(
      "the agents, each in short form or as a mapping, which may have a `name`, and a `time` in place of that of all; `./bots/*/` enters each folder with a bot in it, `./bots/*.py` each file",
    ),
});

/** A tournament file whose shape is checked, with the defaults of the schema filled in. */
export type CheckedTournament = z.output<typeof tournamentSchema>;

/** JSON Schema of tournament files, and of suites, for editors: every game and agent with its options. */
export function tournamentJsonSchema(): JsonSchema {
  const schema = toJsonSchema(tournamentSchema) as {
    properties: Record<string, JsonSchema>;
    required: readonly string[];
  };
  const game = { $ref: "#/$defs/game" };
  const ownTime = {
    ...(schema.properties["time"] as object),
    description: "its clock, in place of `time` of all",
  };
  return configJsonSchema(
    "tournament",
    schema,
    {
      game: { ...game, description: "the game: its id, or { id, options... }" },
      games: {
        type: "array",
        minItems: 1,
        description:
          "in place of `game`: several games, each a tournament of its own; { game, name, entrants: { NAME: { options of that entrant in this game } }, and keys that are others for it }",
        items: {
          anyOf: [
            game,
            {
              type: "object",
              required: ["game"],
              properties: { game, name: { type: "string" }, entrants: { type: "object" } },
            },
          ],
        },
      },
      entrants: {
        description: schema.properties["entrants"]!["description"],
        anyOf: [
          { type: "array", minItems: 1, items: entrantJsonSchema({ time: ownTime }) },
          { type: "string", description: "folders or files of bots: ./bots/*/" },
        ],
      },
    },
    {
      required: schema.required.filter((key) => key !== "game"),
      $defs: { game: gameJsonSchema() },
    },
  );
}
