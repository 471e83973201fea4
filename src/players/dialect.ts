import type { Decision, NewGame, Turn } from "../agents/agent.ts";
import type { State } from "../game/game.ts";

/**
 * How one player in a process is spoken to: a protocol, in one game. Every method throws PlayerFault for what the player
 * does wrong.
 */
export interface Dialect {
  /** What the player has said of itself in its greeting, for people. */
  readonly about?: string;
  /** Says hello and sets the options. Throws InputError where the player cannot play the game, or lacks an option. */
  greet(): Promise<void>;
  /** Begins a game; the one before is over or given up. Undefined outside of tournaments. */
  newGame(game: NewGame | undefined): Promise<void>;
  /** Asks for a decision for `state.toMove`. The state is a copy, which may be changed. */
  decide(state: State, turn: Turn): Promise<Decision>;
  /** Tells that the game is over, and all its actions; nothing is awaited. */
  endGame?(returns: readonly number[], actions: readonly number[]): void;
}
