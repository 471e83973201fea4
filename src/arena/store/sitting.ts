import { z } from "zod";
import type { Played } from "../../ratings/format-results.ts";

/** A sitting: a time at which somebody played games of a run, which has several after `--resume`. */
export const sittingShape: z.ZodType<Played> = z.strictObject({
  agon: z.string(),
  commit: z.string().optional(),
  node: z.string(),
  processor: z.string(),
  begun: z.string(),
  command: z.string(),
});
