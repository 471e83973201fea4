import { InputError } from "../../base/errors.ts";
import type { Game } from "./game.ts";

/*
 * Each of these functions names the trait that keeps a game from a kind of agent, such as `chance`; undefined if the
 * game fits.
 */

/** For agents that read the whole state. */
export function hidden(game: Game): string | undefined {
  return game.hiddenInformation ? "hidden information" : undefined;
}

/** For agents that decide by the codes of a player. */
export function notHidden(game: Game): string | undefined {
  return game.hiddenInformation ? undefined : "perfect information";
}

/** Throws InputError in games of hidden information. `done` is a participle, such as `analysed`. */
export function refuseHidden({ id, hiddenInformation }: Game, done: string): void {
  if (hiddenInformation)
    throw new InputError(`games of hidden information, such as ${id}, cannot be ${done} yet`);
}

/** For searches of two players whose returns sum to zero. */
export function notDuel(game: Game): string | undefined {
  if (game.players !== 2) return `${game.players} player${game.players === 1 ? "" : "s"}`;
  if (!game.zeroSum) return "returns that do not sum to zero";
  return hidden(game);
}

/** For searches of two players whose returns sum to zero, without chance. */
export function notDeterministicDuel(game: Game): string | undefined {
  return game.chance ? "chance" : notDuel(game);
}

/** For searches of two or more players, without chance. */
export function notDeterministicContest(game: Game): string | undefined {
  if (game.chance) return "chance";
  return game.players === 1 ? "1 player" : hidden(game);
}

/**
 * True for two players whose returns sum to zero, with nothing hidden. Then the values of the two players are each
 * other's negatives.
 */
export function isDuel(game: Game): boolean {
  return notDuel(game) === undefined;
}
