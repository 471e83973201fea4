import { createRandom } from "../base/random.ts";
import { InputError } from "../base/errors.ts";
import type { Decision, Turn } from "./agent.ts";
import { DrawnWorld, historyOf } from "./worlds.ts";
import type { PreparedAgent } from "./prepare.ts";
import { CHANCE, TERMINAL, type Game, type State } from "../games/contract/game.ts";
import { describeResult, legalLine, sampleChance } from "../games/contract/notation.ts";

/** An agent's decision in a position, with actions in the game's notation. */
export interface Analysis {
  readonly action: string;
  /** Expected return of the player to move, in the game's units; null if the agent gives none. */
  readonly value: number | null;
  /** The depth of the decision, in plies; null if the agent gives none. */
  readonly depth: number | null;
  readonly nodes: number;
  readonly timeMs: number;
  readonly line: readonly string[];
  /** The best actions, if they were asked for and the agent can tell. */
  readonly best?: readonly RankedMove[];
}

/** One of the best actions, in the game's notation. */
interface RankedMove {
  readonly action: string;
  readonly value: number;
  /** Simulations that began with it, and their share of all; only of agents that simulate. */
  readonly visits?: number;
  readonly share?: number;
  /** Its probability in the policy that the search began with, and in the improved policy; only of agents that have them. */
  readonly prior?: number;
  readonly improved?: number;
  readonly line: readonly string[];
}

/**
 * Plays chance events until a player is to move or the game is over. Their outcomes descend from the seed; it returns
 * them in the game's notation.
 */
export function settleChance(game: Game, state: State, seed: string): string[] {
  const random = createRandom(seed, "analyze", "chance");
  const outcomes: string[] = [];
  while (state.toMove === CHANCE) {
    const outcome = sampleChance(game, state, random);
    outcomes.push(game.formatAction(outcome, state));
    state.apply(outcome);
  }
  return outcomes;
}

/**
 * Asks a new agent for its decision in a position. In a game of hidden information the decision is for all positions that the
 * player to move cannot tell from this one: the agent sees a drawn world. Throws InputError if no player is to move. `onIteration` gets an
 * analysis after each finished iteration of iterative deepening.
 * @param parts.ranked the length of the ranking; absent: no ranking
 */
export async function analysePosition(parts: {
  game: Game;
  prepared: PreparedAgent;
  state: State;
  seed: string;
  clock: () => number;
  onIteration?: ((analysis: Analysis) => void) | undefined;
  ranked?: number | undefined;
}): Promise<Analysis> {
  const { game, prepared, state, seed, clock, onIteration, ranked } = parts;
  requireMover(game, state);
  const seen = seenState(game, state, seed);
  const view = game.start();
  view.copyFrom(seen.state);
  const agent = prepared.create();
  const begun = clock();
  const describe = (decision: Decision) =>
    describeDecision({ game, state: seen.state, decision, timeMs: clock() - begun });
  const decision = await agent.choose(view, {
    random: createRandom(seed, "analyze"),
    budget: prepared.budget,
    clock,
    ...seen.told,
    ...(ranked !== undefined && { ranked }),
    ...(onIteration && { onIteration: (found) => onIteration(describe(found)) }),
  });
  return describe(decision);
}

/** Throws InputError if no player is to move. */
export function requireMover(game: Game, state: State): void {
  if (state.toMove === TERMINAL) {
    const position = game.formatState(state);
    throw new InputError(`the game is over in "${position}": ${describeResult(game, state)}`);
  }
  if (state.toMove === CHANCE)
    throw new InputError(`chance is to move in "${game.formatState(state)}"; add its outcome`);
}

/** The position as the player to move may see it, and what it is told: a drawn world where something is hidden. */
export function seenState(game: Game, state: State, seed: string): { state: State; told: Partial<Turn> } {
  if (!game.hiddenInformation) return { state, told: {} };
  const world = game.start();
  const random = createRandom(seed, "analyze", "world");
  return { told: new DrawnWorld(game).draw(historyOf(game, state), world, random), state: world };
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
    line: legalLine(game, state, decision.line),
    ...(decision.ranking && {
      best: decision.ranking.map(({ action, value, visits, prior, improved, line }) => ({
        action: game.formatAction(action, state),
        value: value + 0,
        ...(visits !== undefined && { visits, share: Number((visits / decision.nodes).toFixed(4)) }),
        ...(prior !== undefined && { prior: Number(prior.toFixed(4)) }),
        ...(improved !== undefined && { improved: Number(improved.toFixed(4)) }),
        line: legalLine(game, state, line),
      })),
    }),
  };
}
