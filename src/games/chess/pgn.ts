import { InputError, type Problem, shortened } from "../../base/errors.ts";
import type { PlayedGame, Transcript, TranscriptFormat } from "../contract/facets.ts";
import type { Game } from "../contract/game.ts";
import { formatComment, gameByGame } from "../contract/notation.ts";
import { TERMINAL } from "../contract/rules.ts";
import { formatMoves, formatTags, portableGame, type PortableGame } from "../shared/portable-notation.ts";
import { isNullMove, parseResult, type PortableEvents, PortableReader } from "../shared/portable-reader.ts";
import { START_FEN } from "./fen.ts";
import type { ChessState } from "./state.ts";

/** The seven tags of every game are these and Result. */
const ROSTER = { Event: "?", Site: "?", Date: "????.??.??", Round: "?", White: "?", Black: "?" } as const;

/** Lines are broken before this many characters (PGN standard, 4.3). */
const LINE_WIDTH = 80;

/**
 * Writes a game in Portable Game Notation, export format; ends with a line break. `fen` is the start position; the usual
 * one needs no tags of its own, but for Chess960.
 * @internal tests write single games.
 */
export function formatPgn({
  fen,
  chess960 = false,
  ...game
}: PortableGame & { readonly fen: string; readonly chess960?: boolean }): string {
  const setUp = {
    ...(chess960 && { Variant: "Chess960" }),
    ...((chess960 || fen !== START_FEN) && { SetUp: "1", FEN: fen }),
  };
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
      const fen = transcript.from ?? String(game.options["fen"]);
      return formatPgn({
        ...portable,
        comments: commentsOf(transcript, { isSecond: fen.split(" ")[1] === "b" }),
        tags: { ...portable.tags, ...playedTags(transcript) },
        ending: transcript.adjudication ?? transcript.forfeit,
        fen,
        chess960: isChess960(game),
      });
    }),
  };
}

function isChess960(game: Game<ChessState>): boolean {
  return game.options["chess960"] === true;
}

/** Values in pawns are kept below this: no estimate looks like a mate. */
const MOST_PAWNS = 16;

/** A value in pawns: c pawns are an expected result of 1 / (1 + 10^(-c / 4)), where a win is 1. */
function pawnsOf(value: number): number {
  const pawns = 4 * Math.log10((1 + value) / (1 - value));
  return Math.max(-MOST_PAWNS, Math.min(MOST_PAWNS, pawns)) + 0;
}

/** The value of an expected result, the inverse of `pawnsOf`; of a mate, as `#-3` writes it, that of its winner. */
function valueOfPawns(text: string): number {
  if (text.startsWith("#")) return text.startsWith("#-") ? -1 : 1;
  return Math.tanh((Number(text) * Math.LN10) / 8);
}

/** White's evaluation of a position, as PGN has it in the comment behind the move that led there. */
const EVALUATION = /\[%eval\s+(#-?\d+|[-+]?(?:\d+\.?\d*|\.\d+))/;

/**
 * The thoughts as programs read them: `[%eval 0.35,6] [%clk 0:01:02.3] +0.35/6 0.12s`. %eval is White's, in pawns, with the depth;
 * %clk is the time that is left by the time control, or %emt the time of the move. What follows is the mover's, as engines
 * comment on their moves.
 */
function commentsOf(
  { thoughts = [], timeControls = [] }: Transcript,
  { isSecond }: { isSecond: boolean },
): string[] {
  const clocks = [0, 1].map((player) => {
    const [, main, increment = 0] = /^([\d.]+)(?:\+([\d.]+))?$/.exec(timeControls[player] ?? "") ?? [];
    return main === undefined ? undefined : { left: Number(main), increment: Number(increment) };
  });
  return thoughts.map((thought, index) => {
    const comment = formatComment(
      thought?.value === undefined ? thought : { ...thought, value: pawnsOf(thought.value) },
      Infinity,
    );
    if (thought === undefined || comment === "") return comment;
    const { value, depth, timeMs } = thought;
    const mover = (index + (isSecond ? 1 : 0)) % 2;
    const clock = clocks[mover];
    if (clock) clock.left = Math.max(0, clock.left - timeMs / 1000) + clock.increment;
    const pawns = value === undefined ? 0 : pawnsOf(value) * (mover === 0 ? 1 : -1) + 0;
    const evaluation =
      value === undefined ? [] : [`[%eval ${pawns.toFixed(2)}${depth === undefined ? "" : `,${depth}`}]`];
    const time =
      clock === undefined ? `[%emt ${formatClock(timeMs / 1000)}]` : `[%clk ${formatClock(clock.left)}]`;
    return [...evaluation, time, comment].join(" ");
  });
}

/** Hours, minutes and seconds: `0:01:02.3`. */
function formatClock(seconds: number): string {
  const tenths = Math.floor(10 * seconds);
  const two = (number: number) => String(number).padStart(2, "0");
  const minutes = Math.floor(tenths / 600);
  return `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(Math.floor(tenths / 10) % 60)}.${tenths % 10}`;
}

/** The tags that say how a game was played, in the words of the standard (9.6, 9.8). */
function playedTags({
  actions,
  returns,
  forfeit,
  adjudication,
  openingLength = 0,
  timeControls: [white, black] = [],
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
    ...(white !== undefined && white === black && { TimeControl: white }),
    ...(white !== black && { WhiteTimeControl: white!, BlackTimeControl: black! }),
  };
}

function terminationOf(forfeit: string): string {
  if (forfeit === "") return "normal";
  if (forfeit.startsWith("time-out")) return "time forfeit";
  return forfeit.startsWith("illegal action") ? "rules infraction" : "abandoned";
}

/**
 * Reads games in Portable Game Notation, import format, without variations, annotations, and comments other than `[%eval]`.
 * Moves after the end of a game by our rules, such as a third repetition that nobody claimed, are left out too, and those after
 * the first `plies`. In place of a game that cannot be read comes a problem with the line, the game and the ply.
 */
function* readPgn(text: string, game: Game<ChessState>, plies = Infinity): Generator<PlayedGame | Problem> {
  const reading = new Reading(game, plies);
  const reader = new PortableReader(reading);
  for (const [line] of text.matchAll(/[^\n]*(?:\n|$)/g)) {
    reader.read(line);
    yield* reading.found.splice(0);
  }
  reader.end();
  yield* reading.found;
}

/** Chess960 as the tag Variant names it. */
const CHESS960 = /^\s*(?:chess\s?-?960|fischer\s?-?r?andom)/i;

/** Games while they are read. */
class Reading implements PortableEvents {
  /** The games, and the problems, that have been found and not yet been taken. */
  readonly found: (PlayedGame | Problem)[] = [];
  private readonly rules: Game<ChessState>;
  private readonly plies: number;
  private game = 1;
  private state: ChessState;
  private from: string | undefined;
  private result: readonly number[] | undefined;
  private actions: number[] = [];
  private values: number[] = [];
  /** True from where a game cannot be read on. */
  private isWrong = false;

  constructor(rules: Game<ChessState>, plies: number) {
    this.rules = rules;
    this.plies = plies;
    this.state = rules.start();
  }

  tag(name: string, value: string, line: number): void {
    if (name === "Result") this.result = parseResult(value);
    if (name === "Variant" && CHESS960.test(value) && !isChess960(this.rules))
      this.fail(line, `it is a game of ${value}, which is read as the game chess:chess960=true`);
    if (name !== "FEN" || this.isWrong || /^\s*[?-]?\s*$/.test(value)) return;
    this.from = value;
    this.try(line, () => (this.state = this.rules.parseState(value)));
  }

  wrongTag(text: string, line: number): void {
    // Without its position a game cannot be read; no other tag matters here.
    if (/^\[\s*FEN\b/i.test(text)) this.fail(line, `${shortened(text, 80)} is no tag; write [FEN "..."]`);
  }

  move(text: string, line: number): void {
    const { state, actions } = this;
    if (this.isWrong || actions.length >= this.plies || state.toMove === TERMINAL) return;
    if (isNullMove(text)) this.fail(line, `"${text}" is no move`);
    else
      this.try(line, () => {
        const action = this.rules.parseAction(text, state);
        actions.push(action);
        state.apply(action);
      });
  }

  comment(text: string): void {
    const pawns = EVALUATION.exec(text)?.[1];
    if (pawns === undefined || this.isWrong) return;
    // After the last action that is read nobody asks for it.
    this.values[this.actions.length] = (this.state.toMove === 1 ? -1 : 1) * valueOfPawns(pawns);
  }

  end(result: readonly number[] | undefined): void {
    const { from, actions, values, rules } = this;
    const returns = result ?? this.result ?? [];
    const known = { ...(from !== undefined && { from }), ...(values.length > 0 && { values }) };
    if (!this.isWrong) this.found.push({ ...known, actions, returns });
    this.game++;
    this.state = rules.start();
    this.from = this.result = undefined;
    this.actions = [];
    this.values = [];
    this.isWrong = false;
  }

  leftOut(message: string, line: number): void {
    this.found.push({ path: `line ${line}, game ${this.game}`, message });
  }

  private try(line: number, read: () => void): void {
    try {
      read();
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      this.fail(line, error.message);
    }
  }

  private fail(line: number, message: string): void {
    const path = `line ${line}, game ${this.game}, ply ${this.actions.length + 1}`;
    this.found.push({ path, message });
    this.isWrong = true;
  }
}
