import type { RankedEntrant } from "./report.ts";

/** Elo as a whole number. */
export function formatElo(elo: number): string {
  return whole(elo);
}

/** `35`, or `+820 -410` where the two sides of the interval differ. */
export function formatMargin({ elo, low, high }: Pick<RankedEntrant, "elo" | "low" | "high">): string {
  const up = Math.round(high - elo);
  const down = Math.round(elo - low);
  return Math.abs(up - down) <= 1 ? String(up) : `+${up} -${down}`;
}

export function formatSigned(elo: number): string {
  return Math.round(elo) > 0 ? `+${whole(elo)}` : whole(elo);
}

/** 0..1 as a percentage with one decimal. */
export function formatPercent(share: number): string {
  return (100 * share).toFixed(1);
}

/** A probability as a percentage; what would round to certainty is `>99.9` or `<0.1`. */
export function formatProbability(probability: number): string {
  if (probability > 0.9995) return ">99.9";
  return probability < 0.0005 ? "<0.1" : formatPercent(probability);
}

/** Three significant digits below 100, whole numbers from there on. */
export function formatMean(mean: number): string {
  if (mean === 0) return "0";
  const size = Math.abs(mean);
  if (size >= 100) return whole(mean);
  return mean.toFixed(size < 1 ? 3 : size < 10 ? 2 : 1);
}

/** Rounded, and never `-0`. */
function whole(value: number): string {
  return String(Math.round(value) + 0);
}
