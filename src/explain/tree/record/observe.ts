import { InputError } from "../../../base/errors.ts";
import type { Game, State } from "../../../games/contract/game.ts";
import type { Agent, AgentParts } from "../../../agents/agent.ts";
import { analysePosition } from "../../../agents/analysis.ts";
import { agents } from "../../../agents/index.ts";
import type { PreparedAgent } from "../../../agents/prepare.ts";
import {
  ObservedAgainstMe,
  ObservedAlphaBeta,
  ObservedExpectimax,
  ObservedMaxN,
  ObservedMinimax,
} from "./observed-searches.ts";
import { ObservedDescent, type ObservedTree, ObservedUct } from "./observed-trees.ts";
import { SearchObserver, type RecordLimits } from "./observer.ts";
import type { SearchIteration, SearchTree } from "../search-tree.ts";

/** An agent that plays as usual, and the record of its search. */
interface Observed {
  readonly agent: Agent;
  /** Returns the positions that the decision visited from `root`. */
  readonly iterations: (root: State) => readonly SearchIteration[];
}

type Observe = (parts: AgentParts<never>, limits: RecordLimits) => Observed;

/** Observes a depth-first search. */
function depthFirst(create: (parts: AgentParts<never>, observer: SearchObserver) => Agent): Observe {
  return (parts, limits) => {
    const observer = new SearchObserver(limits);
    return {
      agent: create(parts, observer),
      iterations: (root) => observer.finish(parts.game, root),
    };
  };
}

/** Observes a search that grows a tree by simulations. */
function simulations(create: (parts: AgentParts<never>, limits: RecordLimits) => ObservedTree): Observe {
  return (parts, limits) => {
    const agent = create(parts, limits);
    return { agent, iterations: () => agent.growth.iterations };
  };
}

/** The agents whose searches can be observed, by id. */
const SEARCHES: Readonly<Record<string, Observe>> = {
  minimax: depthFirst((parts, observer) => new ObservedMinimax(parts, observer)),
  "alpha-beta": depthFirst((parts, observer) => new ObservedAlphaBeta(parts, observer)),
  expectimax: depthFirst((parts, observer) => new ObservedExpectimax(parts, observer)),
  "max-n": depthFirst((parts, observer) => new ObservedMaxN(parts, observer)),
  paranoid: depthFirst((parts, observer) => new ObservedAgainstMe(parts, "all", observer)),
  "best-reply": depthFirst((parts, observer) => new ObservedAgainstMe(parts, "one", observer)),
  mcts: simulations((parts, limits) => new ObservedUct(parts, limits)),
  descent: simulations((parts, limits) => new ObservedDescent(parts, limits)),
};

/**
 * Lets an agent decide, and returns what its search visited. The decision is the agent's own: the same code searches,
 * with the same random numbers. Throws InputError if the agent does not search, or if no player is to move.
 */
export async function observeSearch(parts: {
  game: Game;
  prepared: PreparedAgent;
  state: State;
  seed: string;
  clock: () => number;
  limits?: RecordLimits;
}): Promise<SearchTree> {
  const { game, prepared, state, seed, clock, limits = {} } = parts;
  const { family } = prepared;
  const observe = agents[family.id] === family ? SEARCHES[family.id] : undefined;
  if (observe === undefined)
    throw new InputError(
      `${family.id} has no search that could be shown; agents that have one: ${Object.keys(SEARCHES).join(", ")}`,
    );
  const { agent, iterations } = observe(prepared.parts as AgentParts<never>, limits);
  const analysis = await analysePosition({
    game,
    prepared: { ...prepared, create: () => agent },
    state,
    seed,
    clock,
  });
  const { action, value, depth, nodes, line } = analysis;
  return {
    game: game.id,
    state: game.formatState(state),
    agent: family.id,
    player: state.toMove,
    decision: { action, value, depth, nodes, line },
    iterations: iterations(state),
  };
}
