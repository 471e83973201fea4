import type { z } from "zod";
import type { Problem } from "../base/errors.ts";
import type { Random } from "../base/random.ts";
import type { Evaluator, Game, State } from "../games/game.ts";
import type { Budget, BudgetKey } from "./budget.ts";

/** What an agent is given for one decision, besides the state. */
export interface Turn {
  /** The agent's own randomness in this game; advances from turn to turn. */
  readonly random: Random;
  readonly budget: Budget;
  /** Milliseconds from an arbitrary origin. */
  readonly clock: () => number;
  /**
   * Told the decision so far, its nodes included, each time an iteration of iterative deepening is finished.
   * Agents that do not deepen never call it.
   */
  readonly onIteration?: (decision: Decision) => void;
}

export interface Decision {
  readonly action: number;
  /** Expected return for the player to move, in the game's units; absent where the agent has no view. */
  readonly value?: number;
  /** Deepest finished iteration, in plies; for MCTS the length of the principal line. */
  readonly depth?: number;
  /** Positions visited; for MCTS the simulations. 0 where nothing is searched. */
  readonly nodes: number;
  /** Principal line: the decision and the play that the agent expects after it. */
  readonly line: readonly number[];
}

/** Chooses actions in one game at a time. */
export interface Agent<S extends State = State> {
  /**
   * Decides for `state.toMove`, a player. The state is the agent's own copy: it may be advanced and
   * need not be taken back.
   */
  choose(state: S, turn: Turn): Decision | Promise<Decision>;
  /** Forgets what was learnt in the game before; called before each game. */
  newGame?(): void;
}

/** An agent as data: its id, its options and its budget side by side. */
export type AgentSpec = { readonly agent: string } & Readonly<Record<string, unknown>>;

/** What an agent is made from. */
export interface AgentParts<Options> {
  readonly game: Game;
  readonly options: Options;
  /** The evaluator that the options name, or the one of no opinion. */
  readonly evaluator: Evaluator;
}

/** Makes the agents of one kind, each for one game and from checked options. */
export interface AgentFamily<Options extends z.ZodObject = z.ZodObject> {
  readonly id: string;
  /** One line for `agon agents`. */
  readonly summary: string;
  /** Schema of the options, budget keys aside; a key `evaluator` is resolved before `create`. */
  readonly options: Options;
  /** The limits that this agent heeds; at least one must be given unless the list is empty. */
  readonly budgets: readonly BudgetKey[];
  /** The trait of `game` that this agent cannot deal with, such as `has chance`; undefined if it fits. */
  misfit(game: Game, options: z.output<Options>): string | undefined;
  /** What else is wrong with the options for a game that fits; paths relative to the spec. */
  problems?(game: Game, options: z.output<Options>): readonly Problem[];
  create(parts: AgentParts<z.output<Options>>): Agent;
}

/** Types a family; the identity function. */
export function defineAgent<Options extends z.ZodObject>(family: AgentFamily<Options>): AgentFamily<Options> {
  return family;
}
