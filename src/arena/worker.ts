import { resolve } from "node:path";
import { performance } from "node:perf_hooks";
import { workerData } from "node:worker_threads";
import { raiseInliningBudget } from "../base/inlining.ts";
import { isWeightsPath } from "../evaluators/index.ts";
import { createGame } from "../games/index.ts";
import { prepareAgent } from "../agents/prepare.ts";
import type { TournamentPlan } from "./plan.ts";
import { Table, type Seat } from "./play-game.ts";
import { agentFamilies, gameFamilies } from "./plugins.ts";
import type { GameRecord } from "./record.ts";
import type { ScheduledGame } from "./schedule.ts";
import { GAME, IDLE, SEAT, STATUS_BYTES, STOP, TURN } from "./status.ts";
import { loadEvaluator } from "../specs/evaluators.ts";

/** What a worker is started with. */
export interface WorkerSetup {
  readonly plan: TournamentPlan;
  /** Folder that the plan's relative paths are taken from. */
  readonly dir: string;
}

/** Games to play one after the other, and where to say which one is being played; see `status.ts`. */
export interface WorkerTask {
  readonly games: readonly ScheduledGame[];
  readonly status: SharedArrayBuffer;
}

/** What plays the games of one plan: agents are made once and told of each new game. */
export async function createPlayer({
  plan,
  dir,
}: WorkerSetup): Promise<(task: WorkerTask) => Promise<GameRecord[]>> {
  raiseInliningBudget();
  const game = createGame(plan.game, await gameFamilies(plan.game.id));
  const families = await agentFamilies(plan.entrants.map(({ spec }) => spec.agent));
  let status: Int32Array<ArrayBufferLike> = new Int32Array(STATUS_BYTES / 4);
  const table = new Table(game, () => performance.now(), {
    thinking: (seat) => {
      Atomics.store(status, SEAT, seat);
      Atomics.add(status, TURN, 1);
    },
    idle: () => {
      Atomics.store(status, SEAT, IDLE);
    },
  });
  // An entrant may sit at any seat, but at one only in each game; agents are made when first needed.
  const seated = new Map<number, Seat>();
  const seatOf = (entrant: number): Seat => {
    const known = seated.get(entrant);
    if (known !== undefined) return known;
    const { spec } = plan.entrants[entrant]!;
    const evaluator = spec["evaluator"];
    const located =
      typeof evaluator === "string" && isWeightsPath(evaluator)
        ? { ...spec, evaluator: resolve(dir, evaluator) }
        : spec;
    const prepared = prepareAgent(game, located, { families, loadEvaluator });
    const seat = { agent: prepared.create(), budget: prepared.budget };
    seated.set(entrant, seat);
    return seat;
  };

  return async (task) => {
    status = new Int32Array(task.status);
    const records: GameRecord[] = [];
    for (const [index, { id, block, seats, opening }] of task.games.entries()) {
      if (Atomics.load(status, STOP) !== 0) break;
      Atomics.store(status, GAME, index);
      const setup = { id, seed: plan.seed, chanceStream: block, opening };
      const result = await table.play(seats.map(seatOf), setup);
      records.push({ id, block, seats, openingLength: opening.length, ...result });
    }
    return records;
  };
}

let player: Promise<(task: WorkerTask) => Promise<GameRecord[]>> | undefined;

/** Plays a task in a worker thread that was started with a WorkerSetup. */
export async function playTask(task: WorkerTask): Promise<GameRecord[]> {
  player ??= createPlayer(workerData as WorkerSetup);
  return (await player)(task);
}
