import type { TranscriptFormat } from "../../game/facets.ts";
import type { Game } from "../../game/game.ts";
import { formatComment, gameByGame, moveTexts } from "../../game/notation.ts";
import { START_FEN } from "./fen.ts";
import { readPgn } from "./pgn-reader.ts";
import type { ChessState } from "./state.ts";

/** A game as PGN wants it. */
interface PgnGame {
  /** The start position; the usual one needs no tags of its own. */
  readonly fen: string;
  /** The moves in SAN, from the start on. */
  readonly moves: readonly string[];
  /** By move, without braces; none where it is empty. */
  readonly comments?: readonly string[] | undefined;
  readonly result: "1-0" | "0-1" | "1/2-1/2" | "*";
  /** Tags by name. The seven that every game has come first, `?` where they are missing. */
  readonly tags: Readonly<Record<string, string>>;
}

const ROSTER: Readonly<Record<string, string>> = {
  Event: "?",
  Site: "?",
  Date: "????.??.??",
  Round: "?",
  White: "?",
  Black: "?",
};

/** Lines are broken before this many characters (PGN standard, 4.3). */
const LINE_WIDTH = 80;

/**
 * Writes a game in Portable Game Notation, export format; ends with a line break.
 * @internal tests write games from a position, which no run has.
 */
export function formatPgn({ fen, moves, comments = [], result, tags }: PgnGame): string {
  const setUp = fen === START_FEN ? {} : { SetUp: "1", FEN: fen };
  const all: Record<string, string> = { ...ROSTER, ...tags, Result: result, ...setUp };
  const roster = [...Object.keys(ROSTER), "Result"];
  const extra = Object.keys(all)
    .filter((name) => !roster.includes(name))
    .toSorted();
  const header = [...roster, ...extra].map((name) => `[${name} "${escapeTag(all[name]!)}"]`);
  return `${header.join("\n")}\n\n${wrap([...numberMoves(fen, moves, comments), result])}\n`;
}

function escapeTag(value: string): string {
  return value.replace(/\s+/g, " ").replace(/["\\]/g, (sign) => `\\${sign}`);
}

/** The moves with their numbers; `12...` where black begins. */
function numberMoves(fen: string, moves: readonly string[], comments: readonly string[]): string[] {
  const [, side = "w", , , , first = "1"] = fen.split(" ");
  const skipped = side === "b" ? 1 : 0;
  return moves.flatMap((move, index) => {
    const ply = index + skipped;
    const count = Number(first) + (ply >> 1);
    const number = ply % 2 === 0 ? [`${count}.`] : index === 0 ? [`${count}...`] : [];
    const comment = comments[index] ?? "";
    return [...number, move, ...(comment === "" ? [] : [`{${comment}}`])];
  });
}

function wrap(tokens: readonly string[]): string {
  const lines: string[] = [];
  let line = "";
  for (const token of tokens) {
    if (line !== "" && line.length + 1 + token.length >= LINE_WIDTH) {
      lines.push(line);
      line = "";
    }
    line += line === "" ? token : ` ${token}`;
  }
  return [...lines, line].join("\n");
}

function resultOf([white]: readonly number[]): PgnGame["result"] {
  if (white === undefined) return "*";
  return white === 0 ? "1/2-1/2" : white > 0 ? "1-0" : "0-1";
}

/** Played games in PGN, a forfeit as a lost game with its reason. */
export function pgn(game: Game<ChessState>): TranscriptFormat {
  return {
    summary: "Portable Game Notation",
    read: (text) => readPgn(text, game),
    write: gameByGame("\n", (transcript) => {
      const { event, round, names, returns, forfeit, thoughts } = transcript;
      const tags = { Event: event, Round: String(round), White: names[0]!, Black: names[1]! };
      return formatPgn({
        fen: String(game.options["fen"]),
        moves: moveTexts(game, transcript),
        comments: thoughts?.map((thought) => formatComment(thought, game.maxReturn)),
        result: resultOf(returns),
        tags: forfeit === "" ? tags : { ...tags, Termination: forfeit },
      });
    }),
  };
}
