import { unknownName } from "../../base/text.ts";
import { InputError } from "../../base/errors.ts";
import type { Decision, NewGame, SeatClock, Turn } from "../../agents/agent.ts";
import type { Game, State } from "../../games/contract/game.ts";
import type { Dialect } from "../dialect.ts";
import { PlayerFault, type PlayerProcess } from "../player-process.ts";

const PROTOCOL = "2";
/** The command by which GNU Go and others make a game repeatable. */
const SEED_COMMAND = "set_random_seed";

const NO_POSITIONS = "GTP cannot begin in a position of othello: the moves from the start are needed";
/** No game here has a move for resigning. */
const RESIGNED = "it resigned, which is a loss here; GNU Go plays on with --never-resign";

/** True if GTP can carry a game: its moves are points or passes of two players in turn. */
export function isCarriedByGtp({ id }: Game): boolean {
  return id === "go" || id === "othello";
}

/** Speaks the Go Text Protocol, version 2, for go and othello. */
export class Gtp implements Dialect {
  private readonly connection: GtpConnection;
  private readonly game: Game;
  /** Commands of the user's, sent once at the start. */
  private readonly commands: readonly string[];
  private known: readonly string[] = [];
  /** The actions that the engine's board has; undefined if its board is not known. */
  private told: number[] | undefined;
  /** The position in which they begin, in the game's notation. */
  private from = "";
  /** True once the game's time control is told. */
  private isTimed = false;

  constructor(process: PlayerProcess, game: Game, commands: readonly string[] = []) {
    this.connection = new GtpConnection(process);
    this.game = game;
    this.commands = commands;
  }

  async greet(): Promise<void> {
    const { connection, game } = this;
    const version = await connection.demand("protocol_version");
    if (version !== PROTOCOL)
      throw new InputError(`it speaks version "${brief(version)}" of GTP; this program speaks ${PROTOCOL}`);
    const name = await connection.demand("name");
    this.known = (await connection.demand("list_commands")).split(/\s+/);
    const commands = game.id === "go" ? [...this.commands, `komi ${this.komi}`] : this.commands;
    await this.accepted(name, `boardsize ${this.size}`, `a board of size ${this.size}`);
    for (const command of commands) {
      const [word = ""] = command.split(" ");
      if (!this.known.includes(word))
        throw new InputError(`${name}: ${unknownName("command of GTP", word, this.known)}`);
      await this.accepted(name, command, `the command "${command}"`);
    }
  }

  async newGame(game: NewGame | undefined): Promise<void> {
    const seedIsOurs = !this.commands.some((command) => command.startsWith(SEED_COMMAND));
    if (game !== undefined && seedIsOurs && this.known.includes(SEED_COMMAND))
      await this.connection.demand(`${SEED_COMMAND} ${game.random.save()[0]! >>> 1}`);
    await this.clear();
  }

  async decide(state: State, turn: Turn): Promise<Decision> {
    await this.bringTo(state, turn);
    await this.tellClocks(turn.clocks ?? [], state.toMove);
    const answer = await this.connection.demand(`genmove ${COLOURS[state.toMove]!}`);
    const action = this.read(answer, state);
    this.told!.push(action);
    return { action, nodes: 0, line: [] };
  }

  private get size(): number {
    return Number(this.game.options["size"]);
  }

  private get komi(): number {
    return Number(this.game.options["komi"]);
  }

  private async accepted(name: string, command: string, thing: string): Promise<void> {
    const { succeeded, text } = await this.connection.ask(command);
    if (!succeeded) throw new InputError(`${name} refuses ${thing}: ${brief(text)}`);
  }

  private async clear(): Promise<void> {
    this.told = undefined;
    this.isTimed = false;
    await this.connection.demand("clear_board");
    if (this.game.id === "go") await this.connection.demand(`komi ${this.komi}`);
    this.told = [];
    this.from = this.game.formatState(this.game.start());
  }

  /** Plays on the engine's board what it lacks. A game that does not go on from that board begins again. */
  private async bringTo(state: State, turn: Turn): Promise<void> {
    const { game } = this;
    const { actions, from = game.formatState(game.start()) } = turn.played?.() ?? {
      actions: [],
      from: game.formatState(state),
    };
    const goesOn = this.from === from && (this.told?.every((action, at) => action === actions[at]) ?? false);
    if (!goesOn) await this.clear();
    if (this.from !== from) await this.setUp(from);
    const told = this.told!;
    const position = game.parseState(from);
    for (const [at, action] of actions.entries()) {
      if (at >= told.length) {
        const move = `${COLOURS[position.toMove]!} ${game.formatAction(action, position)}`;
        const { succeeded, text } = await this.connection.ask(`play ${move}`);
        if (!succeeded) throw new PlayerFault("exception", this.dispute(move, text));
        told.push(action);
      }
      position.apply(action);
    }
  }

  /** Puts the stones of a position on the empty board. GTP has no passes, ko or earlier boards of a position. */
  private async setUp(from: string): Promise<void> {
    if (this.game.id !== "go") throw new InputError(NO_POSITIONS);
    for (const stone of stonesOf(from, this.size)) await this.connection.demand(`play ${stone}`);
    this.from = from;
  }

  /** Tells clocks in whole seconds, and fewer rather than more. GTP has no increments. */
  private async tellClocks(clocks: readonly SeatClock[], mover: number): Promise<void> {
    const own = clocks[mover];
    if (own !== undefined && !this.isTimed && this.known.includes("time_settings"))
      await this.connection.demand(`time_settings ${settingsOf(own)}`);
    this.isTimed = true;
    if (!this.known.includes("time_left")) return;
    for (const [player, clock] of clocks.entries())
      await this.connection.demand(`time_left ${COLOURS[player]!} ${timeLeft(clock)}`);
  }

  private dispute(move: string, text: string): string {
    const { size: _, komi: __, moveLimit: ___, ...rules } = this.game.options;
    const ours = Object.entries(rules).map(([key, value]) => `${key}: ${String(value)}`);
    const hint = ours.length === 0 ? "" : `; the rules here are ${ours.join(", ")}`;
    return `it refuses the legal move "${move}": ${brief(text)}${hint}`;
  }

  private read(answer: string, state: State): number {
    const { game } = this;
    const move = answer.toLowerCase();
    if (move === "resign") throw new PlayerFault("illegal action", RESIGNED);
    try {
      if (/^(pass|[a-z]\d+)$/.test(move)) return game.parseAction(move, state);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      throw new PlayerFault("illegal action", error.message);
    }
    throw new PlayerFault("illegal action", `"${brief(answer)}" is no move; a move is d4, pass or resign`);
  }
}

/** Main time, and the time of so many moves after it. */
function settingsOf({ leftMs, movesToGo, periodMs }: SeatClock): string {
  if (movesToGo !== undefined) return `0 ${seconds(leftMs)} ${movesToGo}`;
  return periodMs === undefined ? `${seconds(leftMs)} 0 0` : `${seconds(leftMs)} ${seconds(periodMs)} 1`;
}

/** Time left, and the moves for it; 0 moves in main time. */
function timeLeft({ leftMs, movesToGo, periodMs }: SeatClock): string {
  if (leftMs === 0 && periodMs !== undefined) return `${seconds(periodMs)} 1`;
  return `${seconds(leftMs)} ${movesToGo ?? 0}`;
}

function seconds(timeMs: number): number {
  return Math.floor(timeMs / 1000);
}

/** An answer of GTP: `= text` if the command succeeded, `? text` if not. */
export interface GtpAnswer {
  readonly succeeded: boolean;
  readonly text: string;
}

/** The most lines of one answer. GNU Go lists its 160 commands, one a line. */
const MAX_LINES = 5000;
const MAX_SHOWN = 60;

/**
 * Sends commands of the Go Text Protocol, version 2, one after the other, and reads their answers. An answer ends with an
 * empty line. Commands have no ids.
 */
export class GtpConnection {
  private readonly process: PlayerProcess;

  constructor(process: PlayerProcess) {
    this.process = process;
  }

  async ask(command: string): Promise<GtpAnswer> {
    this.process.say(command);
    let line = await this.process.hear();
    while (line.trim() === "") line = await this.process.hear();
    const [, sign, text = ""] = /^([=?])\d*\s*(.*)$/.exec(line) ?? [];
    if (sign === undefined)
      throw new PlayerFault(
        "exception",
        `"${brief(line)}" is no answer of GTP to "${command}": answers begin with = or ?`,
      );
    const lines = [text];
    for (line = await this.process.hear(); line.trim() !== ""; line = await this.process.hear()) {
      if (lines.push(line) > MAX_LINES)
        throw new PlayerFault("exception", `its answer to "${command}" has more than ${MAX_LINES} lines`);
    }
    return { succeeded: sign === "=", text: lines.join("\n").trim() };
  }

  /** The text of a successful answer. Throws PlayerFault for any other one. */
  async demand(command: string): Promise<string> {
    const { succeeded, text } = await this.ask(command);
    if (succeeded) return text;
    throw new PlayerFault("exception", `it answered "${command}" with "? ${brief(text)}"`);
  }
}

/** The beginning of a text of the player's. */
function brief(text: string): string {
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}...` : text;
}

/** The players of GTP. */
export const COLOURS: readonly string[] = ["black", "white"];

/** The letters of the columns; i is left out. */
const COLUMNS = "abcdefghjklmnopqrst";
const STONES = "XO";

/**
 * The rows of the board in a text of a position, from the top, such as `3X1/5/1O3/5/5 b`; a number stands for so many empty
 * points.
 */
export function rowsOf(position: string, size: number): string[] {
  const [board = ""] = position.split(" ");
  const cells = board.replace(/\d+/g, (count) => ".".repeat(Number(count))).replaceAll("/", "");
  return Array.from({ length: size }, (_, row) => cells.slice(row * size, (row + 1) * size));
}

/**
 * The stones of such a text, as `black d4`. On an empty board they can be played in any order, as each group has a liberty.
 * @internal tests alone import it.
 */
export function stonesOf(position: string, size: number): string[] {
  return rowsOf(position, size).flatMap((row, fromTop) =>
    row.split("").flatMap((point, column) => {
      const player = STONES.indexOf(point);
      return player < 0 ? [] : [`${COLOURS[player]!} ${COLUMNS[column]!}${size - fromTop}`];
    }),
  );
}
