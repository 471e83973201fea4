import type { Agent, Budget, Decision } from "../../src/agents/agent.ts";
import { parseAgentSpec } from "../../src/specs/agents.ts";
import { prepareAgent, type AgentSources } from "../../src/agents/prepare.ts";
import { createRandom, type Random } from "../../src/base/random.ts";
import { CHANCE, TERMINAL, type Game, type State } from "../../src/games/contract/game.ts";
import { loadEvaluator } from "../../src/specs/evaluators.ts";

/** An agent with the budget that its short form names. */
export interface Player {
  readonly agent: Agent;
  readonly budget: Budget;
}

/** @param sources an evaluator in place of the one that the spec names, and the like */
export function createPlayer(game: Game, spec: string, sources: AgentSources = {}): Player {
  const prepared = prepareAgent(game, parseAgentSpec(spec), { loadEvaluator, ...sources });
  return { agent: prepared.create(), budget: prepared.budget };
}

/** Asks a player for a decision on a copy of the state. Time stands still unless a clock is given. */
export function ask(
  { agent, budget }: Player,
  game: Game,
  { state, seed = "ask", clock = () => 0 }: { state: State; seed?: string; clock?: () => number },
): Decision {
  const view = copyOf(game, state);
  const decision = agent.choose(view, { random: createRandom(seed), budget, clock });
  if (decision instanceof Promise) throw new Error("this agent decides later");
  return decision;
}

/** Makes an agent and asks it for a decision. */
export function decide(game: Game, spec: string, state: State = game.start(), seed = "decide"): Decision {
  return ask(createPlayer(game, spec), game, { state, seed });
}

export function copyOf(game: Game, state: State): State {
  const copy = game.start();
  copy.copyFrom(state);
  return copy;
}

/** Plays a random action or chance outcome. */
export function stepRandomly(game: Game, state: State, random: Random): void {
  const actions = new Int32Array(game.maxActions);
  if (state.toMove === CHANCE) {
    const probabilities = new Float64Array(game.maxActions);
    const count = state.chanceOutcomes!(actions, probabilities, 0);
    state.apply(actions[random.weighted(probabilities, 0, count)]);
  } else {
    state.apply(actions[random.below(state.legalActions(actions, 0))]);
  }
}

/**
 * Positions with a player to move, each at a random ply of a random game; the ply is uniform over the
 * game's first `plies`, or all of it.
 */
export function randomPositions(
  game: Game,
  count: number,
  { seed = "positions", plies = 200 }: { seed?: string; plies?: number } = {},
): State[] {
  const random = createRandom(seed, game.id, JSON.stringify(game.options));
  const play = (): State => {
    const state = game.start();
    const seen: State[] = [];
    for (let ply = 0; ply < plies && state.toMove !== TERMINAL; ply++) {
      if (state.toMove >= 0) seen.push(copyOf(game, state));
      stepRandomly(game, state, random);
    }
    // A puzzle may be dealt solved.
    return seen[random.below(seen.length)] ?? play();
  };
  return Array.from({ length: count }, play);
}
