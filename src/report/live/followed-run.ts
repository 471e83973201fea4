import { formatStrength } from "../../ratings/sections/curve.ts";
import { readFileSync, statSync, type Stats } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { check } from "../../base/check.ts";
import { Pace } from "../../base/pace.ts";
import { readJson } from "../../specs/files/documents.ts";
import { isLocked } from "../../specs/files/lock.ts";
import type { TournamentPlan } from "../../arena/plan/plan.ts";
import { plannedGames } from "../../arena/formats/index.ts";
import { isEndless, ladderOf } from "../../arena/formats/ladder.ts";
import { BOTS_FILE } from "../../arena/ladder/bot-folder.ts";
import { formatGame } from "../../arena/results/runs.ts";
import { Store } from "../../arena/store/store.ts";
import { MeanScores } from "../../ratings/score.ts";
import type { RunEntry } from "../page/data.ts";
import { isTraining } from "../collect-training.ts";
import { reasonOf, withoutFolders } from "../reason.ts";

/** The most games whose scores are read at once; a large run takes several refreshes. */
const SCORES_AT_ONCE = 10_000;
/** The time for which a locked store is waited for; a refresh keeps all pages waiting. */
const PATIENCE_MS = 200;

/** The files that change while a run or a training goes on. */
const WATCHED = [
  "results.sqlite",
  "results.sqlite-wal",
  "report.json",
  "config.json",
  "state.json",
  "curve.csv",
  "weights.json",
  BOTS_FILE,
];

/** The parts of a training's frozen config and state that are read. */
const frozen = z.looseObject({
  name: z.string(),
  game: z.looseObject({ id: z.string() }),
  games: z.int().min(0),
});
const training = z.looseObject({ games: z.int().min(0) });

/** The progress in a folder: the part of an entry that comes from the folder's files. */
type Content = Pick<
  RunEntry,
  "kind" | "name" | "ladder" | "game" | "done" | "planned" | "leader" | "notice"
> & {
  readonly isFinished: boolean;
};

/** A folder that may hold a run or a training. It is only read, and each read is short. */
export class FollowedRun {
  readonly dir: string;
  private readonly folder: string;
  private seen = "";
  private content: Content | undefined;
  private scores: ScoreSums | undefined;
  private pace = new Pace();
  private last: RunEntry | undefined;

  constructor(dir: string, folder: string) {
    this.dir = dir;
    this.folder = folder;
  }

  /** The entry of the last refresh; undefined if the folder holds neither a run nor a training. */
  get entry(): RunEntry | undefined {
    return this.last;
  }

  /**
   * Reads the folder again.
   * @param nowMs since 1970
   * @returns true if something has changed
   */
  refresh(nowMs: number): boolean {
    const files = WATCHED.map((name) => statsOf(join(this.dir, name)));
    const isWritten = isWrittenNow(this.dir);
    if (!isWritten && files.every((stats) => stats === undefined)) return this.forget();
    const seen = [isWritten, ...files.map((stats) => stats && [stats.mtimeMs, stats.size])].join();
    const isNew = seen !== this.seen;
    if (!isNew && this.scores?.isBehind !== true) return false;
    try {
      this.content = this.read();
      this.seen = seen;
    } catch (error) {
      // The writer has locked the file for a moment: the last entry holds until the next refresh.
      if (isBusy(error) && this.last !== undefined) return false;
      const notice = isWritten && this.content === undefined ? "is beginning" : reasonOf(error);
      this.content = { ...(this.content ?? { ...NOTHING, name: this.folder }), notice };
      this.seen = seen;
    }
    const writtenAt = Math.max(...files.map((stats) => stats?.mtimeMs ?? 0));
    this.last = this.entryOf(this.content, {
      isWritten,
      writtenAt: Math.round(writtenAt),
      nowMs,
      change: isNew ? Math.max((this.last?.change ?? 0) + 1, Math.round(nowMs)) : this.last!.change,
    });
    return true;
  }

  private forget(): boolean {
    const wasThere = this.last !== undefined;
    this.seen = "";
    this.content = this.scores = this.last = undefined;
    this.pace = new Pace();
    return wasThere;
  }

  private entryOf(
    { isFinished, ...content }: Content,
    { isWritten, nowMs, ...when }: { isWritten: boolean; nowMs: number; writtenAt: number; change: number },
  ): RunEntry {
    const state = isWritten ? "going on" : isFinished ? "finished" : "stopped";
    // While nobody plays there is no pace.
    if (isWritten) this.pace.note(content.done, nowMs);
    else this.pace = new Pace();
    const { perSecond } = this.pace;
    const secondsLeft =
      content.ladder === "endless" ? undefined : this.pace.secondsFor(content.planned - content.done);
    return {
      folder: this.folder,
      ...content,
      state,
      ...(perSecond > 0 && { gamesPerSecond: perSecond, ...(secondsLeft !== undefined && { secondsLeft }) }),
      ...when,
    };
  }

  private read(): Content {
    if (isTraining(this.dir)) return this.readTraining();
    return Store.reading({ dir: this.dir, patienceMs: PATIENCE_MS }, (store) => {
      const plan = store.requirePlan(this.dir);
      if (this.scores?.isOf(plan, store) !== true) this.scores = new ScoreSums(plan);
      this.scores.readOn(store);
      const planned = plannedGames(plan, store).most;
      const ladder = ladderOf(plan);
      const done = store.last;
      return {
        kind: "run",
        name: plan.name,
        game: formatGame(plan),
        done,
        planned,
        leader: this.scores.leader,
        notice: "",
        isFinished: done >= planned,
        ...(ladder && { ladder: isEndless(ladder) ? ("endless" as const) : ("limited" as const) }),
      };
    });
  }

  private readTraining(): Content {
    const { dir } = this;
    const config = check(frozen, readJson(join(dir, "config.json")), join(dir, "config.json"));
    const has = (name: string) => statsOf(join(dir, name)) !== undefined;
    const state = join(dir, "state.json");
    const done = has("state.json") ? check(training, readJson(state), state).games : 0;
    return {
      kind: "training",
      name: config.name,
      game: withoutFolders(config.game.id),
      done,
      planned: config.games,
      leader: has("curve.csv") ? bestOfCurve(readFileSync(join(dir, "curve.csv"), "utf8")) : "",
      notice: "",
      isFinished: has("weights.json"),
    };
  }
}

const NOTHING: Content = {
  kind: "run",
  name: "",
  game: "",
  done: 0,
  planned: 0,
  leader: "",
  notice: "",
  isFinished: false,
};

/** The scores of a run's entrants, from the games read so far. */
class ScoreSums {
  isBehind = false;
  private read = 0;
  private readonly plan: string;
  private readonly names: readonly string[];
  private readonly means: MeanScores;

  constructor(plan: TournamentPlan) {
    this.plan = JSON.stringify(plan);
    this.names = plan.entrants.map(({ name }) => name);
    this.means = new MeanScores(this.names.length);
  }

  /** True if these seem to be sums of that run: a folder may be removed and made again. */
  isOf(plan: TournamentPlan, store: Store): boolean {
    return this.plan === JSON.stringify(plan) && store.last >= this.read;
  }

  readOn(store: Store): void {
    for (const score of store.scoresAfter(this.read, SCORES_AT_ONCE)) {
      this.means.add(score);
      this.read++;
    }
    this.isBehind = this.read < store.last;
  }

  /** The name of the entrant with the best mean score; empty before the first game. */
  get leader(): string {
    const { leader } = this.means;
    return leader === undefined ? "" : this.names[leader]!;
  }
}

/** The best checkpoint of a curve.csv, in words. */
function bestOfCurve(csv: string): string {
  const points = csv
    .split("\n")
    .slice(1)
    .filter((line) => line !== "")
    .map((line) => {
      const [games, elo, low, high, score] = line.split(",");
      // A line without an Elo has a score of all points, or of none.
      if (elo !== "") return { games, elo: Number(elo), score: Number(score) };
      const saturated = { low: Number(low), high: Number(high) };
      return { games, elo: Number(score) > 0.5 ? Infinity : -Infinity, score: Number(score), saturated };
    })
    .filter(({ elo }) => !Number.isNaN(elo));
  const best = points.toSorted((one, other) => other.elo - one.elo)[0];
  return best === undefined ? "" : `${formatStrength(best)} after ${best.games} games`;
}

/** The stats of a file; undefined if it does not exist or cannot be read. */
function statsOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function isWrittenNow(dir: string): boolean {
  try {
    return isLocked(dir);
  } catch {
    // The file is named like a lock, but is not one.
    return false;
  }
}

function isBusy(error: unknown): boolean {
  const { code = "" } = error as { code?: string };
  return /^SQLITE_(?:BUSY|LOCKED)/.test(code);
}
