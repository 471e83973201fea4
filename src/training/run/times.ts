import { Pace } from "../../base/pace.ts";
import type { CurvePoint } from "../curve/curve.ts";

/** The least time of self-play between two savings of the state. */
const SAVE_MS = 10_000;
/** The least time between two savings, in durations of the last one: the arrays may be large. */
const SAVE_SHARE = 30;

/** The progress of a training. */
export interface TrainingProgress {
  readonly phase: "training" | "rating";
  /** The unit of the counts: a fit has epochs in place of games. */
  readonly unit: "games" | "epochs";
  readonly gamesDone: number;
  readonly gamesTotal: number;
  /** Games of self-play a second. */
  readonly gamesPerSecond: number;
  /** Estimated; includes the ratings still to come, once one is done. Infinity while unknown. */
  readonly secondsLeft: number;
  readonly latest: CurvePoint | undefined;
}

/** The times of a training: of self-play, of ratings and of savings. */
export class TrainingTimes {
  /** Time of self-play and learning, in ms, that before a resume included. */
  playMs: number;
  private readonly clock: () => number;
  /** Where the training stood at the start or the resume. */
  private readonly start: { readonly games: number; readonly timeMs: number };
  private readonly pace = new Pace();
  private ratingMs = 0;
  private ratings = 0;
  private savedAt: number;
  private savingMs = 0;

  constructor(clock: () => number, start: { readonly games: number; readonly timeMs: number }) {
    this.clock = clock;
    this.start = start;
    this.playMs = start.timeMs;
    this.pace.note(start.games, start.timeMs);
    this.savedAt = clock();
  }

  /** Time of self-play and learning since the start or the resume, in ms. */
  get recentMs(): number {
    return this.playMs - this.start.timeMs;
  }

  get isTimeToSave(): boolean {
    return this.clock() - this.savedAt > Math.max(SAVE_MS, SAVE_SHARE * this.savingMs);
  }

  /** Measures a saving of the state. */
  save(save: () => void): void {
    const begun = this.clock();
    save();
    this.savedAt = this.clock();
    this.savingMs = this.savedAt - begun;
  }

  /** Measures the rating of a checkpoint; one that was stopped counts for nothing. */
  async rate(rate: () => Promise<boolean>): Promise<boolean> {
    const begun = this.clock();
    if (!(await rate())) return false;
    this.ratingMs += this.clock() - begun;
    this.ratings++;
    return true;
  }

  /** The pace so far, and the time left for `games` games and `ratings` ratings. */
  estimate(
    done: number,
    left: { readonly games: number; readonly ratings: number },
  ): Pick<TrainingProgress, "gamesPerSecond" | "secondsLeft"> {
    this.pace.note(done, this.playMs);
    const ratingSeconds = this.ratings > 0 ? this.ratingMs / this.ratings / 1000 : 0;
    const secondsLeft = this.pace.secondsFor(left.games) + left.ratings * ratingSeconds;
    return { gamesPerSecond: this.pace.perSecond, secondsLeft };
  }
}
