import type { TranscriptFormat } from "../../game/facets.ts";
import type { Game } from "../../game/game.ts";
import { formatComment, gameByGame, moveTexts } from "../../game/notation.ts";
import type { CheckersState } from "./state.ts";

/** The result in PDN, whichever colour moves first: `1-0` when White won, `0-1` when Black did. */
type PdnResult = "1-0" | "0-1" | "1/2-1/2" | "*";

interface PdnGame {
  /** Such as Event, Black, White, Date; the seven of the standard are filled in with "?". */
  readonly tags: Readonly<Record<string, string>>;
  /** As `formatAction` writes them. */
  readonly moves: readonly string[];
  /** By move, without braces; none where it is empty. */
  readonly comments?: readonly string[] | undefined;
  readonly result: PdnResult;
  /** The position at the beginning, where it is not the usual one. */
  readonly fen?: string;
}

const REQUIRED_TAGS = ["Event", "Site", "Date", "Round", "Black", "White"] as const;
/** English draughts in the standard's list of games. */
const GAME_TYPE = "21";
const LINE_LENGTH = 80;

/**
 * The result in PDN of a finished game, by Black's return.
 * @internal tests read it alone.
 */
export function pdnResult(blackReturn: number): PdnResult {
  if (blackReturn === 0) return "1/2-1/2";
  return blackReturn > 0 ? "0-1" : "1-0";
}

/**
 * A game in Portable Draughts Notation: tags, numbered moves in lines of at most 80 columns, result.
 * @internal tests write games from a position, which no run has.
 */
export function formatPdn({ tags, moves, comments = [], result, fen }: PdnGame): string {
  const all: Record<string, string> = {};
  for (const name of REQUIRED_TAGS) all[name] = tags[name] ?? "?";
  Object.assign(all, { Result: result, GameType: GAME_TYPE });
  if (fen !== undefined) Object.assign(all, { SetUp: "1", FEN: fen });
  for (const [name, value] of Object.entries(tags)) all[name] ??= value;
  const tagLines = Object.entries(all).map(
    ([name, value]) => `[${name} "${value.replace(/["\\]/g, (character) => `\\${character}`)}"]`,
  );
  const whiteBegins = fen?.startsWith("W") === true;
  const words = whiteBegins && moves.length > 0 ? ["1.", "..."] : [];
  moves.forEach((move, index) => {
    const half = whiteBegins ? index + 1 : index;
    if (half % 2 === 0) words.push(`${half / 2 + 1}.`);
    words.push(move);
    const comment = comments[index] ?? "";
    if (comment !== "") words.push(`{${comment}}`);
  });
  return [...tagLines, "", ...fill([...words, result]), ""].join("\n");
}

function fill(words: readonly string[]): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of words) {
    if (line !== "" && line.length + 1 + word.length > LINE_LENGTH) {
      lines.push(line);
      line = word;
    } else {
      line = line === "" ? word : `${line} ${word}`;
    }
  }
  return [...lines, line];
}

/** Played games in PDN, a forfeit as a lost game with its reason. */
export function pdn(game: Game<CheckersState>): TranscriptFormat {
  return {
    summary: "Portable Draughts Notation",
    write: gameByGame("\n", (transcript) => {
      const { event, round, names, returns, forfeit, thoughts } = transcript;
      const tags = { Event: event, Round: String(round), Black: names[0]!, White: names[1]! };
      return formatPdn({
        moves: moveTexts(game, transcript),
        comments: thoughts?.map((thought) => formatComment(thought, game.maxReturn)),
        result: returns.length === 0 ? "*" : pdnResult(returns[0]!),
        tags: forfeit === "" ? tags : { ...tags, Termination: forfeit },
      });
    }),
  };
}
