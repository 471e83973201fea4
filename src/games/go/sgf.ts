import { InputError } from "../../base/errors.ts";
import type { PlayedGame, TranscriptFormat } from "../contract/facets.ts";
import type { Game } from "../contract/game.ts";
import { gameByGame, lineAt, moveTexts } from "../contract/notation.ts";
import { TERMINAL } from "../contract/rules.ts";
import { COLUMN_NAMES } from "./board.ts";
import type { GoState } from "./state.ts";

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

/** A bracket of a tree, the beginning of a node, or a property with its first value and others. */
const TOKEN = /[();]|([A-Za-z]+)\s*\[((?:[^\]\\]|\\[^])*)\](?:\s*\[(?:[^\]\\]|\\[^])*\])*/g;

/** Properties of a game that does not begin with the empty board. */
const SET_UP = ["AB", "AW", "AE", "PL"];

/**
 * Reads the main lines of a collection. Moves after the end of a game by our rules are left out, and those after the first
 * `plies`. Throws InputError for a move that is not legal, a game from another board, and one with stones set up.
 */
function* readSgf(text: string, game: Game<GoState>, plies = Infinity): Generator<PlayedGame> {
  let record = new Reading(game, 1);
  let depth = 0;
  for (const { 0: token, 1: name = "", 2: value = "", index } of text.matchAll(TOKEN)) {
    if (token === "(") {
      depth++;
    } else if (token === ")") {
      // The main line ends where the first branch ends: it goes into the first branch everywhere.
      record.isWhole = true;
      if (--depth > 0) continue;
      yield record.end();
      record = new Reading(game, record.number + 1);
    } else if (token !== ";" && depth > 0 && !record.isWhole && record.plies < plies) {
      // Earlier versions of the format allow small letters in names, which have no meaning.
      record.read(name.replace(/[a-z]/g, ""), value, () => lineAt(text, index));
    }
  }
}

/** A game while it is read. */
class Reading {
  readonly number: number;
  /** True once the main line has ended. */
  isWhole = false;
  private readonly game: Game<GoState>;
  private readonly state: GoState;
  private readonly actions: number[] = [];
  private returns: readonly number[] = [];

  constructor(game: Game<GoState>, number: number) {
    this.game = game;
    this.number = number;
    this.state = game.start();
  }

  get plies(): number {
    return this.actions.length;
  }

  read(name: string, value: string, line: () => number): void {
    const { state } = this;
    const fail = (message: string) => {
      const path = `line ${line()}, game ${this.number}, ply ${this.plies + 1}`;
      return new InputError([{ path, message }]);
    };
    if (name === "RE") this.returns = returnsOf(value);
    if (name === "SZ" && Number(value) !== state.size)
      throw fail(`the board has the size ${value}, and the game here is on ${state.size}x${state.size}`);
    if (SET_UP.includes(name))
      throw fail(`${name} sets stones up; only games from the empty board can be read`);
    if ((name !== "B" && name !== "W") || state.toMove === TERMINAL) return;
    const colour = name === "B" ? "black" : "white";
    try {
      this.play(`${colour} ${pointName(value, state.size)}`);
    } catch (error) {
      throw error instanceof InputError ? fail(error.message) : error;
    }
  }

  private play(move: string): void {
    const action = this.game.parseAction(move, this.state);
    this.actions.push(action);
    this.state.apply(action);
  }

  end(): PlayedGame {
    return { actions: this.actions, returns: this.returns };
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
