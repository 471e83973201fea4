import { mixHigh, mixLow } from "../../base/hashing.ts";
import { createRandom, type Random } from "../../base/random.ts";
import { CHANCE, TERMINAL, type Game, type State } from "../../games/contract/game.ts";
import type { ListedOpenings, Openings } from "../plan/plan.ts";

/** After this many draws a repeated opening is accepted, because a game may have fewer openings than blocks. */
const MAX_DRAWS = 50;

/** The openings of one pairing, block by block. */
export interface PairingOpenings {
  next(): number[];
}

/**
 * The openings of the pairings of a tournament. A large tournament has hundreds of thousands of pairings that play at the
 * same time, so little is kept of each one: the state of its generator, and 64 bits for each opening drawn.
 */
export class TournamentOpenings {
  private readonly openings: Openings;
  private readonly seed: string;
  private readonly drawn = new LineSet();
  private readonly state: State;
  private readonly start: State;
  private readonly actions: Int32Array;
  private readonly probabilities: Float64Array;
  private pairings = 0;
  /** Listed openings in the order in which they are played. */
  private readonly lines: readonly (readonly number[])[];

  constructor(game: Game, openings: Openings, seed: string) {
    this.openings = openings;
    this.lines = "lines" in openings ? inOrder(openings, seed) : [];
    this.seed = seed;
    this.state = game.start();
    this.start = game.start();
    this.actions = new Int32Array(game.maxActions);
    this.probabilities = new Float64Array(game.maxActions);
  }

  /**
   * The openings of a pairing: the listed lines in turn, from the first or from a place drawn from the pairing's name, or
   * lines of random plies. Random lines are all different until
   * 50 draws in a row find no new one; from then on they may repeat. The opening of a block does not depend on the
   * number of blocks.
   */
  pairing(name: string): PairingOpenings {
    const { openings } = this;
    if ("lines" in openings) {
      const { lines, seed } = this;
      let at = openings.order === "random" ? createRandom(seed, "openings", name).below(lines.length) : 0;
      return { next: () => [...lines[at++ % lines.length]!] };
    }
    const { randomPlies } = openings;
    if (randomPlies === 0) return { next: () => [] };
    return new RandomOpenings(this, createRandom(this.seed, "openings", name), this.pairings++);
  }

  /**
   * The next opening of a pairing with random openings.
   * @internal for RandomOpenings.
   */
  draw(pairing: RandomOpenings): number[] {
    const { drawn, state } = this;
    let line: number[] = [];
    let isNew = false;
    for (let draw = 0; draw < MAX_DRAWS && !isNew; draw++) {
      line = this.play(pairing.random);
      if (state.toMove === TERMINAL) continue;
      if (pairing.exhausted) break;
      isNew = drawn.add(line, pairing.number);
    }
    pairing.exhausted ||= !isNew;
    return state.toMove === TERMINAL ? [] : line;
  }

  /** Plays a random line; `state` is then at its end. */
  private play(random: Random): number[] {
    const { state, actions, probabilities } = this;
    const { randomPlies } = this.openings as { readonly randomPlies: number };
    const line: number[] = [];
    state.copyFrom(this.start);
    for (let plies = 0; plies < randomPlies && state.toMove !== TERMINAL;) {
      const chance = state.toMove === CHANCE;
      const count = chance
        ? state.chanceOutcomes!(actions, probabilities, 0)
        : state.legalActions(actions, 0);
      const action = actions[chance ? random.weighted(probabilities, 0, count) : random.below(count)];
      line.push(action);
      state.apply(action);
      if (!chance) plies++;
    }
    return line;
  }
}

/** The lines as they stand, or shuffled. */
function inOrder({ lines, order }: ListedOpenings, seed: string): readonly (readonly number[])[] {
  if (order !== "random") return lines;
  const places = Int32Array.from(lines.keys());
  createRandom(seed, "openings", "order").shuffle(places, 0, places.length);
  return Array.from(places, (place) => lines[place]!);
}

class RandomOpenings implements PairingOpenings {
  readonly random: Random;
  /** Tells the lines of this pairing from those of others. */
  readonly number: number;
  /** True after a draw found no new opening: from then on openings may repeat. */
  exhausted = false;
  private readonly book: TournamentOpenings;

  constructor(book: TournamentOpenings, random: Random, number: number) {
    this.book = book;
    this.random = random;
    this.number = number;
  }

  next(): number[] {
    return this.book.draw(this);
  }
}

/**
 * The set of drawn lines, 64 bits each, in a hash table with open addressing (Knuth 1973). Two of a million lines have
 * equal bits with a probability of 1 in 37 million. Then a new line counts as drawn, and another one is drawn.
 */
class LineSet {
  /** Two words a line; both are 0 in an empty slot. */
  private words = new Int32Array(2048);
  private count = 0;

  /** Returns whether the line of the pairing is new, and adds it. */
  add(line: readonly number[], pairing: number): boolean {
    let low = pairing;
    let high = line.length;
    for (const action of line) {
      const before = low;
      low = mixLow(low, high, action, pairing);
      high = mixHigh(before, high, action, pairing);
    }
    if (!this.insert(low, low === 0 && high === 0 ? 1 : high)) return false;
    if (++this.count > this.words.length / 3) this.grow();
    return true;
  }

  private insert(low: number, high: number): boolean {
    const { words } = this;
    const mask = words.length / 2 - 1;
    for (let slot = (low ^ (high >>> 16)) & mask; ; slot = (slot + 1) & mask) {
      const at = 2 * slot;
      if (words[at] === low && words[at + 1] === high) return false;
      if (words[at] !== 0 || words[at + 1] !== 0) continue;
      words[at] = low;
      words[at + 1] = high;
      return true;
    }
  }

  private grow(): void {
    const before = this.words;
    this.words = new Int32Array(2 * before.length);
    for (let at = 0; at < before.length; at += 2)
      if (before[at] !== 0 || before[at + 1] !== 0) this.insert(before[at], before[at + 1]);
  }
}
