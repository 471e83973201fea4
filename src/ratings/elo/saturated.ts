import { wilsonInterval } from "../positions.ts";

/** The 95% interval of a score, 0 to 1. */
export interface ScoreInterval {
  readonly low: number;
  readonly high: number;
}

/** A score further from the border than this share of the points has an Elo, however few the games are. */
const BORDER = 0.05;

/**
 * The 95% interval of a score of all points, or of none, but for less than one. The Elo of such a score depends on what
 * is assumed beforehand, so the score stands in its place. Undefined for other scores, which have an Elo.
 * @param most the points that could be won
 */
export function saturatedScore(points: number, most: number): ScoreInterval | undefined {
  const rest = Math.min(points, most - points);
  if (most === 0 || rest >= 1 || rest / most >= BORDER) return undefined;
  const [low, high] = wilsonInterval(points, most);
  return { low, high };
}
