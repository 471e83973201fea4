import type { Random } from "../../base/random.ts";
import { CHANCE, TERMINAL, type Evaluator, type Game, type State } from "../../games/contract/game.ts";
import { Explorer } from "./explorer.ts";
import type { Moves } from "./self-play.ts";
import type { StartPositions } from "./start-positions.ts";

/**
 * Chooses actions by looking one ply ahead: the action whose next position has the highest value for the player to
 * move, drawn if several have it. Sometimes it explores and takes another one. A position before a chance event is
 * evaluated as it is, before the event.
 */
export class OnePly {
  /** True if the evaluator holds its features of the position after the last action (`hold`). */
  holds = false;
  /** True if the last action was exploration, after which the position before it learns nothing. */
  explored = false;
  exploration: Explorer = new Explorer();
  private readonly evaluator: Evaluator & { hold?(): void };
  private readonly canHold: boolean;
  private readonly random: Random;
  private readonly actions: Int32Array;
  private readonly values: Float64Array;

  constructor(game: Game, evaluator: Evaluator & { hold?(): void }, random: Random) {
    this.evaluator = evaluator;
    this.canHold = evaluator.hold !== undefined;
    this.random = random;
    this.actions = new Int32Array(game.maxActions);
    this.values = new Float64Array(game.maxActions);
  }

  /** Chooses for the player to move; leaves `state` as it was. */
  choose(state: State): number {
    const { actions, random, exploration } = this;
    const count = state.legalActions(actions, 0);
    this.explored = false;
    this.holds = false;
    if (count === 1) return actions[0];
    if (exploration.explores(random)) {
      this.explored = true;
      return actions[random.below(count)];
    }
    return exploration.temperature > 0 ? this.draw(state, count) : this.best(state, count);
  }

  private best(state: State, count: number): number {
    const { actions, random, evaluator, canHold } = this;
    const me = state.toMove;
    let action = actions[0];
    let best = -Infinity;
    let equal = 1;
    for (let at = 0; at < count; at++) {
      state.apply(actions[at]);
      const over = state.toMove === TERMINAL;
      const worth = over ? state.returns(me) : evaluator.evaluate(state, me);
      state.undo();
      if (worth > best) equal = 1;
      else if (worth < best || random.below(++equal) !== 0) continue;
      best = worth;
      action = actions[at];
      this.holds = canHold && !over;
      if (this.holds) evaluator.hold!();
    }
    return action;
  }

  /** Draws an action by softmax; it counts as explored if another one has a higher value. */
  private draw(state: State, count: number): number {
    const { actions, values, random, evaluator } = this;
    const me = state.toMove;
    let best = -Infinity;
    for (let at = 0; at < count; at++) {
      state.apply(actions[at]);
      values[at] = state.toMove === TERMINAL ? state.returns(me) : evaluator.evaluate(state, me);
      state.undo();
      if (values[at] > best) best = values[at];
    }
    const chosen = this.exploration.draw(values, count, random);
    this.explored = values[chosen] < best;
    return actions[chosen];
  }
}

/** The moves of self-play one ply deep. */
export class OnePlyMoves implements Moves {
  explored = false;
  holds = false;
  readonly leaf = undefined;
  readonly tree = undefined;
  readonly line = [];
  readonly exploration: Explorer;
  private readonly chooser: OnePly;
  private readonly starts: StartPositions;

  constructor({ chooser, starts }: { chooser: OnePly; starts: StartPositions }) {
    this.exploration = chooser.exploration;
    this.chooser = chooser;
    this.starts = starts;
  }

  begin(): void {}

  next(state: State): number {
    if (state.toMove === CHANCE) {
      this.explored = this.holds = false;
      return this.starts.draw(state);
    }
    const { chooser } = this;
    const action = chooser.choose(state);
    this.explored = chooser.explored;
    this.holds = chooser.holds;
    return action;
  }
}
