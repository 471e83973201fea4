import { CHANCE, TERMINAL, type Game, type State } from "../../game/game.ts";
import type { Learner } from "../learn/learner.ts";
import type { StartPositions } from "../self-play/start-positions.ts";

/*
 * Games of self-play on their way from an actor to the learner. Only the moves are sent: a game's start is drawn by a
 * generator that belongs to the game, so both sides draw the same one, and the rules say where the game ends. For each
 * action or chance outcome the bytes have twice its number, one more if it was explored; small numbers take one byte
 * (LEB128).
 */

/** The longest number: an action has 30 bits. */
const MAX_BYTES = 5;

/** Collects the moves of games as bytes. */
export class MoveWriter {
  private bytes = new Uint8Array(4096);
  private length = 0;

  add(action: number, explored: boolean): void {
    if (this.length + MAX_BYTES > this.bytes.length) {
      const longer = new Uint8Array(2 * this.bytes.length);
      longer.set(this.bytes);
      this.bytes = longer;
    }
    let left = action * 2 + (explored ? 1 : 0);
    for (; left > 127; left >>>= 7) this.bytes[this.length++] = (left & 127) | 128;
    this.bytes[this.length++] = left;
  }

  /** Returns the bytes since the last call. */
  take(): Uint8Array {
    const taken = this.bytes.slice(0, this.length);
    this.length = 0;
    return taken;
  }
}

/** Reads the bytes of a MoveWriter. */
export class MoveReader {
  /** True if the action read last was explored. */
  explored = false;
  private readonly bytes: Uint8Array;
  private at = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.at >= this.bytes.length;
  }

  /** Returns the next action; throws RangeError if there is none. */
  next(): number {
    let number = 0;
    for (let shift = 0; shift < 7 * MAX_BYTES; shift += 7) {
      if (this.isAtEnd) throw new RangeError("a game without an end");
      const byte = this.bytes[this.at++]!;
      number |= (byte & 127) << shift;
      if (byte < 128) {
        this.explored = (number & 1) === 1;
        return number >>> 1;
      }
    }
    throw new RangeError("a number of too many bytes");
  }
}

/** Plays recorded games again, so that a learner sees every position, as in OnePlyPlay. */
export class Replay {
  /** Decisions by players so far, without the random plies of openings. */
  decisions = 0;
  private readonly state: State;
  private readonly starts: StartPositions;
  private readonly learner: Learner;
  private readonly actions: Int32Array;
  private readonly probabilities: Float64Array;

  constructor(game: Game, { starts, learner }: { starts: StartPositions; learner: Learner }) {
    this.state = game.start();
    this.starts = starts;
    this.learner = learner;
    this.actions = new Int32Array(game.maxActions);
    this.probabilities = new Float64Array(game.maxActions);
  }

  /**
   * Plays one game again; `starts` must draw the same start as the actor's. Throws RangeError at the first move that the
   * rules do not allow, and DivergenceError.
   */
  playGame(moves: MoveReader): void {
    const { state, starts, learner } = this;
    starts.setUp(state);
    learner.begin(state);
    for (;;) {
      const by = state.toMove;
      const action = moves.next();
      const explored = moves.explored;
      this.check(action);
      if (by !== CHANCE) this.decisions++;
      state.apply(action);
      if (state.toMove === TERMINAL) {
        learner.end(state, explored);
        return;
      }
      learner.observe(state, by, explored);
    }
  }

  private check(action: number): void {
    const { state, actions, probabilities } = this;
    const count =
      state.toMove === CHANCE
        ? state.chanceOutcomes(actions, probabilities, 0)
        : state.legalActions(actions, 0);
    for (let at = 0; at < count; at++) if (actions[at] === action) return;
    throw new RangeError(`a move that the rules do not allow: ${action}`);
  }
}
