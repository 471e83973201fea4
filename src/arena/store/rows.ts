import { formatThoughts, parseThoughts, type Thought } from "../../base/thought.ts";
import {
  ENDINGS,
  type Ending,
  type GameLine,
  type GameRecord,
  type GameScore,
  type RatedGame,
} from "../../ratings/record.ts";

/*
 * A game as a row of the store. A query gives its columns as one blob, joined by ASCII's unit separator: the client of
 * SQLite ends the process at a text that is not UTF-8, which a damaged file may have. Every column is ASCII but `detail`,
 * which comes last.
 */

/** The values of a row, in the order of the table's columns. */
type Row = [
  ...[id: string, block: string, seats: string, actions: string, openingLength: number, returns: string],
  ...[ending: string, forfeitSeat: number, detail: string, decisions: string, nodes: string, timeMs: string],
  thoughts: string,
];

export const GAME_COLUMNS =
  "id, block, seats, returns, ending, forfeit_seat, decisions, nodes, time_ms, opening_length, actions, thoughts, detail";
/** The columns of earlier stores, whose games have no thoughts. */
export const GAME_COLUMNS_BEFORE_THOUGHTS = GAME_COLUMNS.replace("thoughts", "''");
export const RATED_COLUMNS =
  "id, block, seats, returns, ending, forfeit_seat, decisions, nodes, time_ms, detail";
export const LINE_COLUMNS = "id, seats, opening_length, actions";
export const SCORE_COLUMNS = "seats, returns, forfeit_seat";

const SEPARATOR = 31;
const SEPARATOR_TEXT = String.fromCharCode(SEPARATOR);

/** The columns as one value of a query. */
export function asBlob(columns: string): string {
  return `cast(${columns.split(", ").join(` || char(${SEPARATOR}) || `)} as blob)`;
}

/** A game as the values of its row. */
export function toRow(record: GameRecord): Row {
  return [
    record.id,
    record.block,
    record.seats.join(),
    record.actions.join(),
    record.openingLength,
    record.returns.join(),
    record.ending,
    record.forfeitSeat,
    record.detail,
    record.decisions.join(),
    record.nodes.join(),
    record.timeMs.map((time) => Number(time.toFixed(3))).join(),
    formatThoughts(record.thoughts),
  ];
}

const MAX_LISTS = 10_000;

/**
 * Reads the rows of a run with this number of entrants. It throws the error that `damaged` makes of a sentence if agon
 * cannot have written a row.
 */
export class RowReader {
  private readonly entrants: number;
  private readonly damaged: (what: string) => Error;
  /** By text: lists of seats and returns, of which a run has few different ones. */
  private readonly lists = new Map<string, readonly number[]>();

  /** Lists of seats that were checked. */
  private readonly seated = new WeakSet<readonly number[]>();

  constructor(entrants: number, damaged: (what: string) => Error) {
    this.entrants = entrants;
    this.damaged = damaged;
  }

  record(row: Buffer): GameRecord {
    const fields = this.fields(row);
    const openingLength = this.integer(fields[9]);
    const actions = this.numbers(fields[10]);
    const thoughts = this.thoughts(fields[11]);
    const decisions = Math.max(0, actions.length - openingLength);
    if (thoughts.length > decisions)
      throw this.damaged(`a game has at most ${decisions} decisions, but thoughts of ${thoughts.length}`);
    return { ...this.results(fields, 12), openingLength, actions, thoughts };
  }

  rated(row: Buffer): RatedGame {
    return this.results(this.fields(row), 9);
  }

  line(row: Buffer): GameLine {
    const [id, seats, openingLength, actions] = this.fields(row);
    return {
      id: id!,
      seats: this.seats(seats),
      openingLength: this.integer(openingLength),
      actions: actions!,
    };
  }

  score(row: Buffer): GameScore {
    const [texts, returns, forfeitSeat] = this.fields(row);
    const seats = this.seats(texts);
    return {
      seats,
      returns: this.ofEach(seats, this.list(returns)),
      forfeitSeat: this.seatOf(seats, forfeitSeat),
    };
  }

  /** The columns of a row; a character stands for a byte. */
  private fields(row: Buffer | null): string[] {
    if (row === null) throw this.damaged("a game has no value where one must be");
    return row.toString("latin1").split(SEPARATOR_TEXT);
  }

  /** The columns of every query of games; `detail` begins at the column `detailAt`. */
  private results(fields: readonly string[], detailAt: number): RatedGame {
    const [id, block, texts, returns, ending, forfeitSeat, decisions, nodes, timeMs] = fields;
    const seats = this.seats(texts);
    return {
      id: id!,
      block: block!,
      seats,
      returns: this.ofEach(seats, this.list(returns)),
      ending: this.ending(ending),
      forfeitSeat: this.seatOf(seats, forfeitSeat),
      detail: fields[detailAt] === "" ? "" : textOf(fields.slice(detailAt)),
      decisions: this.ofEach(seats, this.numbers(decisions)),
      nodes: this.ofEach(seats, this.numbers(nodes)),
      timeMs: this.ofEach(seats, this.numbers(timeMs)),
    };
  }

  /** The entrant of each seat. */
  private seats(text: string | undefined): readonly number[] {
    const list = this.list(text);
    if (this.seated.has(list)) return list;
    const stranger = list.find(
      (entrant) => !Number.isInteger(entrant) || entrant < 0 || entrant >= this.entrants,
    );
    if (stranger !== undefined) throw this.damaged(`its plan has no entrant ${stranger}, counted from 0`);
    if (list.length === 0) throw this.damaged("a game has no seats");
    this.seated.add(list);
    return list;
  }

  private ofEach<List extends readonly number[]>(seats: readonly number[], list: List): List {
    if (list.length !== seats.length)
      throw this.damaged(`a game has ${seats.length} seats, but ${list.length} numbers of one for each seat`);
    return list;
  }

  /** The seat that forfeited, or -1. */
  private seatOf(seats: readonly number[], text: string | undefined): number {
    const seat = this.integer(text);
    if (seat < -1 || seat >= seats.length)
      throw this.damaged(`a game of ${seats.length} seats has no seat ${seat}`);
    return seat;
  }

  private list(text = "?"): readonly number[] {
    const found = this.lists.get(text);
    if (found !== undefined) return found;
    if (this.lists.size >= MAX_LISTS) this.lists.clear();
    const list = this.numbers(text);
    this.lists.set(text, list);
    return list;
  }

  private numbers(text = "?"): number[] {
    if (text === "") return [];
    const list: number[] = [];
    for (const part of text.split(",")) {
      const value = Number(part);
      if (Number.isNaN(value)) throw this.damaged(`${JSON.stringify(text)} is no list of numbers`);
      list.push(value);
    }
    return list;
  }

  private thoughts(text = "?"): Thought[] {
    return parseThoughts(text, (entry) =>
      this.damaged(`${JSON.stringify(entry)} is not what an agent thought at a decision`),
    );
  }

  private integer(text = "?"): number {
    const value = Number(text);
    if (!Number.isInteger(value)) throw this.damaged(`${JSON.stringify(text)} is no whole number`);
    return value;
  }

  private ending(text: string | undefined): Ending {
    const ending = ENDINGS.find((one) => one === text);
    if (ending === undefined) throw this.damaged(`no game ends with ${JSON.stringify(text)}`);
    return ending;
  }
}

/** A text of any characters from its bytes, which may have been split at separators inside the text. */
function textOf(parts: readonly string[]): string {
  return Buffer.from(parts.join(SEPARATOR_TEXT), "latin1").toString();
}
