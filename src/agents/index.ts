import { bestReply, paranoid } from "./against-me.ts";
import type { AgentFamily, AgentParts, Helper, HelperPlace } from "./agent.ts";
import { alphaBeta, AlphaBetaHelper } from "./alpha-beta/agent.ts";
import { descent } from "./descent.ts";
import { determinized } from "./determinized.ts";
import { expectimax } from "./expectimax/expectimax.ts";
import { greedy } from "./greedy.ts";
import { ismcts } from "./ismcts.ts";
import { maxN } from "./max-n.ts";
import { mcts, rootParallelHelper } from "./mcts/agent.ts";
import { minimax } from "./minimax.ts";
import { localBestResponse } from "./solve/local-best-response.ts";
import { strategy, policy, random } from "./without-search.ts";

/** Every agent, by id. */
export const agents: Readonly<Record<string, AgentFamily>> = {
  random,
  policy,
  greedy,
  minimax,
  "alpha-beta": alphaBeta,
  expectimax,
  "max-n": maxN,
  paranoid,
  "best-reply": bestReply,
  mcts,
  descent,
  determinized,
  ismcts,
  strategy,
  "local-best-response": localBestResponse,
};

type CreateHelper = (parts: AgentParts<never>, place: HelperPlace) => Helper;

/** The agents that can search with several threads, by id. */
const HELPERS: Readonly<Record<string, CreateHelper>> = {
  "alpha-beta": (parts, place) => new AlphaBetaHelper(parts, place),
  mcts: (parts) => rootParallelHelper(parts),
};

/** Makes a helper of an agent from the parts of the agent. */
export function createHelper(
  { family, parts }: { family: AgentFamily; parts: AgentParts<Record<string, unknown>> },
  place: HelperPlace,
): Helper {
  return HELPERS[family.id]!(parts as AgentParts<never>, place);
}
