import type { Agent, Budget } from "../../agents/agent.ts";
import { InputError } from "../../base/errors.ts";
import type { Random } from "../../base/random.ts";
import { CHANCE, TERMINAL, type Game, type State } from "../../game/game.ts";
import type { Learner } from "../learn/learner.ts";
import type { StartPositions } from "./start-positions.ts";

/** An agent that searches with the evaluator that learns, and its budget. */
interface Searcher {
  readonly agent: Agent;
  readonly budget: Budget;
}

/**
 * Self-play of an agent that searches (TDLeaf; Baxter, Tridgell and Weaver 2000). For each decision the learner sees
 * not the position itself but the last position of the agent's principal variation, because the estimate of that position
 * is the value of the decision. If the line comes to a chance event, it ends there: the position before the event
 * stands for the mean over its outcomes.
 */
export class SearchPlay {
  /** Decisions by players so far, without the random plies of openings. */
  decisions = 0;
  /** Probability of a random move; set anew for each game. */
  epsilon = 0;
  private readonly state: State;
  private readonly copy: State;
  private readonly leaf: State;
  private readonly searcher: Searcher;
  private readonly starts: StartPositions;
  private readonly learner: Learner;
  private readonly random: Random;
  private readonly actions: Int32Array;

  constructor(
    game: Game,
    parts: {
      searcher: Searcher;
      starts: StartPositions;
      learner: Learner;
      random: Random;
    },
  ) {
    this.state = game.start();
    this.copy = game.start();
    this.leaf = game.start();
    this.searcher = parts.searcher;
    this.starts = parts.starts;
    this.learner = parts.learner;
    this.random = parts.random;
    this.actions = new Int32Array(game.maxActions);
  }

  playGame(): void {
    const { state, starts, learner, searcher } = this;
    starts.setUp(state);
    searcher.agent.newGame?.();
    learner.begin(state);
    let explored = false;
    while (state.toMove !== TERMINAL) {
      if (state.toMove === CHANCE) {
        starts.sample(state);
        continue;
      }
      this.decisions++;
      const me = state.toMove;
      const action = this.search();
      learner.observe(this.leaf, me, explored);
      explored = this.epsilon > 0 && this.random.float() < this.epsilon;
      state.apply(explored ? this.anyAction() : action);
    }
    learner.end(state, explored);
  }

  /** Returns the agent's action, and sets `leaf` to the end of its principal variation. */
  private search(): number {
    const { state, copy, leaf, searcher, random } = this;
    copy.copyFrom(state);
    const decision = searcher.agent.choose(copy, { random, budget: searcher.budget, clock: () => 0 });
    if (decision instanceof Promise) throw new InputError("TDLeaf needs an agent that decides at once");
    leaf.copyFrom(state);
    for (const action of decision.line) {
      if (leaf.toMove < 0) break;
      leaf.apply(action);
    }
    return decision.action;
  }

  private anyAction(): number {
    const { state, actions, random } = this;
    return actions[random.below(state.legalActions(actions, 0))];
  }
}
