import { InputError, type Problem, shortened } from "../../base/errors.ts";
import { describeResult, gameByGame, formatComment } from "../contract/notation.ts";
import { TERMINAL } from "../contract/rules.ts";
import {
  EMPTY,
  KING,
  parseSquare,
  PAWN,
  PIECE_LETTERS,
  PLAYER_NAMES,
  squareName,
  isInsufficientMaterial,
} from "./board.ts";
import { formatCastling, formatFen, parseFen, START_FEN } from "./fen.ts";
import { MAX_MOVES, moveFrom, movePromotion, moveTo } from "./moves.ts";
import { ChessState, HASHED_QUIET_PLIES, type DrawRules } from "./state.ts";
import type { PlayedGame, Transcript, TranscriptFormat } from "../contract/facets.ts";
import type { Game } from "../contract/game.ts";
import { isNullMove, parseResult, type PortableEvents, PortableReader } from "../shared/portable-reader.ts";
import { formatMoves, formatTags, portableGame, type PortableGame } from "../shared/portable-notation.ts";

/** The reason why the game is over, for people, without the winner; undefined while it goes on. */
export function describeEnding(state: ChessState): string | undefined {
  if (state.toMove >= 0) return undefined;
  if (state.winner >= 0) return "checkmate";
  const { quietPlies, repetitions, insufficientMaterial } = state.rules;
  if (insufficientMaterial && isInsufficientMaterial(state)) return "too little material to mate";
  if (repetitions > 0 && state.occurrences >= repetitions) return `position repeated ${repetitions} times`;
  if (state.quiet >= quietPlies) return `${quietPlies / 2} moves without capture or pawn move`;
  return "stalemate";
}

/** The legal moves. Allocates. */
function legalMoves(state: ChessState): Int32Array {
  const moves = new Int32Array(MAX_MOVES);
  return moves.subarray(0, state.toMove < 0 ? 0 : state.legalActions(moves, 0));
}

/** The move in Standard Algebraic Notation (PGN standard, 8.2.3): `Nbd2`, `exd5`, `e8=Q+`, `O-O#`. */
export function formatSan(action: number, state: ChessState): string {
  const body = formatBody(action, state);
  state.apply(action);
  const check = (state.checkersLow | state.checkersHigh) !== 0;
  const mate = state.winner >= 0;
  state.undo();
  return body + (mate ? "#" : check ? "+" : "");
}

function formatBody(action: number, state: ChessState): string {
  const from = moveFrom(action);
  const to = moveTo(action);
  const kind = state.board[from] & 7;
  if (kind === KING && Math.abs(to - from) === 2) return to > from ? "O-O" : "O-O-O";
  if (kind === PAWN) {
    const start = ((to ^ from) & 7) === 0 ? "" : `${squareName(from)[0]}x`;
    const promotion = movePromotion(action);
    return start + squareName(to) + (promotion === 0 ? "" : `=${PIECE_LETTERS[promotion]}`);
  }
  const capture = state.board[to] === EMPTY ? "" : "x";
  return PIECE_LETTERS[kind] + distinguish(action, state) + capture + squareName(to);
}

/** The file, the rank or both of the starting square, as far as other pieces of its kind could make the move too. */
function distinguish(action: number, state: ChessState): string {
  const from = moveFrom(action);
  const rivals = Array.from(legalMoves(state))
    .filter((move) => moveTo(move) === moveTo(action))
    .map(moveFrom)
    .filter((other) => other !== from && state.board[other] === state.board[from]);
  const name = squareName(from);
  if (rivals.length === 0) return "";
  if (rivals.every((other) => (other & 7) !== (from & 7))) return name[0]!;
  if (rivals.every((other) => other >>> 3 !== from >>> 3)) return name[1]!;
  return name;
}

const SAN = /^([NBRQK])?([a-h])?([1-8])?[x:-]?([a-h][1-8])=?([NBRQnbrq])?$/;
const CASTLING = /^[O0]-[O0](-[O0])?$/i;
/** Signs after a move: check, mate, and a commentator's marks. */
const MARKS = /[+#!?]+$/;
const EN_PASSANT = /\s*(?<![a-z])e\.? ?p\.?$/i;

/**
 * The legal move that a text means, in SAN or UCI; undefined if there is none. SAN may lack the signs for
 * capture, check and mate, may give more of the starting square than needed, and may end in `!`, `?` or `e.p.`.
 * If no move fits, capitals and small letters count as the same. Throws
 * InputError for a text that could mean several moves, and for a move that leaves the king in check.
 */
export function findMove(text: string, state: ChessState): number | undefined {
  const given = text.trim().replace(MARKS, "");
  const move = given.replace(EN_PASSANT, "").replace(MARKS, "");
  const fits = createMatcher(move, state);
  const matches = EN_PASSANT.test(given)
    ? (action: number) => fits(action) && isEnPassant(action, state)
    : fits;
  const legal = Array.from(legalMoves(state));
  let found = legal.filter(matches);
  if (found.length === 0 && given === move) found = legal.filter(createLooseMatcher(move, state));
  if (found.length > 1) {
    const meant = found.map((move) => formatSan(move, state)).join(" or ");
    throw new InputError(`"${text.trim()}" is ambiguous; say ${meant}`);
  }
  if (found.length === 0 && legalMoves(forgetKing(state)).some(matches)) {
    throw new InputError(`"${text.trim()}" leaves the ${PLAYER_NAMES[state.turn]} king in check`);
  }
  return found[0];
}

function isEnPassant(action: number, { board, enPassant }: ChessState): boolean {
  return (board[moveFrom(action)] & 7) === PAWN && enPassant !== 0 && moveTo(action) === enPassant;
}

/** Makes a function that says whether a move fits the text, apart from capitals and the sign for capture. */
function createLooseMatcher(text: string, state: ChessState): (move: number) => boolean {
  const plain = (name: string) => name.toLowerCase().replace(/[x:=+#-]/g, "");
  const wanted = plain(text);
  return (move) => {
    const promotion = movePromotion(move) === 0 ? "" : PIECE_LETTERS[movePromotion(move)]!;
    const squares = squareName(moveFrom(move)) + squareName(moveTo(move)) + promotion;
    return wanted === plain(formatBody(move, state)) || wanted === plain(squares);
  };
}

/** Makes a function that says whether a move fits the text. */
function createMatcher(text: string, state: ChessState): (move: number) => boolean {
  const isKing = (move: number) => (state.board[moveFrom(move)] & 7) === KING;
  const castling = CASTLING.exec(text);
  if (castling !== null) {
    const files = castling[1] === undefined ? 2 : -2;
    return (move) => isKing(move) && moveTo(move) - moveFrom(move) === files;
  }
  const parts = SAN.exec(text);
  if (parts === null) return () => false;
  const [, letter, file, rank, target = "", promotion = ""] = parts;
  const to = parseSquare(target);
  const isUci = letter === undefined && file !== undefined && rank !== undefined;
  const kind = letter === undefined ? PAWN : PIECE_LETTERS.indexOf(letter);
  const promoted = PIECE_LETTERS.indexOf(promotion.toUpperCase());
  return (move) => {
    const from = squareName(moveFrom(move));
    return (
      moveTo(move) === to &&
      (isUci || (state.board[moveFrom(move)] & 7) === kind) &&
      (file === undefined || from[0] === file) &&
      (rank === undefined || from[1] === rank) &&
      (promotion === "" || movePromotion(move) === promoted)
    );
  };
}

/** A copy without checks and pins, good for listing moves only. */
function forgetKing(state: ChessState): ChessState {
  const copy = new ChessState(state.rules);
  copy.copyFrom(state);
  copy.checkersLow = copy.checkersHigh = copy.pinnedLow = copy.pinnedHigh = 0;
  return copy;
}

/**
 * Reads a position as UCI writes it: a FEN (see `parseFen`) or `startpos`, then perhaps `moves` with moves in UCI or
 * SAN. Only moves tell which positions have occurred before.
 */
export function parsePosition(text: string, rules: DrawRules): ChessState {
  const [start = "", moves = ""] = text.split(/\bmoves\b/);
  const state = parseFen(start.trim() === "startpos" ? START_FEN : start.replace(/^\s*fen\b/, ""), rules);
  for (const [index, move] of moves.split(/\s+/).filter(Boolean).entries()) {
    if (state.toMove === TERMINAL) {
      throw new InputError(
        `move ${index + 1}, "${move}", comes after the end of the game: ${describeResult({ describeEnding }, state)}`,
      );
    }
    const found = findMove(move, state);
    if (found === undefined) {
      throw new InputError(`move ${index + 1}, "${move}", is not possible in ${formatFen(state)}`);
    }
    state.apply(found);
  }
  return state;
}

const FIGURES = "♙♘♗♖♕♔..♟♞♝♜♛♚..";

/** The board with letters, white's in capitals, and a line with everything that the board does not show. */
export function render(state: ChessState): string {
  return drawBoard(state, PIECE_LETTERS);
}

/** The board with chess figures, and the same line. */
export function renderUnicode(state: ChessState): string {
  return drawBoard(state, FIGURES);
}

function drawBoard(state: ChessState, signs: string): string {
  const rows: string[] = [];
  for (let rank = 7; rank >= 0; rank--) {
    const pieces = Array.from(state.board.subarray(8 * rank, 8 * rank + 8), (piece) => signs[piece]);
    rows.push(`${rank + 1} ${pieces.join(" ")}`);
  }
  return [...rows, "  a b c d e f g h", describe(state)].join("\n");
}

function describe(state: ChessState): string {
  const ending = describeEnding(state);
  const isDraw = ending !== undefined && state.winner < 0;
  const parts = [isDraw ? `draw: ${ending}` : (ending ?? `${PLAYER_NAMES[state.turn]} to move`)];
  parts.push(`castling ${formatCastling(state.castling)}`);
  if (state.enPassant !== 0) parts.push(`en passant ${squareName(state.enPassant)}`);
  if (state.occurrences > 1) parts.push(`occurred ${state.occurrences} times`);
  const left = state.rules.quietPlies - state.quiet;
  if (state.toMove >= 0 && left <= HASHED_QUIET_PLIES) parts.push(`drawn after ${left} more quiet plies`);
  return parts.join(", ");
}

/** The seven tags of every game are these and Result. */
const ROSTER = { Event: "?", Site: "?", Date: "????.??.??", Round: "?", White: "?", Black: "?" } as const;

/** Lines are broken before this many characters (PGN standard, 4.3). */
const LINE_WIDTH = 80;

/**
 * Writes a game in Portable Game Notation, export format; ends with a line break. `fen` is the start position; the usual
 * one needs no tags of its own.
 * @internal tests write single games.
 */
export function formatPgn({ fen, ...game }: PortableGame & { readonly fen: string }): string {
  const setUp = fen === START_FEN ? {} : { SetUp: "1", FEN: fen };
  const extra = Object.entries({ ...game.tags, ...setUp })
    .filter(([name]) => !Object.hasOwn(ROSTER, name))
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  const roster = Object.entries(ROSTER).map(([name, missing]) => [name, game.tags[name] ?? missing] as const);
  const tags = Object.fromEntries([...roster, ["Result", game.result], ...extra]);
  const [, side = "w", , , , number = "1"] = fen.split(" ");
  const moves = formatMoves(game, { width: LINE_WIDTH, number: Number(number), isSecond: side === "b" });
  return `${formatTags(tags)}\n${moves}\n`;
}

/** Played games in PGN. */
export function pgn(game: Game<ChessState>): TranscriptFormat {
  return {
    summary: "Portable Game Notation",
    writesFrom: true,
    read: (text, plies) => readPgn(text, game, plies),
    write: gameByGame("\n", (transcript) => {
      const portable = portableGame(game, transcript, ["White", "Black"]);
      const fen = transcript.from ?? String(game.options["fen"]);
      return formatPgn({
        ...portable,
        comments: commentsOf(transcript, { isSecond: fen.split(" ")[1] === "b" }),
        tags: { ...portable.tags, ...playedTags(transcript) },
        ending: transcript.adjudication ?? transcript.forfeit,
        fen,
      });
    }),
  };
}

/** Values in pawns are kept below this: no estimate looks like a mate. */
const MOST_PAWNS = 16;

/** A value in pawns: c pawns are an expected result of 1 / (1 + 10^(-c / 4)), where a win is 1. */
function pawnsOf(value: number): number {
  const pawns = 4 * Math.log10((1 + value) / (1 - value));
  return Math.max(-MOST_PAWNS, Math.min(MOST_PAWNS, pawns)) + 0;
}

/** The value of an expected result, the inverse of `pawnsOf`; of a mate, as `#-3` writes it, that of its winner. */
function valueOfPawns(text: string): number {
  if (text.startsWith("#")) return text.startsWith("#-") ? -1 : 1;
  return Math.tanh((Number(text) * Math.LN10) / 8);
}

/** White's evaluation of a position, as PGN has it in the comment behind the move that led there. */
const EVALUATION = /\[%eval\s+(#-?\d+|[-+]?(?:\d+\.?\d*|\.\d+))/;

/**
 * The thoughts as programs read them: `[%eval 0.35,6] [%clk 0:01:02.3] +0.35/6 0.12s`. %eval is White's, in pawns, with the depth;
 * %clk is the time that is left by the time control, or %emt the time of the move. What follows is the mover's, as engines
 * comment on their moves.
 */
function commentsOf(
  { thoughts = [], timeControl = "" }: Transcript,
  { isSecond }: { isSecond: boolean },
): string[] {
  const [, main, increment = 0] = /^([\d.]+)(?:\+([\d.]+))?$/.exec(timeControl) ?? [];
  const left = [Number(main), Number(main)];
  return thoughts.map((thought, index) => {
    const comment = formatComment(
      thought?.value === undefined ? thought : { ...thought, value: pawnsOf(thought.value) },
      Infinity,
    );
    if (thought === undefined || comment === "") return comment;
    const { value, depth, timeMs } = thought;
    const mover = (index + (isSecond ? 1 : 0)) % 2;
    left[mover] = Math.max(0, left[mover] - timeMs / 1000) + Number(increment);
    const pawns = value === undefined ? 0 : pawnsOf(value) * (mover === 0 ? 1 : -1) + 0;
    const evaluation =
      value === undefined ? [] : [`[%eval ${pawns.toFixed(2)}${depth === undefined ? "" : `,${depth}`}]`];
    const time =
      main === undefined ? `[%emt ${formatClock(timeMs / 1000)}]` : `[%clk ${formatClock(left[mover])}]`;
    return [...evaluation, time, comment].join(" ");
  });
}

/** Hours, minutes and seconds: `0:01:02.3`. */
function formatClock(seconds: number): string {
  const tenths = Math.floor(10 * seconds);
  const two = (number: number) => String(number).padStart(2, "0");
  const minutes = Math.floor(tenths / 600);
  return `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(Math.floor(tenths / 10) % 60)}.${tenths % 10}`;
}

/** The tags that say how a game was played, in the words of the standard (9.6, 9.8). */
function playedTags({
  actions,
  returns,
  forfeit,
  adjudication,
  openingLength = 0,
  timeControl,
}: Transcript): Record<string, string> {
  return {
    PlyCount: String(actions.length),
    Termination:
      returns.length === 0
        ? "unterminated"
        : adjudication !== undefined
          ? "adjudication"
          : terminationOf(forfeit),
    ...(openingLength > 0 && { OpeningPlies: String(openingLength) }),
    ...(timeControl !== undefined && { TimeControl: timeControl }),
  };
}

function terminationOf(forfeit: string): string {
  if (forfeit === "") return "normal";
  if (forfeit.startsWith("time-out")) return "time forfeit";
  return forfeit.startsWith("illegal action") ? "rules infraction" : "abandoned";
}

/**
 * Reads games in Portable Game Notation, import format, without variations, annotations, and comments other than `[%eval]`. Moves after the end
 * of a game by our rules, such as a third repetition that nobody claimed, are left out too, and those after the first
 * `plies`. In place of a game that cannot be read comes a problem with the line, the game and the ply.
 */
function* readPgn(text: string, game: Game<ChessState>, plies = Infinity): Generator<PlayedGame | Problem> {
  const reading = new Reading(game, plies);
  const reader = new PortableReader(reading);
  for (const [line] of text.matchAll(/[^\n]*(?:\n|$)/g)) {
    reader.read(line);
    yield* reading.found.splice(0);
  }
  reader.end();
  yield* reading.found;
}

/** Games while they are read. */
class Reading implements PortableEvents {
  /** The games, and the problems, that have been found and not yet been taken. */
  readonly found: (PlayedGame | Problem)[] = [];
  private readonly rules: Game<ChessState>;
  private readonly plies: number;
  private game = 1;
  private state: ChessState;
  private from: string | undefined;
  private result: readonly number[] | undefined;
  private actions: number[] = [];
  private values: number[] = [];
  /** True from where a game cannot be read on. */
  private isWrong = false;

  constructor(rules: Game<ChessState>, plies: number) {
    this.rules = rules;
    this.plies = plies;
    this.state = rules.start();
  }

  tag(name: string, value: string, line: number): void {
    if (name === "Result") this.result = parseResult(value);
    if (name !== "FEN" || value.trim() === "") return;
    this.from = value;
    this.try(line, () => (this.state = this.rules.parseState(value)));
  }

  wrongTag(text: string, line: number): void {
    // Without its position a game cannot be read; no other tag matters here.
    if (/^\[\s*FEN\b/.test(text)) this.fail(line, `${shortened(text, 80)} is no tag; write [FEN "..."]`);
  }

  move(text: string, line: number): void {
    const { state, actions } = this;
    if (this.isWrong || actions.length >= this.plies || state.toMove === TERMINAL) return;
    if (isNullMove(text)) this.fail(line, `"${text}" is no move`);
    else
      this.try(line, () => {
        const action = this.rules.parseAction(text, state);
        actions.push(action);
        state.apply(action);
      });
  }

  comment(text: string): void {
    const pawns = EVALUATION.exec(text)?.[1];
    if (pawns === undefined || this.isWrong) return;
    // After the last action that is read nobody asks for it.
    this.values[this.actions.length] = (this.state.toMove === 1 ? -1 : 1) * valueOfPawns(pawns);
  }

  end(result: readonly number[] | undefined): void {
    const { from, actions, values, rules } = this;
    const returns = result ?? this.result ?? [];
    const known = { ...(from !== undefined && { from }), ...(values.length > 0 && { values }) };
    if (!this.isWrong) this.found.push({ ...known, actions, returns });
    this.game++;
    this.state = rules.start();
    this.from = this.result = undefined;
    this.actions = [];
    this.values = [];
    this.isWrong = false;
  }

  leftOut(message: string, line: number): void {
    this.found.push({ path: `line ${line}, game ${this.game}`, message });
  }

  private try(line: number, read: () => void): void {
    try {
      read();
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      this.fail(line, error.message);
    }
  }

  private fail(line: number, message: string): void {
    const path = `line ${line}, game ${this.game}, ply ${this.actions.length + 1}`;
    this.found.push({ path, message });
    this.isWrong = true;
  }
}
