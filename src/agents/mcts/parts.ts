import type { Evaluator, Game, DecisiveMoves } from "../../game/game.ts";
import { Amaf } from "./amaf.ts";
import { Estimates } from "./estimates.ts";
import { GuidedSelection } from "./guided.ts";
import { ImplicitMinimax } from "./implicit-minimax.ts";
import { MastPlayout } from "./mast.ts";
import type { MctsOptions } from "./options.ts";
import { GuidedPlayout, RandomPlayout, type Playout, type PlayoutParts } from "./playout.ts";
import { Proofs } from "./proofs.ts";
import { Trail, type Learner } from "./simulation.ts";
import type { SimulationTree } from "./tree.ts";
import { Ucb1, type Selection } from "./ucb.ts";

/** The exploration if none is given. Values of an evaluator lie closer together than the results of playouts. */
const PLAYOUT_EXPLORATION = 0.7;
const EVALUATOR_EXPLORATION = 0.3;

/** What a search is put together from; null is what the options leave out. */
export interface Parts {
  readonly selection: Selection;
  readonly playout: Playout | null;
  /** What leaves out children of nodes below the root. */
  readonly decisiveMoves: DecisiveMoves | null;
  readonly proofs: Proofs | null;
  readonly estimates: Estimates | null;
  readonly minimax: ImplicitMinimax | null;
  /** Where playouts write down what they play. */
  readonly trail: Trail | null;
  readonly learners: readonly Learner[];
}

/** The parts that the options ask for. */
export function createParts(
  game: Game,
  options: MctsOptions,
  { tree, evaluator }: { tree: SimulationTree; evaluator: Evaluator | null },
): Parts {
  const proofs = options.solver && Proofs.fit(game) ? new Proofs(game, tree) : null;
  const trail = options.rave > 0 || options.mast > 0 ? new Trail() : null;
  const amaf = options.rave > 0 ? new Amaf(tree) : null;
  const { priors, progressiveBias, implicitMinimax } = options;
  const needsEstimates = evaluator !== null && priors + progressiveBias + implicitMinimax > 0;
  const estimates = needsEstimates ? new Estimates(game, tree, { evaluator, temperature: priors }) : null;
  const minimax =
    estimates !== null && implicitMinimax > 0 ? new ImplicitMinimax(tree, estimates, proofs) : null;
  const usual = evaluator === null ? PLAYOUT_EXPLORATION : EVALUATOR_EXPLORATION;
  const exploration = options.exploration ?? usual;
  const isPlain = amaf === null && estimates === null;
  const selection = isPlain
    ? new Ucb1(tree, exploration, proofs)
    : new GuidedSelection(tree, {
        exploration,
        proofs,
        amaf,
        equivalence: options.rave,
        estimates,
        puct: priors > 0,
        bias: progressiveBias,
        minimax,
        minimaxShare: implicitMinimax,
      });
  const { decisive } = options;
  const decisiveMoves = decisive === "none" ? null : (game.decisiveMoves ?? null);
  const plies = evaluator === null ? Infinity : options.playoutPlies;
  const playing = { plies, trail, decisiveMoves: decisive === "playouts" ? decisiveMoves : null };
  const mast =
    options.mast > 0 ? new MastPlayout(game, { ...playing, temperature: options.mast, tree }) : null;
  const playout = mast ?? createPlayout(game, playing);
  const learners = [amaf, mast].filter((learner) => learner !== null);
  return { selection, playout, decisiveMoves, proofs, estimates, minimax, trail, learners };
}

/** The simplest playout that does what is asked for; null where there are no plies to play. */
function createPlayout(game: Game, parts: PlayoutParts): Playout | null {
  if (parts.plies === 0) return null;
  const isPlain = parts.plies === Infinity && parts.trail === null && parts.decisiveMoves === null;
  return isPlain ? new RandomPlayout(game) : new GuidedPlayout(game, parts);
}
