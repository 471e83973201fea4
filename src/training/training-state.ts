import { z } from "zod";
import { check } from "../base/check.ts";
import { readDocument } from "../base/document.ts";

const FORMAT_VERSION = 1;

const uint32 = z.int();

const trainingStateSchema = z.strictObject({
  format: z.literal("agon-training-state"),
  formatVersion: z.literal(FORMAT_VERSION),
  /** Games, decisions and learning steps done, and milliseconds spent on them. */
  games: z.int(),
  decisions: z.int(),
  steps: z.int(),
  timeMs: z.number(),
  /** State of the generator that self-play draws from. */
  random: z.tuple([uint32, uint32, uint32, uint32]),
  /** To the last bit. */
  weights: z.array(z.number()),
});

/**
 * Where a training stands between two games: with the config, all that determines what comes next. The
 * schedules follow from the number of games, and no trace outlives its game.
 */
export type TrainingState = Omit<z.output<typeof trainingStateSchema>, "format" | "formatVersion">;

export function formatTrainingState(state: TrainingState): string {
  return `${JSON.stringify({ format: "agon-training-state", formatVersion: FORMAT_VERSION, ...state })}\n`;
}

/** Throws InputError where the file is damaged. */
export function loadTrainingState(path: string): TrainingState {
  const { format: _, formatVersion: __, ...state } = check(trainingStateSchema, readDocument(path), path);
  return state;
}
