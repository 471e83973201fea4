import { InputError } from "../src/base/errors.ts";
import type { Game, State } from "../src/games/contract/game.ts";

/** A position of a test suite, in which an agent solves what it is asked. */
export interface TestPosition {
  /** The number of its line, from 1. */
  readonly line: number;
  readonly state: State;
  /** The best moves, `bm`; undefined if the record has none. */
  readonly best: readonly number[] | undefined;
  /** Moves to avoid, `am`. */
  readonly avoid: readonly number[];
}

/** True if the action is among the best moves, where they are known, and not one to avoid. */
export function isSolved({ best, avoid }: TestPosition, action: number): boolean {
  return (best === undefined || best.includes(action)) && !avoid.includes(action);
}

/**
 * Reads a test suite in EPD, the Extended Position Description: a position of chess and operations on each line, such as
 * `bm Qd1+;` and `am e4;`. Blank lines and lines with # are no records. `unread` says why a line could not be read.
 */
export function readTestSuite(
  text: string,
  chess: Game,
): { positions: TestPosition[]; unread: { line: number; why: string }[] } {
  const positions: TestPosition[] = [];
  const unread: { line: number; why: string }[] = [];
  for (const [index, written] of text.split(/\r?\n/).entries()) {
    const record = written.trim();
    if (record === "" || record.startsWith("#")) continue;
    const line = index + 1;
    try {
      positions.push({ line, ...parseRecord(record, chess) });
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      unread.push({ line, why: error.message });
    }
  }
  return { positions, unread };
}

/** The four fields of a position, and the two counters of FEN, which EPD leaves out. */
const POSITION = /^(\S+\s+[wb]\s+\S+\s+\S+)(?:\s+\d+\s+\d+)?(?:\s+|$)/;
/** An operation: its name and its operands, which are words or texts in quotes. The last one may lack its `;`. */
const OPERATION = /([a-z]\w*)((?:\s+(?:"[^"]*"|[^\s;"]+))*)\s*(?:;|$)\s*/iy;

function parseRecord(record: string, chess: Game): Omit<TestPosition, "line"> {
  const [head, position] = POSITION.exec(record) ?? [];
  if (position === undefined)
    throw new InputError("does not begin with a position: board, side to move, castling, en passant");
  const state = chess.parseState(`${position} 0 1`);
  const operations = new Map<string, string>();
  OPERATION.lastIndex = head!.length;
  while (OPERATION.lastIndex < record.length) {
    const at = OPERATION.lastIndex;
    const [, name, operands] = OPERATION.exec(record) ?? [];
    if (name === undefined) throw new InputError(`"${record.slice(at)}" is no operation, such as bm Qd1+;`);
    operations.set(name.toLowerCase(), operands!.trim());
  }
  const moves = (name: string) => {
    const written = operations.get(name);
    if (written === undefined) return undefined;
    if (written === "") throw new InputError(`${name} names no move`);
    return splitMoves(written).map((move) => chess.parseAction(move, state));
  };
  const [best, avoid] = [moves("bm"), moves("am")];
  if (best === undefined && avoid === undefined) throw new InputError("has neither bm nor am");
  return { state, best, avoid: avoid ?? [] };
}

/** The moves in a list. A sign that stands apart, as in `Qd1 +`, belongs to the move before it. */
function splitMoves(written: string): string[] {
  return written
    .replaceAll(/\s*=\s*/g, "=")
    .replaceAll(/\s+(?=[+#!?]|e\.?p\.?(?:\s|$))/g, "")
    .replaceAll(/(?:^|\s)\d+\.+\s*/g, " ")
    .split(/[\s,]+/)
    .filter((move) => move !== "");
}
