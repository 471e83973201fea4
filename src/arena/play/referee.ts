import { escapeControls } from "../../base/errors.ts";
import { createRandom, createRandoms, type Random } from "../../base/random.ts";
import type { EndgameTables } from "../../games/endgames/endgame-tables.ts";
import { CHANCE, TERMINAL, type Game, type State } from "../../games/contract/game.ts";
import { fromSetup } from "../../games/contract/setups.ts";
import { describeGiven, describeThrown, readableThrown } from "../../base/thrown.ts";
import type { Agent, Budget, Decision, SeatClock } from "../../agents/agent.ts";
import { DrawnWorld } from "../../agents/worlds.ts";
import { readThought, type OwnThought } from "../../agents/own-thought.ts";
import type { ForfeitEnding, GameRecord } from "../../ratings/record.ts";
import type { ScheduledGame } from "../schedule/schedule.ts";
import type { TimeControl } from "../plan/time-control.ts";
import type { Adjudication } from "../plan/adjudication.ts";
import { Adjudicator } from "./adjudicator.ts";
import { Charge, type ThreadTimes } from "./charge.ts";
import { describeFlag, press, startClock } from "./clocks.ts";
import { roundValue, ThoughtLog } from "./thoughts.ts";
import { PlayerFault } from "../../players/player-process.ts";
import { BrokenContract, GameFault, gameFault } from "./game-fault.ts";

/** An agent that has a seat in a game, and its budget for each decision. */
export interface Seat {
  readonly agent: Agent;
  readonly budget: Budget;
  /** True if the agent is agon's own: what it throws is the fault of a user's game. */
  readonly isBuiltIn?: boolean;
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

/** The most chance events in a row without a decision. A game with more of them never ends. */
const MAX_CHANCE_EVENTS = 100_000;

/** The interval of looks at the clock of a player in a process, in ms. */
const FLAG_LOOK_MS = 50;

/** Options of a referee. */
export interface RefereeOptions {
  readonly watcher?: Watcher;
  /** The file of a game of the user's. Exceptions of such a game are its own fault: see game-fault.ts. */
  readonly gameFile?: string | undefined;
  /** False to leave out the thoughts of results [true]. */
  readonly thoughts?: boolean | undefined;
  /** The folder of the run, where agents may keep what they say [none]. */
  readonly folder?: string | undefined;
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
  private readonly folder: string | undefined;
  private readonly time: TimeControl | undefined;
  private readonly charge: Charge;
  private readonly onDecision: RefereeOptions["onDecision"];
  private readonly log: ThoughtLog;
  private readonly adjudicator: Adjudicator | undefined;
  private readonly state: State;
  private readonly start: State;
  private readonly copies: readonly State[];
  /** Draws the worlds that agents get; undefined in games of perfect information. */
  private readonly drawnWorld: DrawnWorld | undefined;
  private readonly actions: Int32Array;
  private readonly probabilities: Float64Array;

  constructor(game: Game, clock: () => number, options: RefereeOptions = {}) {
    this.game = game;
    this.watcher = options.watcher;
    this.gameFile = options.gameFile;
    this.keepsThoughts = options.thoughts ?? true;
    this.limitMs = options.limitMs ?? Infinity;
    this.folder = options.folder;
    this.time = options.time;
    this.charge = new Charge(clock, options.time && options.times);
    this.onDecision = options.onDecision;
    this.log = new ThoughtLog(game);
    this.adjudicator = options.adjudicate && new Adjudicator(game, options.adjudicate, options.tables);
    this.state = game.start();
    this.start = game.start();
    this.drawnWorld = game.hiddenInformation ? new DrawnWorld(game) : undefined;
    this.copies = Array.from({ length: game.players }, () => game.start());
    this.actions = new Int32Array(game.maxActions);
    this.probabilities = new Float64Array(game.maxActions);
  }

  /** The fault for which a player in a process forfeited the last game. */
  fault: PlayerFault | undefined;

  /** Plays one game; `seats` are the game's players in order. Throws GameFault. */
  async play(seats: readonly Seat[], setup: Setup): Promise<GameResult> {
    const { game, gameFile: file } = this;
    const actions = [...setup.opening];
    this.fault = undefined;
    try {
      const result = await this.playOut(seats, setup, actions);
      const { from, actions: told } = fromSetup(game, result.actions);
      const shown = game.hiddenInformation ? [] : told;
      for (const { agent } of seats) agent.endGame?.(result.returns, shown, from);
      return result;
    } catch (error) {
      // Exceptions of agents do not come here.
      const isBug = file === undefined && !(error instanceof BrokenContract);
      throw isBug || error instanceof GameFault ? error : gameFault(error, { game, file, actions });
    }
  }

  private async playOut(seats: readonly Seat[], setup: Setup, actions: number[]): Promise<GameResult> {
    const { game, state, charge, log, adjudicator } = this;
    log.begin();
    adjudicator?.begin();
    const perSeat = () => seats.map(() => 0);
    const spent = { decisions: perSeat(), nodes: perSeat(), timeMs: perSeat() };
    const forfeit = (seat: number, ending: Forfeit["ending"], detail: string): GameResult => ({
      ...forfeitResult(game, { seat, ending, detail }),
      actions,
      ...spent,
      thoughts: log.all(),
    });
    const randoms = createRandoms(seats.length, setup.seed, "seats", setup.id);
    const chance = game.chance ? createRandom(setup.seed, "chance", setup.block) : undefined;
    const played = () => fromSetup(game, actions);
    const worldRandoms = game.hiddenInformation
      ? createRandoms(seats.length, setup.seed, "worlds", setup.id)
      : undefined;
    const { limitMs, time } = this;
    const clocks = time && seats.map(() => startClock(time));
    for (const [seat, one] of seats.entries()) {
      const { agent } = one;
      if (agent.newGame === undefined) continue;
      this.watcher?.thinking(seat, agent.isHosted ?? false);
      try {
        const begun = agent.newGame({
          id: setup.id,
          seat,
          random: randoms[seat]!,
          limitMs,
          folder: this.folder,
        });
        if (begun instanceof Promise) await begun;
      } catch (error) {
        const { ending, detail } = this.forfeitOf(readableThrown(error), one, actions);
        return forfeit(seat, ending, detail);
      } finally {
        this.watcher?.idle();
      }
    }
    state.copyFrom(this.start);
    let plies = 0;
    for (const action of setup.opening) {
      if (state.toMove !== CHANCE) plies++;
      state.apply(action);
    }
    let chanceEvents = 0;
    for (let mover = state.toMove; mover !== TERMINAL; mover = state.toMove) {
      if (mover === CHANCE) {
        if (++chanceEvents > MAX_CHANCE_EVENTS)
          throw new BrokenContract(`${MAX_CHANCE_EVENTS} chance events follow each other`);
        const outcome = this.sample(chance);
        actions.push(outcome);
        state.apply(outcome);
        continue;
      }
      chanceEvents = 0;
      const seat = seats[mover];
      if (seat === undefined) throw new BrokenContract(`toMove is ${mover}, which is no player`);
      this.onDecision?.(actions, clocks);
      const copy = this.copies[mover]!;
      const told = this.drawnWorld?.draw(actions, copy, worldRandoms![mover]!);
      if (told === undefined) copy.copyFrom(state);
      this.watcher?.thinking(mover, seat.agent.isHosted ?? false);
      charge.begin(seat);
      let action: unknown;
      let nodes: unknown;
      let thought: OwnThought | undefined;
      try {
        const random = randoms[mover]!;
        const { clock } = charge;
        // Another's clock tells how many actions it made that nobody noticed.
        const times = clocks && {
          clocks: clocks.map((one, at) => (told === undefined || at === mover ? one : startClock(time!))),
        };
        const turn = { random, budget: seat.budget, clock, played, limitMs, ...times, ...told };
        const chosen = seat.agent.choose(copy, turn);
        const decision: Partial<Decision> | undefined =
          chosen instanceof Promise ? await this.untilFlag(chosen, seat.agent, clocks?.[mover]) : chosen;
        // Reading a decision may run the agent's code.
        action = decision?.action;
        nodes = decision?.nodes;
        if (this.keepsThoughts || adjudicator !== undefined) thought = readThought(decision, action);
      } catch (thrown) {
        this.watcher?.idle();
        // Throws if there is no legal action.
        this.isLegal(undefined);
        const late = clocks && this.flagOf(clocks[mover]!, charge.spentMs());
        if (late !== undefined) return forfeit(mover, "time-out", late);
        const { ending, detail } = this.forfeitOf(readableThrown(thrown), seat, actions);
        return forfeit(mover, ending, detail);
      }
      this.watcher?.idle();
      const timeMs = charge.spentMs();
      spent.timeMs[mover]! += timeMs;
      spent.decisions[mover]!++;
      if (clocks !== undefined) {
        const late = this.flagOf(clocks[mover]!, timeMs);
        if (late !== undefined) return forfeit(mover, "time-out", late);
        clocks[mover] = press(time!, clocks[mover]!, timeMs)!;
      }
      if (!this.isLegal(action)) {
        const detail = `${describeGiven(action)} is not a legal action in ${game.formatState(state)}`;
        return forfeit(mover, "illegal action", detail);
      }
      if (typeof nodes !== "number" || !Number.isSafeInteger(nodes) || nodes < 0) {
        const detail = `\`nodes\` of a decision must be a whole number from 0 on, got ${describeGiven(nodes)}`;
        return forfeit(mover, "exception", detail);
      }
      if (++plies > game.maxPlies)
        throw new BrokenContract(`the game goes on after maxPlies, ${game.maxPlies}`);
      spent.nodes[mover]! += nodes;
      if (this.keepsThoughts && (thought !== undefined || nodes > 0))
        log.add(thought ?? { line: [] }, { nodes, timeMs });
      else log.addSilent(timeMs);
      actions.push(action);
      state.apply(action);
      const value = thought?.value === undefined ? undefined : roundValue(game, thought.value);
      const verdict = adjudicator?.after(state, { player: mover, value, plies });
      if (verdict !== undefined)
        return {
          actions,
          ...verdict,
          ending: "adjudicated",
          forfeitSeat: -1,
          ...spent,
          thoughts: log.all(),
        };
    }
    const returns = seats.map((_, seat) => state.returns(seat));
    for (const one of returns) {
      if (!Number.isFinite(one)) throw new BrokenContract(`the returns are ${returns.join(", ")}`);
    }
    return {
      actions,
      returns,
      ending: "finished",
      forfeitSeat: -1,
      detail: "",
      ...spent,
      thoughts: log.all(),
    };
  }

  /** Why the flag of a clock has fallen after a decision of `timeMs`; undefined if it has not. */
  private flagOf(clock: SeatClock, timeMs: number): string | undefined {
    const { time } = this;
    if (time === undefined || press(time, clock, timeMs) !== undefined) return undefined;
    return describeFlag(time, clock, timeMs);
  }

  /** Waits for a decision. If the flag of a player in a process falls before, its process is ended. */
  private async untilFlag<T>(chosen: Promise<T>, agent: Agent, clock: SeatClock | undefined): Promise<T> {
    if (clock === undefined || agent.isHosted !== true) return chosen;
    const timer = setInterval(() => {
      if (this.flagOf(clock, this.charge.spentMs()) !== undefined) agent.close?.();
    }, FLAG_LOOK_MS);
    try {
      return await chosen;
    } finally {
      clearInterval(timer);
    }
  }

  /**
   * The forfeit of an agent that threw. Throws GameFault if there is no legal action, as then no agent can decide, and if a
   * built-in agent threw with a user's game.
   */
  private forfeitOf(
    thrown: unknown,
    { isBuiltIn = false }: Seat,
    actions: readonly number[],
  ): Pick<Forfeit, "ending" | "detail"> {
    if (thrown instanceof PlayerFault) {
      this.fault = thrown;
      return { ending: thrown.ending, detail: thrown.message };
    }
    const { game, gameFile: file } = this;
    if (isBuiltIn && file !== undefined) throw gameFault(thrown, { game, file, actions });
    return { ending: "exception", detail: describeThrown(thrown) };
  }

  private sample(chance: Random | undefined): number {
    if (chance === undefined) throw new BrokenContract("there is a chance event, but `chance` is false");
    const count = this.state.chanceOutcomes!(this.actions, this.probabilities, 0);
    if (!(count > 0)) throw new BrokenContract(`a chance event has ${String(count)} outcomes`);
    return this.actions[chance.weighted(this.probabilities, 0, count)];
  }

  private isLegal(action: unknown): action is number {
    const count = this.state.legalActions(this.actions, 0);
    if (!(count >= 1))
      throw new BrokenContract(`there is no legal action in ${this.game.formatState(this.state)}`);
    return this.actions.subarray(0, count).includes(action as number);
  }
}

/** The longest detail of a forfeit. */
export const MAX_DETAIL = 2000;

/** The parts of a result that a forfeit decides. */
function forfeitResult(
  game: Game,
  { seat, ending, detail }: Forfeit,
): Pick<GameResult, "returns" | "ending" | "forfeitSeat" | "detail"> {
  const shown = escapeControls(detail.slice(0, MAX_DETAIL)).slice(0, MAX_DETAIL);
  return { returns: forfeitReturns(game, seat), ending, forfeitSeat: seat, detail: shown };
}

/** The record of a game of which only its forfeit is known. */
export function forfeited(game: Game, scheduled: ScheduledGame, forfeit: Forfeit): GameRecord {
  const { id, block, seats, opening } = scheduled;
  const none = seats.map(() => 0);
  return {
    id,
    block,
    seats,
    openingLength: opening.length,
    actions: opening,
    ...forfeitResult(game, forfeit),
    decisions: none,
    nodes: none,
    timeMs: none,
    thoughts: [],
  };
}

/**
 * The returns after a forfeit. The team of the seat that forfeits shares the lowest return. In a zero-sum game the others share
 * its opposite; in other games they get the highest return.
 */
export function forfeitReturns(
  { players, teams, zeroSum, minReturn, maxReturn }: Game,
  forfeitSeat: number,
): number[] {
  const seats = Array.from({ length: players }, (_, seat) => seat);
  const isLost = seats.map((seat) =>
    teams === undefined ? seat === forfeitSeat : teams[seat] === teams[forfeitSeat],
  );
  const losers = isLost.filter(Boolean).length;
  const share = zeroSum && losers < players ? (0 - minReturn) / (players - losers) : maxReturn;
  return isLost.map((lost) => (lost ? minReturn / (zeroSum ? losers : 1) : share));
}
