import { AsyncLocalStorage, createHook } from "node:async_hooks";
import { performance } from "node:perf_hooks";
import { describeThrown, fileOfPlace, placesOf } from "../../base/thrown.ts";
import type { Game } from "../../game/game.ts";
import type { GameRecord } from "../../ratings/record.ts";
import { loadAgent } from "../../specs/agents.ts";
import { loadGame } from "../../specs/games.ts";
import { checkCode } from "../../plugins/code.ts";
import { OBJECTS, resolvePlan, type TournamentPlan } from "../plan/plan.ts";
import type { ScheduledGame } from "../schedule/schedule.ts";
import { raiseInliningBudget } from "./inlining.ts";
import { forfeited, Referee, type Seat, type Watcher } from "./referee.ts";
import { GAME, IDLE, MAKING, SEAT, STATUS_BYTES, STOP, TURN, WAITING } from "./watch.ts";

/** The plan that a worker plays, and its folder. */
export interface WorkerSetup {
  readonly plan: TournamentPlan;
  /** Folder that the plan's relative paths are taken from. */
  readonly dir: string;
}

/** Games to play one after the other, and where to say which one is being played; see watch.ts. */
interface WorkerTask {
  readonly games: readonly ScheduledGame[];
  readonly status: SharedArrayBuffer;
}

/** The owner of code that an agent left behind in a game that is over. */
export const PAST = -2;

/** Plays the games of one plan. */
export interface Player {
  /** Plays the games of one task and tells of each one when it is finished. */
  play(task: WorkerTask, onFinished: (record: GameRecord) => void): Promise<void>;
  /**
   * The seat, in the game at hand, of the agent whose code runs or threw `error`: a timer or a promise that it left
   * behind. PAST if that game is over; undefined if the seat is unknown.
   */
  ownerOf(error: unknown): number | undefined;
  /** Has the seat forfeit the game at hand, because code that it left behind threw `error`. */
  interrupt(seat: number, error: unknown): void;
}

interface PlayerOptions {
  /**
   * Called with the seat whenever the code of another seat runs; IDLE for code that is no agent's. This makes play
   * slow.
   */
  readonly trail?: (seat: number) => void;
}

/** The seat, in one game, whose code runs. */
interface Owner {
  readonly game: ScheduledGame;
  readonly seat: number;
}

/** Makes what plays the games of one plan. Agents are made when they are first needed, and told of each new game. */
export async function createPlayer(
  { plan, dir }: WorkerSetup,
  { trail }: PlayerOptions = {},
): Promise<Player> {
  raiseInliningBudget();
  const objects = plan[OBJECTS];
  const resolved = resolvePlan(plan, dir);
  const [gameFile] = resolved.game.code;
  checkCode(resolved.game.code, plan.gameCode);
  const game = await loadGame(plan.game, objects);
  let status: Int32Array<ArrayBufferLike> = new Int32Array(STATUS_BYTES / 4);
  let atHand: ScheduledGame | undefined;
  /** Timers and promises inherit the owner of the code that made them. */
  const owners = new AsyncLocalStorage<Owner>();
  const seatOfOwner = (owner: Owner) => (owner.game === atHand ? owner.seat : PAST);
  const watcher: Watcher = {
    thinking: (seat) => {
      Atomics.store(status, SEAT, seat);
      Atomics.add(status, TURN, 1);
      trail?.(seat);
    },
    waiting: () => {
      Atomics.store(status, WAITING, 1);
    },
    idle: () => {
      Atomics.store(status, SEAT, IDLE);
      Atomics.store(status, WAITING, 0);
      trail?.(IDLE);
    },
  };
  if (trail !== undefined) {
    const before = () => {
      const owner = owners.getStore();
      if (owner !== undefined) trail(Math.max(IDLE, seatOfOwner(owner)));
    };
    createHook({ before }).enable();
  }
  const referee = new Referee(game, () => performance.now(), {
    watcher,
    gameFile,
    thoughts: plan.thoughts,
  });

  /** By entrant: its agents, one for each seat that it has in one game. */
  const agents = new Map<number, Seat[]>();
  const seatOf = (scheduled: ScheduledGame, seat: number): Seat | Promise<Seat> => {
    const entrant = scheduled.seats[seat]!;
    const known = agents.get(entrant) ?? [];
    agents.set(entrant, known);
    const earlier = scheduled.seats.slice(0, seat).filter((other) => other === entrant).length;
    const making = () => createSeat(entrant, { game: scheduled, seat });
    return known[earlier] ?? making().then((made) => (known[earlier] = made));
  };
  const createSeat = async (entrant: number, owner: Owner): Promise<Seat> => {
    const { located: spec, code: files } = resolved.agents[entrant]!;
    checkCode(files, plan.entrants[entrant]!.code);
    const prepare = (one: Game) => loadAgent(one, spec, objects?.agents);
    if (files.length === 0) {
      const prepared = await prepare(game);
      return { agent: prepared.create(), budget: prepared.budget };
    }
    Atomics.store(status, MAKING, 1);
    watcher.thinking(owner.seat);
    try {
      return await owners.run(owner, async () => {
        const prepared = await prepare(game);
        const remake = async (again: Game) => (await prepare(again)).create();
        return { agent: prepared.create(), budget: prepared.budget, code: { files, remake } };
      });
    } catch (error) {
      throw new Unmakeable(owner.seat, describeThrown(error));
    } finally {
      watcher.idle();
      Atomics.store(status, MAKING, 0);
    }
  };
  /** The seat, its agent such that all that it does is known to be its. */
  const owned = (seat: Seat, owner: Owner): Seat => {
    if (seat.code === undefined) return seat;
    const { agent } = seat;
    return {
      ...seat,
      agent: {
        choose: (state, turn) => owners.run(owner, () => agent.choose(state, turn)),
        newGame: () => owners.run(owner, () => agent.newGame?.()),
      },
    };
  };
  const seatsOf = async (scheduled: ScheduledGame): Promise<Seat[]> => {
    const seats: Seat[] = [];
    for (const at of scheduled.seats.keys()) {
      const seat = seatOf(scheduled, at);
      seats.push(owned(seat instanceof Promise ? await seat : seat, { game: scheduled, seat: at }));
    }
    return seats;
  };
  const playOne = async (scheduled: ScheduledGame): Promise<GameRecord> => {
    const { id, block, seats, opening } = scheduled;
    try {
      const setup = { id, block, opening, seed: plan.seed };
      const result = await referee.play(await seatsOf(scheduled), setup);
      return { id, block, seats, openingLength: opening.length, ...result };
    } catch (error) {
      if (!(error instanceof Unmakeable)) throw error;
      return forfeited(game, scheduled, { seat: error.seat, ending: "exception", detail: error.message });
    }
  };

  return {
    async play(task, onFinished) {
      status = new Int32Array(task.status);
      for (const [index, scheduled] of task.games.entries()) {
        if (Atomics.load(status, STOP) !== 0) break;
        Atomics.store(status, GAME, index);
        atHand = scheduled;
        onFinished(await playOne(scheduled));
      }
      atHand = undefined;
    },
    ownerOf(error) {
      const owner = owners.getStore();
      if (owner !== undefined) return seatOfOwner(owner);
      const files = placesOf(error).map(fileOfPlace);
      const seats = (atHand?.seats ?? []).flatMap((entrant, seat) => {
        const known = agents.get(entrant)?.flatMap(({ code }) => code?.files ?? []) ?? [];
        return known.some((file) => files.includes(file)) ? [seat] : [];
      });
      return atHand === undefined ? PAST : seats.length === 1 ? seats[0] : undefined;
    },
    interrupt: (seat, error) => referee.interrupt(seat, error),
  };
}

/** An agent that could not be made. */
class Unmakeable extends Error {
  readonly seat: number;

  constructor(seat: number, message: string) {
    super(message);
    this.seat = seat;
  }
}
