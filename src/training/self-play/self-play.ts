import { CHANCE, TERMINAL, type Game, type State } from "../../games/game.ts";
import type { OnePly } from "./one-ply.ts";
import type { Learner } from "../learn/learner.ts";
import type { StartPositions } from "./start-positions.ts";

/** Games of an evaluator against itself, one ply deep, of which the learner sees every position. */
export class SelfPlay {
  /** Decisions by players so far, openings aside. */
  decisions = 0;
  private readonly state: State;
  private readonly starts: StartPositions;
  private readonly player: OnePly;
  private readonly learner: Learner;

  constructor(
    game: Game,
    { starts, player, learner }: { starts: StartPositions; player: OnePly; learner: Learner },
  ) {
    this.state = game.start();
    this.starts = starts;
    this.player = player;
    this.learner = learner;
  }

  playGame(): void {
    const { state, starts, player, learner } = this;
    starts.setUp(state);
    learner.begin(state);
    for (;;) {
      const by = state.toMove;
      if (by === CHANCE) {
        starts.sample(state);
      } else {
        this.decisions++;
        state.apply(player.choose(state));
      }
      const explored = by !== CHANCE && player.explored;
      if (state.toMove === TERMINAL) {
        learner.end(state, explored);
        return;
      }
      learner.observe(state, by, explored, by !== CHANCE && player.holds);
    }
  }
}
