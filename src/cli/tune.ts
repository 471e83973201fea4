import { describeRuns } from "./shared/dry-run.ts";
import { noteStopped, placeArgument, runOptions } from "./shared/runs.ts";
import { defineCommand, note, outputWidth, print, show } from "./shared/command.ts";

export const tune = defineCommand({
  command: "tune <config>",
  describe: "tune numbers of an agent by play",
  builder: (yargs) =>
    yargs
      .positional("config", { type: "string", demandOption: true, describe: "YAML or JSON file" })
      .options(runOptions),
  examples: [
    ["agon tune configs/tuning/connect-four-exploration.yaml", "the exploration of mcts"],
    ["agon tune my.yaml --out runs/mine --resume", "go on after an interrupt or a crash"],
  ],
  async handler(args) {
    const { startSpare } = await import("../arena/play/worker-fork.ts");
    if (args.queue === undefined) startSpare();
    const { describeTime, loadTuning } = await import("../arena/plan/tuning.ts");
    const { FINALISTS, playTuning } = await import("../arena/tuning.ts");
    const { formatResultTables } = await import("../ratings/sections/format-report.ts");
    const { formatAgentSpec } = await import("../specs/agents.ts");
    const { outArgument } = await import("./shared/arguments.ts");
    const { playWithProgress } = await import("./shared/progress.ts");

    const { workers, players, who, again } = placeArgument(args);
    const tuning = await loadTuning(args.config);
    const plan = args.seed === undefined ? tuning.plan : { ...tuning.plan, seed: args.seed };
    const dir = await outArgument(args, plan.name);
    if (args.dryRun) {
      await describeRuns([{ plan, dir }], { goesOn: args.resume });
      return;
    }
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
    noteStopped(`agon tune ${args.config} --out ${dir}${again} --resume`);
  },
});

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
