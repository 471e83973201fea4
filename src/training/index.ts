import { z } from "zod";
import { check } from "../base/check.ts";
import { readDocument } from "../specs/files.ts";

export { formatCurveTable } from "./curve.ts";
export { trainFromConfig, type TrainingRequest } from "./train.ts";
export type { TrainingProgress, TrainingResult } from "./training.ts";

/** The name that a training file gives itself, for its folder; the rest is checked when it trains. */
export function trainingName(path: string): string {
  return check(z.looseObject({ name: z.string() }), readDocument(path), path).name;
}
