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
