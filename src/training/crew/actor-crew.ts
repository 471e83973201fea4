import { setTimeout as sleep } from "node:timers/promises";
import { InputError } from "../../base/errors.ts";
import { createRandom, type Random } from "../../base/random.ts";
import type { TrainingPlan } from "../plan/plan.ts";
import { MoveReader } from "../self-play/moves.ts";
import { Replay } from "../self-play/written-play.ts";
import type { Apprentice } from "./apprentice.ts";
import { NEVER_STALE, type Crew, type SelfPlayCounts, type Staleness } from "./crew.ts";
import { seederOf, startsOf, stepSizeAt } from "./game-setting.ts";

/** Games for an actor: those numbered `from` to `from + count - 1`, with weights that were published. */
export interface ActorJob {
  readonly weights: string;
  readonly from: number;
  readonly count: number;
}

/** What became of a job. */
export type ActorResult =
  /** The moves of its games, who played them, and how long that took. */
  | { readonly moves: Uint8Array; readonly worker: string; readonly timeMs: number }
  /** Its games are to be given out again, with weights that are published again. */
  | { readonly lost: string };

/** Who plays games of self-play elsewhere. */
export interface Actors {
  /** How many jobs they can take at once; it may change. */
  readonly jobs: number;
  /** How long the games of one job should take, in ms; 0: one game. */
  readonly jobMs: number;
  /** Has the weights, after `games` games, where actors find them; returns their name. */
  publish(weights: Float32Array, games: number): Promise<string>;
  /** Throws InputError where no actor can play the games. */
  play(job: ActorJob): Promise<ActorResult>;
  close(): Promise<void>;
}

/** Makes actors; `run` is the id that the training's folder keeps. */
export type OpenActors = (training: { plan: TrainingPlan; run: string }) => Promise<Actors>;

/** The time between two calls of `tick`. */
const TICK_MS = 100;
/** Weights are published again after so many times what it took: they are as new as a tenth of the learner's time makes them. */
const PUBLISH_SHARE = 10;
/** This share of a training's games may be at play at once; games whose weights are twice as old are played again. */
const AT_PLAY_SHARE = 0.01;
const LEAST_AT_PLAY = 8;
const MAX_JOB_GAMES = 2000;
/** So many jobs lost in a row are no accident. */
const MAX_LOST = 50;

/** Throws InputError for a training that cannot learn from games that actors play. */
export function checkActors({ config }: TrainingPlan): void {
  if (config.learner.rule === "td-leaf")
    throw new InputError(
      "learner.rule: td-leaf learns from the leaves of searches by the present weights, which actors on other machines do not have; actors play for td and lambda-returns",
    );
}

/** A crew of one learner, in this thread, and actors elsewhere. */
export function actorCrew(plan: TrainingPlan, setup: ActorCrewSetup): Crew {
  return new ActorCrew(plan, setup);
}

interface ActorCrewSetup {
  readonly apprentice: Apprentice;
  readonly actors: Actors;
  readonly clock: () => number;
}

interface Range {
  readonly from: number;
  readonly count: number;
}

/** Weights that actors play with: those after `games` games. */
interface Version {
  readonly name: string;
  readonly games: number;
  readonly publishedAt: number;
  readonly tookMs: number;
}

interface Arrival {
  readonly range: Range;
  readonly version: Version;
  readonly result: ActorResult;
}

/**
 * The learner publishes its weights, gives out games by their numbers, and learns from what comes back, in the order in which
 * it comes. Each number is learned from once. Games that are lost are played again: no result depends on which ones.
 */
class ActorCrew implements Crew {
  readonly isConcurrent = false;
  readonly staleness: Staleness = { ...NEVER_STALE };
  private readonly plan: TrainingPlan;
  private readonly setup: ActorCrewSetup;
  private readonly random = createRandom("replay");
  private readonly seed: (random: Random, number: number) => void;
  private readonly replay: Replay;
  private readonly mostAtPlay: number;
  private version: Version | undefined;
  /** Of a game, smoothed; 0 before the first one. */
  private gameMs = 0;

  constructor(plan: TrainingPlan, setup: ActorCrewSetup) {
    this.plan = plan;
    this.setup = setup;
    this.seed = seederOf(plan.config);
    const { learner } = setup.apprentice;
    this.replay = new Replay(plan.game, { starts: startsOf(plan, this.random), learner });
    this.mostAtPlay = Math.max(LEAST_AT_PLAY, Math.floor(plan.config.games * AT_PLAY_SHARE));
  }

  get counts(): SelfPlayCounts {
    return { decisions: this.replay.decisions, steps: this.setup.apprentice.learner.steps };
  }

  get errors(): Crew["errors"] {
    return this.setup.apprentice.learner.errors;
  }

  async play(from: number, until: number, tick: (games: number) => Promise<boolean>): Promise<number> {
    const { actors } = this.setup;
    const post = new Post();
    const again: Range[] = [];
    let [games, next, atPlay, lost] = [from, from, 0, 0];
    const give = (range: Range, version: Version) => {
      atPlay += range.count;
      void actors
        .play({ ...range, weights: version.name })
        .then((result) => post.add({ range, version, result }))
        .catch((error: unknown) => post.fail(error as Error));
    };
    // What was published for earlier games may be forgotten.
    this.version = undefined;
    while (games < until) {
      const version = await this.publish(games);
      for (let jobs = post.awaited; jobs < Math.max(1, actors.jobs); jobs++) {
        const size = Math.min(this.jobGames, until - next);
        const range = again.at(-1) ?? { from: next, count: size };
        if (range.count === 0 || (atPlay > 0 && atPlay + range.count > this.mostAtPlay)) break;
        if (again.pop() === undefined) next += size;
        give(range, version);
        post.awaited++;
      }
      const arrival = await post.next(TICK_MS);
      if (arrival !== undefined) {
        const { range, result } = arrival;
        const behind = games - arrival.version.games;
        atPlay -= range.count;
        lost = "lost" in result ? lost + 1 : 0;
        if ("lost" in result) {
          if (lost === MAX_LOST) throw new Error(`no games come from the actors: ${result.lost}`);
          this.version = undefined;
          again.push(range);
        } else if (behind + range.count > 2 * this.mostAtPlay) {
          again.push(range);
        } else {
          this.learn(range, behind, result);
          games += range.count;
        }
      }
      if (!(await tick(games))) break;
    }
    return games;
  }

  async close(): Promise<void> {
    await this.setup.actors.close();
  }

  /** How many games the next job should have. */
  private get jobGames(): number {
    const { jobs, jobMs } = this.setup.actors;
    if (this.gameMs === 0 || jobMs === 0) return 1;
    const fair = Math.floor(this.mostAtPlay / Math.max(1, jobs));
    return Math.max(1, Math.min(fair, MAX_JOB_GAMES, Math.floor(jobMs / this.gameMs)));
  }

  /** The present weights, or those that were published a short while ago. */
  private async publish(games: number): Promise<Version> {
    const { actors, apprentice, clock } = this.setup;
    const { version } = this;
    const now = clock();
    if (version !== undefined) {
      const isNew = now - version.publishedAt < PUBLISH_SHARE * version.tookMs;
      if (games === version.games || (isNew && games - version.games < this.mostAtPlay / 2)) return version;
    }
    const name = await actors.publish(apprentice.learnable.weights, games);
    const publishedAt = clock();
    return (this.version = { name, games, publishedAt, tookMs: publishedAt - now });
  }

  private learn(
    { from, count }: Range,
    behind: number,
    { moves, worker, timeMs }: Exclude<ActorResult, { lost: string }>,
  ): void {
    const { plan, replay, random, staleness } = this;
    const { learner } = this.setup.apprentice;
    const reader = new MoveReader(moves);
    try {
      for (let at = 0; at < count; at++) {
        this.seed(random, from + at);
        learner.stepSize = stepSizeAt(plan.config, from + at);
        replay.takeGame(reader);
      }
      if (!reader.isAtEnd) throw new RangeError(`more than the ${count} games that were asked for`);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      throw new Error(`worker ${worker} sent no games of ${plan.game.id}: ${error.message}`);
    }
    staleness.games += count;
    // The games of one job are learned from one after the other.
    staleness.behind += count * behind + (count * (count - 1)) / 2;
    staleness.most = Math.max(staleness.most, behind + count - 1);
    const recent = timeMs / count;
    this.gameMs = this.gameMs === 0 ? recent : 0.9 * this.gameMs + 0.1 * recent;
  }
}

/** What has come from the actors and was not looked at yet. */
class Post {
  /** Jobs whose results were not taken yet. */
  awaited = 0;
  private arrived: Arrival[] = [];
  private failure: Error | undefined;
  private wake: () => void = () => {};

  add(arrival: Arrival): void {
    this.arrived.push(arrival);
    this.wake();
  }

  fail(error: Error): void {
    this.failure = error;
    this.wake();
  }

  /** The one that came first; waits for it, but no longer than `mostMs`. */
  async next(mostMs: number): Promise<Arrival | undefined> {
    if (this.arrived.length === 0 && this.failure === undefined) {
      const given = new AbortController();
      this.wake = () => given.abort();
      await sleep(mostMs, undefined, { signal: given.signal }).catch(() => {});
    }
    if (this.failure !== undefined) throw this.failure;
    if (this.arrived.length > 0) this.awaited--;
    return this.arrived.shift();
  }
}
