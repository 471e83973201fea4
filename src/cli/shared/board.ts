import process from "node:process";
import type { Game, State } from "../../games/contract/game.ts";
import { coloured, styled, wantsColour } from "./terminal.ts";

/**
 * The colours of the players' pieces, from a terminal's 256. Each has a contrast to black and to white.
 * @internal a test computes their contrast
 */
export const PLAYER_COLOURS: readonly number[] = [33, 166, 29, 133, 136, 245];

/** Draws a position as text. */
export type DrawBoard = (state: State, before?: State) => string;

/**
 * Draws boards of a game as text, with Unicode pieces if `unicode` is set and the game has them. On a terminal the
 * pieces of each player have a colour, and what has changed since the position `before` is inverse.
 */
export function boardDrawer(game: Game, unicode: boolean): DrawBoard {
  const draw = (state: State) =>
    unicode && game.renderUnicode ? game.renderUnicode(state) : game.render(state);
  const { pieces } = game;
  if (pieces === undefined || !wantsColour(process.stdout)) return draw;
  return (state, before) => paintBoard(draw(state), pieces, before && draw(before));
}

/**
 * Colours the pieces in the drawing of a board, and inverts those places where another piece stands than in the drawing
 * `before`, or none.
 * @param pieces see Rules
 * @internal tested without a terminal
 */
export function paintBoard(text: string, pieces: readonly string[], before?: string): string {
  const earlier = before?.split("\n").map((line) => Array.from(line));
  return text
    .split("\n")
    .map((line, row) => {
      const signs = Array.from(line);
      const old = earlier?.[row] ?? signs;
      // A line of words may shift its pieces, such as the counts of discs below a board.
      const isText = /\p{L}{2}/u.test(line);
      return signs
        .map((sign, at) => {
          const owner = ownerOf(signs, at, pieces);
          const hasChanged = !isText && sign !== old[at] && (owner >= 0 || ownerOf(old, at, pieces) >= 0);
          const shown = owner < 0 ? sign : coloured(sign, PLAYER_COLOURS[owner % PLAYER_COLOURS.length]!);
          return hasChanged ? styled(shown, "inverse") : shown;
        })
        .join("");
    })
    .join("\n");
}

/** The player whose piece stands at a place of a line; -1 without a piece. */
function ownerOf(signs: readonly string[], at: number, pieces: readonly string[]): number {
  const isPart = (sign = " ") => /[\p{L}\d]/u.test(sign);
  // A letter beside another one is part of a word.
  if (isPart(signs[at - 1]) || isPart(signs[at + 1]) || isColumnNames(signs)) return -1;
  return pieces.findIndex((own) => own.includes(signs[at] ?? "none"));
}

/** True for the row of letters above or below a board. */
function isColumnNames(signs: readonly string[]): boolean {
  return signs.join("").trim().startsWith("a b c");
}
