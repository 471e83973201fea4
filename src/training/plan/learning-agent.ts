import type { AgentSpec } from "../../agents/agent.ts";

/** The agent that evaluates positions: the one that is given, or the one that searches for it, as in `determinized`. */
export function evaluatingAgent(spec: AgentSpec): AgentSpec {
  const { search } = spec as { readonly search?: AgentSpec };
  return search === undefined ? spec : evaluatingAgent(search);
}

/** The spec of an agent that plays with an evaluator. */
export function withEvaluator(spec: AgentSpec, evaluator: string): AgentSpec {
  const { search } = spec as { readonly search?: AgentSpec };
  return search === undefined
    ? { ...spec, evaluator }
    : { ...spec, search: withEvaluator(search, evaluator) };
}
