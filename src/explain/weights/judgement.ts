import { requireMover } from "../../agents/analysis.ts";
import { activate } from "../../evaluators/network/network.ts";
import type { Evaluator, Game, State } from "../../games/contract/game.ts";
import { possibleActions } from "../../games/contract/notation.ts";

/** The value that an evaluator gives a position, and its policy there, in the game's notation. */
export interface Judgement {
  readonly state: string;
  /** Expected return of the player to move. */
  readonly value: number;
  /** The likeliest actions, the first first; absent for evaluators without a policy. */
  readonly policy?: readonly { readonly action: string; readonly probability: number }[];
}

/**
 * Asks an evaluator about a position. Throws InputError if no player is to move.
 * @param count of the actions that are listed
 */
export function judge(game: Game, evaluator: Evaluator, state: State, count: number): Judgement {
  requireMover(game, state);
  const value = evaluator.evaluate(state, state.toMove) + 0;
  const judgement = { state: game.formatState(state), value };
  if (evaluator.prefer === undefined) return judgement;
  const actions = possibleActions(game, state);
  const logits = new Float32Array(actions.length);
  evaluator.prefer(state, Int32Array.from(actions), 0, actions.length, logits);
  const shares = Float64Array.from(logits);
  activate("softmax", shares, shares.length);
  const policy = Array.from(actions, (action, at) => ({
    action: game.formatAction(action, state),
    probability: shares[at]!,
  }));
  return {
    ...judgement,
    policy: policy.toSorted((a, b) => b.probability - a.probability).slice(0, count),
  };
}
