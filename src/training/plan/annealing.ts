import { z } from "zod";

/** Schema of a number that may change over a training; `number` checks its ends. */
export function annealedSchema(number: z.ZodNumber) {
  return z.union([
    number,
    z
      .strictObject({
        from: number.describe("at the first game"),
        to: number.describe("at the last game"),
        shape: z
          .enum(["linear", "exponential"])
          .default("linear")
          .describe("equal differences, or equal ratios, over equal numbers of games"),
      })
      .refine(({ from, to, shape }) => shape === "linear" || (from > 0 && to > 0), {
        message: "an exponential schedule cannot reach 0; its ends must be more than 0",
      }),
  ]);
}

/** A number that stays, or goes from one to another over a training. */
export type Annealed = z.output<ReturnType<typeof annealedSchema>>;

/** The value when `share` (0 to 1) of the training is done. */
export function annealedAt(value: Annealed, share: number): number {
  if (typeof value === "number") return value;
  const { from, to, shape } = value;
  return shape === "linear" ? from + (to - from) * share : from * (to / from) ** share;
}
