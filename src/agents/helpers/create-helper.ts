import { AlphaBetaHelper } from "../alpha-beta/helper.ts";
import type { AgentParts } from "../agent.ts";
import { rootParallelHelper } from "../mcts/root-parallel.ts";
import type { PreparedAgent } from "../prepare.ts";
import type { Helper, HelperPlace } from "./helpers.ts";

type CreateHelper = (parts: AgentParts<never>, place: HelperPlace) => Helper;

/** The agents that helpers can help, by id. */
const HELPERS: Readonly<Record<string, CreateHelper>> = {
  "alpha-beta": (parts, place) => new AlphaBetaHelper(parts, place),
  mcts: (parts) => rootParallelHelper(parts),
};

/** A helper of such an agent, made of the same parts. */
export function createHelper({ family, parts }: PreparedAgent, place: HelperPlace): Helper {
  return HELPERS[family.id]!(parts as AgentParts<never>, place);
}
