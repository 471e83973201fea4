import { performance } from "node:perf_hooks";
import { Pace } from "../../base/pace.ts";
import type { GameRecord, GameScore } from "../../ratings/record.ts";
import { MeanScores } from "../../ratings/score.ts";
import type { SprtReport } from "../../ratings/sprt/sequential-test.ts";
import type { TournamentPlan } from "../plan/plan.ts";
import type { Store } from "../store/store.ts";
import type { Players } from "./worker-pool.ts";

const MAX_TASK_GAMES = 2000;
/** The most games that are given out at a time: they take memory, here and in a queue. */
const MAX_GAMES_OUT = 200_000;
/** The least time that a game is assumed to take, in ms. */
const LEAST_GAME_MS = 0.02;

/** The number of leading entrants that progress names. */
const LEADERS = 3;

/** The progress of a tournament. */
export interface RunProgress {
  readonly done: number;
  /** The number of games, at least and at most. The two differ only in formats that decide it on the way. */
  readonly least: number;
  readonly total: number;
  readonly gamesPerSecond: number;
  /** Seconds until `total` games are done; Infinity before the first game is done. */
  readonly secondsLeft: number;
  /** The entrants with the best mean scores so far, at most three, best first; in games of one player scores are returns. */
  readonly leaders: readonly { readonly name: string; readonly score: number }[];
  readonly forfeits: number;
  /** The sequential test that the tournament is. */
  readonly sprt?: SprtReport | undefined;
}

/** Scores and pace of a tournament while it runs. */
export class Standings {
  /** The number of games played now, without those that were stored before. */
  played = 0;
  private least: number;
  most: number;
  private done: number;
  private readonly plan: TournamentPlan;
  /** From the first games that came back, without the workers' start. */
  private readonly pace = new Pace();
  private readonly scores: MeanScores;
  private forfeits = 0;
  private thoughtMs = 0;

  constructor(plan: TournamentPlan, store: Store, { least, most }: { least: number; most: number }) {
    this.plan = plan;
    this.done = store.size;
    this.least = least;
    this.most = most;
    this.scores = new MeanScores(plan.entrants.length);
    for (const score of store.scores()) this.count(score);
  }

  add(records: readonly GameRecord[]): void {
    for (const record of records) this.count(record);
    this.done += records.length;
    this.played += records.length;
    this.pace.note(this.played, performance.now());
    for (const { timeMs } of records) for (const time of timeMs) this.thoughtMs += time;
  }

  /** Notes that there are no more games. */
  end(): void {
    this.least = this.most = this.done;
  }

  /** The number of games for the next task, from a round of which `left` games are not stored. */
  taskSize({ tasks, taskMs }: Players, left: number): number {
    const share = Math.ceil(Math.min(left, this.most - this.done) / (Math.max(1, tasks) * 2));
    const fair = Math.max(1, share);
    if (this.played === 0 || taskMs === 0) return Math.min(fair, this.plan.players);
    const gameMs = Math.max(this.thoughtMs / this.played, LEAST_GAME_MS);
    const size = Math.min(fair, MAX_TASK_GAMES, MAX_GAMES_OUT / Math.max(1, tasks), taskMs / gameMs);
    return Math.max(1, Math.floor(size));
  }

  progress(): RunProgress {
    const { done, least, most: total, forfeits } = this;
    const { perSecond: gamesPerSecond } = this.pace;
    const secondsLeft = this.pace.secondsFor(total - done);
    const leaders = this.scores.leaders(LEADERS).map(({ entrant, mean }) => {
      return { name: this.plan.entrants[entrant]!.name, score: mean };
    });
    return { done, least, total, gamesPerSecond, secondsLeft, leaders, forfeits };
  }

  private count(score: GameScore): void {
    if (score.forfeitSeat >= 0) this.forfeits++;
    this.scores.add(score);
  }
}
