import { InputError } from "../../base/errors.ts";
import type { PlayedGame, Transcript, TranscriptFormat } from "../contract/facets.ts";
import type { Game } from "../contract/game.ts";
import { gameByGame, lineAt } from "../contract/notation.ts";
import { formatMoves, formatTags, portableGame, type PortableGame } from "../shared/portable-notation.ts";
import { TERMINAL } from "../contract/rules.ts";
import { START_FEN } from "./fen.ts";
import type { ChessState } from "./state.ts";

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
      return formatPgn({
        ...portable,
        tags: { ...portable.tags, ...playedTags(transcript) },
        ending: transcript.adjudication ?? transcript.forfeit,
        fen: transcript.from ?? String(game.options["fen"]),
      });
    }),
  };
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

/** A tag, a comment, the mark of a variation or annotation, or a word. */
const TOKEN = /\[\s*(\w+)\s+"((?:[^"\\]|\\.)*)"\s*\]|\{[^}]*\}|;[^\n]*|^%[^\n]*|[()]|\$\d+|[^\s(){};[\]]+/gm;

const RESULTS: Readonly<Record<string, readonly number[]>> = {
  "1-0": [1, -1],
  "0-1": [-1, 1],
  "1/2-1/2": [0, 0],
  "*": [],
};

/**
 * Reads games in Portable Game Notation, import format, without comments, variations and annotations. Moves after the end
 * of a game by our rules, such as a third repetition that nobody claimed, are left out too, and those after the first
 * `plies`. For a move that is not legal, throws InputError with the line, the game and the ply.
 */
function* readPgn(text: string, game: Game<ChessState>, plies = Infinity): Generator<PlayedGame> {
  let record = new Reading(game, 1);
  let depth = 0;
  for (const match of text.matchAll(TOKEN)) {
    const [token, tag, value] = match;
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
    } else if (record.plies < plies) record.read(token, () => lineAt(text, match.index));
  }
  if (record.hasMoves) yield record.end([]);
}

/** A game while it is read. */
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

  get plies(): number {
    return this.actions.length;
  }

  get hasMoves(): boolean {
    return this.plies > 0;
  }

  beginFrom(fen: string): void {
    this.from = fen;
    this.state = this.game.parseState(fen);
  }

  /** Reads a word: a move, perhaps with its number before it, or a number alone, which is no move. */
  read(word: string, line: () => number): void {
    const move = word.replace(/^\d+\.+|^\.+|^\d+$/, "").replace(/[!?]+$/, "");
    const { state, game } = this;
    if (move === "" || state.toMove === TERMINAL) return;
    try {
      const action = game.parseAction(move, state);
      this.actions.push(action);
      state.apply(action);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      const path = `line ${line()}, game ${this.number}, ply ${this.plies + 1}`;
      throw new InputError([{ path, message: error.message }]);
    }
  }

  end(returns: readonly number[]): PlayedGame {
    const { from, actions } = this;
    return { ...(from !== undefined && { from }), actions, returns };
  }
}
