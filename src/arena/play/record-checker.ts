import { Worker } from "node:worker_threads";
import { callThread, type Caller } from "../../base/caller.ts";
import type { GameSpec } from "../../games/contract/game.ts";
import { compiledModule } from "../../players/helper-threads.ts";
import type { GameRecord } from "../../ratings/record.ts";
import type { TournamentPlan } from "../plan/plan.ts";
import type { CheckRules } from "./record-check.ts";
import { packRecords } from "./worker-messages.ts";

/** The data that the thread of a checker starts with. */
export interface CheckSetup extends CheckRules {
  readonly game: GameSpec;
  /** The folder that relative paths of the rules are taken from. */
  readonly dir: string;
}
/** Records for the thread, packed, and by record what the rules have against it. */
export type CheckOrder = string;
export type CheckAnswer = readonly (string | undefined)[];

/** A record with what the rules have against it. */
export interface RefusedRecord {
  readonly record: GameRecord;
  readonly problem: string;
}

/** The compiled program of the thread. */
const THREAD = compiledModule(import.meta.url.replace(/record-checker(\.[jt]s)$/, "record-thread$1"));

/**
 * Replays records that come from other machines, from games with players in processes, or from a user's game, before they are
 * stored. It does so in a thread, which starts with the first record, so that the rest goes on meanwhile.
 */
export class RecordChecker {
  private readonly setup: CheckSetup;
  private thread: Worker | undefined;
  private caller: Caller<CheckOrder, CheckAnswer> | undefined;
  private isClosed = false;

  constructor({ game, seed, adjudicate, thoughts }: TournamentPlan, dir: string) {
    this.setup = { game, dir, seed, adjudicate, thoughts };
  }

  /**
   * Parts records into games and others; those that are not replayed before `close` are neither. Throws an error where the
   * rules themselves fail.
   */
  async part(
    records: readonly GameRecord[],
  ): Promise<{ games: readonly GameRecord[]; refused: readonly RefusedRecord[] }> {
    if (records.length === 0 || this.isClosed) return { games: [], refused: [] };
    this.caller ??= this.start();
    let problems: CheckAnswer;
    try {
      problems = await this.caller.ask(packRecords(records));
    } catch (error) {
      if (this.isClosed) return { games: [], refused: [] };
      throw new Error(`games cannot be replayed: ${(error as Error).message}`);
    }
    const refused = records.flatMap((record, at) => {
      const problem = problems[at];
      return problem === undefined ? [] : [{ record, problem }];
    });
    return { games: records.filter((_, at) => problems[at] === undefined), refused };
  }

  close(): void {
    this.isClosed = true;
    void this.thread?.terminate();
  }

  private start(): Caller<CheckOrder, CheckAnswer> {
    // The program's own options of Node are not for its threads: the script of `node -e`.
    this.thread = new Worker(THREAD, { workerData: this.setup, execArgv: [] });
    this.thread.unref();
    return callThread(this.thread);
  }
}
