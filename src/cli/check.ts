import process from "node:process";
import type { CheckResult } from "../games/check/finding.ts";
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
    const { runGameChecks } = await import("../games/check/check-game.ts");
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
    const { runAgentChecks } = await import("../agents/check/check-agent.ts");
    const positions = parseCount("positions", args.positions);
    const game = await gameArgument(args.game);
    const { refuseHidden } = await import("../games/contract/game.ts");
    refuseHidden(game, "played in checks of agents");
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
    const { runEvaluatorChecks } = await import("../games/check/check-evaluator.ts");
    const number = parseCount("games", args.games);
    const game = await gameArgument(args.game);
    const evaluator = await findEvaluator(game, locateName("evaluator", args.evaluator, process.cwd()));
    const result = runEvaluatorChecks(game, evaluator, { games: number, seed: args.seed });
    await showResult(`${args.evaluator} at ${game.id}`, result, args.json);
  },
});

export const checkEngine = defineCommand({
  command: "check-engine",
  describe: "find faults of a program that plays",
  builder: (yargs) =>
    yargs
      .option("protocol", {
        type: "string",
        default: "program",
        describe: "program, uci or gtp: agon agents",
      })
      .option("game", {
        ...game,
        demandOption: false,
        describe: `${game.describe} [one that the protocol carries]`,
      })
      .option("games", { type: "number", default: 4, describe: "games to play against random moves" })
      .option("limit", { type: "number", default: 10, describe: "seconds that it has for an answer" })
      .option("seed", seed)
      .option("json", json),
  examples: [
    ["agon check-engine -- python3 bot.py", "a bot of your own; exit code 1 when something is wrong"],
    ["agon check-engine --game chess -- ./my-engine --fast", "at another game, with arguments"],
    ["agon check-engine --protocol uci -- stockfish", "an engine that speaks another protocol"],
  ],
  async handler(args) {
    const { gameArgument, parseCount } = await import("./shared/arguments.ts");
    const { InputError } = await import("../base/errors.ts");
    const { unknownName } = await import("../base/text.ts");
    const { loadAgent, locateAgent } = await import("../specs/agents.ts");
    const { checkPlayer } = await import("../players/check-player.ts");
    const { engines } = await import("../players/engines.ts");
    const { HostedAgent } = await import("../players/hosted-agent.ts");

    const command = wordsAfterDashes(process.argv);
    if (command.length === 0)
      throw new InputError("a program is missing: agon check-engine -- PROGRAM ARGUMENTS");
    const family = Object.hasOwn(engines, args.protocol) ? engines[args.protocol] : undefined;
    if (family === undefined)
      throw new InputError(`--protocol: ${unknownName("protocol", args.protocol, Object.keys(engines))}`);
    const number = parseCount("games", args.games);
    if (!(args.limit > 0 && args.limit <= 3600))
      throw new InputError(`--limit must be a number of seconds up to 3600, got ${args.limit}`);
    const at = await gameArgument(args.game ?? GAME_OF_PROTOCOL[family.id] ?? "connect-four");
    const budget = family.budgets.includes("nodes") && family.needsBudget !== false ? { nodes: 1000 } : {};
    const spec = locateAgent({ agent: family.id, command, ...budget }, process.cwd());
    const agent = (await loadAgent(at, spec)).create();
    if (!(agent instanceof HostedAgent)) throw new Error(`${family.id} is no program`);
    const { hosting } = agent;
    const limitMs = args.limit * 1000;
    const result = await checkPlayer({ game: at, hosting, budget, games: number, limitMs, seed: args.seed });
    if (!args.json) {
      const { about, medianMs, remarks } = result;
      if (about !== undefined) show(`It is ${about}.`);
      if (medianMs !== undefined)
        show(`${count(result.positions, "decision")}, the median takes ${medianMs.toPrecision(2)} ms.`);
      for (const remark of remarks) show(`Remark: ${remark}.`);
      show("");
    }
    await showResult(`${command.join(" ")} at ${at.id}`, result, args.json);
  },
});

/** The words after `--`. yargs would make numbers of some. */
function wordsAfterDashes(words: readonly string[]): string[] {
  const at = words.indexOf("--");
  return at < 0 ? [] : words.slice(at + 1);
}

/** The game that a program is tried at if nobody names one. */
const GAME_OF_PROTOCOL: Readonly<Record<string, string>> = { uci: "chess", gtp: "go" };

/** Prints the result of the checks, and sets the exit code if there are findings. */
async function showResult(subject: string, result: CheckResult, asJson: boolean): Promise<void> {
  const { formatFinding } = await import("../games/check/finding.ts");
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
