import { InputError } from "../../base/errors.ts";
import type { PlayedGame } from "../../game/facets.ts";
import type { Game } from "../../game/game.ts";
import { TERMINAL } from "../../game/rules.ts";
import type { ChessState } from "./state.ts";

/** A tag, a comment, the sign of a line that is to be left out, or a word. */
const TOKEN = /\[\s*(\w+)\s+"((?:[^"\\]|\\.)*)"\s*\]|\{[^}]*\}|;[^\n]*|^%[^\n]*|[()]|\$\d+|[^\s(){};[\]]+/gm;

const RESULTS: Readonly<Record<string, readonly number[]>> = {
  "1-0": [1, -1],
  "0-1": [-1, 1],
  "1/2-1/2": [0, 0],
  "*": [],
};

/**
 * Reads games in Portable Game Notation, import format: comments, variations and annotations are left out. Moves after
 * the end of a game by our rules, such as a third repetition that nobody claimed, are left out too. Throws InputError,
 * which says in which game and at which move, for a move that is not legal.
 */
export function* readPgn(text: string, game: Game<ChessState>): Generator<PlayedGame> {
  let record = new Reading(game, 1);
  let depth = 0;
  for (const [token, tag, value] of text.matchAll(TOKEN)) {
    if (tag !== undefined) {
      if (record.hasMoves) {
        yield record.end([]);
        record = new Reading(game, record.number + 1);
      }
      if (tag === "FEN") record.beginFrom(value!);
    } else if (token === "(") depth++;
    else if (token === ")") depth--;
    else if (depth > 0 || /^[{;%$]/.test(token)) continue;
    else if (Object.hasOwn(RESULTS, token)) {
      yield record.end(RESULTS[token]!);
      record = new Reading(game, record.number + 1);
    } else record.read(token);
  }
  if (record.hasMoves) yield record.end([]);
}

/** A game that is being read. */
class Reading {
  readonly number: number;
  private readonly game: Game<ChessState>;
  private state: ChessState;
  private from: string | undefined;
  private readonly actions: number[] = [];

  constructor(game: Game<ChessState>, number: number) {
    this.game = game;
    this.number = number;
    this.state = game.start();
  }

  get hasMoves(): boolean {
    return this.actions.length > 0;
  }

  beginFrom(fen: string): void {
    this.from = fen;
    this.state = this.game.parseState(fen);
  }

  /** A move, perhaps with its number before it; a number alone is nothing. */
  read(word: string): void {
    const move = word.replace(/^\d+\.+|^\.+|^\d+$/, "").replace(/[!?]+$/, "");
    const { state, game } = this;
    if (move === "" || state.toMove === TERMINAL) return;
    try {
      const action = game.parseAction(move, state);
      this.actions.push(action);
      state.apply(action);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      throw new InputError([
        { path: `game ${this.number}, ply ${this.actions.length + 1}`, message: error.message },
      ]);
    }
  }

  end(returns: readonly number[]): PlayedGame {
    const { from, actions } = this;
    return { ...(from !== undefined && { from }), actions, returns };
  }
}
