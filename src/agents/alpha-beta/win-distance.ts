import type { Game } from "../../game/game.ts";

/** What a ply of delay takes off a win. So small that the greatest distance, added up, is less than 1. */
const PLY = 2 ** -10;

/**
 * Values that tell how soon a game is won. A value within the range of returns is what it was. A win that is certain
 * counts for more the nearer it is to the root: maxReturn + 1 at the root itself, and 2 ** -10 less for each ply, so
 * that it is beyond the range; a loss is its negative. A table keeps them as seen from the position that it is about,
 * because a position can be reached at several plies.
 */
export class WinDistance {
  private readonly most: number;
  private readonly least: number;

  constructor({ minReturn, maxReturn }: Game) {
    this.most = maxReturn;
    this.least = minReturn;
  }

  /** The value of a finished game at `ply`, from its return. */
  ofReturn(value: number, ply: number): number {
    if (value >= this.most) return this.most + 1 - ply * PLY;
    if (value <= this.least) return this.least - 1 + ply * PLY;
    return value;
  }

  /** From the root's point of view to that of the position at `ply`. */
  toTable(value: number, ply: number): number {
    if (value > this.most) return value + ply * PLY;
    if (value < this.least) return value - ply * PLY;
    return value;
  }

  /** The inverse. */
  fromTable(value: number, ply: number): number {
    if (value > this.most) return value - ply * PLY;
    if (value < this.least) return value + ply * PLY;
    return value;
  }

  /** The value in the game's units. */
  toReturn(value: number): number {
    return Math.max(this.least, Math.min(this.most, value));
  }

  /** Plies from the root to the end of a game that is certainly won or lost; otherwise undefined. */
  plies(value: number): number | undefined {
    if (value > this.most) return Math.round((this.most + 1 - value) / PLY);
    if (value < this.least) return Math.round((value - this.least + 1) / PLY);
    return undefined;
  }
}

/** The number of plies within which a win or a loss is asked for first. */
const SOON = 12;

/**
 * The exact value of a root by null windows alone (as Pons 2015 solves connect four). First they ask whether the game is
 * won or lost within 12 plies, then within a third more each time: that costs little where the search gives up what would
 * end too late. What is left of the range is halved, first at 0, so that who wins is settled before how soon. The bounds
 * meet because a search returns values that occur.
 * @param winIn the value of a win in a number of plies; that of a loss is its negative
 * @param farthest the greatest number of plies that is asked for so; 0 for none
 * @param step the width of a null window
 * @param search the value of the root with a window: a lower bound above it, an upper bound below it; a best action that
 * it proves comes first from then on
 */
export function solve(
  winIn: (plies: number) => number,
  farthest: number,
  step: number,
  search: (alpha: number, beta: number) => number,
): number {
  let low = 0 - winIn(1);
  let high = winIn(1);
  let proven = 0 - Infinity;
  const ask = (middle: number) => {
    const value = search(middle, middle + step);
    if (value > middle) proven = low = value;
    else high = value;
  };
  for (let plies = SOON; plies <= farthest; plies += Math.floor(plies / 3)) {
    const win = winIn(plies);
    if (low < win && high >= win) ask(win - step);
    if (high > 0 - win && low <= 0 - win) ask(0 - win);
  }
  while (low < high) ask(low < 0 && high > 0 ? 0 : (low + high) / 2);
  // The last search with this value as a lower bound knows the action; without one it is still to be found.
  return proven === low ? low : search(low - step, low);
}
