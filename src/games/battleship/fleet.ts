/** Boards have at most 100 squares: a set of squares is so many words of 32 bits. */
export const WORDS = 4;

/** All ways to place a ship of one length. Number n has the squares of the bits in masks[WORDS * n] and the words after it. */
interface Placements {
  /** By number: the action, twice the first square, 1 more for a ship that lies downwards. Ascending. */
  readonly actions: Int32Array;
  readonly masks: Int32Array;
  /** By number: its squares. */
  readonly squares: readonly (readonly number[])[];
}

/** The form of a game of battleship. */
export interface Battleship {
  readonly width: number;
  readonly height: number;
  readonly squares: number;
  /** The lengths of the ships of each player, in the order in which they are placed. */
  readonly ships: readonly number[];
  /** The squares of a whole fleet. */
  readonly fleet: number;
  /** Shots of each player. */
  readonly shots: number;
  /** By ship. */
  readonly placements: readonly Placements[];
}

/** Fills in what follows from the options. */
export function battleshipOf({
  width,
  height,
  ships,
  shots = width * height,
}: Pick<Battleship, "width" | "height" | "ships"> & { readonly shots?: number | undefined }): Battleship {
  const squares = width * height;
  return {
    width,
    height,
    squares,
    ships,
    fleet: ships.reduce((sum, length) => sum + length, 0),
    shots: Math.min(shots, squares),
    placements: ships.map((length) => placementsOf(length, width, height)),
  };
}

/** The squares of a ship from its first one on. */
export function squaresOf(action: number, length: number, width: number): number[] {
  return Array.from({ length }, (_, at) => (action >> 1) + at * ((action & 1) === 0 ? 1 : width));
}

function placementsOf(length: number, width: number, height: number): Placements {
  const actions: number[] = [];
  for (let square = 0; square < width * height; square++) {
    if ((square % width) + length <= width) actions.push(2 * square);
    if (length > 1 && Math.floor(square / width) + length <= height) actions.push(2 * square + 1);
  }
  const masks = new Int32Array(WORDS * actions.length);
  const squares = actions.map((action) => squaresOf(action, length, width));
  for (const [number, covered] of squares.entries())
    for (const square of covered) masks[WORDS * number + (square >> 5)] |= 1 << (square & 31);
  return { actions: Int32Array.from(actions), masks, squares };
}

/** True if two sets of squares share none. */
export function areApart(one: Int32Array, at: number, other: Int32Array, otherAt: number): boolean {
  return (
    ((one[at] & other[otherAt]) |
      (one[at + 1] & other[otherAt + 1]) |
      (one[at + 2] & other[otherAt + 2]) |
      (one[at + 3] & other[otherAt + 3])) ===
    0
  );
}

/** Adds squares to a set that has none of them, or takes them out of a set that has them all. */
export function toggle(set: Int32Array, at: number, squares: Int32Array, squaresAt: number): void {
  for (let word = 0; word < WORDS; word++) set[at + word] ^= squares[squaresAt + word];
}

/** True if the ships from number `ship` on find room beside the squares of the set at `at`, which is as before afterwards. */
export function hasRoom(
  { placements }: Pick<Battleship, "placements">,
  set: Int32Array,
  at: number,
  ship: number,
): boolean {
  if (ship === placements.length) return true;
  const { actions, masks } = placements[ship]!;
  for (let number = 0; number < actions.length; number++) {
    if (!areApart(set, at, masks, WORDS * number)) continue;
    toggle(set, at, masks, WORDS * number);
    const isRoom = hasRoom({ placements }, set, at, ship + 1);
    toggle(set, at, masks, WORDS * number);
    if (isRoom) return true;
  }
  return false;
}
