import { setTimeout as sleep } from "node:timers/promises";
import { InputError } from "../../../base/errors.ts";
import type { AgentSpec, Decision } from "../../../agents/agent.ts";
import type { PreparedAgent } from "../../../agents/prepare.ts";
import { varyGame, type Game } from "../../../games/contract/game.ts";
import { legalLine, possibleActions } from "../../../games/contract/notation.ts";
import { findOption, formatOption, valueFor, type EngineOption } from "../../uci/options.ts";
import { centipawnsOf } from "../../uci/info.ts";
import { NO_LIMIT_MS, Search, type EngineLoader, type TimedDecision } from "../search.ts";
import { agentOptions, withOption, type AgentOption } from "./agent-options.ts";
import { limitsOf, parseGo, timeOf, type Go, parsePosition, PLAYED_ON, type Position } from "./go.ts";

/** An agent that does not look at the clock is not waited for longer at the end. */
const PATIENCE_MS = 1000;

/** Options of the engine itself. The time that is lost between it and the clock is in ms. */
const OWN_OPTIONS = [
  { name: "MultiPV", type: "spin", default: "1", min: 1, max: 500 },
  { name: "Move Overhead", type: "spin", default: "10", min: 0, max: 5000 },
  { name: "Ponder", type: "check", default: "false" },
  { name: "UCI_Chess960", type: "check", default: "false" },
] as const satisfies readonly EngineOption[];

export interface UciEngineOptions {
  readonly loader: EngineLoader;
  readonly agent: AgentSpec;
  /** The agent's randomness descends from it. */
  readonly seed: string;
  readonly version: string;
  readonly say: (line: string) => void;
}

/** The search at hand. */
interface Thinking {
  readonly position: Position;
  readonly go: Go;
  /** True if the answer waits for `stop` or `ponderhit`. */
  waits: boolean;
  /** The answer, while it waits. */
  answer?: string;
  /** The nodes of the last lines `info`. */
  told?: number;
}

/** The commands that are obeyed. */
const COMMANDS = ["uci", "isready", "setoption", "ucinewgame", "position", "go", "ponderhit", "stop", "quit"];

/** One of agon's agents as a chess engine that speaks UCI (Huber and Meyer-Kahlen 2000). */
export class UciEngine {
  private games: Games;
  /** The game whose actions are written as UCI writes them. */
  private written: Game;
  private readonly options: UciEngineOptions;
  private spec: AgentSpec;
  private prepared: PreparedAgent;
  private search: Search | undefined;
  /** Undefined after one that could not be read. */
  private position: Position | undefined;
  private thinking: Thinking | undefined;
  private readonly settings = new Map<string, string>();
  private timer: NodeJS.Timeout | undefined;
  /** Resolved when no search is at hand. */
  private idle: Promise<void> = Promise.resolve();
  private rest: () => void = () => {};

  /** Makes an engine. Throws InputError if there is no such agent, or it does not play chess. */
  static async create(options: UciEngineOptions): Promise<UciEngine> {
    const { loader, agent } = options;
    const games = await loadGames(loader, { chess960: false });
    return new UciEngine(games, await loader.prepareAnyBudget(games.own, agent), options);
  }

  private constructor(games: Games, prepared: PreparedAgent, options: UciEngineOptions) {
    this.games = games;
    this.written = writtenAsUci(games.own);
    this.options = options;
    this.spec = options.agent;
    this.prepared = prepared;
    this.position = parsePosition("startpos", games);
    for (const { name, default: usual } of OWN_OPTIONS) this.settings.set(name, usual);
  }

  /**
   * Obeys one line. `isready` and `stop` are answered while the agent thinks. Unknown words before a command are passed over,
   * as the protocol wants it.
   */
  async hear(line: string): Promise<void> {
    const all = line.trim().split(/\s+/);
    const first = all.findIndex((word) => COMMANDS.includes(word));
    const [command, ...words] = all.slice(Math.max(0, first));
    try {
      switch (command) {
        case "uci":
          return this.introduce();
        case "isready":
          if (this.thinking === undefined) await this.searching().ready;
          return this.say("readyok");
        case "setoption":
          return await this.setOption(words.join(" "));
        case "ucinewgame":
          return this.searching().newGame();
        case "position":
          // A position that cannot be read leaves none: an answer for another one would be played.
          this.position = undefined;
          this.position = parsePosition(words.join(" "), this.games);
          return this.sayOfRights(words.join(" "));
        case "go":
          return this.go(words);
        case "ponderhit":
          return this.ponderHit();
        case "stop":
          return this.stop();
      }
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      for (const text of error.message.split("\n")) this.say(`info string ${text}`);
    }
  }

  /** Ends the search at hand, with an answer if the agent gives one soon. Then ends the thread. */
  async close(): Promise<void> {
    this.stop();
    await Promise.race([this.idle, this.waited()]);
    this.search?.close();
  }

  /** Resolves when a thread that could think has been waited for. */
  private async waited(): Promise<void> {
    await this.search?.ready;
    await sleep(PATIENCE_MS, undefined, { ref: false });
  }

  private introduce(): void {
    this.say(`id name agon ${this.options.version} ${this.spec.agent}`);
    this.say("id author the authors of agon");
    for (const option of [...this.agentOptions, ...OWN_OPTIONS]) this.say(formatOption(option));
    this.say("uciok");
  }

  /** The options of the agent, with the names of the engine's own left out. */
  private get agentOptions(): AgentOption[] {
    return agentOptions(this.prepared).filter(({ name }) => findOption(name, OWN_OPTIONS) === undefined);
  }

  private async setOption(text: string): Promise<void> {
    const [, name = "", given = ""] = /^name\s+(.*?)(?:\s+value(?:\s+(.*))?)?$/.exec(text) ?? [];
    const known = this.agentOptions;
    const option = findOption(name, [...known, ...OWN_OPTIONS]);
    if (option === undefined) throw new InputError(`no such option: ${name}`);
    const value = valueFor(option, given === "<empty>" ? "" : given);
    if (value === undefined) throw new InputError(`option ${option.name} does not take ${given}`);
    const ofAgent = known.find((one) => one.name === option.name);
    const isVariant = option.name === "UCI_Chess960";
    if (ofAgent === undefined && !isVariant) return void this.settings.set(option.name, value);
    if (this.thinking !== undefined) throw new InputError("options cannot be set while it thinks");
    const { loader } = this.options;
    const games = isVariant ? await loadGames(loader, { chess960: value === "true" }) : this.games;
    const spec = ofAgent === undefined ? this.spec : withOption(this.spec, ofAgent, value);
    this.prepared = await loader.prepareAnyBudget(games.own, spec);
    this.spec = spec;
    if (isVariant) {
      this.games = games;
      this.written = writtenAsUci(games.own);
      this.position = parsePosition("startpos", games);
    }
    // The next search has a new thread.
    this.search?.close();
    this.search = undefined;
  }

  private searching(): Search {
    const { spec: agent, options } = this;
    const { loader, seed } = options;
    return (this.search ??= new Search({ loader: loader.url, game: this.games.own.spec!, agent, seed }));
  }

  private go(words: readonly string[]): void {
    if (this.thinking !== undefined) return this.say("info string it thinks already: stop comes first");
    const { position, prepared, games } = this;
    if (position === undefined) {
      this.say("info string there is no position: the last one could not be read");
      return this.say("bestmove 0000");
    }
    const { state, playedOn } = position;
    const go = parseGo(words);
    const legal = playedOn.toMove < 0 ? [] : possibleActions(games.playedOn, playedOn);
    const allowed = this.allowedBy(go, position);
    this.thinking = { position, go, waits: go.infinite || go.ponder };
    this.idle = new Promise((resolve) => (this.rest = resolve));
    // The agent knows no play after a draw for want of material.
    if (state.toMove < 0)
      return this.answer(
        legal.length === 0 ? "(none)" : this.written.formatAction(allowed?.[0] ?? legal[0]!, playedOn),
      );
    this.searching().start(
      {
        played: position.played,
        ...limitsOf(go, prepared.budget, this.keeper(state.toMove)),
        // The best of some moves is found among the lines of all.
        ranked: allowed === undefined ? this.setting("MultiPV") : legal.length,
      },
      {
        iterated: (found) => this.inform({ ...found, decision: bestOf(found.decision, allowed) }),
        decided: (all) => {
          const found = { ...all, decision: bestOf(all.decision, allowed) };
          const { action, nodes } = found.decision;
          // The last iteration was broken off, or there was none.
          if (nodes !== this.thinking?.told) this.inform(found);
          const [best = "0000", reply] = legalLine(this.written, state, [
            action,
            ...found.decision.line.slice(1),
          ]);
          this.answer(reply === undefined ? best : `${best} ponder ${reply}`);
        },
        failed: (problem) => {
          this.say(`info string the agent failed in ${games.own.formatState(state)}: ${problem}`);
          this.answer("0000");
        },
      },
    );
  }

  /** The legal ones of the moves that `go` allows; undefined: all. Says which are not legal. */
  private allowedBy({ searchMoves }: Go, { playedOn }: Position): readonly number[] | undefined {
    if (searchMoves === undefined || playedOn.toMove < 0) return undefined;
    const notation = this.games.own.protocols["uci"]!;
    const allowed = searchMoves.flatMap((move) => {
      const action = notation.parseAction(move, playedOn);
      if (action === undefined) this.say(`info string searchmoves: ${move} is not legal`);
      return action ?? [];
    });
    return allowed.length === 0 ? undefined : allowed;
  }

  /** Says which castling rights of a FEN are none, for want of a king or a rook at home. */
  private sayOfRights(text: string): void {
    const [, fen = "", given = ""] = /^(fen\s+\S+\s+\S+\s+([KQkq]+)\s+\S+)/.exec(text) ?? [];
    if (given === "") return;
    const { own } = this.games;
    const [, , kept = ""] = own.formatState(own.parseState(fen)).split(" ");
    const dropped = Array.from(given).filter((right) => !kept.includes(right));
    if (dropped.length > 0)
      this.say(`info string castling ${dropped.join("")} is no right there: king or rook is not at home`);
  }

  private keeper(player: number) {
    return { player, family: this.prepared.family, overheadMs: this.setting("Move Overhead") };
  }

  private setting(name: (typeof OWN_OPTIONS)[number]["name"]): number {
    return Number(this.settings.get(name));
  }

  /** Tells what the agent thinks: a line for each of the best actions. */
  private inform({ decision, timeMs }: TimedDecision): void {
    const { position, go } = this.thinking!;
    const { depth, nodes, value, line, pliesToEnd } = decision;
    this.thinking!.told = nodes;
    const first = value === undefined ? [] : [{ value, line, pliesToEnd }];
    const others =
      decision.ranking?.slice(1, this.setting("MultiPV")).map((one) => ({ ...one, pliesToEnd: undefined })) ??
      [];
    for (const [at, one] of [...first, ...others].entries()) {
      const parts = {
        depth: depth ?? 1,
        ...(this.setting("MultiPV") > 1 && { multipv: at + 1 }),
        score: scoreOf(one, this.games.own),
        nodes,
        nps: Math.round((1000 * nodes) / Math.max(1, timeMs)),
        time: Math.round(timeMs),
        pv: legalLine(this.written, position.state, one.line).join(" "),
      };
      this.say(
        `info ${Object.entries(parts)
          .map((entry) => entry.join(" "))
          .join(" ")}`,
      );
    }
    if (go.mate !== undefined && (pliesToEnd ?? Infinity) <= 2 * go.mate - 1) this.search?.stop();
  }

  private answer(move: string): void {
    const { thinking } = this;
    if (thinking === undefined) return;
    if (thinking.waits) {
      thinking.answer = move;
      return;
    }
    clearTimeout(this.timer);
    this.thinking = undefined;
    this.say(`bestmove ${move}`);
    this.rest();
  }

  /** The move that was pondered on has been played: its time runs from now on. */
  private ponderHit(): void {
    const { thinking } = this;
    if (thinking?.go.ponder !== true) return;
    const timeMs = timeOf(thinking.go, this.keeper(thinking.position.playedOn.toMove));
    this.release();
    if (timeMs !== undefined && this.thinking !== undefined)
      this.timer = setTimeout(() => this.search?.stop(), Math.min(timeMs, NO_LIMIT_MS));
  }

  private stop(): void {
    this.search?.stop();
    this.release();
  }

  /** Nothing is waited for any more but the agent. */
  private release(): void {
    const { thinking } = this;
    if (thinking === undefined) return;
    thinking.waits = false;
    if (thinking.answer !== undefined) this.answer(thinking.answer);
  }

  private say(line: string): void {
    this.options.say(line);
  }
}

/** The game that the agent plays, and the one that is played on after draws. */
interface Games {
  readonly own: Game;
  readonly playedOn: Game;
}

async function loadGames(loader: EngineLoader, { chess960 }: { chess960: boolean }): Promise<Games> {
  const variant = chess960 ? { chess960 } : {};
  const own = await loader.loadGame({ id: "chess", ...variant });
  return { own, playedOn: await loader.loadGame({ ...PLAYED_ON, ...variant }) };
}

function writtenAsUci(game: Game): Game {
  const notation = game.protocols["uci"]!;
  return varyGame(game, { formatAction: (action, state) => notation.formatAction(action, state) });
}

/** The decision for the best of the allowed actions; the first of them if the agent ranks none. */
function bestOf(decision: Decision, allowed: readonly number[] | undefined): Decision {
  if (allowed === undefined) return decision;
  const ranking = decision.ranking?.filter(({ action }) => allowed.includes(action)) ?? [];
  const { value: _, ranking: __, pliesToEnd: ___, ...searched } = decision;
  const [best] = ranking;
  if (best?.action === decision.action || (best === undefined && allowed.includes(decision.action)))
    return { ...decision, ranking };
  if (best === undefined) return { ...searched, action: allowed[0]!, line: [allowed[0]!] };
  return { ...searched, action: best.action, value: best.value, line: best.line, ranking };
}

/** A value as `cp` and centipawns, or `mate` and moves if it is proven. */
function scoreOf(
  { value, pliesToEnd }: { readonly value: number; readonly pliesToEnd?: number | undefined },
  game: Game,
): string {
  const { minReturn, maxReturn } = game;
  if (pliesToEnd !== undefined && value >= maxReturn) return `mate ${Math.ceil(pliesToEnd / 2)}`;
  if (pliesToEnd !== undefined && value <= minReturn) return `mate ${-Math.floor(pliesToEnd / 2)}`;
  return `cp ${centipawnsOf(value, game)}`;
}
