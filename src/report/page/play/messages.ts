import type { Played } from "../../../agents/agent.ts";
import type { Analysis } from "../../../agents/analysis.ts";
import type { SearchTree } from "../../../explain/tree/search-tree.ts";
import type { Paint } from "../../../games/contract/picture.ts";
import type { BestAction } from "../../../ratings/sections/best-actions.ts";
import type { BoardData } from "../board-data.ts";
import type { PageData, TournamentData } from "../data.ts";
import type { MoveData } from "../game-text.ts";

/*
 * Messages between the page and a thread that has the rules and the agents of a run. All are plain values: the page never
 * runs a game's own code.
 */

/** The first message to a thread: everything that a game and its agents are made from. */
export interface Setup {
  readonly game: TournamentData["game"];
  readonly entrants: TournamentData["entrants"];
  readonly weights: PageData["weights"];
}

/** The questions to a thread, and its answers. */
export interface Questions {
  game: { asked: object; answer: GameInfo };
  /** As the viewer sees it until the game is over, in games of hidden information; absent: all is open. */
  position: { asked: { played: Played; viewer?: number | undefined }; answer: PositionData };
  /** The outcome of chance; the same for the same seed. */
  chance: { asked: { played: Played; seed: string }; answer: { action: number } };
  /** Where something is hidden, decisions of equal knowledge are equal for the same seed alone. */
  decision: { asked: { entrant: number; played: Played; seed: string }; answer: DecisionData };
  /** The best lines as an agent sees them, each `step` with more search than the one before. */
  analysis: { asked: { entrant: number; played: Played; step: number }; answer: AnalysisData };
  /** An agent's decision with the budget that it has in the run; the same as by `agon analyze`. */
  opinion: { asked: { entrant: number; played: Played }; answer: OpinionData };
  /** The search behind an opinion. */
  tree: { asked: { entrant: number; played: Played }; answer: SearchTree };
  /** A game as a file of a format. */
  file: { asked: { format: string; played: Played; names: readonly string[] }; answer: { text: string } };
}

export type Kind = keyof Questions;

/** A question of one kind, as it travels. Its reply travels as JSON. */
export type Question = {
  [K in Kind]: { readonly kind: K } & Readonly<Questions[K]["asked"]>;
}[Kind];

/** The parts of a game that do not change. */
export interface GameInfo {
  /** The names of the players. */
  readonly names: readonly string[];
  readonly paints: readonly Paint[];
  readonly isDuel: boolean;
  /** True if players do not see all. */
  readonly isHidden: boolean;
  readonly minReturn: number;
  readonly maxReturn: number;
  /** The player who sits below the board; absent if all sides are alike. */
  readonly below?: number;
  /** The formats of files of games, by the ending of their names, each with a summary. */
  readonly formats: readonly { readonly ending: string; readonly summary: string }[];
}

/** A position, and the play that led to it. */
export interface PositionData {
  readonly board: BoardData;
  /** The player to move; below 0 for chance and the end. */
  readonly toMove: number;
  /** The player to move in words, or the result. */
  readonly turn: string;
  /** The legal actions of a player. */
  readonly choices: readonly Choice[];
  /** The moves so far; none before the end if the viewer does not see all. */
  readonly moves: readonly MoveData[];
  /** The position in the game's notation; empty before the end if the viewer does not see all. */
  readonly notation: string;
}

/** A legal action: its name, and the places that a person touches for it. */
export interface Choice {
  readonly action: number;
  readonly name: string;
  readonly touches: readonly number[];
}

/** An agent's answer; of an agent that simulates, its actions with the places that they touch. */
export interface OpinionData extends Omit<Analysis, "best"> {
  readonly best?: readonly (BestAction & { readonly touches: readonly number[] })[];
}

/** An agent's decision. */
export interface DecisionData extends Choice {
  /** The expected return for the player to move. */
  readonly value?: number;
  readonly depth?: number;
  readonly nodes: number;
}

export interface AnalysisData {
  /** The best lines, the best one first. */
  readonly lines: readonly {
    /** The expected return for the player to move. */
    readonly value?: number;
    readonly moves: readonly string[];
  }[];
  readonly depth?: number;
  readonly nodes: number;
  /** True if more search would find the same. */
  readonly isFinal: boolean;
}
