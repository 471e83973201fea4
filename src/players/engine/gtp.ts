import { createRandom, type Random } from "../../base/random.ts";
import { InputError } from "../../base/errors.ts";
import { describeThrown } from "../../base/thrown.ts";
import type { Agent, Budget, Decision, SeatClock, Turn } from "../../agents/agent.ts";
import { TERMINAL, type Game, type State } from "../../games/contract/game.ts";
import { COLOURS, rowsOf, isCarriedByGtp } from "../gtp/dialect.ts";

/** A game, an agent that plays it, and the budget of its decisions. */
interface PreparedGame {
  readonly game: Game;
  readonly agent: Agent;
  readonly budget: Budget;
}

/** The options of a game that GTP changes. */
export type GameOptions = Readonly<Record<"size" | "komi", number | undefined>>;

/** The parts that an engine is made from. */
export interface GtpEngineParts {
  readonly name: string;
  readonly version: string;
  /** Makes the game, with its own options where those given are undefined, and the agent. Throws InputError. */
  prepare(options: GameOptions): Promise<PreparedGame>;
  readonly seed: string;
}

/** The command did not succeed. */
class Refusal extends Error {}

const SYNTAX_ERROR = "syntax error";
/** The budget of an agent without one, where there are no clocks. */
const USUAL_BUDGET: Budget = { timeMs: 1000 };
/** The actions that an analysis lists. */
const ANALYSED = 10;

type Command = (...words: string[]) => string | Promise<string>;

/** One of agon's agents as an engine that speaks the Go Text Protocol, version 2, for go or othello. */
export class GtpEngine {
  private readonly parts: GtpEngineParts;
  private readonly random: Random;
  private options: GameOptions = { size: undefined, komi: undefined };
  private prepared!: PreparedGame;
  private position!: State;
  private readonly played: number[] = [];
  /** The number of actions of each `play` and `genmove`: passes of the other player may come before. */
  private readonly steps: number[] = [];
  /** By player; none where there is no limit. */
  private readonly clocks: (SeatClock | undefined)[] = [undefined, undefined];
  private periodMs = 0;
  /** True while an analysis waits for the next line, which ends it. */
  private isAnalysing = false;
  hasQuit = false;

  private constructor(parts: GtpEngineParts) {
    this.parts = parts;
    this.random = createRandom(parts.seed, "gtp");
  }

  /** Throws InputError if there is no such game or agent. */
  static async create(parts: GtpEngineParts): Promise<GtpEngine> {
    const engine = new GtpEngine(parts);
    await engine.change({});
    return engine;
  }

  /** The answer to one line, which may be empty. */
  async hear(line: string): Promise<string> {
    const ended = this.isAnalysing ? "\n" : "";
    this.isAnalysing = false;
    const text = line
      .replace(/#.*/, "")
      .replaceAll("\t", " ")
      .replace(/\p{Cc}/gu, "")
      .trim();
    if (text === "") return ended;
    const [, id = "", rest = ""] = /^(\d*)\s*(.*)$/.exec(text) ?? [];
    const [name = "", ...words] = rest.split(/ +/);
    const { sign, answer } = await this.run(name, words);
    return `${ended}${sign}${id}${answer === "" ? "" : ` ${answer}`}\n${this.isAnalysing ? "" : "\n"}`;
  }

  private async run(name: string, words: readonly string[]): Promise<{ sign: string; answer: string }> {
    try {
      if (!Object.hasOwn(this.commands, name)) throw new Refusal("unknown command");
      return { sign: "=", answer: await this.commands[name]!(...words) };
    } catch (error) {
      // A fault of the agent's is told in one line, and the engine goes on.
      return { sign: "?", answer: error instanceof Refusal ? error.message : describeThrown(error) };
    }
  }

  private readonly commands: Readonly<Record<string, Command>> = {
    protocol_version: () => "2",
    name: () => this.parts.name,
    version: () => this.parts.version,
    known_command: (name = "") => String(Object.hasOwn(this.commands, name)),
    list_commands: () => Object.keys(this.commands).join("\n"),
    quit: () => {
      this.hasQuit = true;
      return "";
    },
    boardsize: async (text) => {
      const size = numberOf(text);
      if (!Number.isInteger(size)) throw new Refusal(SYNTAX_ERROR);
      await this.changeOr("unacceptable size", { size });
      return this.clear();
    },
    clear_board: async () => this.clear(),
    komi: async (text) => {
      const komi = numberOf(text);
      if (this.prepared.game.id === "go") await this.changeOr("unacceptable komi", { komi });
      return "";
    },
    play: (colour, vertex) => {
      this.play(colourOf(colour), vertex);
      return "";
    },
    genmove: async (colour) => this.genmove(colourOf(colour), true),
    reg_genmove: async (colour) => this.genmove(colourOf(colour), false),
    undo: () => {
      const count = this.steps.pop();
      if (count === undefined) throw new Refusal("cannot undo");
      for (let at = 0; at < count; at++) {
        this.played.pop();
        this.position.undo();
      }
      return "";
    },
    showboard: () => `\n${this.prepared.game.render(this.position)}`,
    final_score: () => this.score(),
    time_settings: (...words) => {
      const [main, byoYomi, moves] = [0, 1, 2].map((at) => numberOf(words[at])) as [number, number, number];
      // Time for byo-yomi, but no moves, means that there is no limit.
      const isUnlimited = moves === 0 && (byoYomi > 0 || main === 0);
      this.periodMs = moves > 0 ? (1000 * byoYomi) / moves : 0;
      this.clocks.fill(
        isUnlimited ? undefined : main > 0 ? this.mainClock(main) : byoYomiClock(byoYomi, moves),
      );
      return "";
    },
    time_left: (colour, ...words) => {
      const [left, moves] = [0, 1].map((at) => numberOf(words[at])) as [number, number];
      this.clocks[colourOf(colour)] = moves > 0 ? byoYomiClock(left, moves) : this.mainClock(left);
      return "";
    },
    "lz-analyze": async (...words) => this.analyze(words),
  };

  /** A clock in its main time. In byo-yomi, each move has the same part of the period. */
  private mainClock(leftS: number): SeatClock {
    const { periodMs } = this;
    return { leftMs: 1000 * leftS, incrementMs: 0, ...(periodMs > 0 && { periods: 1, periodMs }) };
  }

  private async change(options: Partial<GameOptions>): Promise<void> {
    const wanted = { ...this.options, ...options };
    this.prepared?.agent.close?.();
    this.prepared = await this.parts.prepare(wanted);
    this.options = wanted;
    const { game } = this.prepared;
    if (!isCarriedByGtp(game)) throw new InputError(`GTP carries go and othello, not ${game.id}`);
    this.position = game.start();
    for (const action of this.played) this.position.apply(action);
  }

  /** Changes the game, and refuses with a message if there is none with these options. */
  private async changeOr(refusal: string, options: Partial<GameOptions>): Promise<void> {
    const before = this.played.splice(0);
    if (!("size" in options)) this.played.push(...before);
    try {
      await this.change(options);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      this.played.splice(0, Infinity, ...before);
      await this.change({});
      throw new Refusal(refusal);
    }
  }

  private async clear(): Promise<string> {
    this.played.length = 0;
    this.steps.length = 0;
    this.position = this.prepared.game.start();
    await this.prepared.agent.newGame?.();
    return "";
  }

  /** Plays for a player. If the other one is to move, that one passes first. */
  private play(player: number, vertex = ""): void {
    if (!/^([a-z]\d+|pass)$/i.test(vertex)) throw new Refusal(SYNTAX_ERROR);
    const before = this.played.length;
    try {
      this.giveTurn(player);
      this.apply(this.prepared.game.parseAction(vertex, this.position));
    } catch (error) {
      this.takeBackTo(before);
      if (error instanceof InputError) throw new Refusal("illegal move");
      throw error;
    }
    this.steps.push(this.played.length - before);
  }

  /** A decision of the agent; a game that is over is passed on. */
  private async genmove(player: number, plays: boolean): Promise<string> {
    const before = this.played.length;
    try {
      this.giveTurn(player);
    } catch (error) {
      if (error instanceof InputError) return "pass";
      throw error;
    }
    const { action } = await this.decide({});
    const text = this.prepared.game.formatAction(action, this.position).toUpperCase();
    if (plays) {
      this.apply(action);
      this.steps.push(this.played.length - before);
    } else this.takeBackTo(before);
    return text === "PASS" ? "pass" : text;
  }

  private async decide(more: Pick<Turn, "ranked">): Promise<Decision> {
    const { game, agent, budget } = this.prepared;
    const copy = game.start();
    copy.copyFrom(this.position);
    const [black, white] = this.clocks;
    const hasClocks = black !== undefined && white !== undefined;
    return agent.choose(copy, {
      random: this.random,
      budget: hasClocks || Object.keys(budget).length > 0 ? budget : USUAL_BUDGET,
      clock: () => performance.now(),
      played: () => ({ actions: [...this.played] }),
      ...(hasClocks && { clocks: [black, white] }),
      ...more,
    });
  }

  /** The best actions, as Leela Zero lists them: once, since an agent's search does not go on. */
  private async analyze(words: readonly string[]): Promise<string> {
    const given = words.find((word) => /^[bw]/i.test(word));
    const before = this.played.length;
    const { game } = this.prepared;
    const { minReturn, maxReturn } = game;
    try {
      this.giveTurn(given === undefined ? this.position.toMove : colourOf(given));
      const { action, value = 0, line, nodes, ranking } = await this.decide({ ranked: ANALYSED });
      const best = ranking ?? [{ action, value, line, visits: nodes }];
      const infos = best.map((one, order) => {
        const moves = this.textsOf([one.action, ...one.line.slice(1)]);
        const winRate = Math.round((10_000 * (one.value - minReturn)) / (maxReturn - minReturn));
        const visits = one.visits ?? nodes;
        return `info move ${moves[0]} visits ${visits} winrate ${winRate} order ${order} pv ${moves.join(" ")}`;
      });
      this.isAnalysing = true;
      return `\n${infos.join(" ")}`;
    } catch (error) {
      if (error instanceof InputError) throw new Refusal("the game is over");
      throw error;
    } finally {
      this.takeBackTo(before);
    }
  }

  /** Actions that follow each other as texts. */
  private textsOf(actions: readonly number[]): string[] {
    const { game } = this.prepared;
    const texts = actions.map((action) => {
      const text = game.formatAction(action, this.position);
      this.position.apply(action);
      return text === "pass" ? text : text.toUpperCase();
    });
    for (const _ of actions) this.position.undo();
    return texts;
  }

  /** Passes for the other player if a player is not to move. Throws InputError where that cannot be. */
  private giveTurn(player: number): void {
    const { position } = this;
    if (position.toMove === TERMINAL) throw new InputError("the game is over");
    if (position.toMove !== player) this.apply(this.prepared.game.parseAction("pass", position));
    if (position.toMove !== player) throw new InputError(`${COLOURS[player]!} is not to move`);
  }

  private apply(action: number): void {
    this.position.apply(action);
    this.played.push(action);
  }

  private takeBackTo(count: number): void {
    while (this.played.length > count) {
      this.played.pop();
      this.position.undo();
    }
  }

  /** The score of the board as it stands: all stones are alive. */
  private score(): string {
    const { game } = this.prepared;
    const { size, komi = 0 } = game.options as { size: number; komi?: number };
    const rows = rowsOf(game.formatState(this.position), size);
    const count = (stone: string) => rows.join("").split(stone).length - 1;
    const lead = (game.id === "go" ? areaLead(rows) : count("X") - count("O")) - komi;
    return lead === 0 ? "0" : `${lead > 0 ? "B" : "W"}+${Math.abs(lead)}`;
  }
}

function colourOf(word = ""): number {
  const player = ["b", "w"].indexOf(word.toLowerCase()[0] ?? "");
  if (!/^(b|black|w|white)$/i.test(word)) throw new Refusal(SYNTAX_ERROR);
  return player;
}

function numberOf(word = ""): number {
  if (!/^-?\d+(\.\d*)?$/.test(word)) throw new Refusal(SYNTAX_ERROR);
  return Number(word);
}

/** A clock in byo-yomi, with time for some moves together. */
function byoYomiClock(leftS: number, moves: number): SeatClock {
  return { leftMs: 1000 * leftS, incrementMs: 0, movesToGo: moves };
}

/** The colours of stones as boards show them: the first player's and the second's. */
const STONES = "XO";

/**
 * The points of the first player less those of the second: stones, and empty regions that touch stones of one colour only.
 * @param rows a character for each point: X, O, or another one where nothing stands
 */
export function areaLead(rows: readonly string[]): number {
  const at = (row: number, column: number) => rows[row]?.[column];
  const seen = new Set<number>();
  let lead = 0;
  for (const [row, line] of rows.entries()) {
    for (const [column, point] of line.split("").entries()) {
      const stone = STONES.indexOf(point);
      if (stone >= 0) lead += 1 - 2 * stone;
      else if (!seen.has(row * line.length + column)) lead += regionLead(row, column);
    }
  }
  return lead;

  /** The lead that the empty region of a point gives. */
  function regionLead(row: number, column: number): number {
    const region = [[row, column] as const];
    const touched = new Set<string>();
    seen.add(row * rows[0]!.length + column);
    for (const [r, c] of region) {
      for (const [nextRow, next] of [
        [r - 1, c],
        [r + 1, c],
        [r, c - 1],
        [r, c + 1],
      ] as const) {
        const point = at(nextRow, next);
        if (point === undefined) continue;
        const key = nextRow * rows[0]!.length + next;
        if (STONES.includes(point)) touched.add(point);
        else if (!seen.has(key)) {
          seen.add(key);
          region.push([nextRow, next]);
        }
      }
    }
    const [only, another] = touched;
    if (only === undefined || another !== undefined) return 0;
    return (1 - 2 * STONES.indexOf(only)) * region.length;
  }
}
