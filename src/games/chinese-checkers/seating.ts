import { DIRECTIONS, POINTS, type Star } from "./star.ts";

/** The possible numbers of players. */
export const PLAYER_COUNTS = [2, 3, 4, 6] as const;
type PlayerCount = (typeof PLAYER_COUNTS)[number];

/** By number of players: the points that they start from, clockwise. */
const HOMES: Readonly<Record<PlayerCount, readonly number[]>> = {
  2: [0, 3],
  3: [0, 2, 4],
  4: [0, 1, 3, 4],
  6: [0, 1, 2, 3, 4, 5],
};

/** The players on a star: their starts and targets, and the length of the game. */
export interface Seating {
  readonly star: Star;
  readonly players: PlayerCount;
  /** Moves of each player after which the game ends. */
  readonly maxRounds: number;
  /** By player: the point of the start, and the opposite point. */
  readonly homes: readonly number[];
  readonly targets: readonly number[];
  /** By point: the player whose target it is, or -1. */
  readonly playerOf: Int8Array;
  /** At `cells * player + cell`: the cell as the player sees it, with the target on top. */
  readonly seen: Uint8Array;
  /** By cell as the player sees it: the fewest steps to the tip of the target. */
  readonly stepsToTip: Int32Array;
  /** The steps of all men together when they fill the target. */
  readonly fewestSteps: number;
  /** An upper bound for the moves of a player: each man steps to a neighbour or jumps within its class. */
  readonly maxActions: number;
}

export function createSeating(star: Star, players: PlayerCount, maxRounds: number): Seating {
  const homes = HOMES[players];
  const targets = homes.map((home) => (home + 3) % POINTS);
  const stepsToTip = Int32Array.from({ length: star.cells }, (_, cell) => {
    const row = star.rows.findIndex((cells) => cells.includes(cell));
    return Math.max(row, (row + Math.abs(star.offset[cell])) / 2);
  });
  return {
    star,
    players,
    maxRounds,
    homes,
    targets,
    playerOf: Int8Array.from({ length: POINTS }, (_, point) => targets.indexOf(point)),
    seen: Uint8Array.from(
      targets.flatMap((target) =>
        Array.from(star.turned.subarray(target * star.cells, (target + 1) * star.cells)),
      ),
    ),
    stepsToTip,
    fewestSteps: star.points[0]!.reduce((sum, cell) => sum + stepsToTip[cell], 0),
    maxActions: star.men * (DIRECTIONS + star.jumpClass - 1),
  };
}
