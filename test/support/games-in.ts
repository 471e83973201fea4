import type { Problem } from "../../src/base/errors.ts";
import type { Game, PlayedGame } from "../../src/games/contract/game.ts";

/** What the game reads in a text of a format: games, and what it passes over. */
export function gamesIn(
  game: Game,
  format: string,
  text: string,
  plies?: number,
): { readonly games: PlayedGame[]; readonly faults: string[] } {
  const games: PlayedGame[] = [];
  const faults: string[] = [];
  for (const found of game.transcripts[format]!.read!(text, plies)) {
    if ("actions" in found) games.push(found);
    else faults.push(describe(found));
  }
  return { games, faults };
}

function describe({ path, message }: Problem): string {
  return `${path}: ${message}`;
}
