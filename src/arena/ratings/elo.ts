/** Elo of one natural unit of log strength: 10:1 odds are 400 Elo. */
export const ELO_SCALE: number = 400 / Math.LN10;

/** A value with its 95% interval, in Elo. */
export interface EloInterval {
  readonly elo: number;
  readonly low: number;
  readonly high: number;
}
