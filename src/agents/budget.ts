import { z } from "zod";

/** What an agent may spend on one decision; the first limit that is reached stops it. */
export const budgetSchema = z.strictObject({
  depth: z.int().min(1).optional().describe("plies searched; a chance event is not a ply"),
  nodes: z.int().min(1).optional().describe("positions visited; simulations for mcts"),
  simulations: z.int().min(1).optional().describe("playouts"),
  timeMs: z
    .number()
    .positive()
    .optional()
    .describe("milliseconds; the only limit that makes play depend on the machine"),
});

export type Budget = Readonly<z.output<typeof budgetSchema>>;
export type BudgetKey = keyof Budget;
export const BUDGET_KEYS: readonly BudgetKey[] = budgetSchema.keyof().options;
