import type { TranscriptFormat } from "../../game/facets.ts";
import type { Game } from "../../game/game.ts";
import { gameByGame, moveTexts } from "../../game/notation.ts";
import { COLUMN_NAMES } from "./board.ts";
import type { GoState } from "./state.ts";

/** A game in the Smart Game Format. */
interface SgfGame {
  readonly size: number;
  readonly komi: number;
  /** As `formatAction` writes them, from the empty board on, black first. */
  readonly moves: readonly string[];
  /** As `sgfResult` writes it. */
  readonly result: string;
  /** Further properties of the game by identifier: PB, PW (players), EV, DT (date), RU (rules), ... */
  readonly properties: Readonly<Record<string, string>>;
}

const MOVES_A_LINE = 10;

/**
 * The result of a finished game: `B+3.5`, `W+` if the margin is not known, `0` for a draw.
 * @internal tests read it alone.
 */
export function sgfResult(blackReturn: number, margin?: number): string {
  if (blackReturn === 0) return "0";
  return `${blackReturn > 0 ? "B" : "W"}+${margin === undefined ? "" : Math.abs(margin)}`;
}

/**
 * Writes a game in the Smart Game Format, FF[4]; ends with a line break.
 * @internal tests write games with a margin, which no run knows.
 */
export function formatSgf({ size, komi, moves, result, properties }: SgfGame): string {
  const root = {
    FF: "4",
    GM: "1",
    CA: "UTF-8",
    SZ: String(size),
    KM: String(komi),
    ...properties,
    RE: result,
  };
  const header = Object.entries(root).map(([name, value]) => `${name}[${escapeText(value)}]`);
  const nodes = moves.map((move, ply) => `;${ply % 2 === 0 ? "B" : "W"}[${sgfPoint(move, size)}]`);
  const lines: string[] = [];
  for (let at = 0; at < nodes.length; at += MOVES_A_LINE)
    lines.push(nodes.slice(at, at + MOVES_A_LINE).join(""));
  return `${[`(;${header.join("")}`, ...lines].join("\n")})\n`;
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

/** Played games as a collection; the result of a forfeit is `B+F` or `W+F`. */
export function sgf(game: Game<GoState>): TranscriptFormat {
  const { size, komi } = game.options as { size: number; komi: number };
  return {
    summary: "Smart Game Format",
    write: gameByGame("", (transcript) => {
      const { event, round, names, returns, forfeit } = transcript;
      const properties = { PB: names[0]!, PW: names[1]!, EV: event, RO: String(round) };
      return formatSgf({
        size,
        komi,
        moves: moveTexts(game, transcript),
        // `Void`: no result, or play was suspended.
        result: returns.length === 0 ? "Void" : `${sgfResult(returns[0]!)}${forfeit === "" ? "" : "F"}`,
        properties: forfeit === "" ? properties : { ...properties, GC: forfeit },
      });
    }),
  };
}
