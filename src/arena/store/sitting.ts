import { z } from "zod";
import type { Played } from "../../ratings/format-results.ts";

/** A time at which somebody played games of a run: a run has several after `--resume`. */
export type Sitting = Played;

export const sittingShape: z.ZodType<Sitting> = z.strictObject({
  agon: z.string(),
  commit: z.string().optional(),
  node: z.string(),
  processor: z.string(),
  begun: z.string(),
  command: z.string(),
});
