import { InputError, shortened } from "../../base/errors.ts";
import { roundOf, type GameList } from "./game-list.ts";
import { forEachLine, LineProblems } from "./lines.ts";
import { RESULTS } from "./pgn.ts";

const MOST_PLAYERS = 6;
const ALLOWED =
  "allowed: white, black (or player1, player2, ...), then result (1-0, 0-1, 1/2-1/2, *), score (1, 0.5, 0), " +
  "score1, score2, ... or place1, place2, ...; round may follow";

/**
 * Adds the games of a file of comma-separated values (RFC 4180) to `list`. The first line names the columns; those that
 * are not known are not read. Throws InputError with the wrong lines.
 */
export function readCsv(path: string, list: GameList): void {
  const problems = new LineProblems(path);
  let columns: Columns | undefined;
  let number = 0;
  forEachLine(path, (buffer, start, end) => {
    number++;
    const text = buffer.toString("utf8", start, end).trimEnd();
    if (text === "") return;
    try {
      const cells = cellsOf(text);
      if (columns === undefined) columns = findColumns(cells);
      else readGame(columns, cells, list);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      problems.add(number, error.message);
      // Without its columns nothing of the file can be read.
      if (columns === undefined) problems.throwIfAny();
    }
  });
  problems.throwIfAny();
  if (columns === undefined)
    throw new InputError(`is empty; the first line names the columns; ${ALLOWED}`, path);
}

/** The places of the columns of a file, from 0. */
interface Columns {
  /** The number of cells that a line must have. */
  readonly count: number;
  readonly players: readonly number[];
  readonly outcome: "result" | "score" | "scores" | "places";
  /** One place for `result` and `score`, else one for each player. */
  readonly values: readonly number[];
  /** -1 without such a column. */
  readonly round: number;
}

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
  const columns = { count: names.length, players, round: place("round") };
  if (players.length === 2) {
    if (place("result") >= 0) return { ...columns, outcome: "result", values: [place("result")] };
    if (place("score") >= 0) return { ...columns, outcome: "score", values: [place("score")] };
  }
  const [scores, places] = [series("score"), series("place")];
  if (scores.length === players.length) return { ...columns, outcome: "scores", values: scores };
  if (places.length === players.length) return { ...columns, outcome: "places", values: places };
  throw new InputError(`names no results of ${players.length} players; ${ALLOWED}`);
}

function readGame(columns: Columns, cells: readonly string[], list: GameList): void {
  if (cells.length !== columns.count)
    throw new InputError(`has ${cells.length} cells, and the first line has ${columns.count}`);
  const names = columns.players.map((place) => cells[place]!);
  if (names.includes("")) throw new InputError("has a player without a name");
  const returns = readReturns(columns, cells);
  if (returns === "unfinished") list.unfinished++;
  else
    list.add(
      names.map((name) => list.numberOf(name)),
      returns,
      columns.round < 0 ? 0 : roundOf(cells[columns.round]!),
    );
}

function readReturns(
  { outcome, values }: Columns,
  cells: readonly string[],
): readonly number[] | "unfinished" {
  const texts = values.map((place) => cells[place]!);
  const [text = ""] = texts;
  if (outcome === "result") {
    if (Object.hasOwn(RESULTS, text)) return RESULTS[text]!;
    throw new InputError(`result is "${shortened(text, 80)}"; allowed: ${Object.keys(RESULTS).join(", ")}`);
  }
  if (outcome === "score") {
    const score = SCORES.get(text);
    if (score !== undefined) return [score, 0 - score];
    throw new InputError(
      `score is "${shortened(text, 80)}"; allowed: the first player's ${[...SCORES.keys()].join(", ")}`,
    );
  }
  return texts.map((value, at) => {
    const figure = value === "" ? NaN : Number(value);
    if (outcome === "scores" && Number.isFinite(figure)) return figure;
    if (outcome === "places" && Number.isInteger(figure) && figure >= 1) return 0 - figure;
    const what = outcome === "scores" ? "a number" : "a whole number from 1 on";
    throw new InputError(`${outcome.slice(0, -1)}${at + 1} is "${shortened(value, 80)}"; it must be ${what}`);
  });
}

/** The first player's return by its score. */
const SCORES: ReadonlyMap<string, number> = new Map([
  ["1", 1],
  ["0", -1],
  ["0.5", 0],
  ["1/2", 0],
  ["1.0", 1],
  ["0.0", -1],
]);

/**
 * The cells of a line, without blanks around them. Libraries read whole files or streams; this reader knows the line of a
 * fault, and needs no more memory for a longer file.
 */
function cellsOf(line: string): string[] {
  if (!line.includes('"')) return line.split(",").map((cell) => cell.trim());
  const cells: string[] = [];
  const cell = /\s*(?:"((?:[^"]|"")*)"|([^",]*))\s*(,|$)/y;
  for (;;) {
    const at = cell.lastIndex;
    const [, quoted, plain, comma] = cell.exec(line) ?? [];
    if (comma === undefined)
      throw new InputError(`cell ${cells.length + 1} has a wrong quote: ${shortened(line.slice(at), 80)}`);
    cells.push(quoted?.replaceAll('""', '"').trim() ?? plain!.trim());
    if (comma === "") return cells;
  }
}
