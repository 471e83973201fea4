import { BLANK, BONUS, type Form, newPlacement, type Placement } from "./form.ts";

/** The tiles that lie on the board. */
export class Board {
  readonly form: Form;
  /** By square: 1 + the letter; 0 where none lies. */
  readonly letters: Uint8Array;
  /** By square: 1 where the tile is a blank. */
  readonly blanks: Uint8Array;
  /** By square: the number of the play that laid the tile. */
  private readonly plays: Uint16Array;
  tiles = 0;
  private played = 0;
  private readonly placement: Placement = newPlacement();

  constructor(form: Form) {
    this.form = form;
    this.letters = new Uint8Array(form.size * form.size);
    this.blanks = new Uint8Array(this.letters.length);
    this.plays = new Uint16Array(this.letters.length);
  }

  /** The kind of the tile that a play lays onto its square number `at`; -1 if one lies there already. */
  tileAt({ word, square, step, blanks }: Placement, at: number): number {
    const { form, letters } = this;
    if (letters[square + at * step] !== 0) return -1;
    let before = 0;
    for (let other = 0; other < at; other++) if (letters[square + other * step] === 0) before++;
    return ((blanks >> before) & 1) !== 0 ? BLANK : form.letters[form.starts[word]! + at]!;
  }

  /** Lays the tiles of a play, and takes each from `rack`, which counts tiles by kind; returns how many. */
  lay(action: number, rack: Uint8Array | Int8Array, from: number): number {
    const { form, placement, letters, blanks, plays } = this;
    form.decode(action, placement);
    const { word, square, step, length } = placement;
    const number = ++this.played;
    let laid = 0;
    for (let at = 0; at < length; at++) {
      const here = square + at * step;
      if (letters[here] !== 0) continue;
      const letter = form.letters[form.starts[word]! + at]!;
      const isBlank = (placement.blanks >> laid) & 1;
      letters[here] = 1 + letter;
      blanks[here] = isBlank;
      plays[here] = number;
      rack[from + (isBlank === 0 ? letter : BLANK)]!--;
      laid++;
    }
    this.tiles += laid;
    return laid;
  }

  /** Takes the last play back into `rack`; returns how many tiles. */
  lift(action: number, rack: Uint8Array, from: number): number {
    const { form, placement, letters, blanks, plays } = this;
    form.decode(action, placement);
    const { square, step, length } = placement;
    const number = this.played--;
    let lifted = 0;
    for (let at = 0; at < length; at++) {
      const here = square + at * step;
      if (letters[here] === 0 || plays[here] !== number) continue;
      rack[from + (blanks[here] === 0 ? letters[here]! - 1 : BLANK)]!++;
      letters[here] = blanks[here] = plays[here] = 0;
      lifted++;
    }
    this.tiles -= lifted;
    return lifted;
  }

  /** The points of the tile on a square. */
  pointsAt(square: number): number {
    return this.blanks[square] === 0
      ? this.form.points[this.letters[square]! - 1]!
      : this.form.points[BLANK]!;
  }

  /**
   * The points of a play: of its word, and of each word across it that a new tile makes. The factors of squares count for new
   * tiles alone. A whole rack has a bonus.
   */
  pointsOf(action: number): number {
    const { form, placement, letters } = this;
    form.decode(action, placement);
    const { word, square, step, length, direction } = placement;
    let sum = 0;
    let factor = 1;
    let others = 0;
    let laid = 0;
    for (let at = 0; at < length; at++) {
      const here = square + at * step;
      if (letters[here] !== 0) {
        sum += this.pointsAt(here);
        continue;
      }
      const isBlank = (placement.blanks >> laid++) & 1;
      const kind = isBlank === 0 ? form.letters[form.starts[word]! + at]! : BLANK;
      const points = form.points[kind]! * form.letterFactors[here]!;
      const wordFactor = form.wordFactors[here]!;
      sum += points;
      factor *= wordFactor;
      const beside = this.besides(here, direction);
      if (beside >= 0) others += (beside + points) * wordFactor;
    }
    return sum * factor + others + (laid === form.rack ? BONUS : 0);
  }

  /** The points of the tiles in a row with an empty square, across the direction; -1 if there are none. */
  private besides(square: number, direction: number): number {
    const { form, letters } = this;
    const { size } = form;
    const step = direction === 0 ? size : 1;
    const place = direction === 0 ? Math.floor(square / size) : square % size;
    let points = 0;
    let tiles = 0;
    for (let at = place - 1, here = square - step; at >= 0 && letters[here] !== 0; at--, here -= step) {
      points += this.pointsAt(here);
      tiles++;
    }
    for (let at = place + 1, here = square + step; at < size && letters[here] !== 0; at++, here += step) {
      points += this.pointsAt(here);
      tiles++;
    }
    return tiles === 0 ? -1 : points;
  }

  copyFrom(other: Board): void {
    this.letters.set(other.letters);
    this.blanks.set(other.blanks);
    this.plays.set(other.plays);
    this.tiles = other.tiles;
    this.played = other.played;
  }
}
