import type { Game, State } from "../game/game.ts";
import { bookActions, type Book } from "../endgames/book.ts";
import type { Decision, Turn } from "./agent.ts";

/**
 * A move of the book, drawn by the weights; undefined where the book has none. The same generator draws the same move.
 */
export function decideByBook(game: Game, book: Book, state: State, { random }: Turn): Decision | undefined {
  const moves = bookActions(game, book, state);
  if (moves.length === 0) return undefined;
  const sum = moves.reduce((all, { weight }) => all + weight, 0);
  const odds = Float64Array.from(moves, ({ weight }) => weight / sum);
  const { action } = moves[random.weighted(odds, 0, moves.length)]!;
  return { action, nodes: 0, line: [action] };
}
