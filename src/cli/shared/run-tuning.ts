import { FINALISTS, playTuning } from "../../arena/tuning.ts";
import { describeTime, loadTuning } from "../../arena/plan/tuning.ts";
import { formatResultTables } from "../../ratings/sections/format-report.ts";
import { formatAgentSpec } from "../../specs/agents.ts";
import { outArgument } from "./arguments.ts";
import { note, outputWidth, print, show } from "./command.ts";
import { playWithProgress } from "./progress.ts";
import { noteStopped, type Place, type RunArguments } from "./runs.ts";

/** Tunes numbers of an agent by play, and prints them. */
export async function runTuning(
  { workers, players, who, again }: Place,
  args: RunArguments & { readonly config: string },
): Promise<void> {
  const tuning = await loadTuning(args.config);
  const plan = args.seed === undefined ? tuning.plan : { ...tuning.plan, seed: args.seed };
  const dir = await outArgument(args, plan.name);
  const hint = args.quiet ? () => {} : note;
  const warning = describeTime(plan);
  if (warning !== undefined) note(`Warning: ${warning}`);
  hint(`${plan.name}: seed "${plan.seed}", ${who}, into ${dir}`);
  const result = await playTuning(
    { ...tuning, plan },
    {
      dir,
      resume: args.resume,
      play: async (run, request) => playWithProgress(run, { ...request, workers, players }, args),
    },
  );
  if (result !== undefined) {
    const { tuned, agent, final } = result;
    const spec = formatAgentSpec(agent);
    if (args.json) print(JSON.stringify({ ...tuned, agent: spec, final }));
    else {
      show(`${formatResultTables(tuned, { width: outputWidth() })}\n`);
      const match = final?.entrants.find(({ name }) => name === FINALISTS.tuned);
      if (match !== undefined) show(describeMatch(match));
      show(`The agent:\n  ${spec}`);
    }
    if (final !== undefined || tuning.final === 0) {
      hint(`Stored in ${dir}; the games again:\n  agon verify ${dir}`);
      return;
    }
  }
  noteStopped(`agon run ${args.config} --out ${dir}${again} --resume`);
}

/** The outcome of the final match in one line. */
function describeMatch({
  elo,
  low,
  high,
  games,
}: Readonly<Record<"elo" | "low" | "high" | "games", number>>): string {
  const [mean, least, most] = [elo, low, high].map((value) => `${value > 0 ? "+" : ""}${Math.round(value)}`);
  return `The tuned values against those of the start, in ${games} new games: ${mean} Elo (${least} to ${most})`;
}
