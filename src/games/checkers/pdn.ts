import type { TranscriptFormat } from "../contract/facets.ts";
import type { Game } from "../contract/game.ts";
import { gameByGame } from "../contract/notation.ts";
import { formatMoves, formatTags, portableGame, type PortableGame } from "../shared/portable-notation.ts";
import type { CheckersState } from "./state.ts";

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
