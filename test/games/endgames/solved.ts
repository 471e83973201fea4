import type { Game } from "../../../src/games/contract/game.ts";
import { solveWhole, type WholeGameTable } from "../../../src/games/endgames/whole-game.ts";

/** The table of a whole game. */
export function solved(game: Game, most = 1e7): WholeGameTable {
  const solving = solveWhole(game, most);
  let step = solving.next();
  while (step.done !== true) step = solving.next();
  return step.value;
}
