import { InputError, type Problem } from "../../base/errors.ts";
import { TERMINAL, type Rules } from "../contract/rules.ts";
import { parseLegal, possibleActions, gameByGame, lineAt, moveTexts } from "../contract/notation.ts";
import { actionAt, COLUMN_NAMES, EMPTY } from "./board.ts";
import { areaLead } from "./stones.ts";
import { GoState, NO_POINT, type GoRules } from "./state.ts";
import type { PlayedGame, TranscriptFormat } from "../contract/facets.ts";
import type { Game } from "../contract/game.ts";

const STONES = "XO";
const TURNS = "bw";
const NAMES = ["black", "white"] as const;
const REPEATED = "repeated";

/** `d4`, letters without i and rows from the bottom as in GTP, or `pass`. */
export function formatAction(action: number, { size, pass }: GoState): string {
  return action === pass ? "pass" : formatPoint(action, size);
}

/** `d4` for the action of a point. */
export function formatPoint(action: number, size: number): string {
  const row = Math.floor(action / size);
  return `${COLUMN_NAMES[action - row * size]}${row + 1}`;
}

/** The reason for which a finished game is over: `by 6.5 points` with the komi, after two passes or at the limit of moves. */
export function describeEnding(state: GoState): string {
  const { komi, moveLimit } = state.rules;
  if (state.repeated) return "position repeated";
  const lead = Math.abs(areaLead(state) - komi);
  const margin = lead === 0 ? "equal points" : `by ${lead} point${lead === 1 ? "" : "s"}`;
  return state.passes === 2 ? margin : `${margin} after ${moveLimit} moves`;
}

/** Reads `d4`, `D4`, `PASS`; the mover's colour may come first: `B d4`, `white pass`. */
export function parseAction(text: string, state: GoState, game: Rules<GoState>): number {
  const given = text.trim().toLowerCase();
  const [, colour, move = given] = /^(b|black|w|white)\s+(\S+)$/.exec(given) ?? [];
  if (state.toMove === TERMINAL) return parseLegal(game, text, state);
  if (colour !== undefined && colour[0] !== TURNS[state.turn])
    throw new InputError(`"${text.trim()}": it is ${NAMES[state.turn]}'s turn`);
  const action = move === "pass" ? state.pass : parsePoint(move, state.size);
  if (action < 0) return parseLegal(game, text, state);
  if (!possibleActions(game, state).includes(action))
    throw new InputError(`"${text.trim()}" is not possible here: ${reason(action, state)}`);
  return action;
}

/** The action of a point by its name, such as `d4`; -1 if there is no such point. */
function parsePoint(name: string, size: number): number {
  const [, letter = "", number] = /^([a-z])(\d+)$/.exec(name) ?? [];
  const column = letter === "" ? -1 : COLUMN_NAMES.indexOf(letter);
  const row = Number(number) - 1;
  return column >= 0 && column < size && row >= 0 && row < size ? row * size + column : -1;
}

/** The reason why an action on the board is not legal. */
function reason(action: number, state: GoState): string {
  const point = state.board.pointOf[action];
  const name = formatAction(action, state);
  if (state.colour[point] !== EMPTY) return `${name} is occupied`;
  if (point === state.ko) return `${name} was captured just now (ko)`;
  if (state.rules.superko && state.breathes(point)) return "it repeats an earlier board (superko)";
  return "it would take the player's own stones (suicide)";
}

/** The points that only ko forbids to the player to move. */
function koPoints(state: GoState): number[] {
  if (!state.rules.superko) return state.ko === NO_POINT ? [] : [state.ko];
  return Array.from(state.board.pointOf).filter(
    (point) => state.colour[point] === EMPTY && state.breathes(point) && state.isRepetition(point),
  );
}

/**
 * The position on one line, such as `9/9/9/9/4X4/9/9/9/9 w - 0 1`. First the rows from the top, with X for black, O for
 * white and numbers for runs of empty points. Then the turn; the points that ko forbids, or `-`; the number of passes just
 * before, or `repeated` if the last move brought back an earlier board and so ended the game; and the number of moves. The
 * text does not tell earlier boards, except by the ko points.
 */
export function formatState(state: GoState): string {
  const rows = boardRows(state).map((row) => row.replace(/\.+/g, (run) => String(run.length)));
  const ko = koPoints(state).map((point) => formatAction(actionAt(state.board, point), state));
  const passes = state.repeated ? REPEATED : state.passes;
  return `${rows.join("/")} ${TURNS[state.turn]} ${ko.join(",") || "-"} ${passes} ${state.moves}`;
}

/** The rows from the top, a character for each point. */
function boardRows({ size, board, colour }: GoState): string[] {
  return Array.from({ length: size }, (_, fromTop) =>
    Array.from({ length: size }, (__, column) => {
      const point = board.pointOf[(size - 1 - fromTop) * size + column];
      return STONES[colour[point]] ?? ".";
    }).join(""),
  );
}

/**
 * Reads what `formatState` writes, or `start`. The fields from ko on may be left out. Moves may follow:
 * `start moves d4 e5 pass`.
 */
export function parseState(text: string, game: Rules<GoState>, rules: GoRules): GoState {
  const state = game.start();
  const [position = "", moves = ""] = text.trim().split(/\s+moves\s+/);
  if (position !== "start") readPosition(state, position, rules);
  for (const move of moves.split(/\s+/).filter((word) => word !== ""))
    state.apply(parseAction(move, state, game));
  return state;
}

function readPosition(state: GoState, text: string, rules: GoRules): void {
  const [rows = "", turn = "", ko = "-", passes = "0", moves = "0", ...rest] = text.split(/\s+/);
  if (rest.length > 0) throw new InputError(`"${rest.join(" ")}" in "${text}" comes after the last field`);
  readRows(state, rows);
  state.turn = TURNS.indexOf(turn);
  if (turn.length !== 1 || state.turn < 0)
    throw new InputError(`the turn in "${text}" is "${turn}"; allowed: b, w after the rows`);
  if (!/^\d+$/.test(moves) || Number(moves) > rules.moveLimit)
    throw new InputError(`the moves in "${text}" are "${moves}"; allowed: 0 to ${rules.moveLimit}`);
  state.moves = Number(moves);
  const canRepeat = rules.drawByRepetition;
  if (!/^[012]$/.test(passes) && !(passes === REPEATED && canRepeat)) {
    const allowed = `0, 1, 2${canRepeat ? `, ${REPEATED}` : ""}`;
    throw new InputError(`the passes in "${text}" are "${passes}"; allowed: ${allowed}`);
  }
  state.repeated = passes === REPEATED;
  state.passes = state.repeated ? 0 : Number(passes);
  if (ko !== "-") readKo(state, ko, text);
  state.settle();
}

function readRows(state: GoState, text: string): void {
  const { size, board, colour } = state;
  const rows = text.split("/").map((row) => row.replace(/\d+/g, (run) => ".".repeat(Math.min(+run, 99))));
  if (rows.length !== size || rows.some((row) => row.length !== size))
    throw new InputError(`"${text}" is not ${size} rows of ${size} points`);
  const wrong = /[^XO.]/i.exec(rows.join(""))?.[0];
  if (wrong !== undefined) throw new InputError(`"${wrong}" in "${text}"; allowed: X, O and numbers`);
  const cells = rows.toReversed().join("").toUpperCase();
  const stones = Array.from(cells, (cell) => STONES.indexOf(cell));
  stones.forEach((player, action) => {
    if (player >= 0) state.put(board.pointOf[action], player);
  });
  const gone = stones.findIndex((player, action) => player >= 0 && colour[board.pointOf[action]] !== player);
  if (gone >= 0)
    throw new InputError(`the stone on ${formatAction(gone, state)} in "${text}" has no liberty`);
}

function readKo(state: GoState, list: string, text: string): void {
  const fail = (name: string) =>
    new InputError(`ko cannot forbid "${name}" in "${text}"; allowed: -, or where a stone was taken`);
  const names = list.split(",");
  for (const name of names) {
    const action = parsePoint(name.toLowerCase(), state.size);
    const point = action < 0 ? NO_POINT : state.board.pointOf[action];
    if (state.colour[point] !== EMPTY || !state.breathes(point)) throw fail(name);
    if (state.rules.superko) {
      state.forbid(point);
    } else {
      const surrounded = !state.isBeside(point, EMPTY) && !state.isBeside(point, state.turn);
      if (names.length > 1 || !surrounded || !state.wouldTakeKo(point)) throw fail(name);
      state.ko = point;
    }
  }
}

/** The board with its coordinates, X for black and O for white; then the turn, ko and the moves played. */
export function render(state: GoState): string {
  const { size, moves } = state;
  const columns = `    ${Array.from(COLUMN_NAMES.slice(0, size)).join(" ")}`;
  const rows = boardRows(state).map((row, fromTop) => {
    const number = String(size - fromTop);
    return ` ${number.padStart(2)} ${Array.from(row).join(" ")} ${number}`;
  });
  return [columns, ...rows, columns, ` ${describe(state)}, ${moves} moves played`].join("\n");
}

function describe(state: GoState): string {
  if (state.repeated) return "game over, an earlier board has come back";
  if (state.toMove === TERMINAL) return "game over";
  const ko = koPoints(state).map((point) => formatAction(actionAt(state.board, point), state));
  const passed = state.passes === 1 ? `${NAMES[1 - state.turn]} has passed, ` : "";
  const forbidden = ko.length > 0 ? `, ko at ${ko.join(" ")}` : "";
  return `${passed}${STONES[state.turn]} (${NAMES[state.turn]}) to move${forbidden}`;
}

const MOVES_A_LINE = 10;

/** Played games in the Smart Game Format, FF[4], as a collection. */
export function sgf(game: Game<GoState>): TranscriptFormat {
  const { size, komi } = game.options as { size: number; komi: number };
  return {
    summary: "Smart Game Format",
    read: (text, plies) => readSgf(text, game, plies),
    write: gameByGame("", (transcript) => {
      const { event, round, names, returns, forfeit, adjudication } = transcript;
      const properties = {
        FF: "4",
        GM: "1",
        CA: "UTF-8",
        SZ: String(size),
        KM: String(komi),
        PB: names[0]!,
        PW: names[1]!,
        EV: event,
        RO: String(round),
        ...(forfeit !== "" && { GC: forfeit }),
        ...(adjudication !== undefined && { GC: adjudication }),
        RE: `${sgfResult(returns)}${returns.length > 0 && forfeit !== "" ? "F" : ""}`,
      };
      const header = Object.entries(properties).map(([name, value]) => `${name}[${escapeText(value)}]`);
      const nodes = moveTexts(game, transcript).map(
        (move, ply) => `;${ply % 2 === 0 ? "B" : "W"}[${sgfPoint(move, size)}]`,
      );
      const lines: string[] = [];
      for (let at = 0; at < nodes.length; at += MOVES_A_LINE)
        lines.push(nodes.slice(at, at + MOVES_A_LINE).join(""));
      return `${[`(;${header.join("")}`, ...lines].join("\n")})\n`;
    }),
  };
}

/** The result: `B+` or `W+`, an F following a forfeit, `0` for a draw, `Void` where the game was not finished. */
function sgfResult([black]: readonly number[]): string {
  if (black === undefined) return "Void";
  return black === 0 ? "0" : black > 0 ? "B+" : "W+";
}

/** A letter for the column and one for the row from the top, with i as a letter; empty for a pass. */
function sgfPoint(move: string, size: number): string {
  if (move === "pass") return "";
  const column = COLUMN_NAMES.indexOf(move[0]!);
  const fromTop = size - Number(move.slice(1));
  return String.fromCharCode(97 + column, 97 + fromTop);
}

function escapeText(text: string): string {
  return text.replace(/\s+/g, " ").replace(/[\\\]]/g, (sign) => `\\${sign}`);
}

/** A bracket of a tree, the beginning of a node, a property with its first value and others, or one whose value has no end. */
const TOKEN = /[();]|([A-Za-z]+)\s*\[((?:[^\]\\]|\\[^])*)\](?:\s*\[(?:[^\]\\]|\\[^])*\])*|[A-Za-z]+\s*\[/g;

/** Properties that set stones up. */
const SET_UP = ["AB", "AW", "AE"];

/** The root of a game, by a property that stands in roots alone. */
const ROOT = /\(\s*;\s*(?:FF|GM|CA|SZ|AP|ST)\s*\[/y;

/** The root of the next game at the end of a value, whose bracket was not closed. */
const ROOT_WITHIN = /\(\s*;\s*(?:FF|GM|CA|SZ|AP|ST)\s*\[[^\]]*$/;

/**
 * Reads the main lines of a collection. Moves after the end of a game by our rules are left out, and those after the first
 * `plies`. In place of a game that cannot be read comes a problem with the line, the game and the ply: a move that is not
 * legal, another board, stones set up.
 */
function* readSgf(text: string, game: Game<GoState>, plies = Infinity): Generator<PlayedGame | Problem> {
  let number = 1;
  let record = new Reading(game);
  let depth = 0;
  let first = 0;
  const leftOut = (index: number, message: string): Problem => ({
    path: `line ${lineAt(text, index)}, game ${number}`,
    message,
  });
  const end = (): PlayedGame | Problem => {
    const ended = record.end((index) => lineAt(text, index), number);
    number++;
    record = new Reading(game);
    depth = 0;
    return ended;
  };
  const tokens = new RegExp(TOKEN);
  for (let found = tokens.exec(text); found !== null; found = tokens.exec(text)) {
    const { 0: token, 1: name = "", 2: value = "", index } = found;
    const root = ROOT_WITHIN.exec(value)?.index;
    if (root !== undefined || token.endsWith("[")) {
      yield leftOut(index, "the value that begins here is not closed");
      if (root !== undefined) tokens.lastIndex = text.indexOf(value, index) + root;
    } else if (token === "(") {
      ROOT.lastIndex = index;
      if (depth > 0 && ROOT.test(text)) {
        yield leftOut(first, "the ( that begins here is not closed");
        yield end();
      }
      if (depth === 0) first = index;
      depth++;
    } else if (token === ")") {
      if (depth === 0) {
        yield leftOut(index, "there is a ) without its (");
        continue;
      }
      // The main line ends where the first branch ends: it goes into the first branch everywhere.
      record.isWhole = true;
      if (--depth === 0) yield end();
    } else if (token !== ";" && depth > 0 && !record.isWhole && record.plies < plies) {
      // Earlier versions of the format allow small letters in names, which have no meaning.
      record.read(name.replace(/[a-z]/g, ""), value, index);
    }
  }
  if (depth === 0) return;
  yield leftOut(first, "the ( that begins here is not closed");
  yield end();
}

/** A game while it is read. */
class Reading {
  /** True once the main line has ended, or cannot be read on. */
  isWhole = false;
  private readonly game: Game<GoState>;
  private readonly state: GoState;
  private readonly actions: number[] = [];
  private returns: readonly number[] = [];
  private fault: { readonly index: number; readonly message: string } | undefined;

  constructor(game: Game<GoState>) {
    this.game = game;
    this.state = game.start();
  }

  get plies(): number {
    return this.actions.length;
  }

  /** Reads a property of a node, which stands at `index` of the text. */
  read(name: string, value: string, index: number): void {
    try {
      this.readProperty(name, value);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      this.fault = { index, message: error.message };
      this.isWhole = true;
    }
  }

  private readProperty(name: string, value: string): void {
    const { state } = this;
    if (name === "RE") this.returns = returnsOf(value);
    if (name === "GM" && Number(value) !== 1)
      throw new InputError(`GM[${value}] is another game; GM[1] is go`);
    if (name === "SZ" && value !== `${state.size}:${state.size}` && Number(value) !== state.size)
      throw new InputError(
        `the board has the size ${value}, and the game here is on ${state.size}x${state.size}`,
      );
    const isSetUp = SET_UP.includes(name) && value.trim() !== "";
    const isOther = name === "PL" && !TURNS[state.turn]!.startsWith(value.trim()[0]?.toLowerCase() ?? "");
    if (isSetUp || isOther)
      throw new InputError(
        `${name}[${value}] sets up a position; only games from the empty board can be read`,
      );
    if ((name !== "B" && name !== "W") || state.toMove === TERMINAL) return;
    const colour = name === "B" ? "black" : "white";
    const action = this.game.parseAction(`${colour} ${pointName(value.trim(), state.size)}`, state);
    this.actions.push(action);
    state.apply(action);
  }

  /** The game, or the problem that it has. */
  end(lineOf: (index: number) => number, number: number): PlayedGame | Problem {
    const { actions, returns, fault } = this;
    if (fault === undefined) return { actions, returns };
    const path = `line ${lineOf(fault.index)}, game ${number}, ply ${this.plies + 1}`;
    return { path, message: fault.message };
  }
}

/** The returns of a result such as `B+3.5`; empty where it is not known. */
function returnsOf(result: string): readonly number[] {
  if (/^(0|draw)$/i.test(result)) return [0, 0];
  if (/^B\+/i.test(result)) return [1, -1];
  return /^W\+/i.test(result) ? [-1, 1] : [];
}

/** `d4` for a point such as `dp`; an empty point passes, and so does `tt` on boards up to 19x19. */
function pointName(point: string, size: number): string {
  if (point === "" || point === "tt") return "pass";
  const [column, fromTop] = Array.from(point, (letter) => letter.charCodeAt(0) - 97);
  const isPoint = point.length === 2 && COLUMN_NAMES[column!] !== undefined && fromTop! < size;
  if (!isPoint) throw new InputError(`"${point}" is no point; two letters from a name one, such as dd`);
  return `${COLUMN_NAMES[column!]}${size - fromTop!}`;
}
