/** The time over which a pace is measured, in ms. */
const WINDOW_MS = 30_000;
/** Notes closer together than this share of the time are one. */
const SHARE = 64;

/** The pace of a piece of work: how much of it was done a second, over its last half minute. */
export class Pace {
  private notes: { readonly at: number; readonly done: number }[] = [];

  /** Notes that so much was done by a time in ms. A number below the last one begins anew. */
  note(done: number, at: number): void {
    if (done < (this.notes.at(-1)?.done ?? 0)) this.notes = [];
    if (at - (this.notes.at(-2)?.at ?? -Infinity) < WINDOW_MS / SHARE) this.notes.pop();
    this.notes.push({ at, done });
    while (this.notes.length > 2 && this.notes[1]!.at < at - WINDOW_MS) this.notes.shift();
  }

  /** A second; 0 before two notes differ. */
  get perSecond(): number {
    const [first, last] = [this.notes[0], this.notes.at(-1)];
    if (first === undefined || last === undefined || last.at <= first.at) return 0;
    return (1000 * (last.done - first.done)) / (last.at - first.at);
  }

  /** The seconds that so much more will take; Infinity before there is a pace. */
  secondsFor(left: number): number {
    if (left <= 0) return 0;
    return this.perSecond > 0 ? left / this.perSecond : Infinity;
  }
}

/** A pace as a person reads it: two digits, or all before the point. */
export function formatPace(perSecond: number): string {
  return perSecond >= 100 ? perSecond.toFixed(0) : String(Number(perSecond.toPrecision(2)));
}
