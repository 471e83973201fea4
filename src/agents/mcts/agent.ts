import { unknownName } from "../../base/text.ts";
import type { Problem } from "../../base/errors.ts";
import {
  type Evaluator,
  type Game,
  type State,
  hidden,
  notDeterministicDuel,
} from "../../games/contract/game.ts";
import {
  type Agent,
  type AgentParts,
  type Decision,
  type HelperTask,
  type Helpers,
  type Turn,
  defineAgent,
  type Helper,
  divideBudget,
  taskAt,
} from "../agent.ts";
import { type MctsOptions, mctsOptions, priorsOf } from "./parts.ts";
import type { Proofs } from "./proofs.ts";
import type { SimulationTree } from "./tree.ts";
import { Uct } from "./uct.ts";

/** Monte Carlo tree search with UCT (Kocsis and Szepesvari 2006). */
export const mcts = defineAgent({
  id: "mcts",
  summary: "Monte Carlo tree search (UCT), random playouts or an evaluator at the leaves; any game",
  options: mctsOptions,
  budgets: ["simulations", "nodes", "timeMs"],
  heedsClocks: true,
  unsupported: hidden,
  problems: problemsOf,
  create: rootParallel,
});

/** Options that mean nothing without an evaluator. */
const OF_EVALUATOR = ["priors", "implicitMinimax", "playoutShare"] as const;

function problemsOf(game: Game, options: MctsOptions, evaluator: Evaluator | undefined): Problem[] {
  const problems: Problem[] = [];
  const priors = knownPriors(options, evaluator);
  for (const path of OF_EVALUATOR)
    if (options.evaluator === undefined && Boolean(options[path]))
      problems.push({ path, message: "needs an evaluator; give evaluator=NAME" });
  if (
    options.priors === "policy" &&
    evaluator !== undefined &&
    options.evaluator !== undefined &&
    evaluator.prefer === undefined
  )
    problems.push({
      path: "priors",
      message: `"policy" needs an evaluator that has a policy, such as weights with \`policy: true\`; give a number, or 0`,
    });
  const trait = notDeterministicDuel(game);
  if (options.implicitMinimax > 0 && trait !== undefined)
    problems.push({ path: "implicitMinimax", message: `must be 0 in ${game.id}, which has ${trait}` });
  if (options.firstPlay !== undefined && isOther(priors))
    problems.push({ path: "firstPlay", message: "needs priors=policy" });
  problems.push(...problemsOfRoot(options, priors));
  if (options.noise !== undefined && priors === 0)
    problems.push({ path: "noise", message: "needs priors, such as priors=policy" });
  if (options.implicitMinimax > 0 && options.priors === "policy")
    problems.push({
      path: "implicitMinimax",
      message: "must be 0 with priors=policy, which values no actions",
    });
  for (const path of ["mast", "playout"] as const)
    if (Boolean(options[path]) && options.evaluator !== undefined && (options.playoutShare ?? 0) === 0)
      problems.push({
        path,
        message: "needs playouts, which an evaluator replaces; give playoutShare=0.5, or leave it out",
      });
  if (Boolean(options.promises) && options.playout === undefined)
    problems.push({ path: "promises", message: "needs a policy; give playout=NAME" });
  if (options.playout !== undefined) problems.push(...problemsOfPlayout(game, options.playout, options));
  return problems;
}

/** The priors of a search; undefined if they are those of an evaluator that is not at hand. */
type KnownPriors = number | "policy" | undefined;

function knownPriors(options: MctsOptions, evaluator: Evaluator | undefined): KnownPriors {
  if (options.evaluator === undefined) return priorsOf(options, null);
  return evaluator === undefined ? options.priors : priorsOf(options, evaluator);
}

/** True for priors that are not those of a policy. */
const isOther = (priors: KnownPriors) => typeof priors === "number";

/** Options that mean nothing without Gumbel's selection at the root, and those that mean nothing with it. */
const OF_GUMBEL = ["considered", "valueScale"] as const;
const NOT_OF_GUMBEL = ["exploration", "firstPlay", "rave"] as const;

function problemsOfRoot(options: MctsOptions, priors: KnownPriors): Problem[] {
  if (options.root !== "gumbel")
    return OF_GUMBEL.filter((path) => options[path] !== undefined).map((path) => ({
      path,
      message: "needs root=gumbel",
    }));
  const problems: Problem[] = NOT_OF_GUMBEL.filter((path) => Boolean(options[path])).map((path) => ({
    path,
    message: "must be left out with root=gumbel, which does without",
  }));
  if (isOther(priors)) problems.push({ path: "root", message: '"gumbel" needs priors=policy' });
  if (options.memory === "game")
    problems.push({
      path: "memory",
      message: 'must be "decision" with root=gumbel, which shares out visits anew',
    });
  return problems;
}

function problemsOfPlayout(game: Game, playout: string, { mast }: MctsOptions): Problem[] {
  const path = "playout";
  const allowed = Object.keys(game.policies);
  if (allowed.length === 0)
    return [{ path, message: `needs a policy, and ${game.id} has none; leave it out` }];
  if (!allowed.includes(playout)) return [{ path, message: unknownName("policy", playout, allowed) }];
  return mast > 0 ? [{ path, message: "must be left out with mast, which plays the playouts" }] : [];
}

/**
 * UCT with helpers that grow their own trees from the same position (root parallelization; Cazenave and Jouandeau 2007,
 * Chaslot, Winands and van den Herik 2008). The sums over all trees decide.
 */
function rootParallel({ game, options, evaluator, makeHelpers }: AgentParts<MctsOptions>): Agent {
  const { threads = 1 } = options;
  const leaves = options.evaluator === undefined ? null : evaluator;
  if (threads === 1 || makeHelpers === undefined) return new Uct(game, options, leaves);
  const search = new TalliedUct(game, options, leaves);
  const helpers = makeHelpers<RootTally>(threads - 1);
  return {
    choose(root, turn) {
      const { first, other } = divideBudget(turn.budget, threads);
      const task = taskAt(game, root, turn, other);
      return search.chooseWith(helpers, task, root, { ...turn, budget: first });
    },
    newGame: () => search.newGame(),
  };
}

/** Makes a helper of UCT. It begins each decision with an empty tree, as it is not told the decisions. */
export function rootParallelHelper({ game, options, evaluator }: AgentParts<MctsOptions>): Helper {
  const leaves = options.evaluator === undefined ? null : evaluator;
  return new TalliedUct(game, { ...options, memory: "decision" }, leaves);
}

class TalliedUct extends Uct implements Helper {
  help(root: State, turn: Turn): RootTally {
    return tallyRoot(this.tree, this.proofs, this.search(root, turn));
  }

  async chooseWith(
    helpers: Helpers<RootTally>,
    task: HelperTask,
    root: State,
    turn: Turn,
  ): Promise<Decision> {
    const { tree, proofs } = this;
    const { result: own, reports } = await helpers.during(task, () => this.help(root, turn));
    addTallies(tree, proofs, { tallies: reports, mover: root.toMove });
    const all = reports.reduce((sum, { simulations }) => sum + simulations, own.simulations);
    const decision = this.decide(root, turn, all);
    // A kept tree goes on with its own sums.
    restoreTally(tree, own);
    return decision;
  }
}

/**
 * The sums at the root of a tree, one entry for each action.
 * @internal tests read it.
 */
export interface RootTally {
  readonly simulations: number;
  readonly actions: Int32Array;
  readonly visits: Int32Array;
  /** Sums of rewards; see SimulationTree. */
  readonly reward: Float64Array;
  /** Sets of players, see Proofs; empty without proofs. */
  readonly wins: Int32Array;
  readonly losses: Int32Array;
}

const NOTHING = new Int32Array(0);

/** Takes the tally of a tree's root. */
function tallyRoot(tree: SimulationTree, proofs: Proofs | null, simulations: number): RootTally {
  const from = tree.firstChild[0];
  const end = from + tree.childCount[0];
  return {
    simulations,
    actions: tree.action.slice(from, end),
    visits: tree.visits.slice(from, end),
    reward: tree.reward.slice(from, end),
    wins: proofs?.wins.slice(from, end) ?? NOTHING,
    losses: proofs?.losses.slice(from, end) ?? NOTHING,
  };
}

/**
 * Adds the tallies of other trees of the same root, whose actions may stand in another order. It sums visits and
 * rewards; a result proven in one tree is proven.
 * @param mover the player who decides at the root
 */
function addTallies(
  tree: SimulationTree,
  proofs: Proofs | null,
  { tallies, mover }: { tallies: readonly RootTally[]; mover: number },
): void {
  const from = tree.firstChild[0];
  const nodes = new Map<number, number>();
  for (let node = from; node < from + tree.childCount[0]; node++) nodes.set(tree.action[node], node);
  for (const { actions, visits, reward, wins, losses } of tallies) {
    for (const [at, action] of actions.entries()) {
      const node = nodes.get(action)!;
      tree.visits[node] += visits[at]!;
      tree.reward[node] += reward[at]!;
      if (proofs === null) continue;
      proofs.wins[node] |= wins[at]!;
      proofs.losses[node] |= losses[at]!;
    }
  }
  proofs?.renew(0, mover);
}

/** Gives the root's actions the visits and rewards of an earlier tally of the same tree. */
function restoreTally(tree: SimulationTree, { visits, reward }: RootTally): void {
  tree.visits.set(visits, tree.firstChild[0]);
  tree.reward.set(reward, tree.firstChild[0]);
}
