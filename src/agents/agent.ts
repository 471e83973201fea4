import { z } from "zod";
import type { Problem } from "../base/errors.ts";
import type { Random } from "../base/random.ts";
import type { Evaluator, Game, State } from "../games/contract/game.ts";
import type { Merging } from "../games/contract/facets.ts";
import type { Worlds } from "../games/contract/privacy.ts";

/** The most nodes or simulations of a budget: an hour or more of one core. */
const MAX_SPENT = 1e11;

/** The limits of one decision; the limit that is reached first stops it. */
export const budgetSchema = z.strictObject({
  depth: z.int().min(1).max(1000).optional().describe("plies searched; a chance event is not a ply"),
  nodes: z.int().min(1).max(MAX_SPENT).optional().describe("positions visited; simulations for mcts"),
  simulations: z.int().min(1).max(MAX_SPENT).optional().describe("playouts"),
  timeMs: z
    .number()
    .positive()
    .optional()
    .describe("milliseconds; the only limit that makes play depend on the machine"),
});

/** A checked budget; a limit that is absent is no limit. */
export type Budget = Readonly<z.output<typeof budgetSchema>>;
export type BudgetKey = keyof Budget;
export const BUDGET_KEYS: readonly BudgetKey[] = budgetSchema.keyof().options;

/** The inputs of one decision besides the state. */
export interface Turn {
  /** The agent's own generator in this game. The next decision goes on where this one stopped. */
  readonly random: Random;
  readonly budget: Budget;
  /** The time in milliseconds. Only differences have a meaning. */
  readonly clock: () => number;
  /**
   * Called with the decision so far after each finished iteration of iterative deepening. Agents that do not deepen
   * never call it.
   */
  readonly onIteration?: (decision: Decision) => void;
  /**
   * The play that led to the position, which games that look back need; absent where nobody knows it. In games of hidden
   * information it is that of the drawn world.
   */
  readonly played?: () => Played;
  /** The length of the `ranking` that the agent is asked for; it costs more search. Absent: no ranking. */
  readonly ranked?: number;
  /** The positions of the tree that belong to what the decision has `found`, where the agent can tell. Absent: nothing is asked for. */
  readonly tellFrom?: TellFrom;
  /** The time after which the agent forfeits, in ms; absent where nobody waits for it. */
  readonly limitMs?: number;
  /**
   * The clocks by seat, as they stand before this decision; absent without a time control. In games of hidden information the
   * others' stand as at the start.
   */
  readonly clocks?: readonly SeatClock[];
  /** The player's knowledge; only in games of hidden information. The state is a world that was drawn from it. */
  readonly knowledge?: Knowledge;
}

/** The knowledge of the player to move in a game of hidden information. */
interface Knowledge {
  /** All codes that the player has got since the start. */
  readonly codes: Int32Array;
  /** Draws more worlds that the player may be in. */
  readonly worlds: Worlds;
}

/**
 * The clock of one seat. A flag falls when the main time and all periods of byo-yomi are used up. A fixed time for each
 * move is one period without main time. All times are in ms.
 */
export interface SeatClock {
  /** Main time left; 0 in byo-yomi. */
  readonly leftMs: number;
  /** The time that each move adds to the main time. */
  readonly incrementMs: number;
  /** Moves until main time is added, this one included; absent if none is. */
  readonly movesToGo?: number;
  /** Periods of byo-yomi left, at least 1; absent without byo-yomi. */
  readonly periods?: number;
  /** The length of a period. A move that ends within it gives it back. */
  readonly periodMs?: number;
}

/** A game that begins. */
export interface NewGame {
  readonly id: string;
  readonly seat: number;
  /** The generator of the agent's turns in this game. */
  readonly random: Random;
  /** The time after which the agent forfeits, in ms. */
  readonly limitMs: number;
  /** The folder of the run; absent if nothing is to be kept there. */
  readonly folder?: string | undefined;
  /** The folder of the run whose game is played again, to compare; nothing is to be kept there. */
  readonly replayed?: string | undefined;
  /** The most that the answers of servers in the run may cost together [no limit]. */
  readonly maxCost?: number | undefined;
}

/** The play that led to a position. */
export interface Played {
  /** The position that it began in, in the game's notation; absent for the start of the game. */
  readonly from?: string;
  /** All actions since then, with the outcomes of chance. */
  readonly actions: readonly number[];
}

/** One of the best actions in a position, as an agent sees them. */
export interface RankedAction {
  readonly action: number;
  /** Expected return after it for the player to move, in the game's units. */
  readonly value: number;
  /** The action, then the play that the agent expects after it. */
  readonly line: readonly number[];
  /** Simulations that began with it; only of agents that simulate. */
  readonly visits?: number;
  /** Its probability in the policy that the search began with; only of searches that use one. */
  readonly prior?: number;
  /** Its probability in the improved policy (Danihelka et al. 2022); only of Gumbel's selection. */
  readonly improved?: number;
}

/** Says of which positions a decision tells: the root, and below each that is told those with the visits or with a proof. */
export interface TellFrom {
  /** The fewest visits [Infinity]. */
  readonly visits?: number | undefined;
  /** True: positions whose result is proven are told, too [false]. */
  readonly proven?: boolean | undefined;
}

/**
 * An agent's answer: an action, and what people want to know about it. Stored games keep value, depth, nodes and the
 * beginning of the line. An illegal action forfeits the game, and so do `nodes` that are no number. A value, a depth or
 * a line that breaks this description is left out.
 */
export interface Decision {
  readonly action: number;
  /** Expected return for the player to move, in the game's units; absent if the agent has none. */
  readonly value?: number;
  /** Plies from here to the end of the game, if it is proven who wins and how soon. */
  readonly pliesToEnd?: number;
  /** Depth of the last finished iteration, in plies; for MCTS the length of the principal variation. */
  readonly depth?: number;
  /** Positions visited; for MCTS the number of simulations; 0 if nothing is searched. */
  readonly nodes: number;
  /** Principal variation: the action, then the play that the agent expects after it. */
  readonly line: readonly number[];
  /** The best actions, this one first, if the turn asks for them and the agent can tell. */
  readonly ranking?: readonly RankedAction[];
  /** The policy and the value that a search found at its root, and then below it in preorder, if the turn asks for them. */
  readonly found?: readonly Found[];
}

/** The policy and the value that a search found at a position of its tree. */
export interface Found {
  /** Plies below the root, chance events among them. */
  readonly depth: number;
  /** The action or the outcome that leads to it; 0 for the root. */
  readonly action: number;
  /** Actions that have a probability; those that are legal but left out have 0. None where no policy is told. */
  readonly actions: Int32Array;
  /** By index of `actions`: the probability in the policy that the search arrived at. */
  readonly policy: Float64Array;
  /** The value of the position for the player to move, in the game's returns; absent where it is only on the way to others. */
  readonly value?: number;
  /** True if no play can change the value. */
  readonly isProven: boolean;
}

/** Chooses actions in one game at a time. */
export interface Agent<S extends State = State> {
  /** True if it decides in a process of its own, and keeps to `limitMs` by itself. */
  readonly isHosted?: boolean;
  /**
   * The processor time of its processes since it was asked for the decision at hand, in ms: the time that they ran, and
   * the longest time that one of their threads waited for a processor. Only hosted agents, in turns with clocks.
   */
  readonly effort?: (() => { readonly ranMs: number; readonly waitedMs: number }) | undefined;
  /**
   * Decides for `state.toMove`, which is a player. The state is the agent's own copy: it may be advanced and need not
   * be taken back.
   */
  choose(state: S, turn: Turn): Decision | Promise<Decision>;
  /** Forgets the last game; called before each game, by a tournament with what is known of it. A promise is awaited. */
  newGame?(game?: NewGame): unknown;
  /** Called when a game of a tournament is over, with the returns by seat, and all actions since `from` [the start]; no actions after a game of hidden information. */
  endGame?(returns: readonly number[], actions: readonly number[], from?: string): void;
  /** Ends what the agent has started, such as processes. */
  close?(): void;
  /**
   * Writes the probability with which the agent takes each of the `count` legal actions at actions[at...] to the same
   * indexes, and returns how many positions it visited. It leaves the state as it was. Searches with a model of the
   * opponent ask for it.
   * @param codes the codes of the player to move; only in games of hidden information
   */
  weigh?(
    state: S,
    actions: Int32Array,
    probabilities: Float64Array,
    at: number,
    count: number,
    codes?: Int32Array,
  ): number;
}

/** An agent as data: its id, its options and its budget side by side. */
export type AgentSpec = { readonly agent: string } & Readonly<Record<string, unknown>>;

/** The parts that an agent is made from. */
export interface AgentParts<Options> {
  readonly game: Game;
  readonly options: Options;
  /** The evaluator that the options name, or `none`, which values all positions alike. */
  readonly evaluator: Evaluator;
  /** The agent that the option `opponent` names; absent if it names none. */
  readonly opponent?: { readonly budget: Budget; create(): Agent };
  /** The agent for open games that the option `search` names; absent if it names none. */
  readonly search?: { readonly budget: Budget; create(): Agent };
  /** The strategy that the option of that name names; absent if there is no such option. */
  readonly strategy?: Strategy;
  /** Makes the threads that the option `threads` asks for; absent where it asks for none. */
  readonly makeHelpers?: MakeHelpers;
}

/** A policy for a whole game of hidden information. */
export interface Strategy {
  /** Names the merged information states; absent where codes name each state. */
  readonly merging?: Merging | undefined;
  /** The actions of an information set, ascending, and their probabilities; undefined for a key that the strategy does not have. */
  at(
    player: number,
    key: string,
  ): { readonly actions: readonly number[]; readonly probabilities: Float64Array } | undefined;
}

/** A decision as helpers are told of it: the position, and how far they may go. */
export interface HelperTask {
  readonly played: Played;
  /** Both halves of the position's hash: a helper that comes to another position does not help. */
  readonly hash: readonly [low: number, high: number];
  /** The limits of each helper, without a limit of time: helpers are told when to stop. */
  readonly budget: Budget;
  /** Each helper's randomness descends from it. */
  readonly seed: number;
}

/** Threads that help an agent: they search the same position. They live as long as the agent. */
export interface Helpers<Report> {
  /**
   * Runs the helpers while `decide` runs in this thread, then stops them and returns the reports of those that took
   * part. A helper that has not started yet, or has ended, takes no part.
   */
  during<Result>(
    task: HelperTask,
    decide: () => Result,
  ): Promise<{ readonly result: Result; readonly reports: readonly Report[] }>;
}

/**
 * Makes the helpers of one agent, which start when they are first needed.
 * @param memory the memory that they share with the agent's own thread, if any
 */
export type MakeHelpers = <Report>(count: number, memory?: SharedArrayBuffer) => Helpers<Report>;

/** Several options of an agent under one name. */
export interface Preset {
  readonly summary: string;
  readonly options: Readonly<Record<string, unknown>>;
}

/** Makes the agents of one kind, each for one game and from checked options. */
export interface AgentFamily<Options extends z.ZodObject = z.ZodObject> {
  readonly id: string;
  /** One line for `agon agents`. */
  readonly summary: string;
  /**
   * Schema of the options without the budget. The option `evaluator`, if there is one, is loaded before `create`; so is
   * the options `opponent` and `search`, if they are agents' specs.
   */
  readonly options: Options;
  /** Options under one name: the key `preset` of a spec stands for them. Other keys of the spec win. */
  readonly presets?: Readonly<Record<string, Preset>>;
  /** The limits that this agent keeps. A spec must give at least one of them, unless the list is empty. */
  readonly budgets: readonly BudgetKey[];
  /** False if the agent knows itself when to stop [true]. */
  readonly needsBudget?: boolean;
  /** True if the agent shares out its clock by itself: in games with clocks it needs no budget [false]. */
  readonly heedsClocks?: boolean;
  /** The trait of `game` that this agent cannot deal with, such as `chance`; undefined if the game fits. */
  unsupported(game: Game, options: z.output<Options>): string | undefined;
  /**
   * Returns other faults of the options, for a game that fits; paths are relative to the spec.
   * @param evaluator the one that the options name; undefined if it could not be loaded
   */
  problems?(game: Game, options: z.output<Options>, evaluator: Evaluator | undefined): readonly Problem[];
  create(parts: AgentParts<z.output<Options>>): Agent;
}

/** Returns the family unchanged; it gives its members their types. */
export function defineAgent<Options extends z.ZodObject>(family: AgentFamily<Options>): AgentFamily<Options> {
  return family;
}

/** The option `threads` of several agents. */
export const threads = z
  .int()
  .min(1)
  .max(64)
  .optional()
  .describe(
    "threads that search one position, each with a core; more than 1 makes play depend on the machine; the default is 1",
  );

/** The option `ties` of several agents. */
export const ties = z
  .enum(["random", "first"])
  .describe("the choice among several best actions: a random one, by the seeded generator, or the first");

/** The option `memory` of several agents. */
export const memory = z
  .enum(["decision", "game"])
  .describe("results of the search are forgotten after each decision, or kept until the game ends");

/** A helper of an agent, in its own thread. */
export interface Helper {
  /** Searches until the turn's budget is spent. The result is copied to the agent's thread. */
  help(root: State, turn: Turn): unknown;
}

/** The number of a helper, and the memory that all threads share. */
export interface HelperPlace {
  /** 1, 2, ... */
  readonly number: number;
  readonly memory: SharedArrayBuffer | undefined;
}

/** Makes the task of the helpers from the decision at `root`; draws a seed for them. */
export function taskAt(game: Game, root: State, turn: Turn, budget: Budget): HelperTask {
  return {
    played: turn.played?.() ?? { from: game.formatState(root), actions: [] },
    hash: [root.hashLow, root.hashHigh],
    budget,
    seed: turn.random.int32(),
  };
}

/**
 * Divides a budget among threads: each has the same depth and time, and its part of the nodes and simulations. The rest
 * of a division goes to the first thread.
 */
export function divideBudget(budget: Budget, threads: number): { first: Budget; other: Budget } {
  const { nodes, simulations } = budget;
  const each = (limit: number) => Math.floor(limit / threads);
  const rest = (limit: number) => limit - (threads - 1) * each(limit);
  const divided = (part: (limit: number) => number): Budget => ({
    ...budget,
    ...(nodes !== undefined && { nodes: part(nodes) }),
    ...(simulations !== undefined && { simulations: part(simulations) }),
  });
  return { first: divided(rest), other: divided(each) };
}
