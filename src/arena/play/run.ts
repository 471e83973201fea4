import { availableParallelism } from "node:os";
import { setImmediate } from "node:timers/promises";
import { InputError } from "../../base/errors.ts";
import type { Game } from "../../games/contract/game.ts";
import { formatOf, plannedGames } from "../formats/index.ts";
import { describeSprt } from "../formats/sprt.ts";
import { gameOf, OBJECTS, type TournamentPlan } from "../plan/plan.ts";
import { Rounds, type Round } from "../schedule/rounds.ts";
import type { ScheduledGame } from "../schedule/schedule.ts";
import { coresFor } from "./affinity.ts";
import { clearGamesAtPlay } from "./at-play.ts";
import { playHere, WorkerPool, type Players } from "./worker-pool.ts";
import type { GameRecord } from "../../ratings/record.ts";
import type { Store } from "../store/store.ts";
import { Standings, type RunProgress } from "./standings.ts";

/** The interval of looks whether more tasks can be given out. */
const LOOK_MS = 500;
/** The time that games at hand get to finish after a stop. */
const GRACE_MS = 2000;

export interface RunOptions {
  readonly plan: TournamentPlan;
  readonly store: Store;
  /** Folder of the run, which the plan's relative paths are taken from [the current one, where nothing is written]. */
  readonly dir?: string | undefined;
  /**
   * The number of workers, each a process [one a core; 0 if the plan has objects]. 0 plays in this thread, which cannot end
   * an agent that hangs.
   */
  readonly workers?: number | undefined;
  /** Players to use instead of workers of this machine; they are closed at the end. */
  readonly players?: Players | undefined;
  /** Called after each batch of finished games. */
  readonly onProgress?: ((progress: RunProgress) => void) | undefined;
  /** When it aborts, the games at hand are finished and stored. */
  readonly signal?: AbortSignal | undefined;
}

/** The outcome of `runTournament`. */
export interface RunOutcome {
  /** True if every game of the tournament is stored. */
  readonly complete: boolean;
  /** The number of games played now, without those that were stored before. */
  readonly played: number;
  /** The number of games of the tournament; if it is not complete, the most that it may have. */
  readonly total: number;
  /** The share of the time in which workers of this machine had no games, 0 to 1; absent if none was needed. */
  readonly idleShare?: number;
  /** The reason for which a player has ended the run; absent if none has. */
  readonly ended?: string;
}

/** Plays every game of the plan that the store does not have. */
export async function runTournament(options: RunOptions): Promise<RunOutcome> {
  const { plan, store, dir, signal } = options;
  const planned = plannedGames(plan, store);
  const stored = store.size;
  // The games of a test can be all there without its counts.
  if (stored >= planned.most && formatOf(plan).sprt === undefined) {
    await options.players?.close();
    return { complete: true, played: 0, total: planned.most };
  }
  const game = await gameOf(plan);
  const players = options.players ?? (await openPlayers(game, options));
  const rounds = new Rounds(plan, game, store.scorer());
  const missing = new MissingGames(rounds, stored === 0 ? () => false : store.lookup());
  const standings = new Standings(plan, store, planned);
  const keep = together((records: readonly GameRecord[]) => store.add(records));
  const tell = () => {
    const { sprt } = rounds;
    options.onProgress?.({ ...standings.progress(), ...(sprt && { sprt: describeSprt(plan, sprt) }) });
  };
  const unwatch = stopAtAbort(players, signal);
  if (dir !== undefined) clearGamesAtPlay(dir);
  let idleShare: number | undefined;
  try {
    await giveOut(players, async () => {
      const task =
        signal?.aborted === true || players.ended !== undefined
          ? undefined
          : missing.take((left) => standings.taskSize(players, left));
      if (task === undefined || task === "awaited") return task ?? "over";
      const records = await players.play(task.games);
      await keep(records);
      task.round.left -= records.length;
      standings.add(records);
      tell();
      return "played";
    });
    idleShare = players.idleShare;
    if (rounds.sprt !== undefined) store.saveSprt(rounds.sprt);
    if (rounds.isFinished && planned.least < planned.most) {
      store.saveTotal(rounds.games);
      standings.end();
      tell();
    }
  } finally {
    unwatch();
    await players.close();
    if (dir !== undefined) clearGamesAtPlay(dir);
  }
  return {
    complete: rounds.isFinished,
    played: standings.played,
    total: standings.most,
    ...(idleShare !== undefined && { idleShare }),
    ...(players.ended !== undefined && { ended: players.ended }),
  };
}

/** The cores of this machine's workers of a plan with `affinity`, or the problem why they have none; nothing without it. */
export function coresOf(
  plan: TournamentPlan,
  { workers, players }: { readonly workers?: number | undefined; readonly players?: unknown },
): ReturnType<typeof coresFor> {
  if (plan.affinity !== true || players !== undefined) return {};
  return coresFor(countOf(plan, workers));
}

/** The number of workers on this machine, of which so many are asked for. */
function countOf(plan: TournamentPlan, workers: number | undefined): number {
  return workers ?? (plan[OBJECTS] === undefined ? availableParallelism() : 0);
}

/** Players on this machine. Throws InputError where workers cannot load what plays. */
async function openPlayers(game: Game, { plan, dir, workers }: RunOptions): Promise<Players> {
  const count = countOf(plan, workers);
  const setup = { plan, dir: dir ?? ".", writes: dir !== undefined };
  if (count === 0) return playHere(setup);
  if (plan[OBJECTS] === undefined)
    return new WorkerPool(game, setup, count, coresOf(plan, { workers }).cores);
  throw new InputError(
    `workers must be 0 where games or agents are given as objects, got ${count}: only files can be loaded by workers`,
  );
}

/** Stops the players when the signal aborts, and closes them GRACE_MS later; returns a function that ends this. */
function stopAtAbort(players: Players, signal: AbortSignal | undefined): () => void {
  let grace: NodeJS.Timeout | undefined;
  const stop = () => {
    players.stop();
    grace = setTimeout(() => void players.close(), GRACE_MS);
  };
  if (signal?.aborted === true) stop();
  signal?.addEventListener("abort", stop, { once: true });
  return () => {
    signal?.removeEventListener("abort", stop);
    clearTimeout(grace);
  };
}

/** The games of a tournament that are not stored. */
class MissingGames {
  private readonly rounds: Rounds;
  private readonly isStored: (id: string) => boolean;
  private round: Round | undefined;

  constructor(rounds: Rounds, isStored: (id: string) => boolean) {
    this.rounds = rounds;
    this.isStored = isStored;
  }

  /**
   * The next games, all of one round; "awaited" while no round is open that has games to give out, undefined at the end.
   * @param size gives the most games to take, from the number of games that are left of the round
   */
  take(
    size: (left: number) => number,
  ): { round: Round; games: readonly ScheduledGame[] } | "awaited" | undefined {
    for (;;) {
      if (this.round === undefined) {
        const next = this.rounds.next();
        if (next === undefined || next === "awaited") return next;
        this.round = next;
      }
      const { round } = this;
      const games = this.takeFrom(round, size(round.left));
      if (games.length > 0) return { round, games };
      this.round = undefined;
    }
  }

  private takeFrom(round: Round, count: number): ScheduledGame[] {
    const games: ScheduledGame[] = [];
    while (games.length < count) {
      const { done, value } = round.games.next();
      if (done === true) break;
      if (this.isStored(value.id)) round.left--;
      else games.push(value);
    }
    return games;
  }
}

/**
 * Stores the items of one turn of the event loop together: each call of `store` waits for the disk, and more items come
 * meanwhile.
 */
function together<Item>(store: (items: readonly Item[]) => void): (items: readonly Item[]) => Promise<void> {
  let batch: Item[] = [];
  let stored: Promise<void> | undefined;
  const storeBatch = async () => {
    await setImmediate();
    const items = batch;
    [batch, stored] = [[], undefined];
    store(items);
  };
  return async (items) => {
    batch = [...batch, ...items];
    await (stored ??= storeBatch());
  };
}

/**
 * Has as many tasks played at once as the players can take. `playNext` returns "played", "awaited" if the next task needs
 * the results of tasks at hand, or "over" if all are given out. Players that join during long games get tasks, too.
 */
async function giveOut(
  players: Players,
  playNext: () => Promise<"played" | "awaited" | "over">,
): Promise<void> {
  let hands = 0;
  let isOver = false;
  let look: NodeJS.Timeout | undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      const hand = async () => {
        let last: "played" | "awaited" | "over" = "played";
        while (last === "played" && !isOver && hands <= Math.max(1, players.tasks)) {
          last = await playNext();
          if (last === "over") isOver = true;
          if (last === "played") fill();
        }
        hands--;
        if (hands === 0 && (isOver || last === "awaited")) resolve();
      };
      const fill = () => {
        for (; !isOver && hands < Math.max(1, players.tasks); hands++) hand().catch(reject);
      };
      look = setInterval(fill, LOOK_MS);
      fill();
    });
  } finally {
    isOver = true;
    clearInterval(look);
  }
}
