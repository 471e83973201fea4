import type { Decision, NewGame, Turn } from "../agents/agent.ts";
import type { State } from "../games/contract/game.ts";

/**
 * One player in a process, spoken to in its protocol about one game. Every method throws PlayerFault if the player breaks
 * the protocol.
 */
export interface Dialect {
  /** The player's words about itself in its greeting, for people. */
  readonly about?: string;
  /** Says hello and sets the options. Throws InputError where the player cannot play the game, or lacks an option. */
  greet(): Promise<void>;
  /** Begins a game; the one before is over or given up. Undefined outside of tournaments. */
  newGame(game: NewGame | undefined): Promise<void>;
  /** Asks for a decision for `state.toMove`. The state is a copy, which may be changed. */
  decide(state: State, turn: Turn): Promise<Decision>;
  /** Tells that the game is over, and all its actions since `from` [the start]; nothing is awaited. */
  endGame?(returns: readonly number[], actions: readonly number[], from?: string): void;
}
