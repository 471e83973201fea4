import { z } from "zod";
import { linearModel, nTupleModel, networkModel } from "../../evaluators/models.ts";
import {
  entrantJsonSchema,
  gameJsonSchema,
  configJsonSchema,
  toJsonSchema,
  type JsonSchema,
} from "../../specs/json-schema.ts";
import { agentSchema, entrantSchema } from "../../specs/agents.ts";
import { aboutShape, nameSchema } from "../../base/about.ts";
import { gameSchema } from "../../specs/games.ts";
import type { WrittenAgent, WrittenGame } from "../../specs/families.ts";
import { MOST_ANCHOR_ELO } from "../../ratings/elo/scale.ts";
import { tupleShapes } from "../../evaluators/n-tuple.ts";
import { explorationSchema } from "../self-play/explorer.ts";
import { openingsSchema } from "../self-play/start-positions.ts";
import { learnerSchema } from "./learner-schema.ts";

/** Schema of a seed, which is a text. */
export const seedSchema = z.union([z.string(), z.number().transform(String)]);

const initialSchema = z
  .union([
    z.strictObject({
      value: z
        .number()
        .describe(
          "the estimate of every position before training, shared among its active features; a high one makes self-play try much",
        ),
    }),
    z.strictObject({
      byName: z
        .record(z.string(), z.number())
        .describe(
          "weights by the name of a feature or the beginning of its name, such as { pawn: 1, knight: 3 }",
        ),
    }),
    z.strictObject({
      file: z.string().describe("a weights file of the same evaluator; without a policy, its values alone"),
      without: z
        .array(z.string())
        .optional()
        .describe("groups of features whose weights are 0, such as king safety in chess"),
    }),
    z.strictObject({
      mean: z
        .array(z.string())
        .min(2)
        .describe(
          "weights files of the same evaluator, whose mean is taken, such as those of several seeds; not for networks",
        ),
    }),
  ])
  .optional()
  .describe("the weights before training; by default 0, in networks small random numbers");

const evaluatorSchema = z.discriminatedUnion("kind", [
  linearModel.extend({ initial: initialSchema }),
  nTupleModel.extend({
    tuples: tupleShapes,
    initial: initialSchema,
  }),
  networkModel.extend({ initial: initialSchema }),
]);

/** Each one is a file, and an entrant in the rating. */
export const MAX_CHECKPOINTS = 10_000;

const opponentsSchema = z.strictObject({
  past: z
    .number()
    .min(0)
    .max(1)
    .default(0)
    .describe(
      "share of the games in which one seat, drawn, plays with the weights of an older checkpoint, drawn",
    ),
  pool: z
    .array(
      z.looseObject({
        agent: z.string().min(1),
        share: z.number().positive().max(1).describe("share of the games in which it has one seat, drawn"),
      }),
    )
    .min(1)
    .optional()
    .describe(
      "other agents, each with its share of the games, such as { agent: greedy, evaluator: threats, share: 0.1 }",
    ),
});

const ratingSchema = z.strictObject({
  pool: z
    .array(entrantSchema)
    .min(1)
    .describe("the agents that every checkpoint plays; without `anchor`, `random` must be among them"),
  anchor: z
    .strictObject({
      entrant: z.string(),
      elo: z.number().min(-MOST_ANCHOR_ELO).max(MOST_ANCHOR_ELO).default(0),
    })
    .optional()
    .describe(
      "the agent of the pool whose Elo is fixed; the intervals are of differences from it [random at 0]",
    ),
  player: agentSchema.describe("the agent that plays with the checkpoint's weights; without `evaluator`"),
  blocks: z
    .int()
    .min(1)
    .max(1_000_000)
    .default(50)
    .describe(
      "blocks against each agent of the pool; a block is one opening, played under every seat rotation",
    ),
  openings: z
    .strictObject({ randomPlies: z.int().min(0).max(1000) })
    .default({ randomPlies: 2 })
    .describe("random plies before the agents play"),
  moveTimeoutMs: z
    .number()
    .min(100)
    .default(60_000)
    .describe("an agent that takes longer for one decision forfeits the game"),
  positions: z
    .string()
    .min(1)
    .optional()
    .describe(
      "file of test positions (docs/positions.md): the curve has the share that each checkpoint gets right",
    ),
  seed: seedSchema.default("rating").describe("every choice of the rating games descends from it"),
});

/** Schema of the part of a training file that makes several trainings of it. */
export const sweepSchema = z.strictObject({
  seeds: z
    .union([z.int().min(1).max(1000), z.array(seedSchema).min(1)])
    .default(3)
    .describe(
      "number of seeds [3], the training's with -1, -2, ... behind it, or the seeds; intervals need three at least",
    ),
  values: z
    .record(z.string().min(1), z.array(z.unknown()).min(1))
    .default({})
    .describe(
      "keys of the training, such as `learner.lambda`, each with its values: every choice of one for each is a setting",
    ),
});

/** Schema of a training file. Names of games, features and agents are checked later, by `planTraining`. */
export const trainingSchema = z.strictObject({
  name: nameSchema.describe("names the run's folder"),
  ...aboutShape,
  game: gameSchema,
  seed: seedSchema.default("agon").describe("every choice of self-play descends from it"),
  games: z
    .int()
    .min(0)
    .max(1e9)
    .optional()
    .describe("games of self-play; 0 delivers the initial weights; required, but for the rule fit"),
  round: z
    .int()
    .min(1)
    .max(1_000_000)
    .optional()
    .describe(
      "games of a round: any number of workers play them, with the weights that the round before last left; without it, weights change at every step, in one thread",
    ),
  worlds: z
    .int()
    .min(1)
    .max(10_000)
    .optional()
    .describe(
      "only in games of hidden information: worlds that a player of self-play draws for a decision [10]",
    ),
  evaluator: evaluatorSchema.describe("the evaluator that learns"),
  learner: learnerSchema.describe("the method of learning"),
  exploration: explorationSchema
    .optional()
    .describe("the moves of self-play that are not the best; required, but for the rule fit"),
  openings: openingsSchema.default({ randomPlies: 0 }).describe("the beginnings of self-play games"),
  opponents: opponentsSchema
    .optional()
    .describe(
      "opponents in self-play other than the present weights; only the moves of the present weights are learned from",
    ),
  checkpoints: z
    .union([z.int().min(1).max(MAX_CHECKPOINTS), z.strictObject({ every: z.int().min(1) })])
    .default(10)
    .describe(
      "number of checkpoints after the untrained one, or { every: games }; for the rule fit, { every: epochs }",
    ),
  average: z
    .number()
    .positive()
    .max(1)
    .optional()
    .describe(
      "checkpoints in this last part of the training, such as 0.3, have the mean of the weights since the part began",
    ),
  patience: z
    .int()
    .min(1)
    .optional()
    .describe(
      "stop when this many checkpoints in a row are weaker than the best one; then `weights.json` is the best one; for the rule fit, weaker is of higher validation loss",
    ),
  rating: ratingSchema.describe("the tournament that rates the checkpoints"),
  sweep: sweepSchema
    .optional()
    .describe("several trainings of this config, side by side: one for each setting and seed"),
});
/** The same for a training by self-play. */
export const selfPlaySchema = trainingSchema.required({ games: true, exploration: true });
type WrittenConfig = z.input<typeof trainingSchema>;
/** A training as a person writes it, or a program, which may write games and agents as objects. */
export type TrainingConfig = Omit<WrittenConfig, "game" | "rating"> & {
  game: WrittenGame;
  rating: Omit<WrittenConfig["rating"], "pool" | "player"> & { pool: WrittenAgent[]; player: WrittenAgent };
};
/** A training with its defaults filled in. The `games` of a fit are its epochs, and it does not explore. */
export type CheckedConfig = Omit<z.output<typeof selfPlaySchema>, "sweep">;

/** JSON Schema of training files, for editors. */
export function trainingJsonSchema(): JsonSchema {
  const schema = toJsonSchema(trainingSchema) as { properties: Record<string, JsonSchema> };
  const rating = schema.properties["rating"] as { properties: Record<string, JsonSchema> };
  return configJsonSchema("training", schema, {
    game: gameJsonSchema(),
    rating: {
      ...rating,
      properties: {
        ...rating.properties,
        pool: { ...rating.properties["pool"], items: entrantJsonSchema() },
      },
    },
  });
}
