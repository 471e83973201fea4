import { CHANCE, TERMINAL, type Game, type State } from "../../game/game.ts";
import type { Learner } from "../learn/learner.ts";
import type { MoveReader, MoveWriter } from "./moves.ts";
import type { OnePly } from "./one-ply-play.ts";
import type { StartPositions } from "./start-positions.ts";

/*
 * Self-play one ply deep in two places: one plays and writes down, the other one takes the same positions again and learns.
 * A game's start is drawn by a generator that belongs to the game, so both make the same one, and only what comes after it
 * is written.
 */

/** Plays games as OnePlyPlay does, and writes them down. */
export class WrittenPlay {
  private readonly state: State;
  private readonly starts: StartPositions;
  private readonly player: OnePly;
  private readonly writer: MoveWriter;

  constructor(
    game: Game,
    { starts, player, writer }: { starts: StartPositions; player: OnePly; writer: MoveWriter },
  ) {
    this.state = game.start();
    this.starts = starts;
    this.player = player;
    this.writer = writer;
  }

  playGame(): void {
    const { state, starts, player, writer } = this;
    starts.setUp(state);
    while (state.toMove !== TERMINAL) {
      if (state.toMove === CHANCE) {
        writer.add(starts.sample(state), false);
      } else {
        const action = player.choose(state);
        writer.add(action, player.explored);
        state.apply(action);
      }
    }
  }
}

/** Takes written games again, and has a learner see every position, as OnePlyPlay does. */
export class Replay {
  /** Decisions by players so far, without the random plies of openings. */
  decisions = 0;
  private readonly state: State;
  private readonly starts: StartPositions;
  private readonly learner: Learner;
  private readonly actions: Int32Array;
  private readonly probabilities: Float64Array;

  constructor(game: Game, { starts, learner }: { starts: StartPositions; learner: Learner }) {
    this.state = game.start();
    this.starts = starts;
    this.learner = learner;
    this.actions = new Int32Array(game.maxActions);
    this.probabilities = new Float64Array(game.maxActions);
  }

  /**
   * Takes one game; `starts` must draw what it drew where the game was played. Throws RangeError at the first move that the
   * rules do not allow, and DivergenceError.
   */
  takeGame(moves: MoveReader): void {
    const { state, starts, learner } = this;
    starts.setUp(state);
    learner.begin(state);
    for (;;) {
      const by = state.toMove;
      const action = moves.next();
      const explored = moves.explored;
      this.check(action);
      if (by !== CHANCE) this.decisions++;
      state.apply(action);
      if (state.toMove === TERMINAL) {
        learner.end(state, explored);
        return;
      }
      learner.observe(state, by, explored);
    }
  }

  private check(action: number): void {
    const { state, actions, probabilities } = this;
    const count =
      state.toMove === CHANCE
        ? state.chanceOutcomes(actions, probabilities, 0)
        : state.legalActions(actions, 0);
    for (let at = 0; at < count; at++) if (actions[at] === action) return;
    throw new RangeError(`a move that the rules do not allow: ${action}`);
  }
}
