import type { TranscriptFormat } from "../../game/facets.ts";
import type { Game } from "../../game/game.ts";
import { gameByGame, moveTexts } from "../../game/notation.ts";
import { COLUMN_NAMES } from "./board.ts";
import type { GoState } from "./state.ts";

const MOVES_A_LINE = 10;

/** Played games in the Smart Game Format, FF[4], as a collection. */
export function sgf(game: Game<GoState>): TranscriptFormat {
  const { size, komi } = game.options as { size: number; komi: number };
  return {
    summary: "Smart Game Format",
    write: gameByGame("", (transcript) => {
      const { event, round, names, returns, forfeit } = transcript;
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
