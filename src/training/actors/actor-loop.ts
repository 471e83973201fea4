import { setTimeout as sleep } from "node:timers/promises";
import { InputError } from "../../base/errors.ts";
import { createRandom, type Random } from "../../base/random.ts";
import { NEVER_STALE, type Staleness, type TrainingLoop } from "../loop/training-loop.ts";
import type { SelfPlayCounts, SelfPlayLearner } from "../loop/self-play-learner.ts";
import type { TrainingPlan } from "../plan/plan.ts";
import { createStartPositions, gameSeeder, stepSizeAt } from "../self-play/game-settings.ts";
import { MoveReader, Replay } from "./recorded-games.ts";

/** A job of an actor: the games numbered `from` to `from + count - 1`, with published weights. */
export interface ActorJob {
  readonly weights: string;
  readonly from: number;
  readonly count: number;
}

/** The outcome of a job. */
export type ActorResult =
  /** The moves of its games, the id of the remote worker that played them, and the time they took. */
  | { readonly moves: Uint8Array; readonly worker: string; readonly timeMs: number }
  /** The job is lost: its games are given out again, with weights that are published again. */
  | { readonly lost: string };

/** Actors elsewhere, which play games of self-play. */
export interface Actors {
  /** The number of jobs that they can take at once; it may change. */
  readonly jobs: number;
  /** The time that the games of one job should take, in ms; 0: a job has one game. */
  readonly jobMs: number;
  /** Stores the weights, after `games` games, where actors find them; returns their name. */
  publish(weights: Float32Array, games: number): Promise<string>;
  /** Throws InputError if no actor can play the games. */
  play(job: ActorJob): Promise<ActorResult>;
  close(): Promise<void>;
}

/** Opens the actors of a training; `run` is the id that the training's folder keeps. */
export type OpenActors = (training: { plan: TrainingPlan; run: string }) => Promise<Actors>;

/** The time between two calls of `tick`. */
const TICK_MS = 100;
/** Weights are published again after this many times the duration of the last publishing: it takes a tenth of the learner's time. */
const PUBLISH_SHARE = 10;
/** The share of a training's games that may be in flight. Games with weights twice as old are played again. */
const IN_FLIGHT_SHARE = 0.01;
const MIN_IN_FLIGHT = 8;
const MAX_JOB_GAMES = 2000;
/** After this many lost jobs in a row, the training fails. */
const MAX_LOST = 50;

/** Throws InputError for a training that cannot learn from games that actors play. */
export function checkActors({ config }: TrainingPlan): void {
  if (config.learner.rule === "td-leaf")
    throw new InputError(
      "learner.rule: td-leaf learns from the leaves of searches by the present weights, which actors on other machines do not have; actors play for td and lambda-returns",
    );
}

/** A loop of one learner in this thread, and actors elsewhere. */
export function actorLoop(plan: TrainingPlan, setup: ActorLoopSetup): TrainingLoop {
  return new ActorLoop(plan, setup);
}

interface ActorLoopSetup {
  readonly learning: SelfPlayLearner;
  readonly actors: Actors;
  readonly clock: () => number;
}

interface GameRange {
  readonly from: number;
  readonly count: number;
}

/** The weights published after `games` games. */
interface PublishedWeights {
  readonly name: string;
  readonly games: number;
  readonly publishedAt: number;
  readonly tookMs: number;
}

interface Arrival {
  readonly range: GameRange;
  readonly weights: PublishedWeights;
  readonly result: ActorResult;
}

/**
 * The learner publishes its weights, gives out games by their numbers, and learns from the results in the order in which
 * they arrive. It learns from each number once. Lost games are played again: no result depends on which ones.
 */
class ActorLoop implements TrainingLoop {
  readonly isConcurrent = false;
  readonly staleness: Staleness = { ...NEVER_STALE };
  private readonly plan: TrainingPlan;
  private readonly setup: ActorLoopSetup;
  private readonly random = createRandom("replay");
  private readonly seed: (random: Random, number: number) => void;
  private readonly replay: Replay;
  private readonly maxInFlight: number;
  private published: PublishedWeights | undefined;
  /** The smoothed duration of a game; 0 before the first one. */
  private gameMs = 0;

  constructor(plan: TrainingPlan, setup: ActorLoopSetup) {
    this.plan = plan;
    this.setup = setup;
    this.seed = gameSeeder(plan.config);
    const { learner } = setup.learning;
    this.replay = new Replay(plan.game, { starts: createStartPositions(plan, this.random), learner });
    this.maxInFlight = Math.max(MIN_IN_FLIGHT, Math.floor(plan.config.games * IN_FLIGHT_SHARE));
  }

  get counts(): SelfPlayCounts {
    return { decisions: this.replay.decisions, steps: this.setup.learning.learner.steps };
  }

  get errors(): TrainingLoop["errors"] {
    return this.setup.learning.learner.errors;
  }

  async play(from: number, until: number, tick: (games: number) => Promise<boolean>): Promise<number> {
    const { actors } = this.setup;
    const inbox = new Inbox();
    const again: GameRange[] = [];
    let [games, next, inFlight, lost] = [from, from, 0, 0];
    const give = (range: GameRange, weights: PublishedWeights) => {
      inFlight += range.count;
      void actors
        .play({ ...range, weights: weights.name })
        .then((result) => inbox.add({ range, weights, result }))
        .catch((error: unknown) => inbox.fail(error as Error));
    };
    // The actors' store may have dropped weights that were published for earlier games.
    this.published = undefined;
    while (games < until) {
      const weights = await this.publish(games);
      for (let jobs = inbox.awaited; jobs < Math.max(1, actors.jobs); jobs++) {
        const size = Math.min(this.jobGames, until - next);
        const range = again.at(-1) ?? { from: next, count: size };
        if (range.count === 0 || (inFlight > 0 && inFlight + range.count > this.maxInFlight)) break;
        if (again.pop() === undefined) next += size;
        give(range, weights);
        inbox.awaited++;
      }
      const arrival = await inbox.next(TICK_MS);
      if (arrival !== undefined) {
        const { range, result } = arrival;
        const behind = games - arrival.weights.games;
        inFlight -= range.count;
        lost = "lost" in result ? lost + 1 : 0;
        if ("lost" in result) {
          if (lost === MAX_LOST) throw new Error(`no games come from the actors: ${result.lost}`);
          this.published = undefined;
          again.push(range);
        } else if (behind + range.count > 2 * this.maxInFlight) {
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

  /** The number of games that the next job should have. */
  private get jobGames(): number {
    const { jobs, jobMs } = this.setup.actors;
    if (this.gameMs === 0 || jobMs === 0) return 1;
    const fair = Math.floor(this.maxInFlight / Math.max(1, jobs));
    return Math.max(1, Math.min(fair, MAX_JOB_GAMES, Math.floor(jobMs / this.gameMs)));
  }

  /** Publishes the present weights, unless weights were published a short while ago. */
  private async publish(games: number): Promise<PublishedWeights> {
    const { actors, learning, clock } = this.setup;
    const { published } = this;
    const now = clock();
    if (published !== undefined) {
      const isNew = now - published.publishedAt < PUBLISH_SHARE * published.tookMs;
      if (games === published.games || (isNew && games - published.games < this.maxInFlight / 2))
        return published;
    }
    const name = await actors.publish(learning.learnable.weights, games);
    const publishedAt = clock();
    return (this.published = { name, games, publishedAt, tookMs: publishedAt - now });
  }

  private learn(
    { from, count }: GameRange,
    behind: number,
    { moves, worker, timeMs }: Exclude<ActorResult, { lost: string }>,
  ): void {
    const { plan, replay, random, staleness } = this;
    const { learner } = this.setup.learning;
    const reader = new MoveReader(moves);
    try {
      for (let at = 0; at < count; at++) {
        this.seed(random, from + at);
        learner.stepSize = stepSizeAt(plan.config, from + at);
        replay.playGame(reader);
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

/** The results that have arrived from the actors and that the learner has not taken yet. */
class Inbox {
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

  /** Takes the oldest result; waits at most `mostMs` for one. */
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
