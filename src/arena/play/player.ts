import { resolve } from "node:path";
import { performance } from "node:perf_hooks";
import type { AgentSpec } from "../../agents/agent.ts";
import { isPluginPath, isWeightsPath } from "../../evaluators/index.ts";
import type { Game } from "../../games/game.ts";
import type { GameRecord } from "../../ratings/record.ts";
import { familiesOf, readAgent } from "../../specs/agents.ts";
import { equipForAgents, pluginFilesOf } from "../../specs/evaluators.ts";
import { loadGame } from "../../specs/games.ts";
import type { GameFamilies } from "../../specs/plugins.ts";
import type { TournamentPlan } from "../plan/plan.ts";
import type { ScheduledGame } from "../schedule/schedule.ts";
import { raiseInliningBudget } from "./inlining.ts";
import { Referee, type Seat, type Watcher } from "./referee.ts";

/*
 * The status of a task: four shared int32. Through them a player tells which game and which seat is at work, so that
 * an agent that hangs or kills its worker can be named, and through them it is asked to stop.
 */
export const STATUS_BYTES = 16;
/** Index of the game in the task. */
export const GAME = 0;
/** The seat that is thinking, or IDLE. */
export const SEAT = 1;
/** Counts the decisions begun in this task. */
export const TURN = 2;
/** Set to 1 to have the worker return after the game at hand. */
export const STOP = 3;
export const IDLE = -1;

/** What a worker is started with. */
export interface WorkerSetup {
  readonly plan: TournamentPlan;
  /** Folder that the plan's relative paths are taken from. */
  readonly dir: string;
}

/** Games to play one after the other, and where to say which one is being played; see STATUS_BYTES. */
export interface WorkerTask {
  readonly games: readonly ScheduledGame[];
  readonly status: SharedArrayBuffer;
}

/** Plays the games of one task; those that are finished come back. */
export type PlayTask = (task: WorkerTask) => Promise<GameRecord[]>;

/**
 * What plays the games of one plan: agents are made once and told of each new game.
 *
 * @param games the games there are, where they are others than ours
 */
export async function createPlayer({ plan, dir }: WorkerSetup, games?: GameFamilies): Promise<PlayTask> {
  raiseInliningBudget();
  const game = await loadGame(plan.game, games);
  const families = await familiesOf(plan.entrants);
  let status: Int32Array<ArrayBufferLike> = new Int32Array(STATUS_BYTES / 4);
  const watcher: Watcher = {
    thinking: (seat) => {
      Atomics.store(status, SEAT, seat);
      Atomics.add(status, TURN, 1);
    },
    idle: () => {
      Atomics.store(status, SEAT, IDLE);
    },
  };
  const gameFile = isPluginPath(plan.game.id) ? plan.game.id : undefined;
  const referee = new Referee(game, () => performance.now(), { watcher, gameFile });
  /** By entrant: its agents, one for each seat that it has in one game. They are made when they are first needed. */
  const agents = new Map<number, Seat[]>();
  const seatOf = async (entrant: number, seat: number, seats: readonly number[]): Promise<Seat> => {
    const known = agents.get(entrant) ?? [];
    agents.set(entrant, known);
    const earlier = seats.slice(0, seat).filter((other) => other === entrant).length;
    return (known[earlier] ??= await createSeat(entrant));
  };
  const createSeat = async (entrant: number): Promise<Seat> => {
    const spec = locateWeights(plan.entrants[entrant]!.spec, dir);
    const prepare = async (one: Game) => readAgent(await equipForAgents(one, [spec]), spec, { families });
    const prepared = await prepare(game);
    const files = pluginFilesOf([spec]);
    const remake = async (again: Game) => (await prepare(again)).create();
    return {
      agent: prepared.create(),
      budget: prepared.budget,
      ...(files.length > 0 && { code: { files, remake } }),
    };
  };

  return async (task) => {
    status = new Int32Array(task.status);
    const records: GameRecord[] = [];
    for (const [index, { id, block, seats, opening }] of task.games.entries()) {
      if (Atomics.load(status, STOP) !== 0) break;
      Atomics.store(status, GAME, index);
      const setup = { id, seed: plan.seed, chanceStream: block, opening };
      const table: Seat[] = [];
      for (const [seat, entrant] of seats.entries()) table.push(await seatOf(entrant, seat, seats));
      const result = await referee.play(table, setup);
      records.push({ id, block, seats, openingLength: opening.length, ...result });
    }
    return records;
  };
}

/** A frozen plan names its weights relative to the run's folder. */
function locateWeights(spec: AgentSpec, dir: string): AgentSpec {
  const evaluator = spec["evaluator"];
  return typeof evaluator === "string" && isWeightsPath(evaluator)
    ? { ...spec, evaluator: resolve(dir, evaluator) }
    : spec;
}
