import { MAX_LINE } from "../../base/thought.ts";
import { describeGiven } from "../../base/thrown.ts";
import type { Decision, Played, Turn, SeatClock } from "../../agents/agent.ts";
import type { Game, ProtocolNotation, State } from "../../games/contract/game.ts";
import type { Dialect } from "../dialect.ts";
import { PlayerFault, type PlayerProcess } from "../player-process.ts";
import { parseInfo, valueOf } from "./info.ts";
import { formatSettings, parseOption, type EngineOption, type Setting } from "./options.ts";

/** An engine that says so many lines in place of an answer does not speak the protocol, or never stops. */
const MOST_LINES = 100_000;

/** The notation of UCI in a game. Only for games that have it. */
function notationOf(game: Game): ProtocolNotation {
  return game.protocols["uci"]!;
}

/** Speaks the Universal Chess Interface (Huber and Meyer-Kahlen 2000) with an engine. */
export class Uci implements Dialect {
  private readonly process: PlayerProcess;
  private readonly game: Game;
  private readonly settings: Readonly<Record<string, Setting>>;
  private position: Position | undefined;

  constructor(process: PlayerProcess, game: Game, settings: Readonly<Record<string, Setting>>) {
    this.process = process;
    this.game = game;
    this.settings = settings;
  }

  async greet(): Promise<void> {
    const options: EngineOption[] = [];
    this.process.say("uci");
    await this.hear("uciok", (line) => {
      const option = parseOption(line);
      if (option !== undefined) options.push(option);
    });
    await this.beReady(...formatSettings(this.settings, options));
  }

  async newGame(): Promise<void> {
    this.process.skip();
    this.position = undefined;
    await this.beReady("ucinewgame");
  }

  async decide(state: State, turn: Turn): Promise<Decision> {
    const { game, process } = this;
    // Lines from before belong to no decision.
    process.skip();
    process.say(this.describe(state, turn.played?.()), formatGo(turn, state.toMove));
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
    const [, given = ""] = answer.trim().split(/\s+/);
    const action = this.actionOf(given, state);
    return { ...best, action, nodes, line: moves[0] === given ? this.lineOf(moves, state) : [action] };
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

  /** The moves up to the first that is not legal. Changes the state. */
  private lineOf(moves: readonly string[], state: State): number[] {
    const notation = notationOf(this.game);
    const line: number[] = [];
    for (const move of moves.slice(0, MAX_LINE)) {
      const action = notation.parseAction(move, state);
      if (action === undefined) break;
      line.push(action);
      state.apply(action);
    }
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
): string {
  const limits = {
    ...limitsOfClocks(clocks, mover),
    nodes,
    depth,
    ...(timeMs !== undefined && { movetime: timeMs }),
  };
  const given = Object.entries(limits).filter(([, limit]) => limit !== undefined);
  return ["go", ...given.map(([name, limit]) => `${name} ${Math.max(1, Math.floor(limit!))}`)].join(" ");
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
  const hasIncrement = white.incrementMs > 0 || black.incrementMs > 0;
  return {
    wtime: white.leftMs + (white.periodMs ?? 0),
    btime: black.leftMs + (black.periodMs ?? 0),
    ...(hasIncrement && { winc: white.incrementMs, binc: black.incrementMs }),
    movestogo: movesToGo,
  };
}
