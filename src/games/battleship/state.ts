import { TERMINAL } from "../contract/rules.ts";
import { HistoryState } from "../shared/history-state.ts";

/** Results of a shot. */
export const WATER = 0;
export const HIT = 1;
export const SUNK = 2;

/** Every ship is placed, and every shot is fired. */
export function maxEventsOf({ ships, shots }: Battleship): number {
  return 2 * (ships.length + shots);
}

/** A position of battleship. The events of even number are those of player 0. */
export class BattleshipState extends HistoryState {
  readonly form: Battleship;
  /** By player and square: 1 + the ship that lies there; 0 for water. */
  readonly ships: Uint8Array;
  /** By player and square: 1 if the other player has shot at it. */
  readonly shots: Uint8Array;
  /** By player: its hits at the other. */
  readonly hits: Int32Array;
  /** By player and ship: squares that are not hit. */
  private readonly afloat: Uint8Array;
  /** By player: the set of squares with ships. */
  private readonly occupied: Int32Array;

  constructor(form: Battleship) {
    super(maxEventsOf(form));
    this.form = form;
    this.toMove = 0;
    this.ships = new Uint8Array(2 * form.squares);
    this.shots = new Uint8Array(2 * form.squares);
    this.hits = new Int32Array(2);
    this.afloat = Uint8Array.from([...form.ships, ...form.ships]);
    this.occupied = new Int32Array(2 * WORDS);
  }

  /** The number of the ship that is to be placed; that of all ships once they are. */
  get placing(): number {
    return Math.min(this.events >> 1, this.form.ships.length);
  }

  legalActions(out: Int32Array, at: number): number {
    const { form, toMove, placing, shots, occupied } = this;
    let next = at;
    if (placing === form.ships.length) {
      const first = (1 - toMove) * form.squares;
      for (let square = 0; square < form.squares; square++)
        if (shots[first + square] === 0) out[next++] = square;
      return next - at;
    }
    const { actions, masks } = form.placements[placing]!;
    const set = toMove * WORDS;
    for (let number = 0; number < actions.length; number++) {
      if (!areApart(occupied, set, masks, WORDS * number)) continue;
      toggle(occupied, set, masks, WORDS * number);
      if (hasRoom(form, occupied, set, placing + 1)) out[next++] = actions[number];
      toggle(occupied, set, masks, WORDS * number);
    }
    return next - at;
  }

  returns(player: number): number {
    return this.toMove === TERMINAL ? Math.sign(this.hits[player]! - this.hits[1 - player]!) : 0;
  }

  /** The result of the player to move's shot at a square. */
  resultOf(square: number): number {
    const { ships, squares } = this.form;
    const target = 1 - this.toMove;
    const ship = this.ships[target * squares + square];
    if (ship === 0) return WATER;
    return this.afloat[target * ships.length + ship - 1] === 1 ? SUNK : HIT;
  }

  protected advance(action: number): void {
    const { form, events } = this;
    const player = (events - 1) & 1;
    const ship = (events - 1) >> 1;
    if (ship < form.ships.length) this.place(player, ship, action, 1 + ship);
    else {
      const square = (1 - player) * form.squares + action;
      this.shots[square] = 1;
      if (this.ships[square] > 0) {
        this.hits[player]++;
        this.afloat[(1 - player) * form.ships.length + this.ships[square] - 1]--;
      }
    }
    const isOver = events === this.history.length || this.hits[player] === form.fleet;
    this.toMove = isOver ? TERMINAL : 1 - player;
  }

  protected retreat(action: number): void {
    const { form, events } = this;
    const player = events & 1;
    const ship = events >> 1;
    this.toMove = player;
    if (ship < form.ships.length) {
      this.place(player, ship, action, 0);
      return;
    }
    const square = (1 - player) * form.squares + action;
    this.shots[square] = 0;
    if (this.ships[square] === 0) return;
    this.hits[player]--;
    this.afloat[(1 - player) * form.ships.length + this.ships[square] - 1]++;
  }

  override copyFrom(other: this): void {
    super.copyFrom(other);
    this.ships.set(other.ships);
    this.shots.set(other.shots);
    this.hits.set(other.hits);
    this.afloat.set(other.afloat);
    this.occupied.set(other.occupied);
  }

  /** Writes `content` to the squares of a ship, which are all empty or all its own. */
  private place(player: number, ship: number, action: number, content: number): void {
    const { ships, width, squares } = this.form;
    const step = (action & 1) === 0 ? 1 : width;
    for (let [square, left] = [action >> 1, ships[ship]!]; left > 0; square += step, left--) {
      this.ships[player * squares + square] = content;
      this.occupied[player * WORDS + (square >> 5)] ^= 1 << (square & 31);
    }
  }
}

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
