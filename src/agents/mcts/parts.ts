import type { Evaluator, Game, DecisiveMoves } from "../../game/game.ts";
import { Amaf } from "./amaf.ts";
import { Estimates, ImplicitMinimax } from "./estimates.ts";
import { GuidedSelection, Ucb1, type Selection } from "./selection.ts";
import { MastPlayout, RandomPlayout, TrailPlayout, type Playout } from "./playout.ts";
import type { MctsOptions } from "./options.ts";
import { Proofs } from "./proofs.ts";
import { Trail, type Learner } from "./simulation.ts";
import type { SimulationTree } from "./tree.ts";

/** The default explorations. Values of an evaluator lie closer together than the results of playouts. */
const PLAYOUT_EXPLORATION = 0.7;
const EVALUATOR_EXPLORATION = 0.3;

/** The parts of a search; null for a part that the options leave out. */
export interface Parts {
  readonly selection: Selection;
  readonly playout: Playout | null;
  /** Leaves out children of nodes below the root. */
  readonly decisiveMoves: DecisiveMoves | null;
  readonly proofs: Proofs | null;
  readonly estimates: Estimates | null;
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
  const { priors, implicitMinimax } = options;
  const needsEstimates = evaluator !== null && priors + implicitMinimax > 0;
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
        minimax,
        minimaxShare: implicitMinimax,
      });
  const decisiveMoves = options.decisive === "none" ? null : (game.decisiveMoves ?? null);
  const mast =
    options.mast > 0 ? new MastPlayout(game, { tree, trail: trail!, temperature: options.mast }) : null;
  const playout = evaluator === null ? (mast ?? createPlayout(game, trail)) : null;
  const learners = [amaf, mast].filter((learner) => learner !== null);
  return { selection, playout, decisiveMoves, proofs, estimates, minimax, trail, learners };
}

/** Makes a playout of random actions, which writes to a trail if there is one. */
function createPlayout(game: Game, trail: Trail | null): Playout {
  return trail === null ? new RandomPlayout(game) : new TrailPlayout(game, trail);
}
