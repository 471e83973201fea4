import { z } from "zod";
import { CHANCE, TERMINAL, type Game, type State, notHidden } from "../games/contract/game.ts";
import { ObservedGame } from "../games/contract/privacy.ts";
import { type Agent, type AgentParts, type Decision, type Turn, defineAgent } from "./agent.ts";
import { WeighedWorlds, worldsOptions } from "./worlds.ts";

const options = z.strictObject({
  observers: z
    .enum(["multiple", "single"])
    .default("multiple")
    .describe(
      "multiple: one tree for what each player knows; single: one tree for what the player who decides knows",
    ),
  exploration: z
    .number()
    .min(0)
    .max(100)
    .default(0.7)
    .describe("constant of UCB1, in units of the range of returns"),
  ...worldsOptions,
});

/** Information set Monte Carlo tree search, with multiple observers or a single one (Cowling, Powley and Whitehouse 2012). */
export const ismcts = defineAgent({
  id: "ismcts",
  summary: "information set Monte Carlo tree search: trees of what players know",
  options,
  budgets: ["simulations", "timeMs"],
  unsupported: notHidden,
  create: (parts: AgentParts<z.output<typeof options>>): Agent => new Ismcts(parts),
});

/**
 * The statistics of the decisions of one player that the observer cannot tell apart. An observer who is not the player may
 * not know which actions are legal: they come into the node when a world has them first.
 */
interface Node {
  visits: number;
  readonly actions: number[];
  /** By action: the simulations in which it was legal, and those that took it. */
  readonly legal: number[];
  readonly tries: number[];
  /** By action: the sum of the mover's returns, scaled to 0..1. */
  readonly sums: number[];
}

/** The clock is read once in so many simulations. */
const CLOCK_INTERVAL = 16;

/**
 * Each simulation draws a world and goes down the nodes of it. A node belongs to the codes of its observer. With multiple
 * observers it is the player who moves, so that each player decides alike in all worlds that it cannot tell apart. A single
 * observer is the player at the root: the others then decide as if they knew what it knows. A new node is followed by a
 * random playout.
 */
class Ismcts implements Agent {
  private readonly game: Game;
  private readonly exploration: number;
  private readonly isSingle: boolean;
  private readonly observed: ObservedGame;
  private readonly weighed: WeighedWorlds | undefined;
  private readonly playout: State;
  private readonly world: Int32Array;
  private readonly actions: Int32Array;
  private readonly probabilities: Float64Array;
  /** By the player who moves: nodes by the hash of the observer's codes. */
  private readonly trees: readonly Map<bigint, Node>[];
  private readonly pathNodes: Node[] = [];
  private readonly pathMovers: number[] = [];
  private readonly pathActions: number[] = [];

  constructor({ game, options: own, opponent }: AgentParts<z.output<typeof options>>) {
    const { exploration, observers, candidates } = own;
    this.game = game;
    this.exploration = exploration;
    this.isSingle = observers === "single";
    this.observed = new ObservedGame(game);
    this.weighed = opponent && new WeighedWorlds(game, opponent, candidates);
    this.playout = game.start();
    this.world = new Int32Array(this.observed.privacy.maxEvents);
    this.actions = new Int32Array(game.maxActions);
    this.probabilities = new Float64Array(game.maxActions);
    this.trees = Array.from({ length: game.players }, () => new Map<bigint, Node>());
  }

  choose({ toMove: player }: State, turn: Turn): Decision {
    const { observed, world, trees } = this;
    const { knowledge, budget, clock, random } = turn;
    if (knowledge === undefined) throw new Error("ismcts was not told what the player knows");
    const { simulations = Infinity, timeMs = Infinity } = budget;
    for (const tree of trees) tree.clear();
    const begun = clock();
    const worlds = this.weighed?.weigh(knowledge.worlds, player, random) ?? knowledge.worlds;
    let done = 0;
    let root: Node | undefined;
    while (done < simulations && (done % CLOCK_INTERVAL !== 0 || done === 0 || clock() - begun < timeMs)) {
      observed.replay(world, worlds.draw(random, world));
      root ??= this.nodeAt(player, player);
      this.simulate(turn, player);
      done++;
    }
    const { actions, tries, sums } = root!;
    let best = 0;
    for (let at = 1; at < actions.length; at++) if (tries[at]! > tries[best]!) best = at;
    const { minReturn, maxReturn } = this.game;
    const value = minReturn + (maxReturn - minReturn) * (sums[best]! / tries[best]!);
    return { action: actions[best]!, value, nodes: done, line: [actions[best]!] };
  }

  /** One simulation from the drawn world: down the trees, a playout, and the returns back. */
  private simulate({ random }: Turn, root: number): void {
    const { observed, pathNodes, pathMovers, pathActions } = this;
    const { state } = observed;
    let length = 0;
    let isNew = false;
    while (state.toMove !== TERMINAL && !isNew) {
      if (state.toMove === CHANCE) {
        observed.apply(this.sample(state, random));
        continue;
      }
      const mover = state.toMove;
      const node = this.nodeAt(mover, this.isSingle ? root : mover);
      isNew = node.visits === 0;
      const at = this.select(node, state.legalActions(this.actions, 0), random);
      pathNodes[length] = node;
      pathMovers[length] = mover;
      pathActions[length++] = at;
      observed.apply(node.actions[at]!);
    }
    this.playout.copyFrom(state);
    while (this.playout.toMove !== TERMINAL) {
      if (this.playout.toMove === CHANCE) this.playout.apply(this.sample(this.playout, random));
      else this.playout.apply(this.actions[random.below(this.playout.legalActions(this.actions, 0))]!);
    }
    const { minReturn, maxReturn } = this.game;
    for (let at = 0; at < length; at++) {
      const node = pathNodes[at]!;
      node.visits++;
      node.tries[pathActions[at]!]!++;
      const gained = this.playout.returns(pathMovers[at]!) - minReturn;
      node.sums[pathActions[at]!]! += gained / (maxReturn - minReturn);
    }
  }

  /**
   * The index in the node of the legal action with the highest UCB1 (Auer and others 2002), which counts the simulations in
   * which the action was legal. Untried actions come first, in a random order.
   */
  private select({ actions, legal, tries, sums }: Node, count: number, random: Turn["random"]): number {
    const first = random.below(count);
    let [best, highest] = [-1, -Infinity];
    for (let step = 0; step < count; step++) {
      const place = (first + step) % count;
      const action = this.actions[place]!;
      // An action has the same place in each world if the observer knows what is legal.
      let at = actions[place] === action ? place : actions.indexOf(action);
      if (at < 0) {
        at = actions.push(action) - 1;
        for (const counts of [legal, tries, sums]) counts.push(0);
      }
      const bound =
        tries[at] === 0
          ? Infinity
          : sums[at]! / tries[at]! + this.exploration * Math.sqrt(Math.log(legal[at]!) / tries[at]!);
      legal[at]!++;
      if (bound > highest) [best, highest] = [at, bound];
    }
    return best;
  }

  /** The node of what the observer knows where the mover decides, made at need. */
  private nodeAt(mover: number, observer: number): Node {
    const { observed } = this;
    const tree = this.trees[mover]!;
    const key = (BigInt(observed.hashHigh(observer)) << 32n) ^ BigInt(observed.hashLow(observer) >>> 0);
    const known = tree.get(key);
    if (known !== undefined) return known;
    const actions = [...this.actions.subarray(0, observed.state.legalActions(this.actions, 0))];
    const zeros = () => actions.map(() => 0);
    const node: Node = { visits: 0, actions, legal: zeros(), tries: zeros(), sums: zeros() };
    tree.set(key, node);
    return node;
  }

  private sample(state: State, random: Turn["random"]): number {
    const count = state.chanceOutcomes!(this.actions, this.probabilities, 0);
    return this.actions[random.weighted(this.probabilities, 0, count)]!;
  }
}
