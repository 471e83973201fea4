import type { Game } from "../../games/contract/game.ts";

/** The price of a ply of delay: so small that the greatest distance costs less than 1. */
const PLY = 2 ** -10;

/**
 * Values that tell how soon a game is won. A value within the range of returns stays as it is. A certain win is worth
 * more the nearer it is to the root: maxReturn + 1 at the root itself, less 2 ** -10 for each ply. So it is beyond the
 * range of returns; a loss is its negative. A transposition table keeps such values as seen from its position, since a
 * position can be reached at several plies.
 */
export class WinDistance {
  private readonly most: number;
  private readonly least: number;

  constructor({ minReturn, maxReturn }: Game) {
    this.most = maxReturn;
    this.least = minReturn;
  }

  /** Returns the value of a finished game at `ply`, from its return. */
  ofReturn(value: number, ply: number): number {
    if (value >= this.most) return this.most + 1 - ply * PLY;
    if (value <= this.least) return this.least - 1 + ply * PLY;
    return value;
  }

  /** Changes a value from the root's point of view to that of the position at `ply`. */
  toTable(value: number, ply: number): number {
    if (value > this.most) return value + ply * PLY;
    if (value < this.least) return value - ply * PLY;
    return value;
  }

  /** The inverse of `toTable`. */
  fromTable(value: number, ply: number): number {
    if (value > this.most) return value - ply * PLY;
    if (value < this.least) return value + ply * PLY;
    return value;
  }

  /** Returns a value in the game's units. */
  toReturn(value: number): number {
    return Math.max(this.least, Math.min(this.most, value));
  }

  /** Returns the plies from the root to the end of a game that is certainly won or lost; otherwise undefined. */
  plies(value: number): number | undefined {
    if (value > this.most) return Math.round((this.most + 1 - value) / PLY);
    if (value < this.least) return Math.round((value - this.least + 1) / PLY);
    return undefined;
  }
}

/** The first searches ask for a win or a loss within this many plies. */
const SOON = 12;

/**
 * Finds the exact value of a root by null windows alone (as Pons 2015 solves connect four). First it asks whether the
 * game is won or lost within 12 plies, then within a third more each time. That costs little, since a search gives up
 * where the game would end too late. Then it halves the range that is left, first at 0: the winner is settled before
 * the distance. The bounds meet because a search returns values that occur.
 * @param winIn returns the value of a win in a number of plies; a loss is its negative
 * @param farthest the greatest number of plies to ask for; 0 for none
 * @param step the width of a null window
 * @param search returns the value of the root with a window: a lower bound above it, an upper bound below it; it puts a
 * best action that it proves first
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
  // The last search with this value as a lower bound knows the action. If there was none, it must be found.
  return proven === low ? low : search(low - step, low);
}
