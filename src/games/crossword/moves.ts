import { grown, lowestBit } from "../../base/hashing.ts";
import type { Board } from "./board.ts";
import { BLANK, FIRST_PLAY, type Form, KINDS, MAX_PLAYS } from "./form.ts";
import { LETTERS } from "./lexicon.ts";

const ALL_LETTERS = (1 << LETTERS) - 1;

/**
 * Finds all plays of a rack on a board (Appel and Jacobson 1988). Along each line, words grow from anchors: the empty squares
 * beside tiles. The part before an anchor comes from the rack or from the board, and then the word goes on to the right. Words
 * across the line restrict the letters of a square; they are looked up once for each square.
 */
export class MoveFinder {
  private readonly form: Form;
  private readonly rack: Uint8Array = new Uint8Array(KINDS);
  /** The set of letters on the rack. */
  private held = 0;
  /** By square of the line: the letters that the words across it allow. */
  private readonly allowed: Int32Array;
  /** By square of the line: 1 where a new tile would make a word across it. */
  private readonly crosses: Uint8Array;
  private board!: Board;
  private direction = 0;
  /** The first square of the line, and the way from a square to the next one. */
  private first = 0;
  private step = 1;
  private anchor = 0;
  private plays: Int32Array = new Int32Array(1024);
  private count = 0;

  constructor(form: Form) {
    this.form = form;
    this.allowed = new Int32Array(form.size);
    this.crosses = new Uint8Array(form.size);
  }

  /** Writes the plays to `out`, from `at` on, ascending, and returns their number. Above MAX_PLAYS those with the most points stay. */
  find(board: Board, racks: Uint8Array, from: number, out: Int32Array, at: number): number {
    const { form, rack } = this;
    const { size } = form;
    this.board = board;
    this.count = 0;
    this.held = 0;
    for (let kind = 0; kind < KINDS; kind++) {
      rack[kind] = racks[from + kind]!;
      if (rack[kind] > 0 && kind < LETTERS) this.held |= 1 << kind;
    }
    for (let direction = 0; direction < 2; direction++) {
      this.direction = direction;
      this.step = direction === 0 ? 1 : size;
      for (let line = 0; line < size; line++) {
        this.first = direction === 0 ? line * size : line;
        this.findInLine(line);
      }
    }
    const { count, plays } = this;
    sortFirst(plays, count);
    if (count > MAX_PLAYS) return this.keepBest(plays.subarray(0, count), out, at);
    for (let play = 0; play < count; play++) out[at + play] = plays[play]!;
    return count;
  }

  private findInLine(line: number): void {
    const { form, board, crosses, first, step } = this;
    const { size, middle } = form;
    const { letters, tiles } = board;
    const isNear = this.prepare(line);
    if (tiles > 0 ? !isNear : line !== size >> 1) return;
    /** The empty squares before the next one that are no anchors. */
    let free = 0;
    for (let place = 0; place < size; place++) {
      const square = first + place * step;
      if (letters[square] !== 0) {
        free = 0;
        continue;
      }
      const isAfter = place > 0 && letters[square - step] !== 0;
      const isBefore = place + 1 < size && letters[square + step] !== 0;
      if (tiles === 0 ? square !== middle : !isAfter && !isBefore && crosses[place] === 0) {
        free++;
        continue;
      }
      this.anchor = place;
      if (isAfter) this.goOn(place);
      else this.begin(form.lexicon.root, 0, 0, 0, free);
      free = 0;
    }
  }

  /** Goes on with the tiles right before a square of the line. */
  private goOn(place: number): void {
    const { form, board, first, step } = this;
    const { next, skipped, root } = form.lexicon;
    let start = place - 1;
    while (start > 0 && board.letters[first + (start - 1) * step] !== 0) start--;
    let node = root;
    let word = 0;
    for (let at = start; at < place; at++) {
      const edge = LETTERS * node + board.letters[first + at * step]! - 1;
      word += skipped[edge]!;
      node = next[edge]!;
    }
    this.extend(node, word, place, start, 0, 0);
  }

  /** Writes what the words across the line allow on each of its squares. False if there is no tile on the line or beside it. */
  private prepare(line: number): boolean {
    const { form, board, allowed, crosses, first, step } = this;
    const { size } = form;
    const { letters } = board;
    const across = step === 1 ? size : 1;
    let isNear = false;
    for (let place = 0; place < size; place++) {
      const square = first + place * step;
      const before = line > 0 && letters[square - across] !== 0;
      const after = line + 1 < size && letters[square + across] !== 0;
      crosses[place] = 0;
      allowed[place] = ALL_LETTERS;
      if (letters[square] !== 0) isNear = true;
      else if (before || after) {
        isNear = true;
        crosses[place] = 1;
        allowed[place] = this.crossing(square, across, line);
      }
    }
    return isNear;
  }

  /** The letters that make a word of the tiles before and after an empty square, which is number `line` of its own line. */
  private crossing(square: number, across: number, line: number): number {
    const { form, board } = this;
    const { next, edges, ends, root } = form.lexicon;
    const { letters } = board;
    let start = square;
    for (let at = line; at > 0 && letters[start - across] !== 0; at--) start -= across;
    let node = root;
    for (; start < square; start += across) node = next[LETTERS * node + letters[start]! - 1]!;
    let allowed = 0;
    for (let set = edges[node]!; set !== 0; set &= set - 1) {
      const letter = lowestBit(set);
      let end = next[LETTERS * node + letter]!;
      for (
        let [at, here] = [line + 1, square + across];
        at < form.size && letters[here] !== 0;
        at++, here += across
      )
        end = next[LETTERS * end + letters[here]! - 1]!;
      if (ends[end] === 1) allowed |= 1 << letter;
    }
    return allowed;
  }

  /** Makes beginnings of words from the rack, of up to `free` letters, which end before the anchor. */
  private begin(node: number, word: number, laid: number, blanks: number, free: number): void {
    this.extend(node, word, this.anchor, this.anchor - laid, laid, blanks);
    if (laid === free || laid === this.form.rack) return;
    const { rack, form, held } = this;
    const { next, skipped, edges } = form.lexicon;
    const hasBlank = rack[BLANK]! > 0;
    for (let set = edges[node]! & (hasBlank ? ALL_LETTERS : held); set !== 0; set &= set - 1) {
      const letter = lowestBit(set);
      const edge = LETTERS * node + letter;
      if (rack[letter]! > 0) {
        this.take(letter);
        this.begin(next[edge]!, word + skipped[edge]!, laid + 1, blanks, free);
        this.give(letter);
      }
      if (hasBlank) {
        rack[BLANK]!--;
        this.begin(next[edge]!, word + skipped[edge]!, laid + 1, blanks | (1 << laid), free);
        rack[BLANK]!++;
      }
    }
  }

  /** Goes on with a word at a square of the line. */
  private extend(
    node: number,
    word: number,
    place: number,
    start: number,
    laid: number,
    blanks: number,
  ): void {
    const { form, board, rack } = this;
    const { next, skipped, edges, ends } = form.lexicon;
    const letter = place < form.size ? board.letters[this.first + place * this.step]! : 0;
    if (letter !== 0) {
      const edge = LETTERS * node + letter - 1;
      if (next[edge] !== 0) this.extend(next[edge]!, word + skipped[edge]!, place + 1, start, laid, blanks);
      return;
    }
    if (ends[node] === 1 && laid > 0 && place > this.anchor) this.add(word, start, laid, blanks);
    if (place === form.size || laid === form.rack) return;
    const hasBlank = rack[BLANK]! > 0;
    let set = edges[node]! & this.allowed[place]! & (hasBlank ? ALL_LETTERS : this.held);
    for (; set !== 0; set &= set - 1) {
      const own = lowestBit(set);
      const edge = LETTERS * node + own;
      if (rack[own]! > 0) {
        this.take(own);
        this.extend(next[edge]!, word + skipped[edge]!, place + 1, start, laid + 1, blanks);
        this.give(own);
      }
      if (hasBlank) {
        rack[BLANK]!--;
        this.extend(next[edge]!, word + skipped[edge]!, place + 1, start, laid + 1, blanks | (1 << laid));
        rack[BLANK]!++;
      }
    }
  }

  private take(letter: number): void {
    if (--this.rack[letter]! === 0) this.held ^= 1 << letter;
  }

  private give(letter: number): void {
    if (this.rack[letter]!++ === 0) this.held ^= 1 << letter;
  }

  /** Lists a play. One tile that makes words both ways is listed across alone. */
  private add(word: number, start: number, laid: number, blanks: number): void {
    const { direction, crosses, anchor, first, step } = this;
    if (laid === 1 && direction === 1 && crosses[anchor] === 1) return;
    if (this.count === this.plays.length) this.plays = grown(this.plays, this.count + 1);
    this.plays[this.count++] = this.form.encode(word, direction, first + start * step, blanks);
  }

  /** Writes the MAX_PLAYS plays with the most points; of equal ones the first. */
  private keepBest(found: Int32Array, out: Int32Array, at: number): number {
    const points = Array.from(found, (play) => this.board.pointsOf(play));
    const least = points.toSorted((a, b) => b - a)[MAX_PLAYS - 1]!;
    let equals = MAX_PLAYS - points.filter((each) => each > least).length;
    let next = at;
    for (const [number, play] of found.entries())
      if (points[number]! > least || (points[number] === least && equals-- > 0)) out[next++] = play;
    return next - at;
  }
}

/** Sorts the first `count` numbers, without a view of them (Shell 1959, with gaps of 4 / 9). */
function sortFirst(numbers: Int32Array, count: number): void {
  for (let gap = count; gap > 1;) {
    gap = Math.max(1, ((4 * gap) / 9) | 0);
    for (let from = gap; from < count; from++) {
      const number = numbers[from]!;
      let at = from;
      for (; at >= gap && numbers[at - gap]! > number; at -= gap) numbers[at] = numbers[at - gap]!;
      numbers[at] = number;
    }
  }
}

/** The most plays and other actions of a position. */
export const MAX_ACTIONS: number = FIRST_PLAY + MAX_PLAYS;
