/** `1 game`, `2 games`. */
export function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}

/** 0..1 as a percentage with one decimal, without its sign. */
export function formatPercent(share: number): string {
  return (100 * share).toFixed(1);
}

/** A likelihood as a percentage; values that would round to certainty become `>99.9` or `<0.1`. */
export function formatLikelihood(likelihood: number): string {
  if (likelihood >= 0.9995) return ">99.9";
  return likelihood < 0.0005 ? "<0.1" : formatPercent(likelihood);
}

/** `12 s`, `3 min 20 s`, `2 h 5 min`. */
export function formatSeconds(seconds: number): string {
  if (!Number.isFinite(seconds)) return "?";
  const whole = Math.ceil(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
}
