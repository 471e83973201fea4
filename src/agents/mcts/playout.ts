import type { Random } from "../../base/random.ts";
import { CHANCE, type Game, type Policy, type State, TERMINAL } from "../../games/contract/game.ts";
import { KEYS, type Learner, type Simulation, type Trail, keyOf } from "./estimates.ts";
import type { SimulationTree } from "./tree.ts";

/** Goes on with a simulation beyond the tree. */
export interface Playout {
  /** Plays from a new leaf to the end of the game. */
  play(state: State, random: Random): void;
}

/** Plays random actions to the end, in the shortest loop that can. */
export class RandomPlayout implements Playout {
  private readonly actions: Int32Array;
  private readonly probabilities: Float64Array;

  constructor(game: Game) {
    this.actions = new Int32Array(game.maxActions);
    this.probabilities = new Float64Array(game.maxActions);
  }

  play(state: State, random: Random): void {
    const { actions, probabilities } = this;
    for (let mover = state.toMove; mover !== TERMINAL; mover = state.toMove) {
      if (mover === CHANCE) {
        const count = state.chanceOutcomes!(actions, probabilities, 0);
        state.apply(actions[random.weighted(probabilities, 0, count)]);
      } else {
        state.apply(actions[random.below(state.legalActions(actions, 0))]);
      }
    }
  }
}

/** Plays random actions to the end, and writes them to a trail; a subclass may prefer some. */
export class TrailPlayout implements Playout {
  protected readonly actions: Int32Array;
  private readonly probabilities: Float64Array;
  private readonly trail: Trail;

  constructor(game: Game, trail: Trail) {
    this.actions = new Int32Array(game.maxActions);
    this.probabilities = new Float64Array(game.maxActions);
    this.trail = trail;
  }

  play(state: State, random: Random): void {
    const { actions, probabilities, trail } = this;
    for (let mover = state.toMove; mover !== TERMINAL; mover = state.toMove) {
      if (mover === CHANCE) {
        const count = state.chanceOutcomes!(actions, probabilities, 0);
        state.apply(actions[random.weighted(probabilities, 0, count)]);
        continue;
      }
      const action = this.pick(mover, state.legalActions(actions, 0), random);
      trail.add(mover, action);
      state.apply(action);
    }
  }

  /** Picks one of the first `count` of `actions` for the player to move. */
  protected pick(_player: number, count: number, random: Random): number {
    return this.actions[random.below(count)];
  }
}

/** Plays a policy of the game to the end, and writes its actions to a trail if there is one. */
export class PolicyPlayout implements Playout {
  private readonly actions: Int32Array;
  private readonly probabilities: Float64Array;
  private readonly policy: Policy;
  private readonly trail: Trail | null;

  constructor(game: Game, policy: Policy, trail: Trail | null) {
    this.actions = new Int32Array(game.maxActions);
    this.probabilities = new Float64Array(game.maxActions);
    this.policy = policy;
    this.trail = trail;
  }

  play(state: State, random: Random): void {
    const { actions, probabilities, policy, trail } = this;
    for (let mover = state.toMove; mover !== TERMINAL; mover = state.toMove) {
      if (mover === CHANCE) {
        const count = state.chanceOutcomes!(actions, probabilities, 0);
        state.apply(actions[random.weighted(probabilities, 0, count)]);
        continue;
      }
      const action = policy.choose(state, random);
      if (trail !== null) trail.add(mover, action);
      state.apply(action);
    }
  }
}

/** The weight of an untried action, which equals the weight of an action that always won. */
const UNTRIED = 1;

/**
 * Playouts that prefer actions which did well in other simulations (move-average sampling technique; Bjornsson and
 * Finnsson 2009). The probability of an action is in proportion to exp(mean / temperature). The mean, 0..1, is over all
 * simulations in which the player took the action anywhere.
 */
export class MastPlayout extends TrailPlayout implements Learner {
  private readonly tree: SimulationTree;
  private readonly temperature: number;
  private readonly count = new Float64Array(KEYS);
  private readonly reward = new Float64Array(KEYS);
  /** By key: exp((mean - 1) / temperature). */
  private readonly weight = new Float64Array(KEYS);
  private readonly weights: Float64Array;
  /** The keys of actions that were tried. */
  private readonly known = new Int32Array(KEYS);
  private knownKeys = 0;

  constructor(game: Game, parts: { tree: SimulationTree; trail: Trail; temperature: number }) {
    super(game, parts.trail);
    this.tree = parts.tree;
    this.temperature = parts.temperature;
    this.weights = new Float64Array(game.maxActions);
    this.weight.fill(UNTRIED);
  }

  clear(): void {
    const { known, count, reward, weight } = this;
    for (let at = 0; at < this.knownKeys; at++) {
      count[known[at]] = 0;
      reward[known[at]] = 0;
      weight[known[at]] = UNTRIED;
    }
    this.knownKeys = 0;
  }

  protected override pick(player: number, count: number, random: Random): number {
    const { actions, weights, weight } = this;
    let sum = 0;
    for (let at = 0; at < count; at++) weights[at] = sum += weight[keyOf(player, actions[at])];
    // Every weight is rounded to 0: all means are far below 1, as the temperature sees it.
    if (sum === 0) return super.pick(player, count, random);
    const drawn = sum * random.float();
    let at = 0;
    while (at < count - 1 && weights[at] <= drawn) at++;
    return actions[at];
  }

  learn({ path, chooser, pathLength, trail, rewards }: Simulation): void {
    for (let depth = 0; depth < pathLength; depth++)
      if (chooser[depth] !== CHANCE) this.observe(chooser[depth], this.tree.action[path[depth]], rewards);
    if (trail === null) return;
    for (let at = 0; at < trail.length; at++) this.observe(trail.players[at], trail.actions[at], rewards);
  }

  private observe(player: number, action: number, rewards: Float64Array): void {
    const key = keyOf(player, action);
    const count = ++this.count[key];
    if (count === 1) this.known[this.knownKeys++] = key;
    const sum = (this.reward[key] += rewards[player]);
    this.weight[key] = Math.exp((sum / count - 1) / this.temperature);
  }
}
