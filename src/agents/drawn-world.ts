import { InputError } from "../base/errors.ts";
import type { Random } from "../base/random.ts";
import type { Game, State } from "../games/contract/game.ts";
import { parseLegal } from "../games/contract/notation.ts";
import { ObservedGame } from "../games/contract/privacy.ts";
import type { Turn } from "./agent.ts";

/** Draws the worlds that agents get instead of the truth in games of hidden information. */
export class DrawnWorld {
  private readonly observed: ObservedGame;
  private readonly start: State;
  private readonly world: Int32Array;

  constructor(game: Game) {
    this.observed = new ObservedGame(game);
    this.start = game.start();
    this.world = new Int32Array(this.observed.privacy.maxEvents);
  }

  /**
   * Sets `state` to a world of the player who is to move after these actions from the start, and returns what the player is
   * told. `random` is the world's alone.
   */
  draw(
    actions: readonly number[],
    state: State,
    random: Random,
  ): Required<Pick<Turn, "played" | "knowledge">> {
    const { observed, world } = this;
    observed.replay(actions);
    const player = observed.state.toMove;
    const worlds = observed.worlds(player);
    const length = worlds.draw(random, world);
    state.copyFrom(this.start);
    for (let at = 0; at < length; at++) state.apply(world[at]);
    const drawn = Array.from(world.subarray(0, length));
    const codes = observed.codes[player]!.slice(0, observed.counts[player]);
    return { played: () => ({ actions: drawn }), knowledge: { codes, worlds } };
  }
}

/**
 * The actions that led to a position of a game of hidden information, by its privacy or by the notation of positions. Throws
 * InputError if neither tells them.
 */
export function historyOf(game: Game, state: State): readonly number[] {
  const told = game.privacy?.history?.(state);
  if (told !== undefined) return told;
  const now = game.start();
  const isThere = () => now.hashLow === state.hashLow && now.hashHigh === state.hashHigh;
  if (isThere()) return [];
  const text = game.formatState(state);
  const actions = text.split(/\s+/).map((word) => {
    const action = parseLegal(game, word, now);
    now.apply(action);
    return action;
  });
  if (isThere()) return actions;
  throw new InputError(`"${text}" does not have the actions of a game of ${game.id}, one after the other`);
}
