import type { SearchedTree } from "../../agents/alpha-beta/searched-tree.ts";
import { grown } from "../../base/hashing.ts";
import { CHANCE, type Game, type State } from "../../games/contract/game.ts";
import type { Listener, Moves } from "../self-play/self-play.ts";

/*
 * Games of self-play on their way from an actor to the learner. Only the moves are sent: a game's start is drawn by a
 * generator that belongs to the game, so both sides draw the same one, and the rules say where the game ends. For each
 * action or chance outcome the bytes have twice its number, one more if it was explored. Where an agent searches, the
 * length and the actions of its principal variation come before its action, and before these its tree, if that is learned from. Small numbers take one byte (LEB128).
 */

/** The longest number: an action has 30 bits. */
const MAX_BYTES = 5;

/** Writes the moves of games as bytes. */
export class MoveWriter implements Listener {
  private bytes = new Uint8Array(4096);
  private length = 0;

  begin(): void {}

  before({ toMove }: State, action: number, { explored, line, leaf, tree }: Moves): void {
    if (tree !== undefined && toMove !== CHANCE) this.addWords(tree);
    if (leaf !== undefined && toMove !== CHANCE) {
      this.add(line.length);
      for (const one of line) this.add(one);
    }
    this.add(action * 2 + (explored ? 1 : 0));
  }

  after(): void {}

  /** Returns the bytes since the last call. */
  take(): Uint8Array<ArrayBuffer> {
    const taken = this.bytes.slice(0, this.length);
    this.length = 0;
    return taken;
  }

  private addWords(words: Int32Array): void {
    this.add(words.length);
    while (this.length + words.byteLength > this.bytes.length) this.bytes = grown(this.bytes);
    this.bytes.set(new Uint8Array(words.buffer, words.byteOffset, words.byteLength), this.length);
    this.length += words.byteLength;
  }

  private add(number: number): void {
    if (this.length + MAX_BYTES > this.bytes.length) this.bytes = grown(this.bytes);
    let left = number;
    for (; left > 127; left >>>= 7) this.bytes[this.length++] = (left & 127) | 128;
    this.bytes[this.length++] = left;
  }
}

/** The moves of recorded games. Each is checked: `next` throws RangeError where the rules do not allow it. */
export class RecordedMoves implements Moves {
  explored = false;
  readonly holds = false;
  readonly line: number[] = [];
  readonly leaf: State | undefined;
  tree: SearchedTree | undefined;
  private readonly hasTrees: boolean;
  private bytes: Uint8Array = new Uint8Array();
  private at = 0;
  private readonly actions: Int32Array;
  private readonly probabilities: Float64Array;

  /**
   * @param recorded.hasLines true if an agent searched: its principal variations are recorded, too
   * @param recorded.hasTrees true if its trees are, which are not checked: they come from threads of this program
   */
  constructor(game: Game, { hasLines, hasTrees = false }: { hasLines: boolean; hasTrees?: boolean }) {
    this.hasTrees = hasTrees;
    this.leaf = hasLines ? game.start() : undefined;
    this.actions = new Int32Array(game.maxActions);
    this.probabilities = new Float64Array(game.maxActions);
  }

  /** Takes the bytes of a MoveWriter. */
  load(bytes: Uint8Array): void {
    this.bytes = bytes;
    this.at = 0;
  }

  get isAtEnd(): boolean {
    return this.at >= this.bytes.length;
  }

  begin(): void {}

  next(state: State): number {
    if (this.hasTrees && state.toMove !== CHANCE) this.tree = this.readWords();
    if (this.leaf !== undefined && state.toMove !== CHANCE) this.readLine(state, this.leaf);
    const number = this.number();
    this.explored = (number & 1) === 1;
    return this.checked(state, number >>> 1);
  }

  private readLine(state: State, leaf: State): void {
    const { line } = this;
    leaf.copyFrom(state);
    line.length = this.number();
    for (let ply = 0; ply < line.length; ply++) {
      if (leaf.toMove < 0)
        throw new RangeError("a principal variation that goes beyond the end or a chance event");
      line[ply] = this.checked(leaf, this.number());
      leaf.apply(line[ply]!);
    }
  }

  private readWords(): Int32Array {
    const length = Int32Array.BYTES_PER_ELEMENT * this.number();
    const from = this.at;
    this.at += length;
    return new Int32Array(this.bytes.slice(from, this.at).buffer);
  }

  private number(): number {
    let number = 0;
    for (let shift = 0; shift < 7 * MAX_BYTES; shift += 7) {
      if (this.isAtEnd) throw new RangeError("a game without an end");
      const byte = this.bytes[this.at++]!;
      number |= (byte & 127) << shift;
      if (byte < 128) return number;
    }
    throw new RangeError("a number of too many bytes");
  }

  private checked(state: State, action: number): number {
    const { actions, probabilities } = this;
    const count =
      state.toMove === CHANCE
        ? state.chanceOutcomes!(actions, probabilities, 0)
        : state.legalActions(actions, 0);
    for (let at = 0; at < count; at++) if (actions[at] === action) return action;
    throw new RangeError(`a move that the rules do not allow: ${action}`);
  }
}
