import type { About } from "../../base/about.ts";
import type { AgentSpec } from "../../agents/agent.ts";
import type { SearchTree } from "../../explain/tree/search-tree.ts";
import type { Inspection } from "../../explain/weights/inspect.ts";
import type { WeightsHeader } from "../../evaluators/stored-weights.ts";
import type { Breakdown } from "../../ratings/breakdown.ts";
import type { GameRecord } from "../../ratings/record.ts";
import type { Section } from "../../ratings/sections/section.ts";
import type { Checkpoint } from "../../ratings/sections/curve.ts";
import type { RunReport } from "../../ratings/format-results.ts";
import type { BoardData, DrawnGame } from "./board-data.ts";

/*
 * The data of the page, as plain values: `agon report` writes it into report.html, `agon serve` sends it.
 */

export interface PageData {
  /** The version of agon. */
  readonly version: string;
  readonly tournaments: readonly TournamentData[];
  readonly trainings: readonly TrainingData[];
  readonly sweeps?: readonly SweepData[];
  /** Searches that are shown step by step, in a page of their own. */
  readonly trees?: readonly SearchTree[];
  /** The weights by a hash, which entrants name. */
  readonly weights: Readonly<Record<string, WeightsData>>;
}

/** A run, or the rating of a training. */
export interface TournamentData {
  readonly name: string;
  readonly about: About;
  /** The last part of the folder's path; different for each run of a page. */
  readonly folder: string;
  readonly game: { readonly id: string } & Readonly<Record<string, unknown>>;
  /** The game's name with its unusual options, for people. */
  readonly gameName: string;
  /** True if the rules are built in; games of the user's are shown as they were drawn. */
  readonly hasRules: boolean;
  /**
   * The user's code, as a script that sets `agonModules`. The names of the user's files in `game` and `entrants` are keys of
   * it. Absent if the page has none, or if it cannot run a game of the user's.
   */
  readonly code?: string;
  readonly seed: string;
  /** Games that are planned, played or not. */
  readonly planned: number;
  /** Sentences for the top of the page, such as that the run is not finished. */
  readonly notices: readonly string[];
  /** The entrants in the plan's order: games name them by index. */
  readonly entrants: readonly EntrantData[];
  readonly report: RunReport;
  /** The bots, if the run is a ladder. */
  readonly ladder?: LadderData;
  readonly breakdown: Breakdown;
  /** All games, or a sample, the newest first. A page that follows a run has forfeits, and games that were looked at. */
  readonly games: readonly GameData[];
}

/** The bots of a ladder. */
export interface LadderData {
  /** A sentence, if fewer play than a game has seats. */
  readonly waiting?: string | undefined;
  /** Names of the entrants that play now. */
  readonly playing: readonly string[];
  readonly bots: readonly {
    readonly bot: string;
    /** The entrant that is its version of now; absent if it was refused. */
    readonly entrant?: string | undefined;
    readonly state: "plays" | "set aside" | "refused";
    /** A sentence; empty for those that play. */
    readonly reason: string;
  }[];
}

export interface EntrantData {
  readonly name: string;
  readonly spec: AgentSpec;
  /** The reason why the page cannot play it; absent if it can. */
  readonly misses?: string;
  /** The weights that its evaluator is made of: a key of the page's `weights`. */
  readonly weights?: string;
}

/** A record as the page shows it; `actions` are empty if the page cannot play the game. */
export interface GameData extends Omit<GameRecord, "block" | "decisions" | "nodes" | "timeMs" | "thoughts"> {
  /** From 1, in the order of storing. */
  readonly number: number;
  /** The actions as text, if the rules are not built in. */
  readonly moves?: readonly string[];
  /** Its positions, if the rules are not built in and the page has room for them. */
  readonly drawn?: DrawnGame;
  /** The time on each seat's clock at the start, and that of its player after each decision, in ms; absent where it is not known. */
  readonly clocks?: { readonly startMs: readonly number[]; readonly leftMs: readonly number[] };
  /** The agents' thoughts, as `formatThoughts` writes them. */
  readonly thoughts: string;
}

/** A game that is being played, at its last position. */
export interface AtPlayData {
  readonly id: string;
  /** The names of the entrants, by seat. */
  readonly names: readonly string[];
  /** The number of its actions. */
  readonly length: number;
  /** The last action as text; empty at the start. */
  readonly last: string;
  /** The player on turn, or the result. */
  readonly turn: string;
  readonly board: BoardData;
  /** The time left on each seat's clock, in ms; absent without a time control. */
  readonly leftMs?: readonly number[];
}

export interface TrainingData {
  readonly name: string;
  readonly about: About;
  readonly folder: string;
  readonly game: TournamentData["game"];
  readonly notices: readonly string[];
  readonly points: readonly Checkpoint[];
  readonly pool: readonly {
    readonly name: string;
    readonly elo: number;
    readonly low: number;
    readonly high: number;
  }[];
  /** `return` if mean returns say more than Elo. */
  readonly rankedBy: "elo" | "return";
  /** The last weights, explained; absent if they cannot be read. */
  readonly inspection?: Inspection;
}

/** Several trainings of one config: settings, each with the same seeds. */
export interface SweepData {
  readonly name: string;
  readonly about: About;
  readonly folder: string;
  readonly notices: readonly string[];
  /** The figure that settings are compared by. */
  readonly measure: "elo" | "score" | "return";
  readonly table: Section;
  readonly findings: readonly string[];
  /** The mean curve of each setting, with half of its interval over the seeds. */
  readonly curves: readonly {
    readonly name: string;
    readonly points: readonly {
      readonly games: number;
      readonly mean: number;
      readonly margin?: number | undefined;
    }[];
  }[];
}

export interface WeightsData {
  readonly model: WeightsHeader["evaluator"];
  /** float32, little endian, or the ONNX file; gzipped, in base64. */
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
  /** Games played, or in a training games trained. */
  readonly done: number;
  readonly planned: number;
  /** Games a second; absent while unknown, and while nobody plays. */
  readonly gamesPerSecond?: number;
  /** Estimated; absent without a pace. */
  readonly secondsLeft?: number;
  /** `going on` while a process writes there; a stopped run can be resumed. */
  readonly state: "going on" | "finished" | "stopped";
  /** Absent unless it is a ladder; `endless` if it plays until it is stopped, so that `planned` says nothing. */
  readonly ladder?: "endless" | "limited";
  /** True if the server takes bots for it. */
  readonly takesBots?: boolean;
  /** The entrant with the best score so far, or a training's best checkpoint. Empty while unknown. */
  readonly leader: string;
  /** The folder's fault; empty without one. */
  readonly notice: string;
  /** The time of the last write, in ms since 1970. */
  readonly writtenAt: number;
  /** Grows with each change in the folder, also from one server to the next. */
  readonly change: number;
}
