import { readdirSync, statSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { InputError } from "../../base/errors.ts";
import { Store } from "../../arena/store/store.ts";
import type { PageData, RunEntry, AtPlayData } from "../page/data.ts";
import type { GameQuery } from "../page/game-list.ts";
import { collect } from "../collect.ts";
import {
  collectGame,
  collectGames,
  LIVE_PATIENCE_MS,
  loadedGame,
  withPrintableNames,
} from "../collect-games.ts";
import { FollowedRun } from "./followed-run.ts";
import { ownVersion } from "../write-report.ts";
import { isTraining } from "../collect-training.ts";
import { readGamesAtPlay, type GameAtPlay } from "../../arena/play/at-play.ts";
import type { TournamentPlan } from "../../arena/plan/plan.ts";
import { CHANCE, type Game } from "../../games/contract/game.ts";
import { possibleActions } from "../../games/contract/notation.ts";
import { boardOf } from "../page/board-data.ts";
import { turnOf } from "../page/game-text.ts";

/** The number of pages that are kept in memory. */
const KEPT_PAGES = 12;
/** The least rest between two refreshes or collections, in durations of the last one. */
const REST_SHARE = 10;

/** The changes since the last refresh. */
export interface Changes {
  readonly changed: readonly RunEntry[];
  /** Folders that were removed. */
  readonly gone: readonly string[];
}

/** The runs and trainings in a folder, while they go on; they are only read. */
export class LiveRuns {
  private readonly dir: string;
  private readonly clock: () => number;
  private readonly withCode: boolean;
  /** The runs by their folder's name. Requests are looked up here, and nowhere else. */
  private runs = new Map<string, FollowedRun>();
  private readonly pages = new Map<string, CollectedPage>();
  private readonly collecting = new Map<string, Promise<CollectedPage>>();

  /**
   * @param dir folder of runs, or a run's own
   * @param clock ms since 1970
   * @param withCode true if pages get the user's code
   * Throws InputError if there is no such folder.
   */
  constructor(dir: string, clock: () => number, { withCode = false }: { withCode?: boolean } = {}) {
    this.dir = dir;
    this.clock = clock;
    this.withCode = withCode;
    const stats = statSync(dir, { throwIfNoEntry: false });
    if (stats === undefined)
      throw new InputError(
        "no such folder; agon run and agon train make the folder runs; agon serve DIR shows another",
        dir,
      );
    if (!stats.isDirectory()) throw new InputError("is no folder; name the one that your runs are in", dir);
  }

  /** Reads all folders again; quick if little has changed. */
  refresh(): Changes {
    const found = this.folders();
    const gone = [...this.runs].filter(([name, { entry }]) => !found.has(name) && entry !== undefined);
    this.runs = new Map(
      [...found].map(([name, path]) => [name, this.runs.get(name) ?? new FollowedRun(path, name)]),
    );
    const now = this.clock();
    const changed: RunEntry[] = [];
    const left = gone.map(([name]) => name);
    for (const [name, run] of this.runs) {
      if (!run.refresh(now)) continue;
      if (run.entry === undefined) left.push(name);
      else changed.push(run.entry);
    }
    for (const name of left) this.pages.delete(name);
    if (changed.length > 0) releaseStores({ wasLong: false });
    return { changed, gone: left };
  }

  /** The entries of the last refresh. */
  entries(): RunEntry[] {
    return [...this.runs.values()].map(({ entry }) => entry).filter((entry) => entry !== undefined);
  }

  /**
   * The page's data of a run; undefined if no run has that name. It may be a little old: a large run is not collected
   * again at once. Throws InputError if it cannot be collected.
   */
  async page(folder: string): Promise<CollectedPage | undefined> {
    const run = this.runs.get(folder);
    if (run?.entry === undefined) return undefined;
    const known = this.pages.get(folder);
    if (known !== undefined && (known.change === run.entry.change || this.clock() < known.keepUntil))
      return known;
    let collecting = this.collecting.get(folder);
    if (collecting === undefined) {
      collecting = this.collect(folder, run, run.entry.change);
      this.collecting.set(folder, collecting);
    }
    return collecting;
  }

  /** A stored game of a run as JSON; undefined if the run has no game of that id. */
  async game(folder: string, id: string): Promise<string | undefined> {
    const run = this.runs.get(folder);
    if (run?.entry === undefined || !Store.exists(run.dir)) return undefined;
    const game = await collectGame(run.dir, id, { withCode: this.withCode });
    releaseStores({ wasLong: false });
    return game && JSON.stringify(game);
  }

  /** A page of a run's list of games as JSON; undefined if there is no such run. */
  async games(folder: string, query: GameQuery): Promise<string | undefined> {
    const run = this.runs.get(folder);
    if (run?.entry === undefined || !Store.exists(run.dir)) return undefined;
    try {
      return JSON.stringify(await collectGames(run.dir, query, { withCode: this.withCode }));
    } finally {
      releaseStores({ wasLong: true });
    }
  }

  /** The games that are being played in a run as JSON (`AtPlayData`); undefined if there is no such run. */
  async atPlay(folder: string): Promise<string | undefined> {
    const run = this.runs.get(folder);
    if (run?.entry === undefined) return undefined;
    const games = run.entry.state === "going on" ? await collectGamesAtPlay(run.dir) : [];
    releaseStores({ wasLong: false });
    return JSON.stringify(games);
  }

  private async collect(folder: string, { dir }: FollowedRun, change: number): Promise<CollectedPage> {
    try {
      const begun = this.clock();
      const { withCode } = this;
      const options = { version: ownVersion(), games: 0, isLive: true, withCode };
      const read = async (): Promise<PageData> => collect([dir], options);
      // The plan of a ladder may grow while its games are read.
      const data = await read().catch(read);
      const now = this.clock();
      const page = { json: JSON.stringify(data), change, keepUntil: now + REST_SHARE * (now - begun) };
      // The oldest page makes room.
      this.pages.delete(folder);
      this.pages.set(folder, page);
      if (this.pages.size > KEPT_PAGES) this.pages.delete(this.pages.keys().next().value!);
      return page;
    } finally {
      this.collecting.delete(folder);
      releaseStores({ wasLong: true });
    }
  }

  /** The folders that may be runs, by name; a folder that is a run itself stands alone. */
  private folders(): Map<string, string> {
    const own = resolve(this.dir);
    if (Store.exists(own) || isTraining(own)) return new Map([[basename(own), own]]);
    let names: string[];
    try {
      names = readdirSync(own);
    } catch {
      // The folder was removed: there are no runs.
      return new Map();
    }
    const found = names.map((name): [string, string] => [name, join(own, name)]);
    return new Map(found.filter(([, path]) => isFolder(path)));
  }
}

/** A page's data as JSON. */
export interface CollectedPage {
  readonly json: string;
  /** The `change` of the run's entry at that time. */
  readonly change: number;
  /** The time before which the page is not collected again, in ms since 1970. */
  readonly keepUntil: number;
}

/** The rest after a refresh that took this long, in ms. */
export function restAfter(tookMs: number, leastMs: number): number {
  return Math.max(leastMs, REST_SHARE * tookMs);
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    // A link that leads nowhere, or a folder that went away just now.
    return false;
  }
}

type Collector = (options?: { type: "minor" }) => void;
let collector: Collector | undefined;

/**
 * Frees the files of closed stores at the next turn of the event loop. SQLite's client frees a file when the statements of
 * its store are garbage-collected; until then a run that ends cannot put its store into one file.
 * @param wasLong true if the stores were open for long: a quick collection would miss their statements
 */
function releaseStores({ wasLong }: { wasLong: boolean }): void {
  if (collector === undefined) {
    setFlagsFromString("--expose-gc");
    collector = runInNewContext("gc") as Collector;
  }
  if (wasLong) collector();
  else collector({ type: "minor" });
}

/** The most games that are shown at once. */
const MOST_GAMES = 24;

/** The games that are being played in the folder of a run, at their last positions; those stored already are left out. */
async function collectGamesAtPlay(dir: string): Promise<AtPlayData[]> {
  const found = readGamesAtPlay(dir);
  if (found.length === 0 || !Store.exists(dir)) return [];
  return Store.reading({ dir, patienceMs: LIVE_PATIENCE_MS }, async (store) => {
    const plan = withPrintableNames(store.requirePlan(dir));
    const game = await loadedGame(plan, []);
    if (game === undefined) return [];
    const going = found.filter(({ id }) => store.numberOf(id) === undefined);
    return going.slice(0, MOST_GAMES).flatMap((one) => shownOf(one, plan, game) ?? []);
  });
}

/** A game as the page shows it; undefined if the rules do not give it, or if the user's code fails. */
function shownOf(
  { id, seats, actions, clocks }: GameAtPlay,
  { entrants }: TournamentPlan,
  game: Game,
): AtPlayData | undefined {
  try {
    const state = game.start();
    let marked: readonly number[] = [];
    let last = "";
    for (const action of actions) {
      if (!possibleActions(game, state).includes(action)) return undefined;
      last = game.formatAction(action, state);
      // The last move of a player stays marked while chance decides.
      if (state.toMove !== CHANCE) marked = game.picture?.touches(state, action) ?? [];
      state.apply(action);
    }
    return {
      id,
      names: seats.map((entrant) => entrants[entrant]!.name),
      length: actions.length,
      last,
      turn: turnOf(game, state),
      board: boardOf(game, state, marked, undefined),
      ...(clocks && { leftMs: clocks.map(({ leftMs }) => leftMs) }),
    };
  } catch {
    return undefined;
  }
}
