import { z } from "zod";
import { agentSchema } from "../../specs/agents.ts";
import { TRACE_KINDS } from "../learn/credit.ts";
import { POSITIONS } from "../learn/td.ts";
import { annealedSchema } from "../self-play/explorer.ts";

const lambda = z
  .number()
  .min(0)
  .max(1)
  .describe("0: each position learns from the estimate of the next one; 1: from the end of the game alone");
const stepSize = annealedSchema(z.number().positive()).describe("share of each error that is corrected");
const afterRandomMove = z
  .enum(["cut", "continue"])
  .default("cut")
  .describe(
    "what positions before a random move learn from the moves after it: cut, nothing; continue, as from any other move",
  );

const normalizes = z
  .boolean()
  .describe(
    "divide the step size among the active features and by the square of the output's steepest slope: where the output is steepest, a step size of 1 then corrects the whole error",
  );
const normalized = normalizes.default(false);

const coherenceSchema = z
  .union([
    z.boolean().transform((on) => (on ? ({ kind: "identity", beta: 0 } as const) : undefined)),
    z.strictObject({ kind: z.literal("identity"), beta: z.literal(0).default(0) }),
    z.strictObject({ kind: z.literal("exponential"), beta: z.number().positive().default(2.7) }),
  ])
  .optional()
  .describe("temporal coherence: each weight has a step size of its own");

/** The options that TD and TDLeaf share. */
const tdOptions = {
  lambda,
  stepSize,
  normalized,
  traces: z
    .enum(TRACE_KINDS)
    .default("accumulating")
    .describe("the trace of a feature that is active again: it grows, or it begins anew"),
  afterRandomMove,
  coherence: coherenceSchema,
};

/** Schema of the key `learner`: the rule that learns, and its options. */
export const learnerSchema = z.discriminatedUnion("rule", [
  z.strictObject({
    rule: z.literal("td").optional().default("td").describe("TD(lambda)"),
    ...tdOptions,
    updates: z
      .enum(["step", "game"])
      .default("step")
      .describe(
        "when the weights change: at every step, or when the game is over, then once for each position",
      ),
    positions: z
      .enum(POSITIONS)
      .default("all")
      .describe(
        "the positions that learn: all, those after any player's action, or for each player those after its own actions",
      ),
  }),
  z.strictObject({
    rule: z.literal("td-leaf").describe("TD(lambda) on the leaves of the principal variations of searches"),
    ...tdOptions,
    search: agentSchema.describe(
      "the agent that searches; without `evaluator`, which is the one that learns",
    ),
  }),
  z.strictObject({
    rule: z
      .literal("tree-strap")
      .describe(
        "TreeStrap: the positions of the tree of an alpha-beta search learn from their searched values",
      ),
    stepSize,
    normalized,
    coherence: coherenceSchema,
    nodes: z
      .enum(["all", "root"])
      .default("all")
      .describe("the positions that learn: all inner ones of the tree, or the root alone (RootStrap)"),
    search: agentSchema.describe(
      "alpha-beta with its budget; without `evaluator`, which is the one that learns",
    ),
  }),
  z.strictObject({
    rule: z.literal("lambda-returns").describe("for networks: learns lambda-returns in batches, with Adam"),
    lambda,
    stepSize,
    afterRandomMove,
    batch: z.int().min(1).max(65_536).default(64).describe("positions in a batch"),
    positions: z.enum(["all", "afterstates"]).default("all").describe("the positions that learn"),
    engine: z
      .enum(["plain", "tensorflow"])
      .default("plain")
      .describe("the code that computes the gradients: the program's own loops, or TensorFlow.js"),
  }),
  z.strictObject({
    rule: z
      .literal("fit")
      .describe(
        "for any evaluator: learns positions of games that were played before, in batches, with Adam",
      ),
    games: z
      .array(z.string().min(1))
      .min(1)
      .describe("folders of runs, and files of games that the game reads (.pgn, .sgf)"),
    value: z
      .enum(["result", "search", "mix"])
      .default("result")
      .describe(
        "the value of a position: the game's result, the value that the search of the player to move gave it, or their mean",
      ),
    quiet: z
      .boolean()
      .optional()
      .describe(
        "true leaves out positions in which the player to move had to react, as in check, or took a noisy action, as a capture [false]",
      ),
    validation: z
      .number()
      .min(0)
      .lt(1)
      .default(0.1)
      .describe(
        "share of the games, drawn, that are not learned from: their loss says which weights are best",
      ),
    epochs: z.int().min(1).max(100_000).describe("times that each position is learned from"),
    batch: z.int().min(1).max(65_536).default(256).describe("positions in a batch"),
    stepSize: annealedSchema(z.number().positive()).describe("step size of Adam; it changes over the epochs"),
    scale: z
      .union([z.literal("fitted"), z.number().positive()])
      .optional()
      .describe(
        "factor of the initial weights before the first epoch, or fitted: that of the lowest loss (K of Texel's tuning) [1]",
      ),
  }),
  z.strictObject({
    rule: z
      .literal("expert")
      .describe(
        "expert iteration: in rounds, an evaluator learns the values and policies that searches with it have found; networks with Adam",
      ),
    stepSize,
    policyStep: z
      .number()
      .positive()
      .optional()
      .describe("for linear evaluators and n-tuples: step size of the policy, a multiple of `stepSize` [10]"),
    normalized: normalizes.optional(),
    coherence: coherenceSchema,
    search: agentSchema.describe(
      "the agent that searches, such as mcts with priors: policy; without `evaluator`, which is the one that learns",
    ),
    rootShare: z
      .number()
      .min(0)
      .max(1)
      .default(0.75)
      .describe(
        "share of the search's value in the value that is learned; the rest is the result of the game",
      ),
    nodes: z
      .int()
      .min(1)
      .optional()
      .describe(
        "positions inside the search's tree with so many visits or more, such as 3, are learned too, from the search alone; default: none",
      ),
    proven: z
      .boolean()
      .optional()
      .describe(
        "positions inside the search's tree whose result it has proven are learned too, if those before them are; default: false",
      ),
    window: z
      .int()
      .min(1000)
      .max(2 ** 24)
      .optional()
      .describe("for networks: the last so many positions are learned from [200000]"),
    reuse: z
      .number()
      .positive()
      .max(100)
      .optional()
      .describe("for networks: times that a position is drawn from the window, on average [2]"),
    batch: z.int().min(1).max(65_536).optional().describe("for networks: positions in a batch [512]"),
  }),
]);

/** The rules by the names that papers call them. */
export const ruleNames = {
  td: "TD",
  "td-leaf": "TDLeaf",
  "tree-strap": "TreeStrap",
  "lambda-returns": "lambda-returns",
  fit: "fit",
  expert: "expert iteration",
} as const satisfies Record<z.output<typeof learnerSchema>["rule"], string>;
