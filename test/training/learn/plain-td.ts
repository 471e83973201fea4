import {
  CHANCE,
  TERMINAL,
  type FeatureSet,
  type Game,
  type State,
} from "../../../src/games/contract/game.ts";
import type { Output } from "../../../src/evaluators/linear.ts";
import type { Learner } from "../../../src/training/learn/learner.ts";
import type { TdOptions } from "../../../src/training/learn/td.ts";

interface Position {
  readonly pairs: readonly (readonly [weight: number, value: number])[];
  readonly collected: number;
}

interface View {
  readonly player: number;
  /** The last position learnt from; undefined before the first. */
  position: Position | undefined;
  cut: boolean;
  /** The credit of weights; without lambda a weight that is active twice is here twice. */
  credits: (readonly [weight: number, credit: number])[];
  /** With updates at the end of the game: the positions that learn then, and the errors of the steps after them. */
  game: { credits: View["credits"]; rate: number; error: number; isCut: boolean }[];
}

/**
 * The formulas of TdLearner once more, for comparison: float64, no position shared between methods, all
 * estimates made anew whenever they are needed.
 */
export class PlainTd implements Learner {
  steps = 0;
  stepSize = 0;
  opponentSeat: number | undefined = undefined;
  readonly errors = { count: 0, squares: 0 };
  readonly memory = {};
  readonly weights: Float64Array;
  private readonly game: Game;
  private readonly features: FeatureSet;
  private readonly output: Output;
  private readonly options: TdOptions;
  private readonly views: View[];
  private readonly changes: Float64Array;
  private readonly amounts: Float64Array;

  constructor(
    game: Game,
    features: FeatureSet,
    { weights, output, ...options }: TdOptions & { weights: Float32Array; output: Output },
  ) {
    this.game = game;
    this.features = features;
    this.output = output;
    this.options = options;
    this.weights = Float64Array.from(weights);
    this.changes = new Float64Array(weights.length);
    this.amounts = new Float64Array(weights.length);
    const all = Array.from({ length: game.players }, (_, player) => player);
    const duel = game.players === 2 && game.zeroSum;
    const players = options.players ?? (duel && options.positions !== "own" ? [0] : all);
    this.views = players.map((player) => ({ player, position: undefined, cut: true, credits: [], game: [] }));
  }

  restore(): void {}

  begin(state: State): void {
    for (const view of this.views) {
      view.credits = [];
      view.game = [];
      view.position = undefined;
    }
    if ((this.options.positions ?? "all") === "all" && this.options.leaves !== true)
      for (const view of this.views) this.arrive(view, this.read(state, view.player));
  }

  observe(state: State, by: number, explored: boolean): void {
    const { positions = "all" } = this.options;
    if (positions !== "all" && by === CHANCE) return;
    if (explored) this.cut();
    if (by === this.opponentSeat) return;
    const looking = this.learners.filter(({ player }) => positions !== "own" || by === player);
    const next = looking.map(({ player }) => this.read(state, player));
    const errors = looking.map(({ position }, at) => this.errorOf(position, next[at]!));
    looking.forEach((view, at) => this.learn(view, errors[at]!));
    looking.forEach((view, at) => this.arrive(view, next[at]!));
  }

  end(state: State, explored: boolean): void {
    if (explored) this.cut();
    const { learners } = this;
    const errors = learners.map(({ position, player }) =>
      this.errorOf(position, { pairs: [], collected: state.returns(player) }),
    );
    learners.forEach((view, at) => this.learn(view, errors[at]!));
    if (this.options.updates === "game") for (const view of this.views) this.learnGame(view);
  }

  /** The views that learn from this game: not that of older weights, unless it is the only one. */
  private get learners(): readonly View[] {
    return this.views.filter(({ player }) => player !== this.opponentSeat || this.views.length === 1);
  }

  private cut(): void {
    if (this.options.afterRandomMove !== "continue") for (const view of this.views) view.cut = true;
  }

  private errorOf(before: Position | undefined, after: Position): number {
    return before === undefined ? 0 : this.estimate(after) - this.estimate(before);
  }

  private read(state: State, player: number): Position {
    const { game, features } = this;
    const collected = game.rewardsAlongTheWay || state.toMove === TERMINAL ? state.returns(player) : 0;
    if (state.toMove === TERMINAL) return { pairs: [], collected };
    const duel = game.players === 2 && game.zeroSum;
    if (duel && features.symmetry === "mirrored") {
      const pairs = [...this.extract(state, player, 0.5), ...this.extract(state, 1 - player, -0.5)];
      return { pairs, collected };
    }
    const viewer = duel && features.viewer !== undefined ? features.viewer(state) : player;
    return { pairs: this.extract(state, viewer, viewer === player ? 1 : -1), collected };
  }

  private extract(state: State, player: number, factor: number): [number, number][] {
    const { features } = this;
    const index = new Int32Array(features.maxActive);
    const value = new Float32Array(features.maxActive).fill(1);
    const count = features.extract(state, player, index, value);
    return Array.from({ length: count }, (_, at) => [index[at]!, factor * value[at]!]);
  }

  private estimate({ pairs, collected }: Position): number {
    return pairs.length === 0 ? collected : collected + this.squash(this.sum(pairs)).value;
  }

  private sum(pairs: Position["pairs"]): number {
    return pairs.reduce((sum, [weight, value]) => sum + this.weights[weight]! * value, 0);
  }

  private squash(sum: number): { value: number; slope: number } {
    const { minReturn, maxReturn } = this.game;
    if (this.output === "identity") return { value: sum, slope: 1 };
    const half = (maxReturn - minReturn) / 2;
    const scale = this.output === "tanh" ? 1 : 0.5;
    const bent = Math.tanh(scale * sum);
    return { value: (maxReturn + minReturn) / 2 + half * bent, slope: half * scale * (1 - bent * bent) };
  }

  private arrive(view: View, position: Position): void {
    const { lambda, traces: kind } = this.options;
    view.position = position;
    view.cut = false;
    const { slope } = this.squash(this.sum(position.pairs));
    const gradient = position.pairs.map(([weight, value]) => [weight, slope * value] as const);
    if (lambda === 0 || this.options.updates === "game") {
      view.credits = gradient;
      view.game.push({ credits: gradient, rate: 0, error: 0, isCut: true });
      return;
    }
    const traces = new Map(view.credits);
    if (kind === "replacing") for (const [weight] of gradient) traces.delete(weight);
    for (const [weight, credit] of gradient) traces.set(weight, (traces.get(weight) ?? 0) + credit);
    view.credits = [...traces];
  }

  private learn(view: View, error: number): void {
    const { lambda, normalized, updates } = this.options;
    const { credits, position } = view;
    if (view.cut || position === undefined) {
      view.credits = [];
      return;
    }
    const squares = position.pairs.reduce((sum, [, value]) => sum + value * value, 0);
    const { minReturn, maxReturn } = this.game;
    const steepest = {
      identity: 1,
      tanh: (maxReturn - minReturn) / 2,
      logistic: (maxReturn - minReturn) / 4,
    };
    const norm = normalized === true ? Math.max(1, squares) * steepest[this.output] ** 2 : 1;
    const rate = this.stepSize / norm;
    if (updates === "game") Object.assign(view.game.at(-1)!, { rate, error, isCut: false });
    else this.move(credits, error, rate);
    view.credits = credits.map(([weight, credit]) => [weight, lambda * credit]);
  }

  /** The forward view: each position learns once, from the errors after it, fading by lambda, up to a cut. */
  private learnGame({ game }: View): void {
    const { lambda } = this.options;
    for (let at = game.length - 1; at >= 0; at--) {
      const cut = game.findIndex(({ isCut }, later) => later >= at && isCut);
      const following = game.slice(at, cut < 0 ? game.length : cut);
      const error = following.reduce((sum, step, later) => sum + lambda ** later * step.error, 0);
      if (following.length > 0) this.move(game[at]!.credits, error, game[at]!.rate);
    }
  }

  private move(credits: View["credits"], error: number, rate: number): void {
    const { coherence } = this.options;
    for (const [weight, credit] of credits) {
      const asked = error * credit;
      if (asked === 0) continue;
      this.weights[weight]! += rate * (coherence === undefined ? 1 : this.share(weight, asked)) * asked;
    }
  }

  /** |sum of the changes asked for before| / sum of their sizes, 1 before the first; then takes note of this one. */
  private share(weight: number, asked: number): number {
    const { changes, amounts } = this;
    const { kind, beta } = this.options.coherence!;
    const coherence = amounts[weight] === 0 ? 1 : Math.abs(changes[weight]!) / amounts[weight]!;
    changes[weight]! += asked;
    amounts[weight]! += Math.abs(asked);
    return kind === "identity" ? coherence : Math.exp(beta * (coherence - 1));
  }
}
