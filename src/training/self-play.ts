import type { Random } from "../base/random.ts";
import { CHANCE, TERMINAL, type Evaluator, type Game, type State } from "../games/game.ts";
import type { Learner } from "./learner.ts";

/**
 * Games of an evaluator against itself, one ply deep: each player takes the action whose next position
 * the evaluator likes best for that player (a position before a chance event is valued as it stands),
 * any of several equal ones, or now and then a random action. The learner sees every position.
 */
export class SelfPlay {
  /** Decisions by players so far, openings aside. */
  decisions = 0;
  private readonly state: State;
  private readonly start: State;
  private readonly evaluator: Evaluator;
  private readonly learner: Learner;
  private readonly random: Random;
  private readonly actions: Int32Array;
  private readonly probabilities: Float64Array;
  private explored = false;

  constructor(
    game: Game,
    { evaluator, learner, random }: { evaluator: Evaluator; learner: Learner; random: Random },
  ) {
    this.evaluator = evaluator;
    this.learner = learner;
    this.random = random;
    this.state = game.start();
    this.start = game.start();
    this.actions = new Int32Array(game.maxActions);
    this.probabilities = new Float64Array(game.maxActions);
  }

  /**
   * Plays one game: `randomPlies` plies that nothing is learnt from, then one decision after the other,
   * each random with probability `epsilon`.
   */
  playGame(randomPlies: number, epsilon: number): void {
    const { state, learner } = this;
    this.playOpening(randomPlies);
    learner.begin(state);
    while (state.toMove !== TERMINAL) {
      this.explored = false;
      if (state.toMove === CHANCE) {
        state.apply(this.sample());
      } else {
        this.decisions++;
        state.apply(this.choose(epsilon));
      }
      learner.observe(state, this.explored);
    }
  }

  /** Random plies from the start; from the start itself where they would end the game. */
  private playOpening(plies: number): void {
    const { state, actions, random } = this;
    state.copyFrom(this.start);
    for (let left = plies; left > 0 && state.toMove !== TERMINAL;) {
      if (state.toMove === CHANCE) {
        state.apply(this.sample());
      } else {
        state.apply(actions[random.below(state.legalActions(actions, 0))]);
        left--;
      }
    }
    if (state.toMove === TERMINAL) state.copyFrom(this.start);
  }

  private sample(): number {
    const count = this.state.chanceOutcomes(this.actions, this.probabilities, 0);
    return this.actions[this.random.weighted(this.probabilities, 0, count)];
  }

  private choose(epsilon: number): number {
    const { state, actions, random, evaluator } = this;
    const me = state.toMove;
    const count = state.legalActions(actions, 0);
    if (count === 1) return actions[0];
    if (epsilon > 0 && random.float() < epsilon) {
      this.explored = true;
      return actions[random.below(count)];
    }
    let action = actions[0];
    let best = -Infinity;
    let equal = 1;
    for (let at = 0; at < count; at++) {
      state.apply(actions[at]);
      const worth = state.toMove === TERMINAL ? state.returns(me) : evaluator.evaluate(state, me);
      state.undo();
      if (worth > best) {
        best = worth;
        action = actions[at];
        equal = 1;
      } else if (worth === best && random.below(++equal) === 0) {
        action = actions[at];
      }
    }
    return action;
  }
}
