import { CsvError, parse } from "csv-parse/sync";
import { InputError, shortened } from "../../base/errors.ts";
import { parseResult, RESULTS } from "../../games/shared/portable-reader.ts";
import type { FileProblems } from "./file-problems.ts";
import { roundOf, type GameList } from "./game-list.ts";

const MOST_PLAYERS = 6;
const ALLOWED =
  "allowed: white, black (or player1, player2, ...), then result (1-0, 0-1, 1/2-1/2, *), score (1, 0.5, 0), " +
  "score1, score2, ... or place1, place2, ...; round may follow";

/** The characters that are parsed at once, and the most that rows with open quotes may have. */
const BATCH = 2 ** 16;
const MAX_ROW = 2 ** 24;

/**
 * Takes the lines of a file of separated values (RFC 4180, with commas, semicolons or tabs). The first row names the
 * columns; those that are not known are not read.
 */
export class CsvResults {
  private readonly list: GameList;
  private readonly problems: FileProblems;
  private columns: Columns | undefined;
  private separator = "";
  /** Lines that have not been parsed, which end where no quote is open; and the number of those before. */
  private batch = "";
  private before = 0;
  private line = 0;
  /** The line of the open quote; 0 outside quotes. */
  private open = 0;

  constructor(list: GameList, problems: FileProblems) {
    this.list = list;
    this.problems = problems;
  }

  read(line: string): void {
    this.line++;
    // Spreadsheets may begin with a line that names the separator.
    const isNamed = this.separator === "" && /^sep=.\s*$/i.test(line);
    if (this.separator === "" && line.trim() !== "") this.separator = isNamed ? line[4]! : separatorOf(line);
    this.batch += isNamed ? "\n" : `${line}\n`;
    if (line.split('"').length % 2 === 0) this.open = this.open > 0 ? 0 : this.line;
    if (this.open > 0 ? this.batch.length > MAX_ROW : this.columns === undefined || this.batch.length > BATCH)
      this.parse();
  }

  /** Reads the end of the file. */
  finish(): void {
    this.parse();
    this.problems.throwIfAny();
    if (this.columns === undefined)
      throw new InputError(`is empty; the first line names the columns; ${ALLOWED}`);
  }

  private parse(): void {
    const { batch, before, problems } = this;
    this.batch = "";
    this.before = this.line;
    if (batch.trim() === "") return;
    try {
      const rows = parse(batch, { ...OPTIONS, delimiter: this.separator }) as unknown as Row[];
      for (const { record, info } of rows)
        this.readRow(record, before + info.lines - (record.join("").split("\n").length - 1));
    } catch (error) {
      if (!(error instanceof CsvError)) throw error;
      const isOpen = error.code === "CSV_QUOTE_NOT_CLOSED";
      problems.add({
        path: `line ${isOpen ? this.open : before + Number(error["lines"])}`,
        message: isOpen
          ? "a quote that is opened here is not closed"
          : `a quote within a cell must be doubled, and the cell quoted: ${error.message}`,
      });
      problems.throwIfAny();
    }
  }

  private readRow(cells: readonly string[], line: number): void {
    try {
      if (this.columns === undefined) this.columns = findColumns(cells);
      else readGame(this.columns, cells, this.list);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      this.problems.add({ path: `line ${line}`, message: error.message });
      // Without its columns nothing of the file can be read.
      if (this.columns === undefined) this.problems.throwIfAny();
    }
  }
}

/** Rows without content, as spreadsheets leave them at the end, are none. */
const OPTIONS = { info: true, relax_column_count: true, trim: true, skip_records_with_empty_values: true };

/** A row as the parser gives it. */
interface Row {
  readonly record: readonly string[];
  /** The number of lines up to the end of the row. */
  readonly info: { readonly lines: number };
}

/** The separator of most cells of the first line. */
function separatorOf(line: string): string {
  const bare = line.replace(/"[^"]*"/g, "");
  const count = (separator: string) => bare.split(separator).length;
  return [",", ";", "\t"].reduce((best, one) => (count(one) > count(best) ? one : best));
}

/** The places of the columns of a file, from 0. */
interface Columns {
  /** The number of cells that a line must have. */
  readonly count: number;
  readonly players: readonly number[];
  /** The columns that tell how a game ended: the first ones count, and the others must agree. */
  readonly outcomes: readonly Outcome[];
  /** -1 without such a column. */
  readonly round: number;
}

interface Outcome {
  readonly kind: "result" | "score" | "scores" | "places";
  /** One place for `result` and `score`, else one for each player. */
  readonly values: readonly number[];
}

/** The columns that are read. */
const READ = /^(?:white|black|round|result|score|(?:player|score|place)[1-6])$/;

function findColumns(header: readonly string[]): Columns {
  const names = header.map((name) => name.trim().toLowerCase());
  const place = (name: string) => names.indexOf(name);
  const series = (name: string): number[] => {
    const places = Array.from({ length: MOST_PLAYERS }, (_, at) => place(`${name}${at + 1}`));
    return places.slice(0, places.includes(-1) ? places.indexOf(-1) : MOST_PLAYERS);
  };
  const colours = [place("white"), place("black")];
  const players = colours.includes(-1) ? series("player") : colours;
  if (players.length < 2) throw new InputError(`names no players; ${ALLOWED}`);
  const twice = names.find((name, at) => READ.test(name) && place(name) < at);
  if (twice !== undefined) throw new InputError(`has the column ${twice} twice`);
  const ofDuels = players.length === 2 ? (["result", "score"] as const) : [];
  const outcomes: Outcome[] = [
    ...ofDuels.map((kind) => ({ kind, values: [place(kind)] })).filter(({ values: [at] }) => at! >= 0),
    ...(["scores", "places"] as const)
      .map((kind) => ({ kind, values: series(kind.slice(0, -1)) }))
      .filter(({ values }) => values.length === players.length),
  ];
  if (outcomes.length === 0)
    throw new InputError(`names no results of ${players.length} players; ${ALLOWED}`);
  return { count: names.length, players, round: place("round"), outcomes };
}

function readGame(columns: Columns, cells: readonly string[], list: GameList): void {
  if (cells.length !== columns.count)
    throw new InputError(`has ${cells.length} cells, and the first line has ${columns.count}`);
  const names = columns.players.map((place) => cells[place]!);
  if (names.includes("")) throw new InputError("has a player without a name");
  const returns = readReturns(columns, cells);
  if (returns.length === 0) list.unfinished++;
  else
    list.add(
      names.map((name) => list.numberOf(name)),
      returns,
      columns.round < 0 ? 0 : roundOf(cells[columns.round]!),
    );
}

/** The returns by seat; none of an unfinished game. */
function readReturns({ outcomes }: Columns, cells: readonly string[]): readonly number[] {
  const [first, ...others] = outcomes;
  const returns = readOutcome(first!, cells);
  const told = ({ kind, values }: Outcome) =>
    `${kind} ${values.length === 1 ? "is" : "are"} ${values.map((at) => shortened(cells[at]!, 80)).join(" and ")}`;
  const lead = ([one, other]: readonly number[]) => Math.sign(one! - other!);
  for (const other of returns.length === 2 ? others : [])
    if (other.values.every((at) => cells[at] !== "") && lead(readOutcome(other, cells)) !== lead(returns))
      throw new InputError(`${told(first!)}, and ${told(other)}: they contradict`);
  return returns;
}

function readOutcome({ kind, values }: Outcome, cells: readonly string[]): readonly number[] {
  const texts = values.map((place) => cells[place]!);
  const [text = ""] = texts;
  if (kind === "result") {
    const returns = parseResult(text);
    if (returns !== undefined) return returns;
    throw new InputError(`result is "${shortened(text, 80)}"; allowed: ${Object.keys(RESULTS).join(", ")}`);
  }
  if (kind === "score") return parseScore(text);
  return texts.map((value, at) => {
    const figure = numberOf(value);
    if (kind === "scores" && Number.isFinite(figure)) return figure;
    if (kind === "places" && Number.isInteger(figure) && figure >= 1) return 0 - figure;
    const what = kind === "scores" ? "a number" : "a whole number from 1 on";
    throw new InputError(`${kind.slice(0, -1)}${at + 1} is "${shortened(value, 80)}"; it must be ${what}`);
  });
}

/** The returns by the first player's score: 1, 0.5 or 0, as numbers are written, or 1/2. */
function parseScore(text: string): readonly number[] {
  const score = /^(?:1\/2|½)$/.test(text) ? 0.5 : numberOf(text);
  if (score === 0 || score === 0.5 || score === 1) return [2 * score - 1, 0 - (2 * score - 1)];
  throw new InputError(`score is "${shortened(text, 80)}"; allowed: the first player's 1, 0, 0.5, 1/2`);
}

/** A number with a point or a comma; NaN for other texts. */
function numberOf(text: string): number {
  return text === "" ? NaN : Number(text.replace(/^(-?\d*),(\d+)$/, "$1.$2"));
}
