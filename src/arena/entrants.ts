import { z } from "zod";
import type { Problems } from "../base/problems.ts";
import type { AgentFamily } from "../agents/agent.ts";
import type { Budget } from "../agents/budget.ts";
import { prepareAgent } from "../agents/prepare.ts";
import { formatAgentSpec, parseAgentSpec, type AgentSpec } from "../agents/spec.ts";
import { loadEvaluator, resolveEvaluatorName } from "../specs/evaluators.ts";
import type { Game } from "../games/game.ts";
import type { Entrant } from "./plan.ts";
import { agentFamilies, resolvePluginId } from "./plugins.ts";

/** An entrant as configs give it: the short form, or an object. */
export const entrantSchema = z.union([
  z.string().min(1),
  z.looseObject({ name: z.string().min(1).optional(), agent: z.string().min(1) }),
]);
type Given = z.output<typeof entrantSchema>;

interface Context {
  /** Undefined where the config's game is wrong: then only what does not depend on it is checked. */
  readonly game: Game | undefined;
  readonly baseDir: string;
  readonly defaultBudget: Budget;
  readonly problems: Problems;
}

/** The entrants with everything filled in; what is wrong goes to the problems. `undefined` is wrong already. */
export async function planEntrants(
  given: readonly (Given | undefined)[],
  context: Context,
): Promise<Entrant[]> {
  const entrants: Entrant[] = [];
  for (const [index, entry] of given.entries()) {
    const entrant = entry === undefined ? undefined : await planEntrant(entry, ["entrants", index], context);
    entrants.push(entrant ?? { name: "", spec: { agent: "" } });
  }
  const names = entrants.map(({ name }) => name);
  for (const [index, name] of names.entries()) {
    const first = names.indexOf(name);
    if (first === index || name === "") continue;
    const message = `"${name}" is already the name of entrants[${first}]; names must differ`;
    context.problems.add(["entrants", index, "name"], message);
  }
  return entrants;
}

async function planEntrant(
  entry: Given,
  path: readonly PropertyKey[],
  { game, baseDir, defaultBudget, problems }: Context,
): Promise<Entrant | undefined> {
  const parsed = problems.at(path, () => (typeof entry === "string" ? parseAgentSpec(entry) : entry));
  if (parsed === undefined) return undefined;
  const { name, ...rest } = parsed as AgentSpec & { name?: string };
  const spec: AgentSpec = { ...rest, agent: resolvePluginId(rest.agent, baseDir) };
  const entrant = {
    name: name ?? (typeof entry === "string" ? entry : formatAgentSpec(rest as AgentSpec)),
    spec,
  };
  const families = await problems.atAsync([...path, "agent"], () => agentFamilies([spec.agent]));
  if (families === undefined || game === undefined) return entrant;
  const full = problems.at(path, () => fillSpec({ game, spec, baseDir, families, defaultBudget }));
  return { ...entrant, spec: full ?? spec };
}

/** The spec with its defaults and its budget filled in and its paths absolute. */
export function fillSpec(parts: {
  game: Game;
  spec: AgentSpec;
  baseDir: string;
  families?: Readonly<Record<string, AgentFamily>>;
  defaultBudget: Budget;
}): AgentSpec {
  const { game, spec, baseDir, families, defaultBudget } = parts;
  const evaluator = spec["evaluator"];
  const located =
    typeof evaluator === "string" ? { ...spec, evaluator: resolveEvaluatorName(evaluator, baseDir) } : spec;
  const prepared = prepareAgent(game, located, {
    ...(families ? { families } : {}),
    defaultBudget,
    loadEvaluator,
  });
  return { agent: spec.agent, ...prepared.options, ...prepared.budget };
}
