import type { Random } from "../../base/random.ts";
import { CHANCE, TERMINAL, type Evaluator, type Game, type State } from "../../games/contract/game.ts";
import { ObservedGame } from "../../games/contract/privacy.ts";
import { Explorer } from "./explorer.ts";
import type { Moves } from "./self-play.ts";
import type { StartPositions } from "./start-positions.ts";

/**
 * The moves of self-play one ply deep in games of hidden information. A player sees its codes, and never the position: it
 * draws worlds, and takes the action whose next position has the highest mean value over them. So an end that would show what
 * is hidden is worth what it is worth on average. Games begin at the start.
 */
export class HiddenMoves implements Moves {
  explored = false;
  readonly holds = false;
  readonly leaf = undefined;
  readonly tree = undefined;
  readonly line = [];
  readonly exploration: Explorer;
  private readonly evaluator: Evaluator;
  private readonly count: number;
  private readonly starts: StartPositions;
  private readonly random: Random;
  /** The game so far, with the codes of the players. */
  private readonly observed: ObservedGame;
  private readonly root: State;
  private readonly world: State;
  private readonly events: Int32Array;
  private readonly actions: Int32Array;
  private readonly values: Float64Array;

  /**
   * @param of.observed the game so far; the moves of several evaluators in one game share it
   * @param of.worlds the worlds that are drawn for a decision
   */
  constructor(
    game: Game,
    of: {
      evaluator: Evaluator;
      observed?: ObservedGame;
      worlds: number;
      starts: StartPositions;
      random: Random;
      exploration?: Explorer;
    },
  ) {
    this.evaluator = of.evaluator;
    this.exploration = of.exploration ?? new Explorer();
    this.count = of.worlds;
    this.starts = of.starts;
    this.random = of.random;
    this.observed = of.observed ?? new ObservedGame(game);
    this.root = game.start();
    this.world = game.start();
    this.events = new Int32Array(this.observed.privacy.maxEvents);
    this.actions = new Int32Array(game.maxActions);
    this.values = new Float64Array(game.maxActions);
  }

  begin(): void {
    this.observed.restart();
  }

  next(state: State): number {
    this.explored = false;
    const action = state.toMove === CHANCE ? this.starts.draw(state) : this.choose(state);
    this.observed.apply(action);
    return action;
  }

  private choose(state: State): number {
    const { actions, values, random, exploration } = this;
    const count = state.legalActions(actions, 0);
    if (count === 1) return actions[0]!;
    if (exploration.explores(random)) {
      this.explored = true;
      return actions[random.below(count)]!;
    }
    this.value(state.toMove, count);
    let best = 0;
    for (let at = 1, equal = 1; at < count; at++) {
      if (values[at]! > values[best]!) equal = 1;
      else if (values[at]! < values[best]! || random.below(++equal) !== 0) continue;
      best = at;
    }
    if (exploration.temperature === 0) return actions[best]!;
    const chosen = exploration.draw(values, count, random);
    this.explored = values[chosen]! < values[best]!;
    return actions[chosen]!;
  }

  /** Writes the sum over drawn worlds of the value for `player` after each of its `count` actions, divided by their number. */
  private value(player: number, count: number): void {
    const { evaluator, observed, root, world, events, actions, values, random } = this;
    const worlds = observed.worlds(player);
    values.fill(0, 0, count);
    for (let number = 0; number < this.count; number++) {
      const length = worlds.draw(random, events);
      world.copyFrom(root);
      for (let at = 0; at < length; at++) world.apply(events[at]!);
      for (let at = 0; at < count; at++) {
        world.apply(actions[at]!);
        const isOver = world.toMove === TERMINAL;
        values[at]! += (isOver ? world.returns(player) : evaluator.evaluate(world, player)) / this.count;
        world.undo();
      }
    }
  }
}
