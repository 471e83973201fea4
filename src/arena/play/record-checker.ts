import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import type { GameSpec } from "../../games/contract/game.ts";
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
export interface CheckOrder {
  readonly number: number;
  readonly packed: string;
}
export type CheckAnswer =
  | { readonly number: number; readonly problems: readonly (string | undefined)[] }
  | { readonly number: number; readonly failure: string };

/** A record with what the rules have against it. */
export interface RefusedRecord {
  readonly record: GameRecord;
  readonly problem: string;
}

/** The compiled program of the thread. */
const FOLDER = extname(import.meta.url) === ".ts" ? "../../../build/arena/play/" : "";
const THREAD = new URL(`${FOLDER}record-thread.js`, import.meta.url);

/**
 * Replays records that come from other machines, from games with players in processes, or from a user's game, before they are
 * stored. It does so in a thread, which starts with the first record, so that the rest goes on meanwhile.
 */
export class RecordChecker {
  private readonly setup: CheckSetup;
  private thread: Worker | undefined;
  private readonly waiting = new Map<number, (answer: CheckAnswer) => void>();
  private count = 0;
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
    const number = this.count++;
    this.thread ??= this.start();
    const answer = await new Promise<CheckAnswer>((resolve) => {
      this.waiting.set(number, resolve);
      this.thread!.postMessage({ number, packed: packRecords(records) } satisfies CheckOrder);
    });
    if ("failure" in answer && this.isClosed) return { games: [], refused: [] };
    if ("failure" in answer) throw new Error(`games cannot be replayed: ${answer.failure}`);
    const refused = records.flatMap((record, at) => {
      const problem = answer.problems[at];
      return problem === undefined ? [] : [{ record, problem }];
    });
    return { games: records.filter((_, at) => answer.problems[at] === undefined), refused };
  }

  close(): void {
    this.isClosed = true;
    void this.thread?.terminate();
    this.thread = undefined;
  }

  private start(): Worker {
    // The program's own options of Node are not for its threads: the script of `node -e`.
    const thread = new Worker(THREAD, { workerData: this.setup, execArgv: [] });
    thread.unref();
    thread.on("message", (answer: CheckAnswer) => {
      this.waiting.get(answer.number)?.(answer);
      this.waiting.delete(answer.number);
    });
    const fail = (failure: string) => {
      for (const [number, tell] of this.waiting) tell({ number, failure });
      this.waiting.clear();
    };
    thread.on("error", (error) => fail((error as Error).message));
    thread.on("exit", () => fail("the thread that replays them has ended"));
    return thread;
  }
}
