import process from "node:process";
import type { CheckResult } from "../checks/finding.ts";
import { defineCommand, EXIT, print, show } from "./shared/command.ts";

const json = { type: "boolean", default: false, describe: "print JSON" } as const;
const seed = { type: "string", default: "checks", describe: "the random games descend from it" } as const;
const games = {
  type: "number",
  default: 12,
  describe: "random games for each check; slow checks play fewer",
} as const;
const game = {
  type: "string",
  demandOption: true,
  describe: "id, id:option=value,... or a file of your own",
} as const;

export const checkGame = defineCommand({
  command: "check-game <game>",
  describe: "find faults of a game",
  builder: (yargs) =>
    yargs.positional("game", game).option("games", games).option("seed", seed).option("json", json),
  examples: [
    ["agon check-game ./my-game.ts", "your own game; exit code 1 when something is wrong"],
    ["agon check-game ./my-game.ts:size=5 --games 100", "with an option, more thoroughly"],
  ],
  async handler(args) {
    const { familyArgument, parseCount } = await import("./shared/arguments.ts");
    const { runGameChecks } = await import("../checks/check-game.ts");
    const number = parseCount("games", args.games);
    const { game, family } = await familyArgument(args.game);
    await showResult(game.id, runGameChecks(game, { family, games: number, seed: args.seed }), args.json);
  },
});

export const checkAgent = defineCommand({
  command: "check-agent <agent>",
  describe: "find faults of an agent",
  builder: (yargs) =>
    yargs
      .positional("agent", {
        type: "string",
        demandOption: true,
        describe: "agent:key=value,... or a file of your own",
      })
      .option("game", game)
      .option("positions", { type: "number", default: 5, describe: "positions it is asked about" })
      .option("seed", seed)
      .option("json", json),
  examples: [
    ["agon check-agent ./my-agent.ts:depth=3 --game connect-four", "your own agent"],
    ["agon check-agent mcts:simulations=100 --game go --positions 20", "more positions"],
  ],
  async handler(args) {
    const { agentArgument, gameArgument, parseCount } = await import("./shared/arguments.ts");
    const { runAgentChecks } = await import("../checks/check-agent.ts");
    const positions = parseCount("positions", args.positions);
    const game = await gameArgument(args.game);
    const source = await agentArgument(game, args.agent);
    const result = await runAgentChecks(game, source, { positions, seed: args.seed });
    await showResult(`${args.agent} at ${game.id}`, result, args.json);
  },
});

export const checkEvaluator = defineCommand({
  command: "check-evaluator <game> <evaluator>",
  describe: "find faults of an evaluator",
  builder: (yargs) =>
    yargs
      .positional("game", game)
      .positional("evaluator", {
        type: "string",
        demandOption: true,
        describe: "a heuristic of the game, a weights file, or a file of your own",
      })
      .option("games", games)
      .option("seed", seed)
      .option("json", json),
  examples: [
    ["agon check-evaluator ./my-game.ts my-heuristic", "a heuristic of your own game"],
    ["agon check-evaluator connect-four runs/train/weights.json", "trained weights"],
    ["agon check-evaluator connect-four ./my-evaluator.ts", "an evaluator of your own"],
  ],
  async handler(args) {
    const { gameArgument, parseCount } = await import("./shared/arguments.ts");
    const { findEvaluator } = await import("../specs/evaluators.ts");
    const { locateName } = await import("../specs/references.ts");
    const { runEvaluatorChecks } = await import("../checks/check-evaluator.ts");
    const number = parseCount("games", args.games);
    const game = await gameArgument(args.game);
    const evaluator = await findEvaluator(game, locateName("evaluator", args.evaluator, process.cwd()));
    const result = runEvaluatorChecks(game, evaluator, { games: number, seed: args.seed });
    await showResult(`${args.evaluator} at ${game.id}`, result, args.json);
  },
});

/** Prints the result of the checks, and sets the exit code if there are findings. */
async function showResult(subject: string, result: CheckResult, asJson: boolean): Promise<void> {
  const { formatFinding } = await import("../checks/finding.ts");
  const { checks, findings, games, positions } = result;
  if (findings.length > 0) process.exitCode = EXIT.failed;
  if (asJson) {
    print(JSON.stringify({ subject, ...result }));
    return;
  }
  const looked = [count(checks.length, "check"), count(games, "game"), count(positions, "position")].join(
    ", ",
  );
  const verdict = findings.length === 0 ? "nothing wrong" : count(findings.length, "finding");
  show(
    [...findings.flatMap((one) => [formatFinding(one), ""]), `${subject}: ${looked}, ${verdict}`].join("\n"),
  );
}

function count(number: number, what: string): string {
  return `${number.toLocaleString("en")} ${what}${number === 1 ? "" : "s"}`;
}
