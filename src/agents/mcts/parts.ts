import { z } from "zod";
import type { DecisiveMoves, Evaluator, Game, Policy } from "../../games/contract/game.ts";
import { memory, threads, ties } from "../agent.ts";
import {
  Amaf,
  type Estimates,
  ImplicitMinimax,
  type Learner,
  PolicyEstimates,
  Promises,
  Trail,
  ValueEstimates,
} from "./estimates.ts";
import { MastPlayout, type Playout, PolicyPlayout, RandomPlayout, TrailPlayout } from "./playout.ts";
import { GumbelSelection } from "./gumbel.ts";
import { Proofs } from "./proofs.ts";
import { GuidedSelection, type Selection, Ucb1 } from "./selection.ts";
import type { SimulationTree } from "./tree.ts";

export const mctsOptions = z.strictObject({
  evaluator: z.string().optional().describe("value of new leaves, in place of a random playout to the end"),
  exploration: z
    .number()
    .min(0)
    .optional()
    .describe("the c of UCB1, mean + c * sqrt(ln N / n), for rewards of 0..1; 0.7, or 0.3 with an evaluator"),
  maxNodes: z
    .int()
    .min(1000)
    .max(2 ** 26)
    .default(2 ** 20)
    .describe("nodes of the tree; when it is full, the least visited half is recycled"),
  playout: z
    .string()
    .optional()
    .describe(
      "the policy of the game that plays the playouts; `agon games ID` lists them; default: random actions",
    ),
  playoutShare: z
    .number()
    .min(0)
    .max(1)
    .optional()
    .describe("with an evaluator: share of a playout from the leaf in its value, 0..1; 0: none"),
  promises: z
    .number()
    .min(0)
    .optional()
    .describe(
      "with a playout: simulations that its policy's promise of a new action counts as, where it has them; default: none",
    ),
  priors: z
    .union([z.number().min(0), z.literal("policy")])
    .optional()
    .describe(
      "with an evaluator, for selection by PUCT: its own policy, or the temperature of priors by its values; 0: UCB1; default: policy where it has one, else 0.3",
    ),
  firstPlay: z
    .number()
    .min(0)
    .max(1)
    .optional()
    .describe(
      "with priors=policy: an action without visits counts as the value of its position less this, for rewards of 0..1; 0.1",
    ),
  root: z
    .enum(["bounds", "gumbel"])
    .optional()
    .describe(
      "with priors=policy, gumbel: sequential halving at the root, and the improved policy below; default: bounds, UCB1 or PUCT",
    ),
  considered: z
    .int()
    .min(1)
    .max(2 ** 16)
    .optional()
    .describe("with root=gumbel: actions among which the simulations are shared out; 16"),
  valueScale: z
    .number()
    .positive()
    .optional()
    .describe(
      "with root=gumbel: weight of the values found beside the logits; 1, which suits play, as 0.1 suits targets for learning",
    ),
  noise: z
    .number()
    .min(0)
    .max(1)
    .optional()
    .describe(
      "with priors, noise at the root for self-play: share of Dirichlet noise in the priors, such as 0.25; with root=gumbel scale of the Gumbel noise, such as 1; 0",
    ),
  implicitMinimax: z
    .number()
    .min(0)
    .max(1)
    .default(0)
    .describe("with an evaluator: share of its minimax value in the value of an action, 0..1; 0: none"),
  rave: z
    .number()
    .min(0)
    .default(0)
    .describe("visits of a node at which the mean of an action counts as much as AMAF (RAVE); 0: no AMAF"),
  mast: z
    .number()
    .min(0)
    .default(0)
    .describe(
      "temperature of playouts that prefer actions which did well elsewhere (MAST); 0: random playouts",
    ),
  decisive: z
    .enum(["none", "tree"])
    .default("tree")
    .describe(
      "tree: below the root, only the decisive moves are tried where the game tells them; none: all moves",
    ),
  solver: z
    .boolean()
    .default(true)
    .describe("prove wins and losses in the tree, and stop when the decision is proven"),
  threads,
  memory: memory.default("decision"),
  ties: ties.default("random"),
});
/** The options, checked. */
export type MctsOptions = z.output<typeof mctsOptions>;

/** The defaults. Values of an evaluator lie closer together than the results of playouts. */
const PLAYOUT_EXPLORATION = 0.7;
const EVALUATOR_EXPLORATION = 0.3;
const POLICY_FIRST_PLAY = 0.1;
const PRIORS_TEMPERATURE = 0.3;
const CONSIDERED = 16;
const VALUE_SCALE = 1;

/** Returns the priors of a search: those of its options, or those that suit its evaluator; 0 for none. */
export function priorsOf(
  { priors, implicitMinimax }: MctsOptions,
  evaluator: Evaluator | null,
): number | "policy" {
  if (priors !== undefined) return priors;
  if (evaluator === null) return 0;
  // A policy values no actions, which implicit minimax needs.
  return evaluator.prefer === undefined || implicitMinimax > 0 ? PRIORS_TEMPERATURE : "policy";
}

/** The parts of a search; null for a part that the options leave out. */
export interface Parts {
  readonly selection: Selection;
  /** The selection, if it is that of Gumbel MuZero. */
  readonly gumbel: GumbelSelection | null;
  readonly playout: Playout | null;
  /** Leaves out children of nodes below the root. */
  readonly decisiveMoves: DecisiveMoves | null;
  readonly proofs: Proofs | null;
  readonly estimates: Estimates | null;
  /** The estimates, if they are those of a policy. */
  readonly learnt: PolicyEstimates | null;
  readonly promises: Promises | null;
  readonly minimax: ImplicitMinimax | null;
  /** Playouts write their actions here. */
  readonly trail: Trail | null;
  readonly learners: readonly Learner[];
}

/** Makes the parts that the options ask for. */
export function createParts(
  game: Game,
  options: MctsOptions,
  { tree, evaluator }: { tree: SimulationTree; evaluator: Evaluator | null },
): Parts {
  const proofs = options.solver && Proofs.fit(game) ? new Proofs(game, tree) : null;
  const trail = options.rave > 0 || options.mast > 0 ? new Trail() : null;
  const amaf = options.rave > 0 ? new Amaf(tree) : null;
  const { implicitMinimax } = options;
  const priors = priorsOf(options, evaluator);
  const learnt = evaluator !== null && priors === "policy" ? new PolicyEstimates(tree, evaluator) : null;
  const estimates = learnt ?? createEstimates(game, { priors, implicitMinimax }, { tree, evaluator });
  const policy = options.playout === undefined ? null : game.policies[options.playout]!.create();
  const weight = options.promises ?? 0;
  const promises =
    policy?.promises !== undefined && weight > 0 ? new Promises(tree, { policy, weight }) : null;
  const minimax =
    estimates !== null && implicitMinimax > 0 ? new ImplicitMinimax(tree, estimates, proofs) : null;
  const usual = evaluator === null ? PLAYOUT_EXPLORATION : EVALUATOR_EXPLORATION;
  const exploration = options.exploration ?? usual;
  const gumbel =
    learnt !== null && options.root === "gumbel"
      ? createGumbel(game, options, { tree, estimates: learnt, proofs })
      : null;
  const isPlain = amaf === null && estimates === null && promises === null;
  const bounds = isPlain
    ? new Ucb1(tree, exploration, proofs)
    : new GuidedSelection(tree, {
        exploration,
        proofs,
        amaf,
        equivalence: options.rave,
        estimates,
        firstPlay: learnt === null ? 0 : (options.firstPlay ?? POLICY_FIRST_PLAY),
        promises,
        puct: priors !== 0,
        minimax,
        minimaxShare: implicitMinimax,
      });
  const decisiveMoves = options.decisive === "none" ? null : (game.decisiveMoves ?? null);
  const mast =
    options.mast > 0 ? new MastPlayout(game, { tree, trail: trail!, temperature: options.mast }) : null;
  const playout =
    evaluator === null || (options.playoutShare ?? 0) > 0
      ? (mast ?? createPlayout(game, policy, trail))
      : null;
  const learners = [amaf, mast].filter((learner) => learner !== null);
  const selection = gumbel ?? bounds;
  return {
    selection,
    gumbel,
    playout,
    decisiveMoves,
    proofs,
    estimates,
    learnt,
    promises,
    minimax,
    trail,
    learners,
  };
}

function createGumbel(
  { maxActions }: Game,
  { considered = CONSIDERED, valueScale = VALUE_SCALE }: MctsOptions,
  parts: { tree: SimulationTree; estimates: PolicyEstimates; proofs: Proofs | null },
): GumbelSelection {
  return new GumbelSelection(parts.tree, { ...parts, maxActions, considered, valueScale });
}

/** Makes the estimates of actions by the values after them, if they are used. */
function createEstimates(
  game: Game,
  { priors, implicitMinimax }: { priors: number | "policy"; implicitMinimax: number },
  { tree, evaluator }: { tree: SimulationTree; evaluator: Evaluator | null },
): Estimates | null {
  const temperature = priors === "policy" ? 0 : priors;
  if (evaluator === null || temperature + implicitMinimax === 0) return null;
  return new ValueEstimates(game, tree, { evaluator, temperature });
}

/** Makes the playout of a policy or of random actions, which writes to a trail if there is one. */
function createPlayout(game: Game, policy: Policy | null, trail: Trail | null): Playout {
  if (policy !== null) return new PolicyPlayout(game, policy, trail);
  return trail === null ? new RandomPlayout(game) : new TrailPlayout(game, trail);
}
