import { setTimeout as sleep } from "node:timers/promises";
import type { Queue, Worker } from "bullmq";
import { escapeControls, shortened } from "../../base/errors.ts";
import { thisBuild, describeBuild } from "../build.ts";
import { jobQueue, resultQueue, type Job, type Result } from "../jobs.ts";
import { Link } from "../link.ts";
import { publish, type Bundle } from "../bundle.ts";
import type { QueueAddress } from "../redis.ts";
import { BEAT_MS, Roster, whereabouts, type RunEntry, fits, type WorkerEntry } from "../roster.ts";
import { GivenJobs, type GivingSetup } from "./given-jobs.ts";

/** The number of results that are fetched at a time, to be stored together. */
const RESULTS = 32;
/** The longest wait for Redis at the end, in ms. */
const FAREWELL_MS = 3000;

/** The longest note about a malformed result, in characters. */
const MAX_NOTE = 1000;

/** The work to give out, and its queue. */
export interface CoordinatorSetup<Played> {
  readonly address: QueueAddress;
  /** Names the run, or the self-play of a training. */
  readonly id: string;
  readonly bundle: Bundle;
  /** Reads a result; throws InputError if it is malformed. */
  readonly parse: (data: unknown) => Result<Played>;
  readonly patienceMs?: GivingSetup["patienceMs"];
  /** Receives notes for people, about missing workers and other problems. */
  readonly onNote: (text: string) => void;
}

/** The number of games done, and of all. */
type Progress = () => Pick<RunEntry, "name" | "done" | "total">;

/**
 * Gives out the games of a run, or of a training. Jobs go to the queue of all workers of the same build; results come back
 * in a queue of the run's own. It announces the run every BEAT_MS, and watches which workers are there.
 */
export class Coordinator<Played> {
  readonly link: Link;
  readonly workforce: Workforce;
  readonly given: GivenJobs<Played>;
  private readonly jobs: Queue<Job>;
  private readonly results: Queue<unknown>;
  private readonly setup: CoordinatorSetup<Played>;
  private readonly roster: Roster;
  private receiver: Worker<unknown> | undefined;
  /** Undefined until it begins. */
  private progress: Progress | undefined;
  /** The other coordinator of this run that was last noted. */
  private another: string | undefined;
  /** The last note about a malformed result. */
  private told = "";
  private beating: Promise<void> = Promise.resolve();
  private readonly ended = new AbortController();

  private constructor(setup: CoordinatorSetup<Played>, link: Link) {
    const { id, bundle } = setup;
    this.setup = setup;
    this.link = link;
    this.roster = new Roster(link.redis);
    this.workforce = new Workforce(this.roster, setup);
    this.jobs = link.queue<Job>(jobQueue(thisBuild().code, bundle));
    this.results = link.queue(resultQueue(id));
    const { jobs, results } = this;
    this.given = new GivenJobs({ ...setup, link, jobs, results, run: id, bundle: bundle.hash });
  }

  /** Connects to the queue; throws InputError. */
  static async connect<Played>(setup: CoordinatorSetup<Played>): Promise<Coordinator<Played>> {
    return new Coordinator(setup, await Link.open(setup.address, setup.onNote));
  }

  /**
   * Takes the place of an earlier coordinator of the run. Returns the results that it left behind, not yet checked. Throws
   * InputError.
   */
  async begin(progress: Progress): Promise<unknown[]> {
    return this.link.first(async () => this.replace(progress));
  }

  private async replace(progress: Progress): Promise<unknown[]> {
    await this.forgetOldRuns();
    await this.takeBackJobs();
    // Unreadable results are left: at worst some games are played twice.
    const waiting = await this.results.getJobs(["waiting", "active", "failed"]).catch(() => []);
    await this.results.obliterate({ force: true });
    await this.announce(progress);
    this.receiver = this.link.worker<unknown>(this.results.name, async ({ data }) => this.receive(data), {
      concurrency: RESULTS,
      removeOnComplete: { count: 0 },
    });
    this.progress = progress;
    this.beating = this.beat(progress);
    return waiting.map(({ data }) => data);
  }

  /**
   * Takes back the jobs and announces the end, if Redis answers; then it disconnects.
   * @param of.isOver true if no other coordinator shall go on with the run
   * @param of.tidyUp is called once the jobs are taken back
   */
  async end({ isOver, tidyUp }: { isOver: boolean; tidyUp?: () => Promise<void> }): Promise<void> {
    this.ended.abort();
    const goodbye = async () => {
      await this.beating;
      await this.given.takeBack();
      await tidyUp?.();
      await this.receiver?.close();
      if (!isOver) return this.progress && this.announce(this.progress);
      await this.roster.removeRun(this.setup.id);
      await this.results.obliterate({ force: true });
    };
    await Promise.race([goodbye().catch(() => {}), sleep(FAREWELL_MS)]);
    this.link.close();
    this.given.giveUp();
  }

  /** Announces the run, watches the roster and looks after the jobs, every BEAT_MS. */
  private async beat(progress: Progress): Promise<void> {
    const { signal } = this.ended;
    for (;;) {
      await sleep(BEAT_MS, undefined, { signal }).catch(() => {});
      if (signal.aborted) return;
      try {
        await this.lookForAnother();
        await this.link.insist(async () => this.announce(progress), signal);
        await this.given.lookAfter();
      } catch (error) {
        if (!signal.aborted) this.link.tell(error);
      }
    }
  }

  private async announce(progress: Progress): Promise<void> {
    const { id, bundle } = this.setup;
    const { plugins } = bundle;
    const stopped = this.ended.signal.aborted;
    const entry = { ...thisBuild(), ...whereabouts(), ...progress(), id, plugins, stopped };
    await publish(this.link.redis, bundle);
    await this.roster.announceRun(entry);
    await this.workforce.look(entry);
  }

  /** Notes another coordinator of the same run, which works in a copy of its folder. */
  private async lookForAnother(): Promise<void> {
    const { host, pid } = whereabouts();
    const last = await this.roster.coordinatorOf(this.setup.id);
    if (last === undefined || last === `${host}:${pid}` || this.another === last) return;
    this.another = last;
    this.setup.onNote(`${last} gives out the games of this run as well; one of the two is enough`);
  }

  private receive(data: unknown): void {
    try {
      this.given.receive(this.setup.parse(data));
    } catch (error) {
      // Malformed results come by the thousand.
      const text = escapeControls(shortened((error as Error).message, MAX_NOTE));
      if (text !== this.told) this.setup.onNote(text);
      this.told = text;
    }
  }

  /** Forgets runs that nobody has continued for days, with their waiting results. */
  private async forgetOldRuns(): Promise<void> {
    for (const old of await this.roster.oldRuns()) {
      await this.link.queue(resultQueue(old)).obliterate({ force: true });
      await this.roster.removeRun(old);
    }
  }

  /** Takes back the jobs of an earlier coordinator of this run that no worker has begun. */
  private async takeBackJobs(): Promise<void> {
    // Unreadable jobs are left: at worst some games are played twice.
    for (const job of await this.jobs.getJobs(["waiting"]).catch(() => [])) {
      if (job.data.run === this.setup.id) await job.remove().catch(() => {});
    }
  }
}

/** The most games that are given out to be played at once. Entries of workers may be forged. */
const MAX_SLOTS = 4096;

/** The workers that play for a run, from the roster. It tells people when no worker is there. */
export class Workforce {
  /** The number of games that these workers play at once. */
  slots = 0;
  private fitting: readonly WorkerEntry[] = [];
  /** The reasons why workers could not play, by worker id. Cleared when games come back. */
  private readonly troubles = new Map<string, string>();
  /** The last of them that was noted, by worker id. */
  private readonly toldTroubles = new Map<string, string>();
  private readonly liars = new Set<string>();
  private readonly roster: Roster;
  private readonly address: QueueAddress;
  private readonly onNote: (text: string) => void;
  /** The note that fitted at the last look, and the last note that was given. */
  private seen = "";
  private said = "";

  constructor(
    roster: Roster,
    { address, onNote }: { address: QueueAddress; onNote: (text: string) => void },
  ) {
    this.roster = roster;
    this.address = address;
    this.onNote = onNote;
  }

  async look(run: RunEntry): Promise<void> {
    const all = await this.roster.workers();
    const fitting = all.filter((worker) => fits(worker, run));
    this.fitting = fitting;
    this.slots = Math.min(
      MAX_SLOTS,
      fitting.reduce((sum, { workers }) => sum + workers, 0),
    );
    const others = all.filter((worker) => !fitting.includes(worker));
    const strange = others.filter(({ code }) => code !== run.code);
    const words = [
      ...(fitting.length === 0
        ? [`No worker is there for this run. Start some: agon worker ${this.address.shown}`]
        : []),
      ...(strange.length === 0 ? [] : [refusal(strange, run)]),
      ...(others.length === strange.length
        ? []
        : [`${others.length - strange.length} of the workers take no code: start them with --allow-plugins`]),
    ].join("\n");
    // Workers that were started at the same time have not announced themselves yet.
    if (words === this.seen && words !== this.said && words !== "") this.onNote(words);
    if (words === this.seen) this.said = words;
    this.seen = words;
  }

  /** Notes that games came back. */
  hearGames(): void {
    this.troubles.clear();
  }

  /**
   * Is told why a worker could not play. The cause may be its machine alone: a full disk, a missing package. Returns true
   * if every known worker has failed since games last came back.
   */
  hearTrouble(id: string, why: string): boolean {
    this.troubles.set(id, why);
    if (this.fitting.every((one) => this.troubles.has(one.id))) return true;
    const isNew = this.toldTroubles.get(id) !== why;
    this.toldTroubles.set(id, why);
    if (isNew) this.onNote(`${this.nameOf(id)} cannot play, others get its games: ${escapeControls(why)}`);
    return false;
  }

  /** Is told that a worker has sent a game that the rules do not give; one note for each worker. */
  hearLie(id: string, why: string): void {
    if (this.liars.has(id)) return;
    this.liars.add(id);
    this.onNote(`${this.nameOf(id)} has sent what is no game, which is played again: ${escapeControls(why)}`);
  }

  private nameOf(id: string): string {
    const worker = this.fitting.find((one) => one.id === id);
    return worker === undefined
      ? `a worker, ${escapeControls(id.slice(0, 40))},`
      : `the worker ${worker.host}:${worker.pid}`;
  }
}

/** The note about workers of another build than the run's. */
function refusal(workers: readonly WorkerEntry[], run: RunEntry): string {
  const some = workers
    .slice(0, 3)
    .map(({ host, pid, version, node }) => `${host}:${pid} (${version}, Node ${node})`);
  const more = workers.length > 3 ? ` and ${workers.length - 3} more` : "";
  return `${some.join(", ")}${more}: another agon than this one (${describeBuild(run)}), which gets no games of this run`;
}
