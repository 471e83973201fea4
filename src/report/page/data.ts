import type { AgentSpec } from "../../agents/agent.ts";
import type { SearchTree } from "../../explain/tree/search-tree.ts";
import type { Inspection } from "../../explain/weights/inspect.ts";
import type { StoredModel } from "../../evaluators/stored-weights.ts";
import type { Breakdown } from "../../ratings/breakdown.ts";
import type { Ending } from "../../ratings/record.ts";
import type { Report } from "../../ratings/report.ts";

/*
 * All that the page shows, as plain data: what `agon report` writes into report.html and `agon serve` sends.
 */

export interface PageData {
  /** Of agon. */
  readonly version: string;
  readonly tournaments: readonly TournamentData[];
  readonly trainings: readonly TrainingData[];
  /** Searches that are shown step by step, in a page of their own. */
  readonly trees?: readonly SearchTree[];
  /** By a hash of what they are, which entrants name. */
  readonly weights: Readonly<Record<string, WeightsData>>;
}

/** A run, or the rating of a training. */
export interface TournamentData {
  readonly name: string;
  /** The last part of the folder's path; different for each run of a page. */
  readonly folder: string;
  readonly game: { readonly id: string } & Readonly<Record<string, unknown>>;
  /** The game's name with its unusual options, for people. */
  readonly gameName: string;
  /** Whether the page has the rules; without them games are shown as text. */
  readonly hasRules: boolean;
  readonly seed: string;
  /** Games that are planned, played or not. */
  readonly planned: number;
  /** What the reader must know first, such as that the run is not finished. */
  readonly notices: readonly string[];
  /** In the plan's order: games name entrants by their index here. */
  readonly entrants: readonly EntrantData[];
  readonly report: Report;
  readonly breakdown: Breakdown;
  /** All games, or a sample. */
  readonly games: readonly GameData[];
  /** How many games at the begin of `games` are those that were stored last, the newest first; absent in a file. */
  readonly newest?: number;
}

export interface EntrantData {
  readonly name: string;
  readonly spec: AgentSpec;
  /** Why nobody can play against it in the page; absent if one can. */
  readonly misses?: string;
  /** The weights that its evaluator is made of: a key of the page's `weights`. */
  readonly weights?: string;
}

export interface GameData {
  readonly id: string;
  readonly seats: readonly number[];
  readonly openingLength: number;
  /** Every action and chance outcome; empty where the page has no rules. */
  readonly actions: readonly number[];
  /** The same as text, where the page has no rules. */
  readonly moves?: readonly string[];
  /** What the agents thought, as `formatThoughts` writes it. */
  readonly thoughts: string;
  readonly returns: readonly number[];
  readonly ending: Ending;
  readonly forfeitSeat: number;
  readonly detail: string;
}

export interface TrainingData {
  readonly name: string;
  readonly folder: string;
  readonly game: TournamentData["game"];
  readonly notices: readonly string[];
  readonly points: readonly CurvePointData[];
  readonly pool: readonly {
    readonly name: string;
    readonly elo: number;
    readonly low: number;
    readonly high: number;
  }[];
  /** Whether mean returns say more than Elo. */
  readonly rankedBy: Report["rankedBy"];
  /** What the last weights look like; absent where they cannot be read. */
  readonly inspection?: Inspection;
}

/** One checkpoint. Elo with its 95% interval, the mean return with its own. */
export interface CurvePointData {
  /** Games trained. */
  readonly games: number;
  readonly elo: number;
  readonly low: number;
  readonly high: number;
  readonly score: number;
  readonly meanReturn: number;
  readonly returnLow: number;
  readonly returnHigh: number;
  readonly tdError?: number;
}

export interface WeightsData {
  readonly model: StoredModel;
  /** float32, little endian, gzipped, in base64. */
  readonly data: string;
}

/** A folder in the list of runs that `agon serve` sends. */
export interface RunEntry {
  /** Its name in the folder of runs; no other entry has it. */
  readonly folder: string;
  readonly kind: "run" | "training";
  readonly name: string;
  /** The game for people; empty while unknown. */
  readonly game: string;
  /** Games played; of a training, games trained. */
  readonly done: number;
  readonly planned: number;
  /** Games a second; absent while unknown, and where nobody plays. */
  readonly gamesPerSecond?: number;
  /** Estimated; absent where the pace is. */
  readonly secondsLeft?: number;
  /** Whether a process writes there now; one that ended before the end can be resumed. */
  readonly state: "going on" | "finished" | "stopped";
  /** The entrant with the best score so far; of a training, its best checkpoint. Empty while unknown. */
  readonly leader: string;
  /** What is wrong with the folder; empty where nothing is. */
  readonly notice: string;
  /** When something was written there last, in ms since 1970. */
  readonly writtenAt: number;
  /** Grows whenever something changes in the folder, also from one server to the next. */
  readonly change: number;
}
