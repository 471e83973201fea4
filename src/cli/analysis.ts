import { createRandom } from "../base/random.ts";
import { InputError } from "../base/errors.ts";
import type { Decision } from "../agents/agent.ts";
import type { PreparedAgent } from "../agents/prepare.ts";
import { CHANCE, TERMINAL, type Game, type State } from "../games/game.ts";

/** What an agent thinks of a position; actions in the game's notation. */
export interface Analysis {
  readonly action: string;
  /** Expected return of the player to move; null where the agent has no view. */
  readonly value: number | null;
  readonly depth: number | null;
  readonly nodes: number;
  readonly timeMs: number;
  readonly line: readonly string[];
}

/**
 * Asks a new agent about a position. `onIteration` is told what the agent thinks after each finished iteration
 * of iterative deepening; agents that do not deepen never call it.
 */
export async function analysePosition(parts: {
  game: Game;
  prepared: PreparedAgent;
  state: State;
  seed: string;
  clock: () => number;
  onIteration?: ((analysis: Analysis) => void) | undefined;
}): Promise<Analysis> {
  const { game, prepared, state, seed, clock, onIteration } = parts;
  if (state.toMove === TERMINAL) throw new InputError(`the game is over in "${game.formatState(state)}"`);
  if (state.toMove === CHANCE)
    throw new InputError(`chance is to move in "${game.formatState(state)}"; add its outcome`);
  const view = game.start();
  view.copyFrom(state);
  const agent = prepared.create();
  const begun = clock();
  const describe = (decision: Decision) =>
    describeDecision({ game, state, decision, timeMs: clock() - begun });
  const decision = await agent.choose(view, {
    random: createRandom(seed, "analyze"),
    budget: prepared.budget,
    clock,
    ...(onIteration && { onIteration: (found) => onIteration(describe(found)) }),
  });
  return describe(decision);
}

function describeDecision(parts: { game: Game; state: State; decision: Decision; timeMs: number }): Analysis {
  const { game, state, decision, timeMs } = parts;
  return {
    action: game.formatAction(decision.action, state),
    // Adding 0 turns a negative zero into a plain one.
    value: decision.value === undefined ? null : decision.value + 0,
    depth: decision.depth ?? null,
    nodes: decision.nodes,
    timeMs: Number(timeMs.toFixed(3)),
    line: formatLine(game, state, decision.line),
  };
}

/** A line of actions in notation; stops where the state no longer fits. */
export function formatLine(game: Game, from: State, line: readonly number[]): string[] {
  const state = game.start();
  state.copyFrom(from);
  return line.map((action) => {
    const text = game.formatAction(action, state);
    state.apply(action);
    return text;
  });
}

export function formatAnalysis(analysis: Analysis): string {
  const perSecond =
    analysis.timeMs > 0 ? ` (${formatCount((analysis.nodes / analysis.timeMs) * 1000)}/s)` : "";
  return [
    `action  ${analysis.action}`,
    `value   ${analysis.value === null ? "no view" : analysis.value.toFixed(4)} for the player to move`,
    `depth   ${analysis.depth ?? "-"}`,
    `nodes   ${analysis.nodes}${perSecond}`,
    `time    ${analysis.timeMs.toFixed(1)} ms`,
    `line    ${analysis.line.join(" ")}`,
  ].join("\n");
}

/** The names of the columns of `formatIteration`. */
export const ITERATION_HEAD = "depth     value        nodes     time ms  line";

/** One finished iteration as a row of a table. */
export function formatIteration({ depth, value, nodes, timeMs, line }: Analysis): string {
  return [
    String(depth ?? "-").padStart(5),
    (value === null ? "-" : value.toFixed(4)).padStart(9),
    String(nodes).padStart(12),
    timeMs.toFixed(1).padStart(11),
    ` ${line.join(" ")}`,
  ].join(" ");
}

/** `1.5 M`, `320 k`, `42`. */
export function formatCount(count: number): string {
  if (count >= 1e6) return `${(count / 1e6).toFixed(1)} M`;
  if (count >= 1e3) return `${(count / 1e3).toFixed(0)} k`;
  return count.toFixed(0);
}
