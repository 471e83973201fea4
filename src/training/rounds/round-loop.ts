import { setTimeout as sleep } from "node:timers/promises";
import { InputError } from "../../base/errors.ts";
import { createRandom, type Random } from "../../base/random.ts";
import type { TrainingLoop, LoadCheckpoint, SelfPlayCounts } from "../loop/training-loop.ts";
import type { Learnable } from "../learn/learnable.ts";
import { restoreArrays, type Learner } from "../learn/learner.ts";
import type { TrainingPlan } from "../plan/plan.ts";
import { createListener } from "../self-play/create-moves.ts";
import { gameSeeder, stepSizeAt, Opponents } from "../self-play/game-settings.ts";
import { StartPositions } from "../self-play/start-positions.ts";
import { SelfPlay } from "../self-play/self-play.ts";
import type { ActorResult, Actors, Table } from "./actors.ts";
import { RecordedMoves } from "./recorded-games.ts";

/** The time between two calls of `tick`, and the most time of learning between two. */
const TICK_MS = 100;
const SLICE_MS = 20;
const MAX_JOB_GAMES = 2000;
/** After this many lost jobs in a row, the training fails. */
const MAX_LOST = 50;

interface GameRange {
  readonly from: number;
  readonly count: number;
}

/** Games that have come back from an actor. */
interface Arrival extends GameRange {
  readonly moves: Uint8Array;
  readonly worker: string;
}

interface RoundLoopSetup {
  /** The evaluator that learns, with the weights to begin with. */
  readonly learnable: Learnable;
  readonly learner: Learner;
  readonly actors: Actors;
  /** Needed where opponents come from the past. */
  readonly loadCheckpoint?: LoadCheckpoint | undefined;
  /** Milliseconds from an arbitrary origin. */
  readonly clock: () => number;
}

/**
 * Self-play in rounds. Any number of actors play the games of a round, with the weights that the round before last left;
 * the learner here learns from them in the order of their numbers, while the actors already play the next round. So the
 * weights are a function of config and seed alone, whoever plays. A game that is lost is played again: it is the same
 * game.
 */
export class RoundLoop implements TrainingLoop {
  idle = 0;
  private readonly setup: RoundLoopSetup;
  private readonly plan: TrainingPlan;
  private readonly round: number;
  /** The first round of which games are learned since the start or the resume. */
  private readonly firstRound: number;
  /** Round n is played with the weights of table n % 2. */
  private readonly tables: readonly [Float32Array, Float32Array];
  private readonly published: [boolean, boolean] = [false, false];
  private readonly opponents: Opponents;
  /** The older weights of round n are those of pasts[n % 2]; `games` tells the checkpoint that they are from. */
  private readonly pasts: readonly [PastTable, PastTable];
  private readonly random = createRandom("replay");
  private readonly seed: (random: Random, number: number) => void;
  private readonly moves: RecordedMoves;
  private readonly replay: SelfPlay;
  /** The number of games learned, and of games given out. */
  private learned: number;
  private given: number;
  private inFlight = 0;
  private lost = 0;
  private readonly again: GameRange[] = [];
  /** Games that have come back, by the first one's number. */
  private readonly arrived = new Map<number, Arrival>();
  /** The arrival that is being learned from. */
  private current: Arrival | undefined;
  private failure: Error | undefined;
  private wake: () => void = () => {};
  /** The smoothed duration of a game; 0 before the first one. */
  private gameMs = 0;
  private runMs = 0;
  private idleMs = 0;

  /** @param games the number of games learned so far */
  constructor(plan: TrainingPlan, games: number, setup: RoundLoopSetup) {
    const { game, config, search } = plan;
    const { learnable, learner } = setup;
    this.plan = plan;
    this.setup = setup;
    this.round = config.round!;
    this.learned = this.given = games;
    this.firstRound = Math.floor(games / this.round);
    const { length } = learnable.weights;
    this.tables = [sharedNumbers(length), sharedNumbers(length)];
    for (const table of this.tables) table.set(learnable.weights);
    this.opponents = new Opponents(plan);
    const pastLength = this.opponents.haveCheckpoints ? length : 0;
    this.pasts = [pastTable(pastLength), pastTable(pastLength)];
    this.seed = gameSeeder(config);
    this.moves = new RecordedMoves(game, {
      hasLines: search !== undefined,
      hasTrees: config.learner.rule === "tree-strap" || config.learner.rule === "expert",
    });
    const starts = new StartPositions(plan.game, plan.starts, this.random);
    this.replay = new SelfPlay(game, { starts, moves: this.moves, listener: createListener(plan, learner) });
  }

  get counts(): SelfPlayCounts {
    return { decisions: this.replay.decisions, steps: this.setup.learner.steps };
  }

  get errors(): TrainingLoop["errors"] {
    return this.setup.learner.errors;
  }

  get memory(): TrainingLoop["memory"] {
    return { "round-table-0": this.tables[0], "round-table-1": this.tables[1] };
  }

  restore(memory: TrainingLoop["memory"]): void {
    restoreArrays(this.memory, memory);
  }

  async play(from: number, until: number, tick: (games: number) => Promise<boolean>): Promise<number> {
    if (from !== this.learned) throw new RangeError(`game ${this.learned} is next, not ${from}`);
    const { clock } = this.setup;
    let ticked = clock();
    while (this.learned < until) {
      await this.giveOut();
      const begun = clock();
      const isLearning = this.findNext();
      if (isLearning) await this.learn(until, begun + SLICE_MS);
      else await this.waitForGames();
      this.runMs += clock() - begun;
      // While the learner works, an actor that has no job waits for it.
      if (isLearning && this.inFlight === 0) this.idleMs += clock() - begun;
      this.idle = this.runMs === 0 ? 0 : this.idleMs / this.runMs;
      if (clock() - ticked < SLICE_MS && this.learned < until) continue;
      ticked = clock();
      if (!(await tick(this.learned))) break;
    }
    return this.learned;
  }

  async close(): Promise<void> {
    await this.setup.actors.close();
  }

  /** Gives out games as long as actors can take them, and their rounds may be played. */
  private async giveOut(): Promise<void> {
    const { actors } = this.setup;
    // The first round of which not all games are learned, and the one after it.
    const round = Math.floor(this.learned / this.round);
    for (const number of [round, round + 1]) await this.publish(number, { unlessDone: true });
    const end = Math.min((round + 2) * this.round, this.plan.config.games);
    while (this.inFlight < Math.max(1, actors.jobs)) {
      const range = this.again.pop() ?? this.nextRange(end);
      if (range === undefined) return;
      this.give(range);
    }
  }

  /** The next games to give out: of one round, and so many that every actor gets its share of what is left of them. */
  private nextRange(end: number): GameRange | undefined {
    const { given, gameMs } = this;
    if (given >= end) return undefined;
    const { jobs, jobMs } = this.setup.actors;
    const inRound = Math.min(end, given - (given % this.round) + this.round) - given;
    const share = Math.floor(inRound / Math.max(1, jobs));
    const quick = gameMs === 0 ? 1 : Math.floor(jobMs / gameMs);
    const count = Math.max(1, Math.min(share, quick, MAX_JOB_GAMES));
    this.given += count;
    return { from: given, count };
  }

  private give(range: GameRange): void {
    this.inFlight++;
    const table = tableOf(Math.floor(range.from / this.round));
    this.setup.actors
      .play({ ...range, table })
      .then((result) => this.receive(range, result))
      .catch((error: unknown) => (this.failure = error as Error))
      .finally(() => {
        this.inFlight--;
        this.wake();
      });
  }

  private receive({ from, count }: GameRange, result: ActorResult): void {
    if ("lost" in result) {
      if (++this.lost === MAX_LOST) throw new Error(`no games come from the actors: ${result.lost}`);
      // The actors may have lost the weights, too.
      this.published.fill(false);
      this.again.push({ from, count });
      return;
    }
    this.lost = 0;
    const { moves, worker, timeMs } = result;
    this.arrived.set(from, { from, count, moves, worker });
    const recent = timeMs / count;
    this.gameMs = this.gameMs === 0 ? recent : 0.9 * this.gameMs + 0.1 * recent;
  }

  /** Finds the games to learn from next; false if they are not there yet. Throws what made the actors fail. */
  private findNext(): boolean {
    if (this.failure !== undefined) throw this.failure;
    if (this.current !== undefined) return true;
    this.current = this.arrived.get(this.learned);
    if (this.current === undefined) return false;
    this.arrived.delete(this.learned);
    this.moves.load(this.current.moves);
    return true;
  }

  private async waitForGames(): Promise<void> {
    const given = new AbortController();
    this.wake = () => given.abort();
    await sleep(TICK_MS, undefined, { signal: given.signal }).catch(() => {});
  }

  /** Learns from games that are there, until `until` games are learned or the time is over. */
  private async learn(until: number, untilMs: number): Promise<void> {
    const { clock } = this.setup;
    do {
      this.learnOne(this.current!);
      const isOver = this.learned % this.round === 0;
      if (isOver || this.learned === this.plan.config.games) this.setup.learner.endRound?.();
      if (isOver) await this.endRound();
    } while (this.learned < until && this.findNext() && clock() < untilMs);
  }

  private learnOne({ from, count, worker }: Arrival): void {
    const { plan, random, moves, replay } = this;
    const { learner } = this.setup;
    try {
      this.seed(random, this.learned);
      learner.stepSize = stepSizeAt(plan.config, this.learned);
      learner.opponentSeat = this.opponentSeatIn(this.learned);
      replay.playGame();
      this.learned++;
      if (this.learned < from + count) return;
      if (!moves.isAtEnd) throw new RangeError(`more than the ${count} games that were asked for`);
      this.current = undefined;
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      throw new Error(`worker ${worker} sent no games of ${plan.game.id}: ${error.message}`);
    }
  }

  /** Keeps the weights that a round has left for the next but one. */
  private async endRound(): Promise<void> {
    const after = this.learned / this.round + 1;
    const table = this.tables[tableOf(after)];
    const { learner, learnable } = this.setup;
    // After a resume it is not known what has changed before.
    if (learner.changed === undefined || after <= this.firstRound + 3) table.set(learnable.weights);
    learner.changed?.endRound(table);
    await this.publish(after, { unlessDone: false });
  }

  private async publish(round: number, { unlessDone }: { unlessDone: boolean }): Promise<void> {
    const table = tableOf(round);
    if (unlessDone && this.published[table]) return;
    const weights = { present: this.tables[table], past: this.pastOf(round) };
    await this.setup.actors.publish(table, weights, this.learned);
    this.published[table] = true;
  }

  /** The older weights that a round meets, loaded into its table. */
  private pastOf(round: number): Float32Array | undefined {
    const past = this.pasts[tableOf(round)];
    const games = this.opponents.haveCheckpoints
      ? this.opponents.checkpointFor(round * this.round)
      : undefined;
    if (games === undefined) return undefined;
    if (games !== past.games) past.weights.set(this.setup.loadCheckpoint!(games));
    past.games = games;
    return past.weights;
  }

  private opponentSeatIn(number: number): number | undefined {
    const hasCheckpoint = this.opponents.checkpointFor(number) !== undefined;
    return this.opponents.in(number, { hasCheckpoint })?.seat;
  }
}

/** The older weights of a round. */
interface PastTable {
  readonly weights: Float32Array;
  games: number | undefined;
}

function pastTable(length: number): PastTable {
  return { weights: sharedNumbers(length), games: undefined };
}

function sharedNumbers(length: number): Float32Array {
  return new Float32Array(new SharedArrayBuffer(4 * length));
}

function tableOf(round: number): Table {
  return round % 2 === 0 ? 0 : 1;
}

/** Throws InputError for a training whose games other machines cannot play. */
export function checkElsewhere({ config }: TrainingPlan): void {
  if (config.round === undefined)
    throw new InputError(
      "round: other machines play rounds of games; write the number of games of a round, such as round: 64",
    );
}
