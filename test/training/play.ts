import { createRandom, type Random } from "../../src/base/random.ts";
import { CHANCE, TERMINAL, type Evaluator, type Game, type State } from "../../src/games/contract/game.ts";
import type { Learner } from "../../src/training/learn/learner.ts";
import type { Explorer } from "../../src/training/self-play/explorer.ts";
import { OnePly, OnePlyMoves } from "../../src/training/self-play/one-ply.ts";
import { PositionListener, SelfPlay } from "../../src/training/self-play/self-play.ts";
import { StartPositions, type StartOptions } from "../../src/training/self-play/start-positions.ts";
import { copyOf, stepRandomly } from "../agents/play.ts";

/** The calls of a learner for one position. */
export interface Seen {
  readonly state: State;
  readonly by: number;
  readonly explored: boolean;
  readonly isHeld: boolean;
}

/** A learner that learns nothing and keeps what it is told: game by game, the start of each first. */
export class Witness implements Learner {
  steps = 0;
  stepSize = 0;
  readonly errors = { count: 0, squares: 0 };
  readonly memory = {};
  readonly games: Seen[][] = [];
  private readonly game: Game;

  constructor(game: Game) {
    this.game = game;
  }

  restore(): void {}

  begin(state: State): void {
    this.games.push([]);
    this.observe(state, CHANCE, false);
  }

  observe(state: State, by: number, explored: boolean, isHeld = false): void {
    this.games.at(-1)!.push({ state: copyOf(this.game, state), by, explored, isHeld });
  }

  end(state: State, explored: boolean): void {
    this.observe(state, TERMINAL, explored);
  }
}

/** Tells a learner of a recorded game. */
export function retell([start, ...seen]: readonly Seen[], learner: Learner): void {
  learner.begin(start!.state);
  for (const { state, by, explored } of seen) {
    if (by === TERMINAL) learner.end(state, explored);
    else learner.observe(state, by, explored);
  }
}

/** Games of random play, in which each player's move is said to be explored with probability `explored`. */
export function randomGames(game: Game, count: number, { seed = "games", explored = 0 } = {}): Seen[][] {
  const random = createRandom("random games", seed, game.id);
  return Array.from({ length: count }, () => {
    const state = game.start();
    const seen: Seen[] = [{ state: copyOf(game, state), by: CHANCE, explored: false, isHeld: false }];
    while (state.toMove !== TERMINAL) {
      const by = state.toMove;
      stepRandomly(game, state, random);
      seen.push({
        state: copyOf(game, state),
        by: state.toMove === TERMINAL ? TERMINAL : by,
        explored: by !== CHANCE && random.float() < explored,
        isHeld: false,
      });
    }
    return seen;
  });
}

export interface PlayOptions
  extends Partial<Pick<Explorer, "epsilon" | "temperature">>, Partial<StartOptions> {
  readonly seed?: string;
}

/** Self-play, one ply deep, of which the learner sees every position. */
export function selfPlay(
  game: Game,
  { evaluator, learner }: { evaluator: Evaluator; learner: Learner },
  options: PlayOptions = {},
): { play: SelfPlay; chooser: OnePly; random: Random } {
  const { seed = "self-play", epsilon = 0, temperature = 0, randomPlies = { from: 0, to: 0 } } = options;
  const random = createRandom(seed);
  const chooser = new OnePly(game, evaluator, random);
  Object.assign(chooser.exploration, { epsilon, temperature });
  const { states } = options;
  const starts = new StartPositions(game, [{ randomPlies, ...(states && { states }) }], random);
  return {
    play: new SelfPlay(game, {
      starts,
      moves: new OnePlyMoves({ chooser, starts }),
      listener: new PositionListener(learner),
    }),
    chooser,
    random,
  };
}
