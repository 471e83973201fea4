import type { FeatureSet } from "../../games/game.ts";
import { Largest } from "./largest.ts";

/** A weight with its feature's name. */
export interface NamedWeight {
  readonly name: string;
  /** From 1. */
  readonly stage: number;
  readonly weight: number;
}

/** The weights of one stage of the game. */
export interface StageSurvey {
  /** From 1. */
  readonly stage: number;
  readonly weights: number;
  readonly nonZero: number;
  /** NaN or infinite; they are counted nowhere else. */
  readonly notFinite: number;
  /** Of those that are not zero; 0 where all are. */
  readonly rootMeanSquare: number;
}

export interface Survey {
  readonly stages: readonly StageSurvey[];
  /** The largest weights above zero, largest first. */
  readonly positive: readonly NamedWeight[];
  /** The furthest below zero, furthest first. */
  readonly negative: readonly NamedWeight[];
}

/**
 * Looks once at every weight of these stages (from 1), which lie one after the other.
 * @param top how many of the largest weights are listed, above zero and below each
 * @param match a text that the listed features' names contain
 */
export function surveyWeights(
  weights: Float32Array,
  features: FeatureSet,
  { stages, top, match }: { stages: readonly number[]; top: number; match?: string | undefined },
): Survey {
  const { size } = features;
  const positive = new Largest(top, 0);
  const negative = new Largest(top, 0);
  const offer = (list: Largest, weight: number, at: number) => {
    // Names are made for what would be listed alone: there may be millions.
    if (match === undefined || features.describe(at % size).includes(match)) list.offer(weight, at);
  };
  const look = (stage: number): StageSurvey => {
    let nonZero = 0;
    let notFinite = 0;
    let squares = 0;
    const end = stage * size;
    for (let at = end - size; at < end; at++) {
      const weight = weights[at];
      if (weight === 0) continue;
      if (!Number.isFinite(weight)) {
        notFinite++;
        continue;
      }
      nonZero++;
      squares += weight * weight;
      if (weight > positive.least) offer(positive, weight, at);
      else if (0 - weight > negative.least) offer(negative, 0 - weight, at);
    }
    const rootMeanSquare = nonZero === 0 ? 0 : Math.sqrt(squares / nonZero);
    return { stage, weights: size, nonZero, notFinite, rootMeanSquare };
  };
  const named = (list: Largest, sign: number) =>
    list.sorted().map(({ score, item }) => ({
      name: features.describe(item % size),
      stage: Math.floor(item / size) + 1,
      weight: sign * score,
    }));
  return {
    stages: stages.map(look),
    positive: named(positive, 1),
    negative: named(negative, -1),
  };
}
