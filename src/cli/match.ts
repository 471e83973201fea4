import { availableParallelism } from "node:os";
import process from "node:process";
import type { AgentSpec } from "../agents/agent.ts";
import { planTournament } from "../arena/plan/config.ts";
import { startSpare } from "../arena/play/worker-fork.ts";
import { saveReports } from "../arena/results/runs.ts";
import { InputError } from "../base/errors.ts";
import { parseAgentSpec } from "../specs/agents.ts";
import { parseGameSpec } from "../specs/games.ts";
import { parseWorkers } from "./shared/arguments.ts";
import { defineCommand, EXIT, note, quiet } from "./shared/command.ts";
import { playWithProgress } from "./shared/progress.ts";
import { showReport } from "./shared/results.ts";

const DEFAULT_BLOCKS = 50;
/** The most blocks of a sequential test: it ends by itself long before. */
const SPRT_BLOCKS = 100_000;

export const match = defineCommand({
  builder: (yargs) =>
    yargs
      .positional("game", { type: "string", demandOption: true, describe: "id, or id:option=value,..." })
      .positional("specs", {
        type: "string",
        array: true,
        demandOption: true,
        describe: "agents, agent:key=value,...",
      })
      .option("blocks", {
        type: "number",
        describe: `blocks for each pairing [${DEFAULT_BLOCKS}; with --sprt at most ${SPRT_BLOCKS}]`,
      })
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
      .option("sprt", {
        type: "string",
        describe:
          "sequential test of the first agent against the second: elo0=0,elo1=5 and alpha, beta, model, round",
      })
      .option("out", { type: "string", describe: "keep the games in this folder" })
      .option("resume", { type: "boolean", default: false, describe: "go on with the match in --out" })
      .option("quiet", quiet)
      .option("json", { type: "boolean", default: false, describe: "print the report as JSON" }),
  examples: [
    ["agon match connect-four alpha-beta:depth=4 mcts:simulations=1000", "100 games"],
    ["agon match nim:players=3 max-n:depth=5 mcts:simulations=500 random", "three players"],
    ["agon match connect-four alpha-beta:evaluator=threats mcts --time 1+0.01", "clocks, not budgets"],
    ["agon match connect-four mcts mcts:exploration=1 --sprt elo0=0,elo1=20", "until the results decide"],
    ["agon match pig expectimax:depth=2,evaluator=race random --blocks 200", "dice"],
  ],
  async handler(args) {
    if (args.workers !== 0) startSpare();

    const workers = parseWorkers(args.workers ?? availableParallelism());
    const game = parseGameSpec(args.game, process.cwd());
    const config = {
      name: "match",
      game,
      seed: args.seed,
      blocks: args.blocks ?? (args.sprt === undefined ? DEFAULT_BLOCKS : SPRT_BLOCKS),
      ...(args.sprt === undefined ? {} : parseSprt(args.sprt)),
      openings: { randomPlies: args.randomPlies },
      ...(args.time === undefined ? {} : { time: args.time }),
      entrants: distinct(args.specs),
    };
    const plan = await planTournament(config, { baseDir: process.cwd(), source: "agon match" });
    const { out, resume } = args;
    if (resume && out === undefined)
      throw new InputError("--resume goes on with the match in --out DIR: name it");
    const result = await playWithProgress(plan, { outDir: out, resume, workers }, args);
    if (result.played > 0 || resume) {
      const { report } = result;
      if (args.out !== undefined && !result.complete) saveReports(args.out, report);
      await showReport(report, args.json ? "json" : "table");
    }
    if (!result.complete) {
      note("Stopped early: the table is of the games that were finished.");
      if (out !== undefined) note("Go on with the same command and --resume.");
      process.exitCode = EXIT.interrupted;
    }
  },
});

/** The keys of a config that `elo0=0,elo1=5,round=100` stands for; throws InputError. */
function parseSprt(text: string): { readonly format: object; readonly round?: unknown } {
  const entries = text.split(",").map((part) => {
    const [key = "", value, ...more] = part.split("=").map((side) => side.trim());
    if (key === "" || value === undefined || value === "" || more.length > 0)
      throw new InputError(`"${part}" is not key=value; write --sprt elo0=0,elo1=5,alpha=0.05,beta=0.05`);
    return [key, Number.isNaN(Number(value)) ? value : Number(value)] as const;
  });
  for (const [at, [key]] of entries.entries())
    if (entries.findIndex(([other]) => other === key) < at)
      throw new InputError(`"${key}" is given twice in "${text}"`);
  const { round, ...format } = Object.fromEntries(entries);
  return { format: { ...format, type: "sprt" }, ...(round === undefined ? {} : { round }) };
}

/** Entrants from specs. If a spec is given again, the later ones get names of their own, since names must differ. */
function distinct(specs: readonly string[]): (string | AgentSpec)[] {
  return specs.map((spec, index) => {
    const earlier = specs.slice(0, index).filter((other) => other === spec).length;
    return earlier === 0 ? spec : { ...parseAgentSpec(spec), name: `${spec} (${earlier + 1})` };
  });
}
