import { grown, finish, step } from "../../base/hashing.ts";
import type { Random } from "../../base/random.ts";
import type { State } from "./rules.ts";

/**
 * The knowledge of the players of a game with hidden information. A player's information state is the sequence of its codes
 * since the start. Codes tell players their own actions and results, and, until the end, whether they are to move.
 */
export interface Privacy<S extends State = State> {
  /** The most actions, chance outcomes included, of one game. */
  readonly maxEvents: number;
  /** The most codes that one player gets in a game. */
  readonly maxCodes: number;
  /**
   * Writes to `out`, from `at` on, the codes (int32) of what `player` learns when `action`, or a chance outcome, is applied
   * to `state`, the position before it. Returns their number, 0 where the player notices nothing. Leaves the state as it
   * was.
   */
  seen(state: S, action: number, player: number, out: Int32Array, at: number): number;
  /**
   * Prepares the worlds of `player`, who is to move, after the first `count` codes. Called once a decision: tables and
   * counts belong here.
   */
  worlds(codes: Int32Array, count: number, player: number): Worlds;
  /** The position as `player` sees it, on one or more lines; the same for equal information states. */
  formatView(state: S, player: number): string;
  /**
   * Returns the actions, chance outcomes included, that lead from the start to a position. Without it, the notation of positions
   * must be their texts, one after the other.
   */
  history?(state: S): readonly number[];
}

/** All games that a player may be in, by what it knows. */
export interface Worlds {
  /**
   * Writes all actions, chance outcomes included, of a game from the start that gives the player exactly these codes, and
   * returns their number. Each has a probability in proportion to the product of its chance events; players' actions weigh
   * 1.
   */
  draw(random: Random, out: Int32Array): number;
}

/** The part of a game that its observers need. */
interface HiddenGame<S extends State> {
  readonly id: string;
  readonly players: number;
  start(): S;
  readonly privacy?: Privacy<S> | undefined;
}

/** The privacy of a game that declares hidden information. Throws RangeError if it has none: `agon check` says so. */
function privacyOf<S extends State>({ id, privacy }: HiddenGame<S>): Privacy<S> {
  if (privacy === undefined) throw new RangeError(`${id} declares hidden information and has no privacy`);
  return privacy;
}

/** A position of a game with hidden information, and the codes of every player since the start. For use outside playouts. */
export class ObservedGame<S extends State = State> {
  /** The position. Only the methods of this class may advance it. */
  readonly state: S;
  /** By player: its codes, of which the first `counts[player]` hold. */
  readonly codes: readonly Int32Array[];
  readonly counts: Int32Array;
  readonly privacy: Privacy<S>;
  private readonly players: number;
  /** The first position. */
  private readonly root: S;
  private events = 0;
  /** The counts of all players before each event. */
  private earlier = new Int32Array(64);
  /** By player: both halves of the hash of its first n codes, at n. */
  private readonly lows: readonly Int32Array[];
  private readonly highs: readonly Int32Array[];

  constructor(game: HiddenGame<S>) {
    this.privacy = privacyOf(game);
    this.players = game.players;
    this.root = game.start();
    this.state = game.start();
    const perPlayer = (length: number) => Array.from({ length: game.players }, () => new Int32Array(length));
    this.codes = perPlayer(this.privacy.maxCodes);
    this.lows = perPlayer(this.privacy.maxCodes + 1);
    this.highs = perPlayer(this.privacy.maxCodes + 1);
    this.counts = new Int32Array(game.players);
    for (let player = 0; player < game.players; player++) {
      this.lows[player]![0] = step(0x3c6ef372, player);
      this.highs[player]![0] = step(0x1b873593, ~player);
    }
  }

  /** Goes back to the start. */
  restart(): void {
    this.state.copyFrom(this.root);
    this.counts.fill(0);
    this.events = 0;
  }

  /** Plays a legal action or a chance outcome, and tells every player its part of it. */
  apply(action: number): void {
    const { players, counts, privacy, state } = this;
    if ((this.events + 1) * players > this.earlier.length) this.earlier = grown(this.earlier);
    this.earlier.set(counts, this.events++ * players);
    for (let player = 0; player < players; player++) {
      const before = counts[player];
      const codes = this.codes[player]!;
      const low = this.lows[player]!;
      const high = this.highs[player]!;
      const after = before + privacy.seen(state, action, player, codes, before);
      for (let at = before; at < after; at++) {
        low[at + 1] = step(low[at], codes[at]);
        high[at + 1] = step(high[at], codes[at] ^ 0x5bd1e995);
      }
      counts[player] = after;
    }
    state.apply(action);
  }

  /** Takes the last event since `restart` back. */
  undo(): void {
    const { players } = this;
    this.state.undo();
    const at = --this.events * players;
    this.counts.set(this.earlier.subarray(at, at + players));
  }

  /** Becomes the position after the first `count` of these events from the start. */
  replay(actions: ArrayLike<number>, count: number = actions.length): void {
    this.restart();
    for (let at = 0; at < count; at++) this.apply(actions[at]!);
  }

  /** The low 32 bits of the hash of the player's codes: equal for equal information states. */
  hashLow(player: number): number {
    return finish(this.lows[player]![this.counts[player]!]!);
  }

  /** The high 32 bits of the hash of the player's codes. */
  hashHigh(player: number): number {
    return finish(this.highs[player]![this.counts[player]!]!);
  }

  /** The player's codes as text, which names its information state exactly. */
  key(player: number): string {
    return this.codes[player]!.subarray(0, this.counts[player]).join(" ");
  }

  /** The worlds of `player`, who is to move. They are given the codes, and never the position. */
  worlds(player: number): Worlds {
    const count = this.counts[player]!;
    return this.privacy.worlds(this.codes[player]!.slice(0, count), count, player);
  }
}
