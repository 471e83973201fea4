import { availableParallelism } from "node:os";
import process from "node:process";
import type { AgentSpec } from "../agents/agent.ts";
import { defineCommand, EXIT, note, outputWidth, print, show, quiet } from "./shared/command.ts";

export const match = defineCommand({
  command: "match <game> <specs..>",
  describe: "compare agents without a config",
  builder: (yargs) =>
    yargs
      .positional("game", { type: "string", demandOption: true, describe: "id, or id:option=value,..." })
      .positional("specs", {
        type: "string",
        array: true,
        demandOption: true,
        describe: "agents, agent:key=value,...",
      })
      .option("blocks", { type: "number", default: 50, describe: "blocks for each pairing" })
      .option("random-plies", {
        type: "number",
        default: 4,
        describe: "random plies before the agents take over",
      })
      .option("time", {
        type: "string",
        describe: "time control in seconds, such as 10+0.1, 40/60, 60+5x10 or 0.5/move",
      })
      .option("seed", { type: "string", default: "agon", describe: "every random choice descends from it" })
      .option("workers", { type: "number", describe: "workers, which are processes [one a core]" })
      .option("out", { type: "string", describe: "keep the games in this folder" })
      .option("quiet", quiet)
      .option("json", { type: "boolean", default: false, describe: "print the report as JSON" }),
  examples: [
    ["agon match connect-four alpha-beta:depth=4 mcts:simulations=1000", "100 games"],
    ["agon match nim:players=3 max-n:depth=5 mcts:simulations=500 random", "three players"],
    ["agon match connect-four alpha-beta:evaluator=threats mcts --time 1+0.01", "clocks, not budgets"],
    ["agon match pig expectimax:depth=2,evaluator=race random --blocks 200", "dice"],
  ],
  async handler(args) {
    const { startSpare } = await import("../arena/play/worker-fork.ts");
    if (args.workers !== 0) startSpare();
    const { planTournament } = await import("../arena/plan/config.ts");
    const { parseAgentSpec } = await import("../specs/agents.ts");
    const { saveReports } = await import("../arena/results/runs.ts");
    const { formatReport } = await import("../arena/results/format-report.ts");
    const { parseGameSpec } = await import("../specs/games.ts");
    const { parseWorkers } = await import("./shared/arguments.ts");
    const { playWithProgress } = await import("./shared/progress.ts");

    const workers = parseWorkers(args.workers ?? availableParallelism());
    const game = parseGameSpec(args.game, process.cwd());
    const config = {
      name: "match",
      game,
      seed: args.seed,
      blocks: args.blocks,
      openings: { randomPlies: args.randomPlies },
      ...(args.time === undefined ? {} : { time: args.time }),
      entrants: distinct(args.specs, parseAgentSpec),
    };
    const plan = await planTournament(config, { baseDir: process.cwd(), source: "agon match" });
    const result = await playWithProgress(plan, { outDir: args.out, workers }, args);
    if (result.played > 0) {
      const { report } = result;
      if (args.out !== undefined && !result.complete) saveReports(args.out, report);
      if (args.json) print(formatReport(report, "json"));
      else show(formatReport(report, "table", { width: outputWidth() }));
    }
    if (!result.complete) {
      note("Stopped early: the table is of the games that were finished.");
      process.exitCode = EXIT.interrupted;
    }
  },
});

/** Entrants from specs. If a spec is given again, the later ones get names of their own, since names must differ. */
function distinct(
  specs: readonly string[],
  parseAgentSpec: (text: string) => AgentSpec,
): (string | AgentSpec)[] {
  return specs.map((spec, index) => {
    const earlier = specs.slice(0, index).filter((other) => other === spec).length;
    return earlier === 0 ? spec : { ...parseAgentSpec(spec), name: `${spec} (${earlier + 1})` };
  });
}
