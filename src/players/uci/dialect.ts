import { InputError } from "../../base/errors.ts";
import { MAX_LINE } from "../../base/thought.ts";
import { describeGiven } from "../../base/thrown.ts";
import type { Decision, NewGame, Played, Turn, SeatClock } from "../../agents/agent.ts";
import type { Game, ProtocolNotation, State } from "../../games/contract/game.ts";
import type { Dialect } from "../dialect.ts";
import { PlayerFault, type PlayerProcess } from "../player-process.ts";
import { parseInfo, valueOf } from "./info.ts";
import { findOption, formatSettings, parseOption, type EngineOption, type Setting } from "./options.ts";

/** An engine that says so many lines in place of an answer does not speak the protocol, or never stops. */
const MOST_LINES = 100_000;

/** The notation of UCI in a game. Only for games that have it. */
function notationOf(game: Game): ProtocolNotation {
  return game.protocols["uci"]!;
}

/** The choices that a user has about an engine. */
interface UciChoices {
  /** The engine's own options. */
  readonly options: Readonly<Record<string, Setting>>;
  /** True if it thinks while its opponent does, in games with a limit of time [false]. */
  readonly ponder?: boolean | undefined;
}

/** Speaks the Universal Chess Interface (Huber and Meyer-Kahlen 2000) with an engine. */
export class Uci implements Dialect {
  private readonly process: PlayerProcess;
  private readonly game: Game;
  private readonly choices: UciChoices;
  private position: Position | undefined;
  private isInGame = false;
  /** The search in the opponent's time, whose `bestmove` is still to come; undefined if there is none. */
  private pondering: "goes on" | "is stopped" | undefined;

  constructor(process: PlayerProcess, game: Game, choices: UciChoices) {
    this.process = process;
    this.game = game;
    this.choices = choices;
  }

  async greet(): Promise<void> {
    const options: EngineOption[] = [];
    this.process.say("uci");
    await this.hear("uciok", (line) => {
      const option = parseOption(line);
      if (option !== undefined) options.push(option);
    });
    const { options: own, ponder = false } = this.choices;
    if (ponder && findOption("Ponder", options) === undefined) {
      const message = "this engine has no option Ponder: it cannot think in its opponent's time";
      throw new InputError([{ path: "ponder", message }]);
    }
    const settings = ponder ? { ...own, Ponder: true } : own;
    await this.beReady(...formatSettings(settings, options, notationOf(this.game).settings));
  }

  async newGame(game: NewGame | undefined): Promise<void> {
    await this.endPondering();
    this.process.forget();
    this.position = undefined;
    this.isInGame = game !== undefined;
    await this.beReady("ucinewgame");
  }

  endGame(): void {
    this.stopPondering();
  }

  async decide(state: State, turn: Turn): Promise<Decision> {
    const { game } = this;
    const begunMs = turn.clock();
    const played = turn.played?.();
    if (this.pondering === "goes on" && played !== undefined && this.position!.isAfter(played)) {
      this.pondering = undefined;
      this.process.say("ponderhit");
    } else {
      await this.endPondering();
      this.go(this.describe(state, played), formatGo(turn, state.toMove));
    }
    let nodes = 0;
    let best: Partial<Decision> = {};
    let moves: readonly string[] = [];
    const answer = await this.hear("bestmove", (line) => {
      const info = parseInfo(line);
      if (info?.nodes !== undefined) nodes = info.nodes;
      if (info?.score === undefined) return;
      const { score, depth } = info;
      best = { value: valueOf(score, game), ...(depth === undefined ? {} : { depth }) };
      moves = info.line;
    });
    const [, given = "", , reply = ""] = answer.trim().split(/\s+/);
    const action = this.actionOf(given, state);
    const line = moves[0] === given ? this.lineOf(moves, state) : [action];
    if (played !== undefined)
      this.ponder(state, [given, reply], { turn, played, usedMs: turn.clock() - begunMs });
    return { ...best, action, nodes, line };
  }

  /** Says a position, and how long to think. Lines from before belong to no search. */
  private go(position: string, limits: string): void {
    this.process.forget();
    this.process.say(position, limits);
  }

  /**
   * Has the engine think on in its opponent's time, in games with a limit of time. `moves` are its own and the reply that it
   * expects; without a legal reply it does not ponder. Changes the state.
   */
  private ponder(
    state: State,
    moves: readonly string[],
    { turn, played, usedMs }: { turn: Turn; played: Played; usedMs: number },
  ): void {
    const { budget, clocks } = turn;
    const isTimed = clocks !== undefined || budget.timeMs !== undefined;
    if (this.choices.ponder !== true || !this.isInGame || !isTimed) return;
    const mover = state.toMove;
    const line = this.lineOf(moves, state);
    for (const action of line) state.apply(action);
    // The game may be over after the reply.
    if (line.length < moves.length || state.toMove !== mover) return;
    const left = clocks?.map((clock, seat) => (seat === mover ? pressed(clock, usedMs) : clock));
    const position = this.describe(state, { ...played, actions: [...played.actions, ...line] });
    this.go(position, formatGo({ budget, ...(left && { clocks: left }) }, mover, "go ponder"));
    this.pondering = "goes on";
  }

  private stopPondering(): void {
    if (this.pondering !== "goes on") return;
    this.process.say("stop");
    this.pondering = "is stopped";
  }

  /** Ends the search in the opponent's time, whose answer is thrown away. */
  private async endPondering(): Promise<void> {
    this.stopPondering();
    if (this.pondering === undefined) return;
    await this.hear("bestmove");
    this.pondering = undefined;
  }

  /** The command `position`. */
  private describe(state: State, played: Played | undefined): string {
    if (played === undefined) return `position ${notationOf(this.game).formatState(state)}`;
    if (this.position?.leadsTo(played) !== true) this.position = new Position(this.game, played.from);
    return this.position.after(played.actions);
  }

  private actionOf(given: string, state: State): number {
    const { game } = this;
    const notation = notationOf(game);
    const action = notation.parseAction(given, state);
    if (action !== undefined) return action;
    const position = notation.formatState(state);
    const isNone = given === "(none)" || given === "0000" || given === "";
    throw new PlayerFault(
      "illegal action",
      isNone
        ? `it said that it has no move (bestmove ${given}), and there are legal ones in ${position}`
        : `bestmove ${describeGiven(given)} is no legal move in ${position}`,
    );
  }

  /** The moves up to the first that is not legal. */
  private lineOf(moves: readonly string[], state: State): number[] {
    const notation = notationOf(this.game);
    const line: number[] = [];
    for (const move of moves.slice(0, MAX_LINE)) {
      const action = notation.parseAction(move, state);
      if (action === undefined) break;
      line.push(action);
      state.apply(action);
    }
    for (const _ of line) state.undo();
    return line;
  }

  /** Waits until the engine has obeyed the commands. */
  private async beReady(...commands: readonly string[]): Promise<void> {
    this.process.say(...commands, "isready");
    await this.hear("readyok");
  }

  /** Waits for the line that begins with `word`; lines before it go to `other`. */
  private async hear(word: string, other: (line: string) => void = () => {}): Promise<string> {
    for (let lines = 0; lines < MOST_LINES; lines++) {
      const line = await this.next(word);
      if (line.trim().split(/\s/, 1)[0] === word) return line;
      other(line);
    }
    throw new PlayerFault("exception", `it said ${MOST_LINES} lines without ${word}; does it speak UCI?`);
  }

  private async next(word: string): Promise<string> {
    try {
      return await this.process.hear();
    } catch (error) {
      if (!(error instanceof PlayerFault) || word === "bestmove") throw error;
      const { ending, message } = error;
      throw new PlayerFault(ending, `no ${word} from it, ${message}; does it speak UCI?`, error);
    }
  }
}

/** A position as the command `position` writes it: where play began, and the moves since then. */
class Position {
  private readonly from: string | undefined;
  private readonly notation: ProtocolNotation;
  private readonly state: State;
  private text: string;
  private readonly told: number[] = [];

  constructor(game: Game, from: string | undefined) {
    this.from = from;
    this.notation = notationOf(game);
    this.state = from === undefined ? game.start() : game.parseState(from);
    this.text = `position ${this.notation.formatState(this.state)}`;
  }

  /** False for another game, and after moves were taken back. */
  leadsTo({ from, actions }: Played): boolean {
    return from === this.from && this.told.every((action, at) => action === actions[at]);
  }

  /** True if the command for this play is the last one. */
  isAfter(played: Played): boolean {
    return this.leadsTo(played) && this.told.length === played.actions.length;
  }

  /** The command after these actions, of which it knows the first ones. */
  after(actions: readonly number[]): string {
    for (const action of actions.slice(this.told.length)) {
      const move = this.notation.formatAction(action, this.state);
      this.text += `${this.told.length === 0 ? " moves" : ""} ${move}`;
      this.told.push(action);
      this.state.apply(action);
    }
    return this.text;
  }
}

/** A part of the time for one move, and so many ms, are kept for the way to the clock. */
const KEPT = 0.01;
const KEPT_MS = 20;

/**
 * The command `go` with the limits of a turn of the player `mover`, in whole ms.
 * @internal tests alone import it.
 */
export function formatGo(
  { budget: { nodes, depth, timeMs }, clocks = [] }: Pick<Turn, "budget" | "clocks">,
  mover: number,
  command: "go" | "go ponder" = "go",
): string {
  const limits = {
    ...limitsOfClocks(clocks, mover),
    nodes,
    depth,
    ...(timeMs !== undefined && { movetime: timeMs }),
  };
  const given = Object.entries(limits).filter(([, limit]) => limit !== undefined);
  return [command, ...given.map(([name, limit]) => `${name} ${Math.max(1, Math.floor(limit!))}`)].join(" ");
}

/** The clock after a move that took `usedMs`. Main time that the move adds is not known here, and left out. */
function pressed(clock: SeatClock, usedMs: number): SeatClock {
  const { leftMs, incrementMs, movesToGo } = clock;
  const left = { leftMs: Math.max(0, leftMs - usedMs) + incrementMs };
  return { ...clock, ...left, ...(movesToGo !== undefined && { movesToGo: movesToGo - 1 }) };
}

/**
 * The clocks as the protocol knows them. Of byo-yomi it knows nothing: one period counts as time that is left, and when
 * nothing else is left, it is the time for the move.
 */
function limitsOfClocks(
  clocks: readonly SeatClock[],
  mover: number,
): Readonly<Record<string, number | undefined>> {
  const [white, black] = clocks;
  if (white === undefined || black === undefined) return {};
  const { leftMs, periodMs = 0, movesToGo } = clocks[mover]!;
  if (leftMs === 0 && periodMs > 0)
    return { movetime: Math.max(periodMs / 2, periodMs * (1 - KEPT) - KEPT_MS) };
  return {
    wtime: white.leftMs + (white.periodMs ?? 0),
    btime: black.leftMs + (black.periodMs ?? 0),
    winc: white.incrementMs || undefined,
    binc: black.incrementMs || undefined,
    movestogo: movesToGo,
  };
}
