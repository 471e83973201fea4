import type { Game } from "../games/game.ts";

/** What keeps a game from a two-player zero-sum search without chance; undefined when nothing does. */
export function notDeterministicDuel(game: Game): string | undefined {
  if (game.chance) return "chance";
  return notDuel(game);
}

/** What keeps a game from a search in which some play against others, without chance. */
export function notDeterministicContest(game: Game): string | undefined {
  if (game.chance) return "chance";
  if (game.players === 1) return "1 player";
  return hidden(game);
}

/** What keeps a game from a two-player zero-sum search. */
export function notDuel(game: Game): string | undefined {
  if (game.players !== 2) return `${game.players} player${game.players === 1 ? "" : "s"}`;
  if (!game.zeroSum) return "returns that do not sum to zero";
  return hidden(game);
}

/** Agents that look at the state as it is would see what is hidden. */
export function hidden(game: Game): string | undefined {
  return game.hiddenInformation ? "hidden information" : undefined;
}
