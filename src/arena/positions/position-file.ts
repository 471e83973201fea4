import { InputError } from "../../base/errors.ts";
import type { Game, State } from "../../games/contract/game.ts";
import { possibleActions } from "../../games/contract/notation.ts";
import { endingOf, readForeign } from "../../specs/files/foreign-file.ts";
import { FileProblems } from "../result-files/file-problems.ts";

/** A position in which agents are asked for their choice. */
export interface TestPosition {
  /** Its `id`, or the number of its line. */
  readonly name: string;
  /** The position, as `formatState` writes it. */
  readonly text: string;
  /** The actions that are right; empty if the file does not say. */
  readonly right: readonly number[];
  /** The points of actions, 0 for those that are not listed; undefined if there are none. */
  readonly points?: ReadonlyMap<number, number> | undefined;
  /** The exact value for the player to move, in the game's units; undefined if it is not known. */
  readonly value?: number | undefined;
  /** The depth of the analysis that the record came from, `acd`. */
  readonly depth?: number | undefined;
}

/** The test positions of a file. */
export interface PositionFile {
  readonly positions: readonly TestPosition[];
  /** Notes for the user on how the file was read. */
  readonly notes: readonly string[];
}

/** The line of a file that names its game. */
const GAME_LINE = /^game:\s*(\S+)\s*$/m;

/** The game that a file of test positions names, `chess` for EPD; undefined if it names none. */
export async function gameOfPositions(path: string): Promise<string | undefined> {
  if (endingOf(path) === ".epd") return "chess";
  return GAME_LINE.exec((await readForeign(path)).text)?.[1];
}

/**
 * Reads test positions, one record a line: a position, then operations as in EPD, such as `bm 3, 5;`. A record that cannot be
 * read is passed over and noted. Throws InputError for a file without any record.
 * @param mayLackRight true if records need not say which actions are right
 */
export async function readPositions(
  game: Game,
  path: string,
  { mayLackRight = false } = {},
): Promise<PositionFile> {
  const isEpd = endingOf(path) === ".epd";
  if (isEpd && game.id !== "chess")
    throw new InputError(`has positions of chess; those of ${game.id} stand in a text file`, path);
  const { text, notes } = await readForeign(path);
  const problems = new FileProblems(path);
  const positions: TestPosition[] = [];
  for (const [index, written] of text.split(/\r?\n/).entries()) {
    const record = written.trim();
    if (record === "" || record.startsWith("#") || GAME_LINE.test(record)) continue;
    const line = `line ${index + 1}`;
    try {
      const position = parseRecord(record, game, isEpd);
      if (position.right.length === 0 && !mayLackRight)
        throw new InputError("has neither bm nor am nor points; --against finds what is right");
      positions.push({ ...position, name: position.name === "" ? line : position.name });
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      problems.passOver({ path: line, message: error.message });
    }
  }
  if (positions.length === 0) {
    problems.throwIfPassedOver();
    throw new InputError("has no positions", path);
  }
  return { positions, notes: [...notes, ...problems.notes()] };
}

/** The four fields of a position of chess, and the two counters of FEN, which EPD leaves out. */
const EPD_POSITION = /^(\S+\s+[wb]\s+\S+\s+\S+)(?:\s+\d+\s+\d+)?(?:\s+|$)/;
/** An operation: its name and its operands, which are words or texts in quotes. The last one may lack its `;`. */
const OPERATION = /([a-z]\w*)((?:\s+(?:"[^"]*"|[^\s;"]+))*)\s*(?:;|$)\s*/iy;
const NUMBER = /^-?\d+(?:\.\d+)?$/;
/** The action and its points in a list such as `f5=10, Be5=3`. */
const POINTS = /^\s*(.+)=\s*(-?\d+(?:\.\d+)?)\s*$/;

function parseRecord(record: string, game: Game, isEpd: boolean): TestPosition {
  const { state, end } = isEpd ? parseEpdPosition(record, game) : parsePosition(record, game);
  if (state.toMove < 0) throw new InputError("no player is to move");
  const operations = parseOperations(record, end);
  const split = isEpd ? splitSan : splitCommas;
  const actions = (name: string) => {
    const written = operations.get(name);
    if (written === "") throw new InputError(`${name} names no action`);
    return written === undefined
      ? undefined
      : split(written).map((action) => game.parseAction(action, state));
  };
  const points = parsePoints(unquoted(operations.get("c0")), game, state);
  const [best, avoid] = [actions("bm"), actions("am")];
  const depth = operations.get("acd");
  if (depth !== undefined && !/^\d+$/.test(depth))
    throw new InputError(`acd is "${depth}"; it must be a whole number`);
  const value = operations.get("value");
  if (value !== undefined && !NUMBER.test(value))
    throw new InputError(`value is "${value}"; it must be a number`);
  return {
    name: unquoted(operations.get("id")),
    text: game.formatState(state),
    right: rightActions(game, state, { best, avoid, points }),
    points,
    ...(value !== undefined && { value: Number(value) }),
    ...(depth !== undefined && { depth: Number(depth) }),
  };
}

/** The best actions, else those with the most points, else all, but none to avoid; empty if nothing is known. */
function rightActions(
  game: Game,
  state: State,
  known: {
    readonly best: readonly number[] | undefined;
    readonly avoid: readonly number[] | undefined;
    readonly points: ReadonlyMap<number, number> | undefined;
  },
): number[] {
  const { best, avoid = [], points } = known;
  if (best === undefined && known.avoid === undefined && points === undefined) return [];
  const all = best ?? (points === undefined ? [...possibleActions(game, state)] : mostOf(points));
  return all.filter((action) => !avoid.includes(action));
}

/** The actions with the most points. */
export function mostOf(points: ReadonlyMap<number, number>): number[] {
  const most = Math.max(...points.values());
  return [...points].filter(([, value]) => value === most).map(([action]) => action);
}

function parseEpdPosition(record: string, chess: Game): { state: State; end: number } {
  const [head, position] = EPD_POSITION.exec(record) ?? [];
  if (position === undefined)
    throw new InputError("does not begin with a position: board, side to move, castling, en passant");
  return { state: chess.parseState(`${position} 0 1`), end: head!.length };
}

function parsePosition(record: string, game: Game): { state: State; end: number } {
  const at = record.indexOf(";");
  const end = at < 0 ? record.length : at;
  return { state: game.parseState(record.slice(0, end).trim()), end: end + 1 };
}

/** Operands by the name of their operation in small letters. */
function parseOperations(record: string, from: number): Map<string, string> {
  const operations = new Map<string, string>();
  OPERATION.lastIndex = from + (/^\s*/.exec(record.slice(from))?.[0].length ?? 0);
  while (OPERATION.lastIndex < record.length) {
    const at = OPERATION.lastIndex;
    const [, name, operands] = OPERATION.exec(record) ?? [];
    if (name === undefined) throw new InputError(`"${record.slice(at)}" is no operation, such as bm Qd1+;`);
    operations.set(name.toLowerCase(), operands!.trim());
  }
  return operations;
}

function unquoted(text = ""): string {
  return text.replace(/^"(.*)"$/, "$1").trim();
}

/** The points in a comment that lists nothing else; undefined for any other comment. */
function parsePoints(comment: string, game: Game, state: State): Map<number, number> | undefined {
  const parts = comment.split(",").map((part) => POINTS.exec(part));
  if (!parts.every((part) => part !== null)) return undefined;
  return new Map(
    parts.map(([, action, points]) => [game.parseAction(action!.trim(), state), Number(points)]),
  );
}

/** The moves in a list of SAN. A sign that stands apart, as in `Qd1 +`, belongs to the move before it. */
function splitSan(written: string): string[] {
  return written
    .replaceAll(/\s*=\s*/g, "=")
    .replaceAll(/\s+(?=[+#!?]|e\.?p\.?(?:\s|$))/g, "")
    .replaceAll(/(?:^|\s)\d+\.+\s*/g, " ")
    .split(/[\s,]+/)
    .filter((move) => move !== "");
}

function splitCommas(written: string): string[] {
  return written
    .split(",")
    .map((action) => action.trim())
    .filter((action) => action !== "");
}

/**
 * Writes test positions as `readPositions` reads them, with the game on a line. Points say what is right.
 * @param remark told at the top
 */
export function formatPositions(
  game: Game,
  name: string,
  positions: readonly TestPosition[],
  remark: string,
): string {
  const lines = positions.map(({ text, right, points, value }) => {
    const state = game.parseState(text);
    const actionText = (action: number) => game.formatAction(action, state);
    const exact = value === undefined ? "" : ` value ${Number(value.toFixed(4))};`;
    if (points === undefined) return `${text}; bm ${right.map(actionText).join(", ")};${exact}`;
    const listed = [...points].map(([action, worth]) => `${actionText(action)}=${Number(worth.toFixed(4))}`);
    return `${text}; c0 "${listed.join(", ")}";${exact}`;
  });
  return [`# ${remark}`, `game: ${name}`, ...lines, ""].join("\n");
}
