import { InputError } from "../../base/errors.ts";
import { finish, step } from "../../base/hashing.ts";
import type { GameSource, RatedGame } from "../../ratings/record.ts";

/** The round of a game that names none. */
export const NO_ROUND = 0;

/** Rounds that are no plain number have this bit and the hash of their text. */
const HASHED = 0x40000000;

/**
 * The number that stands for a round: the same for equal rounds. A last part after a dot numbers the games of the round,
 * as in `12.1` and `12.2`, and does not count. Empty, `?` and `-` are no round.
 */
export function roundOf(text: string): number {
  if (text === "" || text === "?" || text === "-") return NO_ROUND;
  const [, whole, plain] = /^((\d{1,8})|.*?\d)(?:\.\d+)?$/.exec(text) ?? [];
  if (plain !== undefined) return Number(plain) + 1;
  let hash = 0;
  for (const character of whole ?? text) hash = step(hash, character.codePointAt(0)!);
  return (finish(hash) & (HASHED - 1)) | HASHED;
}

/**
 * Finished games of named players that were played elsewhere, in a few bytes each. Games of the same players in the same
 * round are a block if they have each order of seats at most once, and each player had each seat equally often. Any other
 * game is a block of its own: all games of a file may have the round 1.
 */
export class GameList implements GameSource {
  /** By number, in the order in which they came. */
  readonly names: string[] = [];
  /** Games that were not finished and are not in the list. */
  unfinished = 0;
  /** The number of games of a player with itself, by its name. They are not in the list. */
  readonly alone = new Map<string, number>();
  private readonly numbers = new Map<string, number>();
  /** For each game in turn, the players by seat. */
  private readonly seats = new Column();
  private readonly returns = new Column();
  private players = 0;
  /** By game. */
  private readonly rounds = new Column();

  get size(): number {
    return this.rounds.length;
  }

  /** The number of a player, which is new if its name is. */
  numberOf(name: string): number {
    const known = this.numbers.get(name);
    if (known !== undefined) return known;
    this.numbers.set(name, this.names.length);
    return this.names.push(name) - 1;
  }

  /**
   * Adds a game, unless a player sits at two seats. Throws InputError if the games before have another number of players.
   * @param seats the number of the player at each seat; `returns` by seat, and `round` as `roundOf` gives it
   */
  add(seats: readonly number[], returns: readonly number[], round: number): void {
    if (this.size > 0 && seats.length !== this.players)
      throw new InputError("games of different numbers of players cannot be rated together");
    const twice = seats.find((seat, at) => seats.indexOf(seat) < at);
    if (twice !== undefined) {
      const name = this.names[twice]!;
      this.alone.set(name, (this.alone.get(name) ?? 0) + 1);
      return;
    }
    this.players = seats.length;
    this.rounds.push(round);
    for (const seat of seats) this.seats.push(seat);
    for (const value of returns) this.returns.push(value);
  }

  *blocks(): Generator<RatedGame[]> {
    const { heads, next } = this.chains();
    for (let game = 0; game < this.size; game++) {
      if (heads[game] !== game) continue;
      const block = [this.game(game)];
      for (let at = next[game]!; at >= 0; at = next[at]!) block.push(this.game(at));
      if (block.length === 1 || hasFairSeats(block)) yield block;
      else for (const alone of block) yield [alone];
    }
  }

  /** By game: the first game of its players in its round, and another one of them, or -1 after the last. */
  private chains(): { heads: Int32Array; next: Int32Array } {
    const { size } = this;
    const heads = new Int32Array(size);
    const next = new Int32Array(size).fill(-1);
    // An open hash table of heads, each plus 1; 0 is a free place.
    const table = new Int32Array(2 ** Math.ceil(Math.log2(2 * size + 2)));
    for (let game = 0; game < size; game++) {
      heads[game] = game;
      if (this.rounds.at(game) === NO_ROUND) continue;
      let place = this.hash(game) & (table.length - 1);
      while (table[place] !== 0 && !this.isSameRound(table[place]! - 1, game))
        place = (place + 1) & (table.length - 1);
      if (table[place] === 0) table[place] = game + 1;
      const head = table[place]! - 1;
      if (head === game) continue;
      heads[game] = head;
      next[game] = next[head]!;
      next[head] = game;
    }
    return { heads, next };
  }

  /** The hash of players and round, whatever the seats. */
  private hash(game: number): number {
    let sum = 0;
    for (let at = this.startOf(game); at < this.startOf(1 + game); at++) sum += finish(this.seats.at(at) + 1);
    return finish(step(sum | 0, this.rounds.at(game)));
  }

  private isSameRound(one: number, other: number): boolean {
    if (this.rounds.at(one) !== this.rounds.at(other)) return false;
    return this.hasPlayersOf(one, other) && this.hasPlayersOf(other, one);
  }

  /** True if all players of `one` are in `other`. */
  private hasPlayersOf(one: number, other: number): boolean {
    for (let at = this.startOf(one); at < this.startOf(1 + one); at++) {
      let place = this.startOf(other);
      while (place < this.startOf(1 + other) && this.seats.at(place) !== this.seats.at(at)) place++;
      if (place === this.startOf(1 + other)) return false;
    }
    return true;
  }

  private startOf(game: number): number {
    return game * this.players;
  }

  private game(at: number): RatedGame {
    const [start, end] = [this.startOf(at), this.startOf(1 + at)];
    const seats = this.seats.slice(start, end);
    const none = seats.length === 2 ? NONE : seats.map(() => 0);
    return {
      id: "",
      block: "",
      seats,
      returns: this.returns.slice(start, end),
      ending: "finished",
      forfeitSeat: -1,
      detail: "",
      decisions: none,
      nodes: none,
      timeMs: none,
    };
  }
}

const NONE: readonly number[] = [0, 0];

/** True if every player of these games had each seat equally often, and no two games have the same seats. */
function hasFairSeats(games: readonly RatedGame[]): boolean {
  const players = games[0]!.seats;
  if (players.length === 2) return games.length === 2 && games[1]!.seats[0] === players[1];
  if (new Set(games.map(({ seats }) => seats.join())).size < games.length) return false;
  return players.every((player) =>
    players.every(
      (_, seat) =>
        games.filter(({ seats }) => seats[seat] === player).length * players.length === games.length,
    ),
  );
}

/** The arrays of a column, from those of the smallest numbers on. */
const WIDTHS = [Int8Array, Int32Array, Float64Array] as const;

/** A list of numbers in an array that grows, with as few bytes for each as the numbers need. */
class Column {
  length = 0;
  private width = 0;
  private values: InstanceType<(typeof WIDTHS)[number]> = new Int8Array(1024);

  at(index: number): number {
    return this.values[index]!;
  }

  push(value: number): void {
    if (this.length === this.values.length) this.move(2 * this.length);
    this.values[this.length] = value;
    while (this.values[this.length] !== value) {
      this.width++;
      this.move(this.values.length);
      this.values[this.length] = value;
    }
    this.length++;
  }

  slice(start: number, end: number): number[] {
    const list: number[] = [];
    for (let at = start; at < end; at++) list.push(this.values[at]!);
    return list;
  }

  private move(capacity: number): void {
    const values = new WIDTHS[this.width]!(capacity);
    values.set(this.values);
    this.values = values;
  }
}
