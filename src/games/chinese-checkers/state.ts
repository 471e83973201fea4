import { lowestBit, zobristTable } from "../../base/hashing.ts";
import { TERMINAL, type State } from "../contract/rules.ts";
import { FROM_SHIFT, SET_WORDS, toggleLines, TO_MASK, writeMoves, type StarBoard } from "./moves.ts";
import type { Seating, Star } from "./star.ts";

/** The only action of a player without a move. */
export const PASS = 0;
/** The content of a cell without a man. */
export const EMPTY = 0;

const MAX_PLAYERS = 6;
const ZOBRIST_LOW = zobristTable("chinese-checkers/low", MAX_PLAYERS << FROM_SHIFT);
const ZOBRIST_HIGH = zobristTable("chinese-checkers/high", MAX_PLAYERS << FROM_SHIFT);
/** Odd factors that turn the number of turns into the words of the hash. */
const TURNS_LOW = 0x9e3779b1 | 0;
const TURNS_HIGH = 0x85ebca77 | 0;

/**
 * A position of Chinese checkers. It includes the turns played, because the game ends after a number of rounds.
 */
export class ChineseCheckersState implements State, StarBoard {
  toMove = 0;
  /** The player whose turn it is; at the end, the player who would be next. */
  turn = 0;
  /** Turns of all players together so far. */
  turns = 0;
  /** The player whose target is full, one man of its own among them; or -1. */
  winner = -1;
  readonly seating: Seating;
  readonly star: Star;
  /** By cell: the number of the player whose man is there plus 1, or EMPTY. */
  readonly cells: Uint8Array;
  readonly men: Int32Array;
  readonly lines: Int32Array;
  private readonly players: number;
  private readonly maxTurns: number;
  private readonly history: Int32Array;
  private played = 0;
  private boardLow = 0;
  private boardHigh = 0;

  constructor(seating: Seating) {
    const { star, players, homes } = seating;
    this.seating = seating;
    this.star = star;
    this.players = players;
    this.maxTurns = players * seating.maxRounds;
    this.cells = new Uint8Array(star.cells);
    this.lines = star.emptyLines.slice();
    this.men = new Int32Array(SET_WORDS * players);
    this.history = new Int32Array(this.maxTurns);
    for (let player = 0; player < players; player++) {
      for (const cell of star.points[homes[player]!]!) this.put(player, cell);
    }
  }

  /** Becomes the position with player `owners[cell] - 1` on each cell, after that many turns. */
  place(owners: readonly number[], turns: number): void {
    this.men.fill(0);
    this.lines.set(this.star.emptyLines);
    this.boardLow = 0;
    this.boardHigh = 0;
    owners.forEach((owner, cell) => {
      this.cells[cell] = EMPTY;
      if (owner !== EMPTY) this.put(owner - 1, cell);
    });
    this.played = 0;
    this.turns = turns;
    this.turn = turns % this.players;
    this.winner = this.seating.targets.findIndex((_, player) => this.hasArrived(player));
    this.toMove = this.winner >= 0 || turns === this.maxTurns ? TERMINAL : this.turn;
  }

  get hashLow(): number {
    return this.boardLow ^ Math.imul(this.turns, TURNS_LOW);
  }

  get hashHigh(): number {
    return this.boardHigh ^ Math.imul(this.turns, TURNS_HIGH);
  }

  legalActions(out: Int32Array, at: number): number {
    const end = writeMoves(this, this.turn, out, at);
    if (end > at) return end - at;
    out[at] = PASS;
    return 1;
  }

  apply(action: number): void {
    this.history[this.played++] = action;
    if (action !== PASS) {
      const from = action >> FROM_SHIFT;
      const to = action & TO_MASK;
      this.move(this.turn, from, to);
      const point = this.star.pointOf[to];
      // A move inside a point leaves a cell of it empty.
      if (point >= 0 && point !== this.star.pointOf[from]) {
        const player = this.seating.playerOf[point];
        if (player >= 0 && this.hasArrived(player)) this.winner = player;
      }
    }
    this.turn = this.turn + 1 === this.players ? 0 : this.turn + 1;
    this.toMove = ++this.turns === this.maxTurns || this.winner >= 0 ? TERMINAL : this.turn;
  }

  undo(): void {
    const action = this.history[--this.played];
    this.turns--;
    this.turn = (this.turn === 0 ? this.players : this.turn) - 1;
    this.toMove = this.turn;
    this.winner = -1;
    if (action !== PASS) this.move(this.turn, action & TO_MASK, action >> FROM_SHIFT);
  }

  /** True if the target of `player` is full, at least one man in it being its own. */
  hasArrived(player: number): boolean {
    const { cells, star, seating } = this;
    const target = star.points[seating.targets[player]];
    let own = 0;
    for (let at = 0; at < target.length; at++) {
      const owner = cells[target[at]];
      if (owner === EMPTY) return false;
      if (owner === player + 1) own = 1;
    }
    return own === 1;
  }

  /** The share of the others that `player` is ahead of, less the share that is ahead of it. */
  returns(player: number): number {
    if (this.toMove !== TERMINAL) return 0;
    const own = this.standing(player);
    let ahead = 0;
    for (let other = 0; other < this.players; other++) ahead += Math.sign(this.standing(other) - own);
    return ahead / (this.players - 1);
  }

  /** Steps that the men still have to go, at least; -1 for the winner. */
  private standing(player: number): number {
    return player === this.winner ? -1 : stepsLeft(this, player);
  }

  copyFrom(other: this): void {
    this.toMove = other.toMove;
    this.turn = other.turn;
    this.turns = other.turns;
    this.winner = other.winner;
    this.boardLow = other.boardLow;
    this.boardHigh = other.boardHigh;
    this.cells.set(other.cells);
    this.men.set(other.men);
    this.lines.set(other.lines);
    this.played = 0;
  }

  private put(player: number, cell: number): void {
    this.cells[cell] = player + 1;
    this.toggle(player, cell);
  }

  private move(player: number, from: number, to: number): void {
    this.cells[from] = EMPTY;
    this.cells[to] = player + 1;
    this.toggle(player, from);
    this.toggle(player, to);
  }

  private toggle(player: number, cell: number): void {
    const key = (player << FROM_SHIFT) | cell;
    this.men[SET_WORDS * player + (cell >> 5)] ^= 1 << cell;
    this.boardLow ^= ZOBRIST_LOW[key];
    this.boardHigh ^= ZOBRIST_HIGH[key];
    toggleLines(this, cell);
  }
}

/**
 * The number of steps until a player's men fill the target, if they never jump and nobody is in their way.
 */
export function stepsLeft(state: ChineseCheckersState, player: number): number {
  const { stepsToTip, fewestSteps } = state.seating;
  return sumOverMen(state, player, stepsToTip) - fewestSteps;
}

/** Adds up, over a player's men, the numbers that `table` has for their cells as the player sees them. */
export function sumOverMen(state: ChineseCheckersState, player: number, table: Int32Array): number {
  const { men, star, seating } = state;
  const { seen } = seating;
  const view = star.cells * player;
  let sum = 0;
  for (let word = 0; word < SET_WORDS; word++) {
    const first = view + (word << 5);
    for (let rest = men[SET_WORDS * player + word]; rest !== 0; rest &= rest - 1) {
      sum += table[seen[first + lowestBit(rest)]];
    }
  }
  return sum;
}
