import { performance } from "node:perf_hooks";
import { seenState } from "../agents/analysis.ts";
import { gameSeenBy } from "../agents/prepare.ts";
import { InputError } from "../base/errors.ts";
import { drawSearchTree } from "../explain/tree/picture/svg.ts";
import { observeSearch } from "../explain/tree/record/observe.ts";
import type { SearchIteration, SearchTree } from "../explain/tree/search-tree.ts";
import { formatSearchTree } from "../explain/tree/text/text.ts";
import { writeSearchPage } from "../report/write-report.ts";
import { parseAgentSpec } from "../specs/agents.ts";
import { checkWritable, writeWhole } from "../specs/files/write-file.ts";
import {
  agentArgument,
  describeDrawn,
  gameOrConfigArgument,
  parseCount,
  positionArgument,
} from "./shared/arguments.ts";
import { defineCommand, print, show } from "./shared/command.ts";

/** Nodes of one iteration that are kept, unless more are to be shown. */
const KEPT_NODES = 20_000;

export const tree = defineCommand({
  builder: (yargs) =>
    yargs
      .positional("game", {
        type: "string",
        demandOption: true,
        describe: "id, id:option=value,..., or a config file, whose game is meant",
      })
      .option("agent", { type: "string", demandOption: true, describe: "agent:key=value,..., with a search" })
      .option("state", { type: "string", describe: "position in the game's notation [the start]" })
      .option("iteration", {
        type: "string",
        describe: "the iteration of iterative deepening, 1 for the first, or all [the last that finished]",
      })
      .option("depth", { type: "number", describe: "levels below the root that are shown [all]" })
      .option("width", { type: "number", default: 12, describe: "children of a node that are shown" })
      .option("nodes", { type: "number", default: 200, describe: "nodes of a tree that are shown" })
      .option("seed", {
        type: "string",
        default: "agon",
        describe: "the agent's randomness, and the first dice, descend from it",
      })
      .option("svg", { type: "string", describe: "write a picture to this file, in place of text" })
      .option("html", { type: "string", describe: "write a page that shows it step by step" })
      .option("json", {
        type: "boolean",
        default: false,
        describe: `print the tree as JSON, with up to ${KEPT_NODES} nodes of each iteration`,
      }),
  examples: [
    ["agon tree tic-tac-toe --agent minimax:depth=2,evaluator=open-lines", "two plies from the start"],
    ["agon tree connect-four --agent alpha-beta:depth=4 --state 4444", "with cut-offs"],
    ["agon tree pig --agent expectimax:depth=2 --iteration all --svg pig.svg", "a row of trees as a picture"],
    ["agon tree nim:piles=[2,2,2] --agent minimax:depth=6 --depth 2", "a whole game, two levels shown"],
  ],
  async handler(args) {
    const count = (name: "depth" | "width" | "nodes") =>
      args[name] === undefined ? undefined : parseCount(name, args[name]);
    const limits = { depth: count("depth"), width: count("width"), nodes: count("nodes") };
    const number = await parseIteration(args.iteration);
    for (const file of [args.svg, args.html]) if (file !== undefined) checkWritable(file);
    const whole = await gameOrConfigArgument(args.game);
    const { state: position, chance } = positionArgument(whole, args.state, args.seed);
    const { state } = seenState(whole, position, args.seed);
    // A search for open games goes through a drawn world as if all were open.
    const game = gameSeenBy(parseAgentSpec(args.agent).agent, whole);
    const prepared = await agentArgument(game, args.agent);
    const found = await observeSearch({
      game,
      prepared,
      state,
      seed: args.seed,
      clock: () => performance.now(),
      limits: { maxNodes: Math.max(KEPT_NODES, limits.nodes ?? 0), maxLevels: limits.depth },
    });
    const chosen = await choose(found, number);
    if (args.json) {
      print(JSON.stringify({ ...found, iterations: number === undefined ? found.iterations : chosen }));
      return;
    }
    if (args.html !== undefined) {
      writeSearchPage({ ...found, iterations: number === undefined ? found.iterations : chosen }, args.html);
      print(args.html);
    }
    if (args.svg !== undefined) {
      writeWhole(args.svg, drawSearchTree(found, chosen, limits));
      print(args.svg);
    }
    if (args.html !== undefined || args.svg !== undefined) return;
    if (whole.hiddenInformation)
      show(`a world drawn for the player to move, as if all were open: ${game.formatState(state)}\n`);
    else if (chance.length > 0) show(`${describeDrawn(chance, args.seed)}\n`);
    print(formatSearchTree(found, chosen, limits));
  },
});

/** The value of --iteration; throws InputError if it is neither a number nor `all`. */
async function parseIteration(text: string | undefined): Promise<number | "all" | undefined> {
  if (text === undefined || text === "all") return text;
  if (/^[1-9]\d{0,3}$/.test(text)) return Number(text);
  throw new InputError(`--iteration must be a whole number of at least 1, or all, got "${text}"`);
}

/** The iterations that are meant; by default the one that decided. */
async function choose(
  { iterations }: SearchTree,
  number: number | "all" | undefined,
): Promise<readonly SearchIteration[]> {
  if (number === "all") return iterations;
  if (number === undefined) return [iterations.findLast(({ isFinished }) => isFinished) ?? iterations[0]!];
  const one = iterations[number - 1];
  if (one !== undefined) return [one];
  throw new InputError(`--iteration must be at most ${iterations.length} here, got ${number}`);
}
