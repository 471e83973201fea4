import { z } from "zod";
import { linearModel, nTupleModel, networkModel } from "../../evaluators/models.ts";
import { agentSchema, entrantSchema } from "../../specs/agents.ts";
import { gameSchema } from "../../specs/games.ts";
import { tupleShapes } from "../../evaluators/tuple-shapes.ts";
import { annealedSchema } from "./annealing.ts";
import { POSITIONS } from "../learn/td.ts";
import { TRACE_KINDS } from "../learn/traces.ts";

const seedSchema = z.union([z.string(), z.number().transform(String)]);

const initialSchema = z
  .union([
    z.strictObject({
      value: z.number().describe("the untrained estimate, high for optimism: shared among active features"),
    }),
    z.strictObject({
      byName: z
        .record(z.string(), z.number())
        .describe("weights by the features' names, or how these begin, such as { pawn: 1, knight: 3 }"),
    }),
    z.strictObject({ file: z.string().describe("a weights file of the same evaluator") }),
  ])
  .optional()
  .describe("weights to begin with; zeros, or small random ones in networks, where it is absent");

const evaluatorSchema = z.discriminatedUnion("kind", [
  linearModel.extend({ initial: initialSchema }),
  nTupleModel.extend({
    tuples: tupleShapes,
    initial: initialSchema,
  }),
  networkModel.extend({ initial: initialSchema }),
]);

const lambda = z
  .number()
  .min(0)
  .max(1)
  .describe("0: each position learns from the next; 1: from the end of the game alone");
const stepSize = annealedSchema(z.number().positive()).describe("share of each error that is corrected");
const afterRandomMove = z
  .enum(["cut", "continue"])
  .default("cut")
  .describe("whether positions before a random move learn from what came after it");

const coherenceSchema = z
  .union([
    z.boolean().transform((on) => (on ? ({ kind: "identity", beta: 0 } as const) : undefined)),
    z.strictObject({ kind: z.literal("identity"), beta: z.literal(0).default(0) }),
    z.strictObject({ kind: z.literal("exponential"), beta: z.number().positive().default(2.7) }),
  ])
  .optional()
  .describe("temporal coherence: each weight has a rate of its own");

/** What TD and TDLeaf have in common. */
const tdOptions = {
  lambda,
  stepSize,
  normalized: z
    .boolean()
    .default(false)
    .describe(
      "share the step size among the active features, so that it is the share of the error corrected",
    ),
  traces: z
    .enum(TRACE_KINDS)
    .default("accumulating")
    .describe("whether the trace of a feature that is active again is added to or set anew"),
  afterRandomMove,
  coherence: coherenceSchema,
};

const learnerSchema = z.discriminatedUnion("rule", [
  z.strictObject({
    rule: z.literal("td").optional().default("td").describe("TD(lambda)"),
    ...tdOptions,
    updates: z
      .enum(["step", "game"])
      .default("step")
      .describe("when the weights change; `game`: each position once, when the game is over"),
    positions: z
      .enum(POSITIONS)
      .default("all")
      .describe("which positions learn: all, those after any player's action, or after one's own"),
  }),
  z.strictObject({
    rule: z.literal("td-leaf").describe("TD(lambda) on the leaves of the principal lines of searches"),
    ...tdOptions,
    search: agentSchema.describe("the agent that searches, without its evaluator"),
  }),
  z.strictObject({
    rule: z.literal("lambda-returns").describe("networks: lambda-returns in batches, by Adam"),
    lambda,
    stepSize,
    afterRandomMove,
    batch: z.int().min(1).default(64).describe("positions in a batch"),
    positions: z.enum(["all", "afterstates"]).default("all").describe("which positions learn"),
    engine: z
      .enum(["plain", "tensorflow"])
      .default("plain")
      .describe("what computes the gradients: the program's own loops, or TensorFlow.js"),
  }),
]);

const explorationSchema = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("epsilon-greedy").optional().default("epsilon-greedy"),
    epsilon: annealedSchema(z.number().min(0).max(1)).describe("probability of a random move"),
  }),
  z.strictObject({
    kind: z.literal("softmax"),
    temperature: annealedSchema(z.number().positive()).describe(
      "each action has probability proportional to exp(value / temperature)",
    ),
  }),
]);

const randomPlies = z.int().min(0);

const openingsSchema = z.strictObject({
  randomPlies: z
    .union([randomPlies, z.strictObject({ from: randomPlies, to: randomPlies })])
    .default(0)
    .describe("random plies before learning begins: a number, or any number from ... to ..."),
  states: z
    .union([z.string(), z.array(z.string()).min(1)])
    .optional()
    .describe("positions to begin from, any of them: a list, or a file with one a line"),
});

const ratingSchema = z.strictObject({
  pool: z
    .array(entrantSchema)
    .min(1)
    .describe("the agents that every checkpoint plays; `random` is among them and has Elo 0"),
  player: agentSchema.describe("the agent that plays with the checkpoint's weights, without its evaluator"),
  blocks: z
    .int()
    .min(1)
    .default(50)
    .describe("blocks against each of the pool; a block is one opening under every seat rotation"),
  openings: z.strictObject({ randomPlies }).default({ randomPlies: 2 }),
  moveTimeoutMs: z
    .number()
    .min(100)
    .default(60_000)
    .describe("an agent that takes longer for one decision forfeits the game"),
  seed: seedSchema.default("rating").describe("every choice of the rating games descends from it"),
});

/** The shape of a training file; names of games, features and agents are checked after it. */
export const trainingSchema = z.strictObject({
  name: z
    .string()
    .regex(/^[\w.-]+$/, "must consist of letters, digits, - _ and .")
    .describe("names the run's folder"),
  game: gameSchema,
  seed: seedSchema.default("agon").describe("every choice of self-play descends from it"),
  games: z.int().min(1).describe("games of self-play"),
  workers: z
    .int()
    .min(1)
    .default(1)
    .describe("threads that learn into the same weights; with more than one no two trainings are alike"),
  evaluator: evaluatorSchema,
  learner: learnerSchema,
  exploration: explorationSchema,
  openings: openingsSchema.default({ randomPlies: 0 }),
  checkpoints: z
    .union([z.int().min(1), z.strictObject({ every: z.int().min(1) })])
    .default(10)
    .describe("how many besides the untrained one, or { every: games }"),
  patience: z
    .int()
    .min(1)
    .optional()
    .describe(
      "stop when this many checkpoints in a row are weaker than the best one; then `weights.json` is the best one",
    ),
  rating: ratingSchema,
});
export type TrainingConfig = z.input<typeof trainingSchema>;
export type CheckedConfig = z.output<typeof trainingSchema>;
