import { z } from "zod";
import { InputError } from "../../src/base/errors.ts";
import { zobristTable } from "../../src/base/hashing.ts";
import { defineGame, TERMINAL, type Rules, type State } from "../../src/games/contract/game.ts";

/** Most stones in all holes together. */
const MOST_STONES = 128;
const LOW = zobristTable("fast kalah/low", 18 * (MOST_STONES + 1) + 1);
const HIGH = zobristTable("fast kalah/high", 18 * (MOST_STONES + 1) + 1);

/** Kalah by the fast contract, written apart from examples/kalah, which tests compare with it. */
class KalahState implements State {
  toMove = 0;
  turn = 0;
  readonly holes: Uint8Array;
  private readonly pits: number;
  /** A record a ply: all holes, then whose turn it was. */
  private history = new Uint8Array(4096);
  private end = 0;

  constructor(pits: number, stones: number) {
    this.pits = pits;
    this.holes = new Uint8Array(2 * pits + 2).fill(stones);
    this.holes[pits] = this.holes[2 * pits + 1] = 0;
  }

  legalActions(out: Int32Array, at: number): number {
    const { pits, holes } = this;
    let count = 0;
    const first = this.turn === 0 ? 0 : pits + 1;
    for (let hole = first; hole < first + pits; hole++) if (holes[hole] > 0) out[at + count++] = hole;
    return count;
  }

  apply(pit: number): void {
    const { pits, holes, turn } = this;
    const size = holes.length;
    if (this.end + size + 1 > this.history.length) {
      const longer = new Uint8Array(2 * this.history.length);
      longer.set(this.history);
      this.history = longer;
    }
    for (let hole = 0; hole < size; hole++) this.history[this.end++] = holes[hole];
    this.history[this.end++] = turn;
    const skipped = turn === 0 ? size - 1 : pits;
    const store = turn === 0 ? pits : size - 1;
    let hand = holes[pit];
    holes[pit] = 0;
    let hole = pit;
    while (hand > 0) {
      if (++hole === size) hole = 0;
      if (hole === skipped) continue;
      holes[hole]++;
      hand--;
    }
    if (hole !== store) {
      const isOwn = turn === 0 ? hole < pits : hole > pits;
      const captured = isOwn && holes[hole] === 1 ? holes[2 * pits - hole] : 0;
      if (captured > 0) {
        holes[store] += captured + 1;
        holes[hole] = holes[2 * pits - hole] = 0;
      }
      this.turn = 1 - turn;
    }
    this.toMove = this.stonesOf(0) === 0 || this.stonesOf(1) === 0 ? TERMINAL : this.turn;
  }

  undo(): void {
    const { holes } = this;
    this.turn = this.history[--this.end];
    this.end -= holes.length;
    for (let hole = 0; hole < holes.length; hole++) holes[hole] = this.history[this.end + hole];
    this.toMove = this.turn;
  }

  returns(player: number): number {
    if (this.toMove !== TERMINAL) return 0;
    const { pits, holes } = this;
    const lead = this.stonesOf(0) + holes[pits] - this.stonesOf(1) - holes[2 * pits + 1];
    return lead === 0 ? 0 : lead > 0 === (player === 0) ? 1 : -1;
  }

  get hashLow(): number {
    return this.hash(LOW);
  }

  get hashHigh(): number {
    return this.hash(HIGH);
  }

  copyFrom(other: this): void {
    this.holes.set(other.holes);
    this.turn = other.turn;
    this.toMove = other.toMove;
    this.end = 0;
  }

  private hash(words: Int32Array): number {
    let hash = this.turn === 0 ? 0 : words[words.length - 1];
    for (let hole = 0; hole < this.holes.length; hole++)
      hash ^= words[hole * (MOST_STONES + 1) + this.holes[hole]];
    return hash;
  }

  private stonesOf(player: number): number {
    const first = player === 0 ? 0 : this.pits + 1;
    let stones = 0;
    for (let hole = first; hole < first + this.pits; hole++) stones += this.holes[hole];
    return stones;
  }
}

export const fastKalah = defineGame({
  id: "fast-kalah",
  summary: "kalah by the fast contract",
  options: z.strictObject({ pits: z.int().max(8).default(6), stones: z.int().max(8).default(4) }),
  rules: ({ pits, stones }): Rules<KalahState> => ({
    maxActions: pits,
    maxPlies: 1000,
    start: () => new KalahState(pits, stones),
    formatAction: String,
    formatState: ({ holes, turn }) => JSON.stringify({ holes: [...holes], player: turn }),
    parseState: (text) => {
      throw new InputError(`"${text}": this game reads no positions`);
    },
    render: ({ holes }) => [...holes].join(" "),
  }),
});
