import { bitsOf, countBits } from "../../base/hashing.ts";
import { InputError } from "../../base/errors.ts";
import { TERMINAL, type Rules } from "../contract/rules.ts";
import { parseLegal, possibleActions, gameByGame } from "../contract/notation.ts";
import { BLACK_KING_ROW, jumpsOf, SQUARES, squaresOf, WHITE_KING_ROW } from "./board.ts";
import { BLACK, CheckersState, WHITE, type DrawRules } from "./state.ts";
import type { TranscriptFormat } from "../contract/facets.ts";
import type { Game } from "../contract/game.ts";
import { formatMoves, formatTags, portableGame, type PortableGame } from "../shared/portable-notation.ts";

const COLOURS = ["B", "W"] as const;
const NAMES = ["Black", "White"] as const;
const FORM = `"B:W21,22,K31:B1,2,K9"`;

/** `11-15` for a move, `22x15` for a capture. Captures with the same ends name all landing squares: `22x15x8`. */
export function formatAction(action: number, state: CheckersState, game: Rules<CheckersState>): string {
  const short = shortForm(action);
  if (jumpsOf(action) < 2) return short;
  const alike = possibleActions(game, state).filter((other) => shortForm(other) === short);
  return alike.length > 1 ? fullForm(action) : short;
}

/**
 * Reads a move in PDN: a capture by its ends or by every landing square. It tries the full path first, because a longer
 * capture may have the same ends as a single jump. `-` may stand for `x` in a capture.
 */
export function parseAction(text: string, state: CheckersState, game: Rules<CheckersState>): number {
  const given = text.trim().toLowerCase();
  if (state.toMove === TERMINAL) return parseLegal(game, text, state);
  const actions = possibleActions(game, state);
  const path = actions.find((action) => fullForm(action) === given);
  if (path !== undefined) return path;
  const capture = given.replaceAll("-", "x");
  const fitting = actions.filter((action) => shortForm(action) === capture || fullForm(action) === capture);
  if (fitting.length > 1) {
    throw new InputError(
      `"${text.trim()}" can be any of ${Array.from(fitting, fullForm).join(" ")}; name the path`,
    );
  }
  return fitting[0] ?? parseLegal(game, text, state);
}

function shortForm(action: number): string {
  const squares = squaresOf(action);
  return `${squares[0]! + 1}${jumpsOf(action) > 0 ? "x" : "-"}${squares.at(-1)! + 1}`;
}

function fullForm(action: number): string {
  return squaresOf(action)
    .map((square) => square + 1)
    .join(jumpsOf(action) > 0 ? "x" : "-");
}

/** The reason why a finished game is over, for people. */
export function describeEnding({ winner, quiet, rules }: CheckersState): string {
  if (winner >= 0) return `player ${2 - winner} cannot move`;
  const { drawAfter, repetitions } = rules;
  return quiet >= drawAfter
    ? `${drawAfter} moves without progress`
    : `position repeated ${repetitions} times`;
}

/**
 * The position in PDN: the turn, White's pieces, Black's pieces, and `:H` with the number of moves
 * since the last progress, unless it is 0. Under a rule of repetition it is the last position that cannot come
 * back, with the moves since then: `W:WK32:BK1:H1 moves 32-28`.
 */
export function formatState(state: CheckersState): string {
  const moves: string[] = [];
  const base = new CheckersState(state.rules);
  base.copyFrom(state);
  for (let left = state.reversible; left > 0; left--) {
    const after = base.black | base.white;
    base.undo();
    const before = base.black | base.white;
    const [from] = bitsOf(before & ~after);
    const [to] = bitsOf(after & ~before);
    moves.unshift(`${from! + 1}-${to! + 1}`);
  }
  const quiet = base.quiet > 0 ? `:H${base.quiet}` : "";
  const position = `${COLOURS[base.turn]}:W${formatPieces(base, base.white)}:B${formatPieces(base, base.black)}${quiet}`;
  return moves.length > 0 ? `${position} moves ${moves.join(" ")}` : position;
}

function formatPieces(state: CheckersState, pieces: number): string {
  return bitsOf(pieces)
    .map((square) => `${((state.kings >>> square) & 1) === 1 ? "K" : ""}${square + 1}`)
    .join(",");
}

/** Reads `formatState`'s form (ranges such as `1-12` too, and a full stop at the end), or `start`. */
export function parseState(text: string, game: Rules<CheckersState>, rules: DrawRules): CheckersState {
  const state = new CheckersState(rules);
  const [position = "", moves = ""] = text.trim().split(/\s+moves\s+/);
  if (position !== "start") readPosition(state, position.replace(/\.$/, ""));
  for (const move of moves.split(/\s+/).filter((word) => word !== "")) {
    state.apply(parseAction(move, state, game));
  }
  return state;
}

function readPosition(state: CheckersState, text: string): void {
  const [turn, ...fields] = text.split(":");
  const player = COLOURS.findIndex((colour) => colour === turn?.toUpperCase());
  if (player < 0) throw new InputError(`"${text}" begins with no B: or W: for the turn; allowed: ${FORM}`);
  state.turn = player;
  state.black = state.white = state.kings = state.quiet = 0;
  const seen = new Set<string>();
  for (const field of fields) {
    const kind = field[0]?.toUpperCase() ?? "";
    if (seen.has(kind)) throw new InputError(`"${text}" has two parts ${kind}`);
    seen.add(kind);
    if (kind === "B") state.black = readPieces(state, field.slice(1), BLACK);
    else if (kind === "W") state.white = readPieces(state, field.slice(1), WHITE);
    else if (/^H\d+$/i.test(field)) state.quiet = Number(field.slice(1));
    else if (!/^F\d+$/i.test(field))
      throw new InputError(`"${field}" in "${text}" is no part of a position; allowed: ${FORM}`);
  }
  for (const colour of COLOURS) {
    if (!seen.has(colour)) throw new InputError(`"${text}" has no part ${colour}; allowed: ${FORM}`);
  }
  checkPosition(state, text);
}

/** Reads the pieces of a player as a set, and adds the kings among them to `state.kings`. */
function readPieces(state: CheckersState, list: string, player: number): number {
  let pieces = 0;
  for (const item of list.split(",").filter((entry) => entry !== "")) {
    const [, king, first, last] = /^(K?)(\d+)(?:-(\d+))?$/i.exec(item.trim()) ?? [];
    const from = Number(first);
    const to = last === undefined ? from : Number(last);
    if (!(from >= 1 && from <= to && to <= SQUARES)) {
      throw new InputError(
        `"${item}" in ${NAMES[player]}'s pieces; allowed: squares 1 to ${SQUARES}, with K for a king`,
      );
    }
    for (let square = from; square <= to; square++) {
      const bit = 1 << (square - 1);
      if (((state.black | state.white | pieces) & bit) !== 0)
        throw new InputError(`square ${square} is named twice`);
      pieces |= bit;
      if (king !== "") state.kings |= bit;
    }
  }
  return pieces;
}

function checkPosition(state: CheckersState, text: string): void {
  const sides = [state.black, state.white];
  sides.forEach((pieces, player) => {
    const count = countBits(pieces);
    if (count > 12) throw new InputError(`${NAMES[player]} has ${count} pieces in "${text}"; at most 12`);
    const [stuck] = bitsOf(pieces & ~state.kings & (player === BLACK ? BLACK_KING_ROW : WHITE_KING_ROW));
    if (stuck !== undefined) {
      throw new InputError(
        `${NAMES[player]}'s man on ${stuck + 1} in "${text}" would be a king there: K${stuck + 1}`,
      );
    }
  });
  if (sides[1 - state.turn] === 0) {
    throw new InputError(`${NAMES[1 - state.turn]}, who has just moved, has no pieces in "${text}"`);
  }
  if (state.quiet > state.rules.drawAfter) {
    throw new InputError(
      `H${state.quiet} in "${text}"; the game is drawn after ${state.rules.drawAfter} moves without progress`,
    );
  }
  state.settle();
}

/** The board from White's side, square 1 at the top left; then the turn and the moves without progress. */
export function render(state: CheckersState): string {
  const rows = Array.from({ length: 8 }, (_, row) => {
    const first = 4 * row;
    const cells = [0, 1, 2, 3].map((column) => pieceAt(state, first + column));
    const line = row % 2 === 0 ? `  ${cells.join("   ")}` : `${cells.join("   ")}  `;
    return ` ${line}   ${first + 1}-${first + 4}`;
  });
  const next = state.toMove === TERMINAL ? "game over" : `${NAMES[state.turn]} to move`;
  const quiet = state.quiet > 0 ? `, ${state.quiet} without progress` : "";
  return [...rows, ` ${next}${quiet}`].join("\n");
}

function pieceAt(state: CheckersState, square: number): string {
  const king = (state.kings >>> square) & 1;
  if (((state.black >>> square) & 1) === 1) return king === 1 ? "⛃" : "⛂";
  if (((state.white >>> square) & 1) === 1) return king === 1 ? "⛁" : "⛀";
  return "·";
}

const REQUIRED_TAGS = { Event: "?", Site: "?", Date: "?", Round: "?", Black: "?", White: "?" } as const;
/** English draughts in the standard's list of games. */
const GAME_TYPE = "21";
/** Lines are shorter than this. */
const LINE_WIDTH = 81;

/** A game in Portable Draughts Notation. */
function formatPdn(game: PortableGame): string {
  const { Termination, ...tags } = game.tags;
  const all = {
    ...REQUIRED_TAGS,
    ...tags,
    Result: game.result,
    GameType: GAME_TYPE,
    ...(Termination !== undefined && { Termination }),
  };
  return `${formatTags(all)}\n${formatMoves(game, { width: LINE_WIDTH })}\n`;
}

/** Played games in PDN. */
export function pdn(game: Game<CheckersState>): TranscriptFormat {
  return {
    summary: "Portable Draughts Notation",
    write: gameByGame("\n", (transcript) => formatPdn(portableGame(game, transcript, ["Black", "White"]))),
  };
}
