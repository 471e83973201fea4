import { escapeControls } from "../../base/errors.ts";
import { createRandom, createRandoms, type Random } from "../../base/random.ts";
import type { EndgameTables } from "../../games/endgames/endgame-tables.ts";
import { CHANCE, TERMINAL, type Game, type State } from "../../games/contract/game.ts";
import { fromSetup } from "../../games/contract/setups.ts";
import { describeGiven, describeThrown, readableThrown } from "../../base/thrown.ts";
import type { Agent, Budget, Decision, NewGame, SeatClock } from "../../agents/agent.ts";
import { BrokenContract, GameInProgress } from "../../agents/game-in-progress.ts";
import { readThought, type OwnThought } from "../../agents/own-thought.ts";
import type { ForfeitEnding, GameRecord } from "../../ratings/record.ts";
import type { ScheduledGame } from "../schedule/schedule.ts";
import { type TimeControl, describeFlag, press, startClock } from "../plan/time-control.ts";
import type { Adjudication } from "../plan/adjudication.ts";
import { Adjudicator } from "./adjudicator.ts";
import { Charge, type ThreadTimes } from "./charge.ts";
import { roundValue, ThoughtLog } from "./thoughts.ts";
import { EndOfRun, PlayerFault } from "../../players/player-process.ts";
import { GameFault, gameFault } from "./game-fault.ts";

/** An agent that has a seat in a game, and its budget for each decision. */
export interface Seat {
  readonly agent: Agent;
  readonly budget: Budget;
  /** True if the agent is agon's own: what it throws is the fault of a user's game. */
  readonly isBuiltIn?: boolean;
  /** Its own time control [the referee's]. */
  readonly time?: TimeControl | undefined;
}

/** A scheduled game, whose entrants have become agents, with the run's seed. */
type Setup = Omit<ScheduledGame, "seats"> & { readonly seed: string };

/** The part of a record that play decides. */
export type GameResult = Omit<GameRecord, "id" | "block" | "seats" | "openingLength">;

/** Receives the seat whose code runs. */
export interface Watcher {
  /** Called before the seat's agent is asked for something; `hosted` if that happens in another process. */
  thinking(seat: number, hosted: boolean): void;
  /** The agent has answered, and its answer has been read. */
  idle(): void;
}

/** A forfeit: its seat and its cause. */
export interface Forfeit {
  readonly seat: number;
  readonly ending: ForfeitEnding;
  /** A sentence about it, for people. */
  readonly detail: string;
}

/** The end of a game. */
type End = Pick<GameResult, "returns" | "ending" | "forfeitSeat" | "detail">;

/** The parts of an agent's decision that count, or what it threw. */
interface Answer {
  readonly action?: unknown;
  readonly nodes?: unknown;
  readonly thought?: OwnThought | undefined;
  /** In a list, as anything can be thrown. */
  readonly thrown?: readonly [unknown];
}

/** The players of one game, and what they have and use. */
interface Seating {
  readonly setup: Setup;
  readonly seats: readonly Seat[];
  /** By seat: the generator of its decisions, and the one of its worlds where something is hidden. */
  readonly randoms: readonly Random[];
  readonly worlds: readonly Random[] | undefined;
  /** By seat, if there is a time control. */
  readonly clocks: SeatClock[] | undefined;
  readonly spent: { readonly decisions: number[]; readonly nodes: number[]; readonly timeMs: number[] };
}

/** The interval of looks at the clock of a player in a process, in ms. */
const FLAG_LOOK_MS = 50;

/** Options of a referee. */
export interface RefereeOptions {
  readonly watcher?: Watcher;
  /** The file of a game of the user's. Exceptions of such a game are its own fault: see game-fault.ts. */
  readonly gameFile?: string | undefined;
  /** False to leave out the thoughts of results [true]. */
  readonly thoughts?: boolean | undefined;
  /** The run as agents know it: its folder, and the cost that answers may have. */
  readonly run?: Pick<NewGame, "folder" | "replayed" | "maxCost"> | undefined;
  /** The time after which agents in processes forfeit, in ms [none]. */
  readonly limitMs?: number | undefined;
  /** The time control [none]. */
  readonly time?: TimeControl | undefined;
  /** The rules that end games before their end [none]. */
  readonly adjudicate?: Adjudication | undefined;
  /** The endgame tables of these rules. */
  readonly tables?: EndgameTables | undefined;
  /** The times of this thread, by which a time control does not charge waits [not known]. */
  readonly times?: ThreadTimes | undefined;
  /** Called before each decision with the actions so far. */
  readonly onDecision?:
    | ((actions: readonly number[], clocks: readonly SeatClock[] | undefined) => void)
    | undefined;
}

/**
 * Plays games of one kind, one after the other. It applies the agents' actions, samples chance events and keeps the
 * rules: an agent gets a copy of the state, and an illegal action or an exception forfeits the game.
 */
export class Referee {
  private readonly game: Game;
  private readonly watcher: Watcher | undefined;
  private readonly gameFile: string | undefined;
  private readonly keepsThoughts: boolean;
  private readonly limitMs: number;
  private readonly run: RefereeOptions["run"];
  private readonly time: TimeControl | undefined;
  private readonly charge: Charge;
  private readonly onDecision: RefereeOptions["onDecision"];
  private readonly log: ThoughtLog;
  private readonly adjudicator: Adjudicator | undefined;
  /** The game at hand. */
  private readonly progress: GameInProgress;

  constructor(game: Game, clock: () => number, options: RefereeOptions = {}) {
    this.game = game;
    this.watcher = options.watcher;
    this.gameFile = options.gameFile;
    this.keepsThoughts = options.thoughts ?? true;
    this.limitMs = options.limitMs ?? Infinity;
    this.run = options.run;
    this.time = options.time;
    this.charge = new Charge(clock, options.time && options.times);
    this.onDecision = options.onDecision;
    this.log = new ThoughtLog(game);
    this.adjudicator = options.adjudicate && new Adjudicator(game, options.adjudicate, options.tables);
    this.progress = new GameInProgress(game);
  }

  /** The fault for which a player in a process forfeited the last game. */
  fault: PlayerFault | undefined;

  /** Plays one game; `seats` are the game's players in order. Throws GameFault. */
  async play(seats: readonly Seat[], setup: Setup): Promise<GameResult> {
    const { game, gameFile: file } = this;
    this.fault = undefined;
    try {
      const seating = this.begin(seats, setup);
      const end = await this.playOut(seating);
      const actions = [...this.progress.actions];
      const result = { actions, ...end, ...seating.spent, thoughts: this.log.all() };
      const { from, actions: told } = fromSetup(game, actions);
      const shown = game.hiddenInformation ? [] : told;
      for (const { agent } of seats) agent.endGame?.(result.returns, shown, from);
      return result;
    } catch (error) {
      // Exceptions of agents do not come here.
      const isBug = file === undefined && !(error instanceof BrokenContract);
      const isKnown = error instanceof GameFault || error instanceof EndOfRun;
      throw isBug || isKnown ? error : gameFault(error, this.faulty());
    }
  }

  private begin(seats: readonly Seat[], setup: Setup): Seating {
    const { game, time, log, adjudicator, progress } = this;
    const { id, seed, block, opening } = setup;
    log.begin();
    adjudicator?.begin();
    progress.begin({ chance: game.chance ? createRandom(seed, "chance", block) : undefined, opening });
    const perSeat = () => seats.map(() => 0);
    return {
      setup,
      seats,
      randoms: createRandoms(seats.length, seed, "seats", id),
      worlds: game.hiddenInformation ? createRandoms(seats.length, seed, "worlds", id) : undefined,
      clocks: time && seats.map((seat) => startClock(seat.time ?? time)),
      spent: { decisions: perSeat(), nodes: perSeat(), timeMs: perSeat() },
    };
  }

  private async playOut(seating: Seating): Promise<End> {
    const { progress } = this;
    const { state } = progress;
    for (const [seat, { agent }] of seating.seats.entries()) {
      const end = agent.newGame && (await this.tellOfGame(seating, seat));
      if (end !== undefined) return end;
    }
    for (let mover = state.toMove; mover !== TERMINAL; mover = state.toMove) {
      if (mover === CHANCE) {
        progress.drawChance();
        continue;
      }
      const asked = this.ask(seating, mover);
      const end = this.settle(seating, mover, asked instanceof Promise ? await asked : asked);
      if (end !== undefined) return end;
    }
    return { returns: progress.returns(), ending: "finished", forfeitSeat: -1, detail: "" };
  }

  /** Tells a seat's agent of the game; returns the end if it forfeits. */
  private async tellOfGame({ seats, setup, randoms }: Seating, seat: number): Promise<End | undefined> {
    const { limitMs, run, watcher } = this;
    const { agent } = seats[seat]!;
    watcher?.thinking(seat, agent.isHosted ?? false);
    try {
      const begun = agent.newGame!({ id: setup.id, seat, random: randoms[seat]!, limitMs, ...run });
      if (begun instanceof Promise) await begun;
      return undefined;
    } catch (error) {
      return this.forfeitOf(readableThrown(error), seats[seat]!, seat);
    } finally {
      watcher?.idle();
    }
  }

  /** Asks the agent to move for its decision. What it returns is read while it is being watched. */
  private ask(seating: Seating, mover: number): Answer | Promise<Answer> {
    const { progress, charge, limitMs } = this;
    const { clocks } = seating;
    const seat = seating.seats[mover];
    if (seat === undefined) throw new BrokenContract(`toMove is ${mover}, which is no player`);
    const { agent, budget } = seat;
    this.onDecision?.(progress.actions, clocks);
    const told = progress.see(seating.worlds?.[mover]);
    this.watcher?.thinking(mover, agent.isHosted ?? false);
    charge.begin(seat);
    try {
      // Another's clock tells how many actions it made that nobody noticed.
      const isOpen = seating.worlds === undefined;
      const times = clocks && {
        clocks: clocks.map((one, at) =>
          isOpen || at === mover ? one : startClock(this.timeOf(seating.seats[at]!)),
        ),
      };
      const random = seating.randoms[mover]!;
      const turn = { random, budget, clock: charge.clock, limitMs, ...times, ...told };
      const chosen = agent.choose(progress.views[mover]!, turn);
      return chosen instanceof Promise
        ? this.waitFor(this.untilFlag(chosen, seat, clocks?.[mover]))
        : this.read(chosen);
    } catch (thrown) {
      return { thrown: [thrown] };
    }
  }

  private async waitFor(chosen: Promise<Decision>): Promise<Answer> {
    try {
      return this.read(await chosen);
    } catch (thrown) {
      return { thrown: [thrown] };
    }
  }

  /** Reads a decision, which may run the agent's code. */
  private read(decision: Partial<Decision> | undefined): Answer {
    const action: unknown = decision?.action;
    const nodes: unknown = decision?.nodes;
    const isRead = this.keepsThoughts || this.adjudicator !== undefined;
    return { action, nodes, thought: isRead ? readThought(decision, action) : undefined };
  }

  /** Judges an answer, and plays its action; returns the end of the game if there is one. */
  private settle(
    { seats, clocks, spent }: Seating,
    mover: number,
    { action, nodes, thought, thrown }: Answer,
  ): End | undefined {
    const { game, progress, log } = this;
    const seat = seats[mover]!;
    this.watcher?.idle();
    // Throws if there is no legal action.
    if (thrown !== undefined) progress.legalActions();
    const timeMs = thrown === undefined || clocks !== undefined ? this.charge.spentMs() : 0;
    const late = clocks && this.flagOf(seat, clocks[mover]!, timeMs);
    if (thrown === undefined) {
      spent.timeMs[mover]! += timeMs;
      spent.decisions[mover]!++;
    }
    const forfeit = (ending: ForfeitEnding, detail: string) =>
      forfeitEnd(game, progress.state, { seat: mover, ending, detail });
    if (late !== undefined) return forfeit("time-out", late);
    if (thrown !== undefined) return this.forfeitOf(readableThrown(thrown[0]), seat, mover);
    if (clocks !== undefined) clocks[mover] = press(this.timeOf(seat), clocks[mover]!, timeMs)!;
    if (!progress.isLegal(action)) {
      const where = game.formatState(progress.state);
      return forfeit("illegal action", `${describeGiven(action)} is not a legal action in ${where}`);
    }
    if (typeof nodes !== "number" || !Number.isSafeInteger(nodes) || nodes < 0) {
      const detail = `\`nodes\` of a decision must be a whole number from 0 on, got ${describeGiven(nodes)}`;
      return forfeit("exception", detail);
    }
    if (progress.plies === game.maxPlies)
      throw new BrokenContract(`the game goes on after maxPlies, ${game.maxPlies}`);
    spent.nodes[mover]! += nodes;
    if (this.keepsThoughts && (thought !== undefined || nodes > 0))
      log.add(thought ?? { line: [] }, { nodes, timeMs });
    else log.addSilent(timeMs);
    progress.apply(action);
    return this.adjudicated(mover, thought);
  }

  /** The end by the rules of adjudication after a player's decision; undefined if the game goes on. */
  private adjudicated(player: number, thought: OwnThought | undefined): End | undefined {
    const { adjudicator, game, progress } = this;
    if (adjudicator === undefined) return undefined;
    const value = thought?.value === undefined ? undefined : roundValue(game, thought.value);
    const verdict = adjudicator.after(progress.state, { player, value, plies: progress.plies });
    return verdict && { ...verdict, ending: "adjudicated", forfeitSeat: -1 };
  }

  /** The time control of a seat, in a game with clocks. */
  private timeOf(seat: Seat): TimeControl {
    return seat.time ?? this.time!;
  }

  /** Why the flag of a clock has fallen after a decision of `timeMs`; undefined if it has not. */
  private flagOf(seat: Seat, clock: SeatClock, timeMs: number): string | undefined {
    const time = this.timeOf(seat);
    if (press(time, clock, timeMs) !== undefined) return undefined;
    return describeFlag(time, clock, timeMs);
  }

  /** Waits for a decision. If the flag of a player in a process falls before, its process is ended. */
  private async untilFlag<T>(chosen: Promise<T>, seat: Seat, clock: SeatClock | undefined): Promise<T> {
    const { agent } = seat;
    if (clock === undefined || agent.isHosted !== true) return chosen;
    const timer = setInterval(() => {
      if (this.flagOf(seat, clock, this.charge.spentMs()) !== undefined) agent.close?.();
    }, FLAG_LOOK_MS);
    try {
      return await chosen;
    } finally {
      clearInterval(timer);
    }
  }

  /** The forfeit of an agent that threw. Throws GameFault if a built-in agent threw with a user's game, and EndOfRun. */
  private forfeitOf(thrown: unknown, { isBuiltIn = false }: Seat, seat: number): End {
    const { game } = this;
    if (thrown instanceof EndOfRun) throw thrown;
    if (thrown instanceof PlayerFault) {
      this.fault = thrown;
      return forfeitEnd(game, this.progress.state, { seat, ending: thrown.ending, detail: thrown.message });
    }
    if (isBuiltIn && this.gameFile !== undefined) throw gameFault(thrown, this.faulty());
    const detail = describeThrown(thrown);
    return forfeitEnd(game, this.progress.state, { seat, ending: "exception", detail });
  }

  private faulty() {
    return { game: this.game, file: this.gameFile, actions: this.progress.actions };
  }
}

/** The longest detail of a forfeit. */
export const MAX_DETAIL = 2000;

/** The end by a forfeit in a state. */
function forfeitEnd(game: Game, state: State, { seat, ending, detail }: Forfeit): End {
  const said = isDrawn(game, state, { seat, ending })
    ? `${detail}; a draw, since no legal moves of both let the other win`
    : detail;
  const shown = escapeControls(said.slice(0, MAX_DETAIL)).slice(0, MAX_DETAIL);
  return { returns: forfeitReturns(game, state, { seat, ending }), ending, forfeitSeat: seat, detail: shown };
}

/** A forfeit without its reason. */
type Forfeiture = Pick<Forfeit, "seat" | "ending">;

/** True if the time of a player has run out, and the other one cannot win. */
function isDrawn(game: Game, state: State, { seat, ending }: Forfeiture): boolean {
  if (ending !== "time-out" || game.players !== 2 || state.toMove === TERMINAL) return false;
  return game.canWin?.(state, 1 - seat) === false;
}

/** The record of a game of which only its forfeit is known. */
export function forfeited(game: Game, scheduled: ScheduledGame, forfeit: Forfeit): GameRecord {
  const { id, block, seats, opening } = scheduled;
  const none = seats.map(() => 0);
  const state = game.start();
  for (const action of opening) state.apply(action);
  return {
    id,
    block,
    seats,
    openingLength: opening.length,
    actions: opening,
    ...forfeitEnd(game, state, forfeit),
    decisions: none,
    nodes: none,
    timeMs: none,
    thoughts: [],
  };
}

/**
 * The returns after a forfeit. The team of the seat that forfeits shares the lowest return. In a zero-sum game the others share
 * its opposite; in other games they get the highest return. A draw is in the middle.
 */
export function forfeitReturns(game: Game, state: State, forfeit: Forfeiture): number[] {
  const { players, teams, zeroSum, minReturn, maxReturn } = game;
  const forfeitSeat = forfeit.seat;
  if (isDrawn(game, state, forfeit))
    return Array.from({ length: players }, () => (minReturn + maxReturn) / 2);
  const seats = Array.from({ length: players }, (_, seat) => seat);
  const isLost = seats.map((seat) =>
    teams === undefined ? seat === forfeitSeat : teams[seat] === teams[forfeitSeat],
  );
  const losers = isLost.filter(Boolean).length;
  const share = zeroSum && losers < players ? (0 - minReturn) / (players - losers) : maxReturn;
  return isLost.map((lost) => (lost ? minReturn / (zeroSum ? losers : 1) : share));
}
