import type { Queue } from "bullmq";
import type { GameResult } from "../game-jobs.ts";
import { resultQueue } from "../jobs.ts";
import type { Link } from "../link.ts";
import { Roster } from "../roster.ts";
import type { SelfPlayResult } from "../self-play-jobs.ts";

type Result = GameResult | SelfPlayResult;

/** Sends results to the coordinators of runs and trainings. */
export class Results {
  private readonly link: Link;
  private readonly roster: Roster;
  private readonly queues = new Map<string, Queue<Result>>();

  constructor(link: Link) {
    this.link = link;
    this.roster = new Roster(link.redis);
  }

  /** Sends a result, however long Redis refuses it. The result of an unknown run is dropped. */
  async send(run: string, result: Result): Promise<void> {
    await this.link.insist(async () => {
      if (await this.roster.knowsRun(run)) await this.queueOf(run).add("result", result);
    });
  }

  private queueOf(run: string): Queue<Result> {
    const known = this.queues.get(run);
    if (known !== undefined) return known;
    const queue = this.link.queue<Result>(resultQueue(run), {
      defaultJobOptions: { removeOnComplete: true, removeOnFail: true },
    });
    this.queues.set(run, queue);
    return queue;
  }
}
