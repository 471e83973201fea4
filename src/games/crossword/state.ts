import { CHANCE, TERMINAL } from "../contract/rules.ts";
import { HistoryState } from "../shared/history-state.ts";
import { Board } from "./board.ts";
import { FIRST_PLAY, type Form, KINDS, PASS } from "./form.ts";
import { MoveFinder } from "./moves.ts";

/** The most turns of a game: each play lays a tile, and two rounds without a play end the game. */
export function maxTurnsOf({ players, total }: Form): number {
  return 2 * players * (total + 1);
}

/** The most turns and drawn tiles of a game. */
export function maxEventsOf(form: Form): number {
  return form.players * form.rack + (form.rack + 1) * maxTurnsOf(form);
}

/** A position: the tiles on the board, on the racks and in the bag, and the points so far. Outcomes are kinds of tiles. */
export class CrosswordState extends HistoryState {
  readonly form: Form;
  readonly board: Board;
  /** By player and kind: the tiles on the rack. */
  readonly racks: Uint8Array;
  /** By kind: the tiles in the bag; and their number. */
  readonly bag: Uint8Array;
  bagged: number;
  /** By player: the number of tiles on its rack, and its points so far. */
  readonly held: Uint8Array;
  readonly scores: Int32Array;
  /** Decisions so far; the players take turns. */
  turn = 0;
  /** By turn: the event with its decision, its points, and before it the turns in a row without a play, and the passes in a row. */
  private readonly decided: Int32Array;
  private readonly gains: Int32Array;
  private readonly idles: Uint8Array;
  private readonly passes: Uint8Array;
  /** By turn and place: the tiles that an exchange puts back into the bag when the others are drawn; and by turn their number. */
  private readonly aside: Uint8Array;
  private readonly asideCounts: Uint8Array;
  /** Tiles that the player still draws. */
  private owed: number;
  private readonly finder: MoveFinder;

  constructor(form: Form, finder: MoveFinder) {
    super(maxEventsOf(form));
    const turns = maxTurnsOf(form) + 1;
    this.form = form;
    this.finder = finder;
    this.board = new Board(form);
    this.racks = new Uint8Array(form.players * KINDS);
    this.bag = Uint8Array.from(form.counts);
    this.bagged = form.total;
    this.held = new Uint8Array(form.players);
    this.scores = new Int32Array(form.players);
    this.decided = new Int32Array(turns);
    this.gains = new Int32Array(turns);
    this.idles = new Uint8Array(turns);
    this.passes = new Uint8Array(turns);
    this.aside = new Uint8Array(turns * form.rack);
    this.asideCounts = new Uint8Array(turns);
    this.owed = form.players * form.rack;
  }

  /** The player who draws at an event: in the deal one after the other, then the player of the last turn. */
  drawerOf(event: number): number {
    const { turn, form } = this;
    return turn === 0 ? Math.floor(event / form.rack) : (turn - 1) % form.players;
  }

  /** True if tiles can be exchanged: the bag has a whole rack of them. */
  get canExchange(): boolean {
    return this.bagged >= this.form.rack;
  }

  legalActions(out: Int32Array, at: number): number {
    const { racks, toMove, board, finder } = this;
    out[at] = PASS;
    let next = at + 1;
    if (this.canExchange) next += this.writeExchanges(out, next);
    next += finder.find(board, racks, toMove * KINDS, out, next);
    return next - at;
  }

  /** Writes the sets of tiles of the rack, in order. Of equal tiles the first ones are exchanged. */
  private writeExchanges(out: Int32Array, at: number): number {
    const { racks, toMove, held } = this;
    /** The tiles that have an equal one right before them. */
    let twins = 0;
    let place = 0;
    for (let kind = 0; kind < KINDS; kind++)
      for (let count = racks[toMove * KINDS + kind]!; count > 0; count--, place++)
        if (count < racks[toMove * KINDS + kind]!) twins |= 1 << place;
    let next = at;
    for (let set = 1; set < 1 << held[toMove]!; set++)
      if ((set & twins & ~(set << 1)) === 0) out[next++] = set;
    return next - at;
  }

  chanceOutcomes(out: Int32Array, probabilities: Float64Array, at: number): number {
    const { bag, bagged } = this;
    let next = at;
    for (let kind = 0; kind < KINDS; kind++) {
      if (bag[kind] === 0) continue;
      out[next] = kind;
      probabilities[next++] = bag[kind]! / bagged;
    }
    return next - at;
  }

  protected advance(action: number): void {
    if (this.toMove === CHANCE) {
      this.move(action, this.drawerOf(this.events - 1), 1);
      if (--this.owed === 0) this.finish();
      return;
    }
    const { turn, toMove: player, board, racks } = this;
    this.decided[turn] = this.events - 1;
    this.gains[turn] = 0;
    this.asideCounts[turn] = 0;
    this.idles[turn + 1] = action >= FIRST_PLAY ? 0 : this.idles[turn]! + 1;
    this.passes[turn + 1] = action === PASS ? this.passes[turn]! + 1 : 0;
    if (action >= FIRST_PLAY) {
      this.gains[turn] = board.pointsOf(action);
      this.scores[player]! += this.gains[turn]!;
      this.owed = board.lay(action, racks, player * KINDS);
      this.held[player]! -= this.owed;
    } else if (action !== PASS) this.owed = this.setAside(action, player);
    this.turn = turn + 1;
    this.owed = Math.min(this.owed, this.bagged);
    this.toMove = CHANCE;
    if (this.owed === 0) this.finish();
  }

  protected retreat(action: number): void {
    if (this.turn === 0 || this.events !== this.decided[this.turn - 1]) {
      if (this.toMove !== CHANCE) {
        if (this.turn > 0) this.moveAside(-1);
        this.toMove = CHANCE;
      }
      this.owed++;
      this.move(action, this.drawerOf(this.events), -1);
      return;
    }
    const turn = --this.turn;
    const player = turn % this.form.players;
    this.toMove = player;
    this.owed = 0;
    if (action >= FIRST_PLAY) {
      this.scores[player]! -= this.gains[turn]!;
      this.held[player]! += this.board.lift(action, this.racks, player * KINDS);
      return;
    }
    const count = this.asideCounts[turn]!;
    for (let at = 0; at < count; at++)
      this.racks[player * KINDS + this.aside[turn * this.form.rack + at]!]!++;
    this.held[player]! += count;
  }

  /** Moves a tile from the bag to a rack, or back where `sign` is -1. */
  private move(kind: number, player: number, sign: 1 | -1): void {
    this.bag[kind]! -= sign;
    this.bagged -= sign;
    this.racks[player * KINDS + kind]! += sign;
    this.held[player]! += sign;
  }

  /** Takes the tiles of an exchange from the rack; returns how many. */
  private setAside(set: number, player: number): number {
    const { racks, aside, turn, form } = this;
    let place = 0;
    let count = 0;
    for (let kind = 0; kind < KINDS; kind++) {
      for (let left = racks[player * KINDS + kind]!; left > 0; left--) {
        if (((set >> place++) & 1) === 0) continue;
        aside[turn * form.rack + count++] = kind;
        racks[player * KINDS + kind]!--;
      }
    }
    this.asideCounts[turn] = count;
    this.held[player]! -= count;
    return count;
  }

  /** Puts the tiles of the last turn's exchange into the bag, or takes them out where `sign` is -1. */
  private moveAside(sign: 1 | -1): void {
    const { bag, aside, asideCounts, form } = this;
    const last = this.turn - 1;
    for (let at = 0; at < asideCounts[last]!; at++) bag[aside[last * form.rack + at]!]! += sign;
    this.bagged += sign * asideCounts[last]!;
  }

  /** The turn is over, or the deal is. */
  private finish(): void {
    const { turn, form } = this;
    if (turn > 0) {
      this.moveAside(1);
      if (
        this.held[(turn - 1) % form.players] === 0 ||
        this.passes[turn] === form.players ||
        this.idles[turn] === 2 * form.players
      ) {
        this.toMove = TERMINAL;
        return;
      }
    }
    this.toMove = turn % form.players;
  }

  /** The points of the tiles on a rack. */
  rackPoints(player: number): number {
    let points = 0;
    for (let kind = 0; kind < KINDS; kind++)
      points += this.form.points[kind]! * this.racks[player * KINDS + kind]!;
    return points;
  }

  /** The points of a player when the tiles on the racks are counted: off one's own, and to the player who went out. */
  finalScore(player: number): number {
    const { scores, held, form } = this;
    let score = scores[player]! - this.rackPoints(player);
    if (held[player] === 0)
      for (let other = 0; other < form.players; other++) score += this.rackPoints(other);
    return score;
  }

  returns(player: number): number {
    if (this.toMove !== TERMINAL) return 0;
    const { players } = this.form;
    const own = this.finalScore(player);
    let winners = 0;
    let best = -Infinity;
    for (let each = 0; each < players; each++) {
      const score = this.finalScore(each);
      if (score > best) winners = 0;
      if (score >= best) {
        best = score;
        winners++;
      }
    }
    return own === best ? (players / winners - 1) / (players - 1) : -1 / (players - 1);
  }

  /** The tiles that `player` does not see, of a kind: those in the bag and on the others' racks. */
  unseen(player: number, kind: number): number {
    let count = this.bag[kind]!;
    for (let other = 0; other < this.form.players; other++)
      if (other !== player) count += this.racks[other * KINDS + kind]!;
    return count;
  }

  override copyFrom(other: this): void {
    super.copyFrom(other);
    this.board.copyFrom(other.board);
    this.racks.set(other.racks);
    this.bag.set(other.bag);
    this.bagged = other.bagged;
    this.held.set(other.held);
    this.scores.set(other.scores);
    this.turn = other.turn;
    this.decided.set(other.decided);
    this.gains.set(other.gains);
    this.idles.set(other.idles);
    this.passes.set(other.passes);
    this.aside.set(other.aside);
    this.asideCounts.set(other.asideCounts);
    this.owed = other.owed;
  }
}
