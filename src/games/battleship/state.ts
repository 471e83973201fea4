import { TERMINAL } from "../contract/rules.ts";
import { HistoryState } from "../shared/history-state.ts";
import { areApart, type Battleship, hasRoom, toggle, WORDS } from "./fleet.ts";

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

  chanceOutcomes(): number {
    return 0;
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
