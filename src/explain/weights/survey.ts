import type { FeatureSet } from "../../games/contract/game.ts";

/** A weight and the name of its feature. */
export interface NamedWeight {
  readonly name: string;
  /** Counted from 1. */
  readonly stage: number;
  /** The number of the feature in its set. */
  readonly feature: number;
  readonly weight: number;
}

/** Figures of the weights of one stage of the game. */
export interface StageSurvey {
  /** Counted from 1. */
  readonly stage: number;
  /** The number of weights. */
  readonly weights: number;
  readonly nonZero: number;
  /** The number of weights that are NaN or infinite; the other figures leave them out. */
  readonly notFinite: number;
  /** Taken over the weights that are not zero; 0 if all are zero. */
  readonly rootMeanSquare: number;
}

/** Figures of the weights of some stages, and the largest of all these weights. */
interface Survey {
  readonly stages: readonly StageSurvey[];
  /** The largest weights above zero, largest first. */
  readonly positive: readonly NamedWeight[];
  /** The weights furthest below zero, lowest first. */
  readonly negative: readonly NamedWeight[];
}

/**
 * Surveys every weight of `stages`, whose numbers count from 1.
 * @param weights of all stages, one after the other
 * @param top the number of listed weights, the largest above zero and as many below zero
 * @param match only features whose names contain this text are listed
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
    // There may be millions of weights: only a large one is given its name.
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
      feature: item % size,
      weight: sign * score,
    }));
  return {
    stages: stages.map(look),
    positive: named(positive, 1),
    negative: named(negative, -1),
  };
}

/**
 * Keeps the `capacity` items with the highest scores; among equal scores it keeps the lower items. It is a heap whose
 * first element is the worst kept item.
 */
export class Largest {
  /** The least score that is kept is above this. It begins with the `floor`, and rises once the list is full. */
  least: number;
  private readonly capacity: number;
  private readonly scores: number[] = [];
  private readonly items: number[] = [];

  constructor(capacity: number, floor: number) {
    this.capacity = capacity;
    this.least = floor;
  }

  /** Items must be offered in ascending order. */
  offer(score: number, item: number): void {
    if (!(score > this.least)) return;
    const { scores, items, capacity } = this;
    if (scores.length < capacity) {
      scores.push(score);
      items.push(item);
      this.rise(scores.length - 1);
    } else {
      scores[0] = score;
      items[0] = item;
      this.sink();
    }
    if (scores.length === capacity) this.least = scores[0]!;
  }

  /** Returns the kept items, highest score first. */
  sorted(): { readonly score: number; readonly item: number }[] {
    return this.scores
      .map((score, at) => ({ score, item: this.items[at]! }))
      .toSorted((a, b) => b.score - a.score || a.item - b.item);
  }

  private rise(from: number): void {
    for (let at = from; at > 0;) {
      const parent = (at - 1) >> 1;
      if (!this.isWorse(at, parent)) return;
      this.swap(at, parent);
      at = parent;
    }
  }

  private sink(): void {
    for (let at = 0; ;) {
      const left = 2 * at + 1;
      let worst = at;
      for (let child = left; child < Math.min(left + 2, this.scores.length); child++)
        if (this.isWorse(child, worst)) worst = child;
      if (worst === at) return;
      this.swap(at, worst);
      at = worst;
    }
  }

  private isWorse(a: number, b: number): boolean {
    const { scores, items } = this;
    return scores[a]! < scores[b]! || (scores[a]! === scores[b]! && items[a]! > items[b]!);
  }

  private swap(a: number, b: number): void {
    const { scores, items } = this;
    [scores[a], scores[b]] = [scores[b]!, scores[a]!];
    [items[a], items[b]] = [items[b]!, items[a]!];
  }
}
