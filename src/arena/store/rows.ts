import { formatThoughts, parseThoughts, type Thought } from "../../base/thought.ts";
import {
  ENDINGS,
  type CountedGame,
  type Ending,
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
/** ASCII as a whole, so that several rows come as one blob. */
const COUNTED_COLUMNS =
  "id, block, seats, returns, ending, forfeit_seat, decisions, nodes, time_ms, opening_length, actions, hex(detail)";
export const SCORE_COLUMNS = "seats, returns, forfeit_seat";

const COUNTED_FIELDS = COUNTED_COLUMNS.split(", ").length;

const SEPARATOR = 31;
const ROW_SEPARATOR = 30;
const SEPARATOR_TEXT = String.fromCharCode(SEPARATOR);

/** The columns as one value of a query. */
export function asBlob(columns: string): string {
  return `cast(${joined(columns)} as blob)`;
}

function joined(columns: string): string {
  return columns.split(", ").join(` || char(${SEPARATOR}) || `);
}

/** A query of at most `most` games after a number: how many there are, the number of the last one, and the games as one blob. */
export function manyCounted(most: number): string {
  const games = `select rowid as number, ${joined(COUNTED_COLUMNS)} as game from games where rowid > ? order by rowid limit ${most}`;
  return `select count(*), max(number), cast(group_concat(game, char(${ROW_SEPARATOR})) as blob) from (${games})`;
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
const [COMMA, POINT, ZERO] = [44, 46, 48];
/** Whole numbers of so many digits are exact, and powers of ten with so many zeros. */
const SURE_DIGITS = 15;

/**
 * Reads the rows of a run with this number of entrants. It throws the error that `damaged` makes of a sentence if agon
 * cannot have written a row.
 */
export class RowReader {
  private readonly entrants: number;
  private readonly damaged: (what: string) => Error;
  /** Lists of returns and checked lists of seats by their text: most runs have few different ones. */
  private readonly returns = new Map<string, readonly number[]>();
  private readonly checkedSeats = new Map<string, readonly number[]>();

  constructor(entrants: number, damaged: (what: string) => Error) {
    this.entrants = entrants;
    this.damaged = damaged;
  }

  record(row: Buffer): GameRecord {
    const fields = this.fields(row);
    const actions = this.numbers(fields[10]);
    const thoughts = this.thoughts(fields[11]);
    const results = this.results(fields, fields[12] === "" ? "" : textOf(fields.slice(12)));
    const decisions = Math.max(0, actions.length - results.openingLength);
    if (thoughts.length > decisions)
      throw this.damaged(`a game has at most ${decisions} decisions, but thoughts of ${thoughts.length}`);
    return { ...results, actions, thoughts };
  }

  /** The games of a blob that has `count` of them. */
  *counted(rows: Buffer | null, count: number): Generator<CountedGame> {
    let found = 0;
    for (let start = 0; rows !== null && start <= rows.length; found++) {
      const end = rows.indexOf(ROW_SEPARATOR, start);
      const fields = rows.toString("latin1", start, end < 0 ? rows.length : end).split(SEPARATOR_TEXT);
      start = end < 0 ? Infinity : end + 1;
      const line = fields[10];
      if (fields.length !== COUNTED_FIELDS || line === undefined)
        throw this.damaged("a game has other columns");
      const detail = fields[11] === "" ? "" : Buffer.from(fields[11]!, "hex").toString();
      yield Object.assign(this.results(fields, detail), { line });
    }
    if (found !== count) throw this.damaged("a game has no value where one must be");
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

  /** The columns that both queries of games begin with. */
  private results(fields: readonly string[], detail: string): RatedGame & { openingLength: number } {
    const seats = this.seats(fields[2]);
    return {
      id: fields[0]!,
      block: fields[1]!,
      seats,
      returns: this.ofEach(seats, this.list(fields[3])),
      ending: this.ending(fields[4]),
      forfeitSeat: this.seatOf(seats, fields[5]),
      detail,
      decisions: this.ofEach(seats, this.numbers(fields[6])),
      nodes: this.ofEach(seats, this.numbers(fields[7])),
      timeMs: this.ofEach(seats, this.numbers(fields[8])),
      openingLength: this.integer(fields[9]),
    };
  }

  /** The entrant of each seat. */
  private seats(text = "?"): readonly number[] {
    return remembered(this.checkedSeats, text, () => {
      const list = this.numbers(text);
      const stranger = list.find(
        (entrant) => !Number.isInteger(entrant) || entrant < 0 || entrant >= this.entrants,
      );
      if (stranger !== undefined) throw this.damaged(`its plan has no entrant ${stranger}, counted from 0`);
      if (list.length === 0) throw this.damaged("a game has no seats");
      return list;
    });
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
    return remembered(this.returns, text, () => this.numbers(text));
  }

  private numbers(text = "?"): number[] {
    if (text === "") return [];
    const list: number[] = [];
    for (let start = 0; start <= text.length;) {
      let at = start;
      let value = 0;
      /** 10 to the number of digits behind the point; 0 before it. */
      let scale = 0;
      for (; at < text.length; at++) {
        const code = text.charCodeAt(at);
        if (code === POINT && scale === 0 && at > start) scale = 1;
        else if (code >= ZERO && code <= ZERO + 9) {
          value = 10 * value + code - ZERO;
          scale *= 10;
        } else break;
      }
      // Most numbers have few digits, which need no general reader: a quotient of whole numbers is rounded once.
      const isShort = at > start && at - start <= SURE_DIGITS && scale !== 1;
      if (isShort && (at === text.length || text.charCodeAt(at) === COMMA)) {
        if (scale > 0) value /= scale;
      } else {
        const comma = text.indexOf(",", at);
        at = comma < 0 ? text.length : comma;
        value = Number(text.slice(start, at));
        if (Number.isNaN(value)) throw this.damaged(`${JSON.stringify(text)} is no list of numbers`);
      }
      list.push(value);
      start = at + 1;
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

/** The list of a text, made when the text is not among the last ones. */
function remembered(
  lists: Map<string, readonly number[]>,
  text: string,
  make: () => readonly number[],
): readonly number[] {
  const known = lists.get(text);
  if (known !== undefined) return known;
  if (lists.size >= MAX_LISTS) lists.clear();
  const list = make();
  lists.set(text, list);
  return list;
}
