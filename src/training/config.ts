import { z } from "zod";
import { TRACE_KINDS } from "./traces.ts";
import { OUTPUTS } from "../evaluators/linear.ts";
import { scheduleSchema } from "./schedule.ts";

const evaluatorSchema = z.strictObject({
  kind: z.literal("linear").default("linear").describe("a weighted sum of features"),
  features: z.string().describe("a feature set of the game"),
  output: z.enum(OUTPUTS).default("tanh").describe("how the sum becomes a return"),
});

const learnerSchema = z.strictObject({
  rule: z.literal("td").default("td").describe("TD(lambda)"),
  lambda: z
    .number()
    .min(0)
    .max(1)
    .describe("0: each position learns from the next; 1: from the end of the game alone"),
  stepSize: scheduleSchema(z.number().positive()).describe("share of each error that is corrected"),
  traces: z
    .enum(TRACE_KINDS)
    .default("accumulating")
    .describe("whether the trace of a feature that is active again is added to or set anew"),
  afterRandomMove: z
    .enum(["cut", "continue"])
    .default("cut")
    .describe("whether positions before a random move learn from what came after it"),
  updates: z.enum(["step", "game"]).default("step").describe("when the weights change"),
});

const explorationSchema = z.strictObject({
  kind: z.literal("epsilon-greedy").default("epsilon-greedy"),
  epsilon: scheduleSchema(z.number().min(0).max(1)).describe("probability of a random move"),
});

const seedSchema = z.union([z.string(), z.number().transform(String)]);

const randomPlies = z.int().min(0);

const openingsSchema = z.strictObject({
  randomPlies: z
    .union([randomPlies, z.strictObject({ from: randomPlies, to: randomPlies })])
    .describe("random plies before learning begins: a number, or any number from ... to ..."),
});

const agent = z.string().min(1);
const agentSchema = z.union([agent, z.looseObject({ agent })]);
const entrantSchema = z.union([agent, z.looseObject({ name: z.string().min(1).optional(), agent })]);

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
  seed: seedSchema.default("rating").describe("every choice of the rating games descends from it"),
});

/** The shape of a training file; names of games, features and agents are checked after it. */
export const trainingSchema = z.strictObject({
  name: z
    .string()
    .regex(/^[\w.-]+$/, "must consist of letters, digits, - _ and .")
    .describe("names the run's folder"),
  game: z
    .union([z.string(), z.looseObject({ id: z.string() })])
    .describe("a game's id, or { id, options... }"),
  seed: seedSchema.default("agon").describe("every choice of self-play descends from it"),
  games: z.int().min(1).describe("games of self-play"),
  evaluator: evaluatorSchema,
  learner: learnerSchema,
  exploration: explorationSchema,
  openings: openingsSchema.default({ randomPlies: 0 }),
  checkpoints: z
    .union([z.int().min(1), z.strictObject({ every: z.int().min(1) })])
    .default(10)
    .describe("how many besides the untrained one, or { every: games }"),
  rating: ratingSchema,
});
export type TrainingConfig = z.input<typeof trainingSchema>;
export type CheckedConfig = z.output<typeof trainingSchema>;
