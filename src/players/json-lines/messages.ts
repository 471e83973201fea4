/*
 * The messages of agon's own protocol, JSON lines over standard input and output: docs/protocol.md. A player hears
 * `ToPlayer` and says `FromPlayer`.
 */

import type { SeatClock } from "../../agents/agent.ts";

export const PROTOCOL = 1;

/** A message to a player. */
export type ToPlayer = Hello | NewGameMessage | Decide | EndGame;

/** The first message. The player answers with a Greeting or a Refusal. */
export interface Hello {
  readonly type: "hello";
  readonly protocol: number;
  /** The game's id, and its options beside it. */
  readonly game: { readonly id: string } & Readonly<Record<string, unknown>>;
  readonly players: number;
  /** The agent that it is to be, as a spec; only for agon's own processes. */
  readonly agent?: Readonly<Record<string, unknown>>;
}

/** A game begins. There is no answer. */
export interface NewGameMessage {
  readonly type: "new-game";
  readonly id: string;
  readonly seat: number;
  /** The player's own randomness in this game: four 32-bit integers, the same whenever the game is played. */
  readonly seed: readonly number[];
  /** The player forfeits when a decision takes longer, in ms; absent where nobody waits for it. */
  readonly limitMs?: number;
}

/** The player is to move. It answers with its decision. */
export interface Decide {
  readonly type: "decide";
  /**
   * Actions since the last question of this game, the player's own answer included, with other players' and outcomes of chance:
   * numbers, or texts if it wants them. Absent in games of hidden information.
   */
  readonly moves?: readonly (number | string)[];
  /** All codes that the player has got since the start; only in games of hidden information. */
  readonly codes?: readonly number[];
  /** All actions, from the start, of a game drawn from those that give the player its codes; where it wants moves. */
  readonly world?: readonly number[];
  /** The position in which the moves begin; absent for the start of the game. */
  readonly from?: string;
  /** The legal actions, unless the player wants moves only. */
  readonly legal?: readonly (number | string)[];
  /** The limits of this decision: see `Budget`. */
  readonly budget: Readonly<Record<string, number>>;
  /** The clocks by seat, in a game with a time control: see `SeatClock`. */
  readonly clocks?: readonly SeatClock[];
  /** The position in the game's notation, and drawn; where the player wants a view. A player who does not see all gets its sight alone. */
  readonly position?: string;
  readonly board?: string;
}

/** The game is over. There is no answer. */
export interface EndGame {
  readonly type: "end-game";
  /** Actions since the last question, as in `decide`. */
  readonly moves?: readonly (number | string)[];
  /** By seat. */
  readonly returns: readonly number[];
}

/** A message from a player. */
export type FromPlayer = Greeting | Refusal | DecisionMessage | ErrorMessage;

/** Moves only; action numbers, with the legal ones; or moves and legal actions as texts. */
export const WANTS = ["moves", "numbers", "texts"] as const;
export type Wants = (typeof WANTS)[number];

interface Greeting {
  readonly type: "hello";
  readonly protocol: number;
  readonly name: string;
  readonly wants: Wants;
  /** True if `decide` shall have the position. */
  readonly view?: boolean;
}

/** The player cannot play this game. */
interface Refusal {
  readonly type: "refuse";
  readonly reason: string;
}

interface DecisionMessage {
  readonly type: "decision";
  readonly action: number | string;
  readonly value?: number;
  readonly depth?: number;
  readonly nodes?: number | undefined;
  readonly line?: readonly (number | string)[];
}

/** The player gives the game up, because of a fault of its own. */
interface ErrorMessage {
  readonly type: "error";
  readonly ending?: "exception" | "illegal action";
  readonly detail: string;
}
