import { join } from "node:path";
import type { AgentSpec } from "../agents/agent.ts";
import { withWeights, type ChangedWeights } from "../agents/changed-weights.ts";
import { loadHeader, saveWeights } from "../specs/files/weights-file.ts";
import { withNumbers, type Numbers } from "../specs/agents.ts";
import { equipForAgent, loadEvaluator } from "../specs/evaluators.ts";
import { ResolvedAgent } from "../specs/references.ts";
import { numbersOf, type TuneSpec } from "./formats/tune.ts";
import { gameOf, type TournamentPlan } from "./plan/plan.ts";
import type { TuningPlan } from "./plan/tuning.ts";
import type { RunReport, TuneResults } from "../ratings/format-results.ts";
import type { Play } from "./tournament.ts";
import { Store } from "./store/store.ts";

/** The names in the match of the tuned agent against that of the start, whose Elo is 0. */
export const FINALISTS = { start: "start", tuned: "tuned" } as const;

/** A tuning that was played. */
export interface TuningResult {
  readonly tuned: TuneResults;
  /** The agent as the config writes it, with the tuned values. */
  readonly agent: AgentSpec;
  /** The match against the start; undefined without one, or if it was stopped before its end. */
  readonly final: RunReport | undefined;
}

/**
 * Plays a tuning, then the match of the tuned agent against that of the start, with games that the tuning has not seen. The
 * match is a run in the folder `final`. Returns undefined if the tuning was stopped before its end.
 */
export async function playTuning(
  { plan, agent, final }: TuningPlan,
  { dir, resume, play }: { readonly dir: string; readonly resume: boolean; readonly play: Play },
): Promise<TuningResult | undefined> {
  const played = await play(plan, { outDir: dir, resume });
  if (!played.complete) return undefined;
  const tuned = played.report.format as TuneResults;
  const { parameters } = plan.format as TuneSpec;
  const numbers = numbersOf(
    parameters,
    tuned.parameters.map(({ value }) => value),
  );
  const result = {
    tuned,
    agent: parameters.some(({ option }) => option === "weights")
      ? await saveTuned(played.plan, { dir, numbers, agent })
      : withNumbers(agent, numbers),
    final: undefined,
  };
  if (final === 0) return result;
  const folder = join(dir, "final");
  const match = await play(planFinal(played.plan, { dir, numbers, blocks: final }), {
    outDir: folder,
    resume: Store.exists(folder),
  });
  return match.complete ? { ...result, final: match.report } : result;
}

/** Writes the tuned weights to the file `tuned.json` of the folder. Returns the agent that plays with them. */
async function saveTuned(
  plan: TournamentPlan,
  { dir, numbers, agent }: { dir: string; numbers: Numbers; agent: AgentSpec },
): Promise<AgentSpec> {
  const { weights: _, ...spec } = withNumbers(agent, numbers);
  const located = new ResolvedAgent(withNumbers(plan.entrants[0]!.spec, numbers), dir).located;
  const game = await equipForAgent(await gameOf(plan), located);
  const { weights } = withWeights(
    game,
    loadEvaluator(game, String(located["evaluator"])),
    located["weights"] as ChangedWeights,
  );
  const path = join(dir, "tuned.json");
  const header = loadHeader(String(located["evaluator"]));
  saveWeights(path, { ...header, training: { ...header.training, tuned: located["weights"] } }, weights);
  return { ...spec, evaluator: path } as AgentSpec;
}

/** The match of the tuned agent, in one seat, against the agent of the start in the others. */
function planFinal(
  plan: TournamentPlan,
  { dir, numbers, blocks }: { dir: string; numbers: Numbers; blocks: number },
): TournamentPlan {
  const [entrant] = plan.entrants;
  const spec = new ResolvedAgent(entrant!.spec, dir).located;
  return {
    ...plan,
    name: `${plan.name}-final`,
    seed: `${plan.seed} final`,
    format: { type: "pool", size: 1 },
    blocks,
    entrants: [
      { ...entrant!, name: FINALISTS.start, spec },
      { ...entrant!, name: FINALISTS.tuned, spec: withNumbers(spec, numbers) },
    ],
    anchor: { entrant: FINALISTS.start, elo: 0 },
  };
}
