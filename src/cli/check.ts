import { extname } from "node:path";
import process from "node:process";
import type { InferredOptionTypes } from "yargs";
import { runAgentChecks } from "../agents/check/check-agent.ts";
import { InputError } from "../base/errors.ts";
import { unknownName } from "../base/text.ts";
import { runEvaluatorChecks } from "../games/check/check-evaluator.ts";
import { runGameChecks } from "../games/check/check-game.ts";
import { type CheckResult, formatFinding } from "../games/check/finding.ts";
import { type Game, refuseHidden } from "../games/contract/game.ts";
import { games } from "../games/index.ts";
import { checkPlayer } from "../players/check-player.ts";
import { engines } from "../players/engines.ts";
import { HostedAgent } from "../players/hosted-agent.ts";
import { loadAgent, locateAgent } from "../specs/agents.ts";
import { RUNNERS } from "../specs/bots.ts";
import { STANDARD_INPUT } from "../specs/files/documents.ts";
import { findEvaluator } from "../specs/evaluators.ts";
import { agents } from "../specs/families.ts";
import { exportsOf } from "../specs/plugins/import-plugin.ts";
import { locateName, referTo } from "../specs/references.ts";
import { agentArgument, familyArgument, gameArgument, parseCount } from "./shared/arguments.ts";
import { defineCommand, EXIT, print, show } from "./shared/command.ts";
import { watchLoops } from "./shared/loop-watch.ts";

/** Random games for each check of a game or an evaluator. */
const GAMES = 12;
const GAMES_OF_ENGINE = 4;
/** The kinds of things that can be checked. */
const KINDS = ["game", "agent", "evaluator", "engine"] as const;
type Kind = (typeof KINDS)[number];

const options = {
  as: { choices: KINDS, describe: "what it is [found out]" },
  game: {
    type: "string",
    describe: "the game of an agent, evaluator or engine: id, id:option=value,... or a file of your own",
  },
  games: {
    type: "number",
    describe: "random games for each check; slow checks play fewer [12; engine: 4 against random moves]",
  },
  positions: { type: "number", default: 5, describe: "positions that an agent is asked about" },
  protocol: {
    type: "string",
    default: "program",
    describe: "of an engine: program, uci or gtp: agon agents",
  },
  limit: {
    type: "number",
    default: 10,
    describe: "seconds that an engine has for an answer, and a game for a call",
  },
  seed: { type: "string", default: "checks", describe: "the random games descend from it" },
  json: { type: "boolean", default: false, describe: "print JSON" },
} as const;

export const check = defineCommand({
  builder: (yargs) =>
    yargs
      .positional("thing", {
        type: "string",
        describe: "a game, an agent, an evaluator, or a file with one; a program stands after --",
      })
      .options(options),
  examples: [
    ["agon check ./my-game.ts:size=5", "your own game; exit code 1 when something is wrong"],
    ["agon check ./my-agent.ts:depth=3 --game connect-four", "your own agent"],
    ["agon check runs/train/weights.json --game connect-four", "trained weights"],
    ["agon check -- python3 bot.py", "a bot of your own"],
    ["agon check --protocol uci -- stockfish", "an engine that speaks another protocol"],
  ],
  async handler(args) {
    const command = wordsAfterDashes(process.argv);
    if (!(args.limit > 0 && args.limit <= 3600))
      throw new InputError(`--limit must be a number of seconds up to 3600, got ${args.limit}`);
    const kind = await kindOf(args, command);
    if (kind === "engine") return checkEngine(args, command);
    const thing = args.thing!;
    if (kind === "game") return checkGame(thing, args);
    if (args.game === undefined) throw new InputError(`name the game of the ${kind}: --game GAME`, thing);
    const game = await gameArgument(args.game);
    await (kind === "agent" ? checkAgent : checkEvaluator)(thing, game, args);
  },
});

type Options = InferredOptionTypes<typeof options> & { readonly thing?: string | undefined };

/** The kind of what is to be checked. Throws InputError where nothing tells it. */
async function kindOf({ as, thing, game }: Options, command: readonly string[]): Promise<Kind> {
  if (command.length > 0 || as === "engine") return "engine";
  if (thing === undefined)
    throw new InputError("name what to check: a game, an agent, an evaluator, or -- PROGRAM ARGUMENTS");
  if (thing === STANDARD_INPUT)
    throw new InputError("- is standard input, which agon check does not read: name a file");
  if (as !== undefined) return as;
  const name = thing.split(":")[0]!;
  if (Object.hasOwn(games, name)) return "game";
  if (Object.hasOwn(agents, name)) return "agent";
  if (referTo("game", name).kind !== "code") {
    if (/\.ya?ml$/i.test(name)) throw new InputError("is a config, which agon plan checks", thing);
    const runner = RUNNERS[extname(name)];
    if (runner !== undefined && extname(name) !== "") {
      const words = [...runner, name].join(" ");
      throw new InputError(`is a program, checked by: agon check --game GAME -- ${words}`, thing);
    }
    // A weights file, or a heuristic of the game.
    if (game !== undefined) return "evaluator";
    if (referTo("evaluator", name).kind !== "built-in")
      throw new InputError("name the game of the evaluator: --game GAME", thing);
    throw new InputError(
      "is no game, agent or file that agon knows: a heuristic needs --game GAME, a program stands after --",
      thing,
    );
  }
  const found = await exportsOf(name);
  const kinds = KINDS.filter((kind) => found.includes(kind));
  if (kinds.length === 1) return kinds[0]!;
  throw new InputError(`say what it is: --as ${KINDS.slice(0, 3).join(", --as ")}`, thing);
}

async function checkGame(thing: string, { games, seed, json, limit }: Options): Promise<void> {
  const number = parseCount("games", games ?? GAMES);
  const watch = watchLoops(limit * 1000, json);
  try {
    const { game, family } = await familyArgument(thing);
    const result = runGameChecks(game, { family, games: number, seed, onPosition: () => watch.beat() });
    await showResult(game.id, result, json);
  } finally {
    await watch.end();
  }
}

async function checkAgent(thing: string, game: Game, { positions, seed, json }: Options): Promise<void> {
  const asked = parseCount("positions", positions);
  refuseHidden(game, "played in checks of agents");
  const source = await agentArgument(game, thing);
  await showResult(
    `${thing} at ${game.id}`,
    await runAgentChecks(game, source, { positions: asked, seed }),
    json,
  );
}

async function checkEvaluator(thing: string, game: Game, { games, seed, json }: Options): Promise<void> {
  const number = parseCount("games", games ?? GAMES);
  const evaluator = await findEvaluator(game, locateName("evaluator", thing, process.cwd()));
  await showResult(
    `${thing} at ${game.id}`,
    runEvaluatorChecks(game, evaluator, { games: number, seed }),
    json,
  );
}

async function checkEngine(given: Options, command: readonly string[]): Promise<void> {
  const { protocol, game, games, limit, seed, json } = given;
  if (command.length === 0) throw new InputError("a program is missing: agon check -- PROGRAM ARGUMENTS");
  const family = Object.hasOwn(engines, protocol) ? engines[protocol] : undefined;
  if (family === undefined)
    throw new InputError(`--protocol: ${unknownName("protocol", protocol, Object.keys(engines))}`);
  const number = parseCount("games", games ?? GAMES_OF_ENGINE);
  const at = await gameArgument(game ?? GAME_OF_PROTOCOL[family.id] ?? "connect-four");
  const budget = family.budgets.includes("nodes") && family.needsBudget !== false ? { nodes: 1000 } : {};
  const spec = locateAgent({ agent: family.id, command: [...command], ...budget }, process.cwd());
  const agent = (await loadAgent(at, spec)).create();
  if (!(agent instanceof HostedAgent)) throw new Error(`${family.id} is no program`);
  const { hosting } = agent;
  const limitMs = limit * 1000;
  const result = await checkPlayer({ game: at, hosting, budget, games: number, limitMs, seed });
  if (!json) {
    const { about, medianMs, remarks } = result;
    if (about !== undefined) show(`It is ${about}.`);
    if (medianMs !== undefined)
      show(`${count(result.positions, "decision")}, the median takes ${medianMs.toPrecision(2)} ms.`);
    for (const remark of remarks) show(`Remark: ${remark}.`);
    show("");
  }
  await showResult(`${command.join(" ")} at ${at.id}`, result, json);
}

/** The words after `--`. yargs would make numbers of some. */
function wordsAfterDashes(words: readonly string[]): string[] {
  const at = words.indexOf("--");
  return at < 0 ? [] : words.slice(at + 1);
}

/** The game that a program is tried at if nobody names one. */
const GAME_OF_PROTOCOL: Readonly<Record<string, string>> = { uci: "chess", gtp: "go" };

/** Prints the result of the checks, and sets the exit code if there are findings. */
async function showResult(subject: string, result: CheckResult, asJson: boolean): Promise<void> {
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
