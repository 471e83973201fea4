import { expect } from "vitest";
import { TERMINAL, type Game } from "../../src/games/contract/game.ts";
import { possibleActions } from "../../src/games/contract/notation.ts";
import type { Random } from "../../src/base/random.ts";

/** A second program of a game, written for the tests: slow and plain, with positions that never change. */
export interface Twin<Position> {
  /** As the game writes states. */
  text(position: Position): string;
  /** The seat of the winner; undefined while the game goes on. */
  winner(position: Position): number | undefined;
  /** By the text of a move: the position behind it. */
  moves(position: Position): ReadonlyMap<string, Position>;
}

/** The seat of a winner by the sign of its pieces, of which the first player's comes first. */
export function seatOf(winner: string | undefined, signs: string): number | undefined {
  return winner === undefined ? undefined : signs.indexOf(winner);
}

/** Plays a random game with both programs: positions, moves and the winner are the same all along. */
export function playTwins<Position>(
  game: Game,
  twin: Twin<Position>,
  { from, random }: { from: Position; random: Random },
): void {
  const state = game.start();
  let position = from;
  for (;;) {
    expect(game.formatState(state)).toBe(twin.text(position));
    const winner = twin.winner(position);
    if (winner !== undefined) {
      expect([state.toMove, state.returns(winner)]).toEqual([TERMINAL, 1]);
      return;
    }
    const moves = twin.moves(position);
    const actions = possibleActions(game, state);
    const names = Array.from(actions, (action) => game.formatAction(action, state));
    expect(names.toSorted()).toEqual([...moves.keys()].toSorted());
    const chosen = random.below(names.length);
    state.apply(actions[chosen]!);
    position = moves.get(names[chosen]!)!;
  }
}
