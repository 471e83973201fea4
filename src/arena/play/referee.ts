import { createRandom, createRandoms, type Random } from "../../base/random.ts";
import { CHANCE, TERMINAL, type Game, type State } from "../../games/game.ts";
import { describeError } from "../../base/thrown.ts";
import type { Agent, Budget, Decision } from "../../agents/agent.ts";
import type { Ending } from "../../ratings/record.ts";
import { GameFault, gameFault, isThrownByGame, WatchedGame } from "./game-fault.ts";

/** An agent that has a seat in a game, and its budget for each decision. */
export interface Seat {
  readonly agent: Agent;
  readonly budget: Budget;
  /** The user's own code in the agent, if there is any. */
  readonly code?: {
    /** Paths of its files. */
    readonly files: readonly string[];
    /** Makes the agent again, for another object of the same game. */
    remake(game: Game): Promise<Agent>;
  };
}

/** Everything that determines one game besides its agents. */
export interface GameSetup {
  /** Names the game: each seat's randomness descends from it and the run's seed. */
  readonly id: string;
  readonly seed: string;
  /** Names the chance stream, which all seat rotations of a block share. */
  readonly chanceStream: string;
  /** Actions, chance outcomes included, that are played before the agents take over. */
  readonly opening: readonly number[];
}

/** What happened in a game; arrays are by seat. */
export interface GameResult {
  readonly actions: number[];
  readonly returns: number[];
  readonly ending: Ending;
  readonly forfeitSeat: number;
  readonly detail: string;
  readonly decisions: number[];
  readonly nodes: number[];
  readonly timeMs: number[];
}

/** Is told which seat is deciding: `thinking` is called before each decision, `idle` after it. */
export interface Watcher {
  thinking(seat: number): void;
  idle(): void;
}

/** What a referee may be given besides the game. */
export interface RefereeOptions {
  readonly watcher?: Watcher;
  /** The file of the user's that the game is in. Then what the game throws is its own fault: see game-fault.ts. */
  readonly gameFile?: string | undefined;
}

/**
 * Plays games of one kind, one after the other. It applies the agents' actions, samples chance events and keeps the
 * rules: an agent gets a copy of the state, and an illegal action or an exception forfeits the game.
 */
export class Referee {
  private readonly game: Game;
  private readonly clock: () => number;
  private readonly watcher: Watcher | undefined;
  private readonly gameFile: string | undefined;
  private readonly state: State;
  private readonly start: State;
  private readonly copies: readonly State[];
  private readonly actions: Int32Array;
  private readonly probabilities: Float64Array;

  constructor(game: Game, clock: () => number, { watcher, gameFile }: RefereeOptions = {}) {
    this.game = game;
    this.clock = clock;
    this.watcher = watcher;
    this.gameFile = gameFile;
    this.state = game.start();
    this.start = game.start();
    this.copies = Array.from({ length: game.players }, () => game.start());
    this.actions = new Int32Array(game.maxActions);
    this.probabilities = new Float64Array(game.maxActions);
  }

  /** Plays one game; `seats` are the game's players in order. Throws GameFault. */
  async play(seats: readonly Seat[], setup: GameSetup): Promise<GameResult> {
    const { game, gameFile: file } = this;
    const actions = [...setup.opening];
    try {
      return await this.playOut(seats, setup, actions);
    } catch (error) {
      // What an agent throws does not come here.
      throw file === undefined || error instanceof GameFault
        ? error
        : gameFault(error, { game, file, actions });
    }
  }

  private async playOut(seats: readonly Seat[], setup: GameSetup, actions: number[]): Promise<GameResult> {
    const { game, state, clock } = this;
    const perSeat = () => seats.map(() => 0);
    const played = { decisions: perSeat(), nodes: perSeat(), timeMs: perSeat() };
    const randoms = createRandoms(seats.length, setup.seed, "seats", setup.id);
    const chance = game.chance ? createRandom(setup.seed, "chance", setup.chanceStream) : undefined;
    for (const [seat, { agent }] of seats.entries()) {
      try {
        agent.newGame?.();
      } catch (error) {
        return this.forfeit(seat, "exception", describeError(error), { actions, ...played });
      }
    }
    state.copyFrom(this.start);
    for (const action of setup.opening) state.apply(action);

    for (let mover = state.toMove; mover !== TERMINAL; mover = state.toMove) {
      if (mover === CHANCE) {
        const outcome = this.sample(chance!);
        actions.push(outcome);
        state.apply(outcome);
        continue;
      }
      const { agent, budget } = seats[mover]!;
      const copy = this.copies[mover]!;
      copy.copyFrom(state);
      this.watcher?.thinking(mover);
      const begun = clock();
      let decision: Decision;
      try {
        const chosen = agent.choose(copy, { random: randoms[mover]!, budget, clock });
        decision = chosen instanceof Promise ? await chosen : chosen;
      } catch (error) {
        const detail = await this.blame(error, seats[mover]!, { mover, setup, actions });
        this.watcher?.idle();
        return this.forfeit(mover, "exception", detail, { actions, ...played });
      }
      this.watcher?.idle();
      played.timeMs[mover]! += clock() - begun;
      played.decisions[mover]!++;
      const action: unknown = (decision as Decision | undefined)?.action;
      if (!this.isLegal(action)) {
        const detail = `${JSON.stringify(action) ?? "nothing"} is not a legal action in ${game.formatState(state)}`;
        return this.forfeit(mover, "illegal action", detail, { actions, ...played });
      }
      played.nodes[mover]! += decision.nodes;
      actions.push(action);
      state.apply(action);
    }
    const returns = seats.map((_, seat) => state.returns(seat));
    return { actions, returns, ending: "finished", forfeitSeat: -1, detail: "", ...played };
  }

  /**
   * What is wrong with an agent that threw in its decision; throws GameFault if the game is to blame. Where both have
   * code of the user's, the agent is asked once more, and it is checked how it uses the game.
   */
  private async blame(
    error: unknown,
    { code, budget }: Seat,
    { mover, setup, actions }: { mover: number; setup: GameSetup; actions: readonly number[] },
  ): Promise<string> {
    const { game, gameFile: file, clock, watcher } = this;
    const thrown = describeError(error);
    if (file === undefined || !isThrownByGame(error, file, code?.files ?? [])) return thrown;
    if (code !== undefined) {
      watcher?.thinking(mover);
      const watched = new WatchedGame(game);
      const copy = game.start();
      copy.copyFrom(this.state);
      try {
        const agent = await code.remake(watched.game);
        agent.newGame?.();
        const random = createRandom(setup.seed, "again", setup.id);
        await agent.choose(watched.watch(copy), { random, budget, clock });
      } catch {
        // As the first time.
      }
      if (watched.misuse !== undefined) return `${thrown}; the agent ${watched.misuse}`;
      if (!watched.threw && code.files.includes(file)) return thrown;
    }
    watcher?.idle();
    throw gameFault(error, { game, file, actions });
  }

  private sample(chance: Random): number {
    const count = this.state.chanceOutcomes(this.actions, this.probabilities, 0);
    return this.actions[chance.weighted(this.probabilities, 0, count)];
  }

  private isLegal(action: unknown): action is number {
    const count = this.state.legalActions(this.actions, 0);
    return this.actions.subarray(0, count).includes(action as number);
  }

  private forfeit(
    seat: number,
    ending: Ending,
    detail: string,
    played: Pick<GameResult, "actions" | "decisions" | "nodes" | "timeMs">,
  ): GameResult {
    return { ...played, ending, forfeitSeat: seat, detail, returns: forfeitReturns(this.game, seat) };
  }
}

/**
 * The returns after a forfeit. Who forfeits gets the worst return. In a zero-sum game the others share the opposite of
 * it; in other games they get the best return.
 */
export function forfeitReturns(game: Game, forfeitSeat: number): number[] {
  const others = game.players - 1;
  const share = game.zeroSum && others > 0 ? (0 - game.minReturn) / others : game.maxReturn;
  return Array.from({ length: game.players }, (_, seat) => (seat === forfeitSeat ? game.minReturn : share));
}
