import { performance } from "node:perf_hooks";
import type { State } from "../games/game.ts";
import type { Analysis } from "../agents/analysis.ts";
import { defineCommand, formatCount, print } from "./command.ts";

export const analyze = defineCommand({
  command: "analyze <game>",
  describe: "what an agent thinks of a position",
  builder: (yargs) =>
    yargs
      .positional("game", { type: "string", demandOption: true, describe: "id, or id:option=value,..." })
      .option("agent", { type: "string", demandOption: true, describe: "agent:key=value,..." })
      .option("state", { type: "string", describe: "position in the game's notation [the start]" })
      .option("states", {
        type: "string",
        describe: "file with a position a line; prints a JSON line for each",
      })
      .option("seed", {
        type: "string",
        default: "agon",
        describe: "the agent's randomness descends from it",
      })
      .option("json", { type: "boolean", default: false, describe: "print JSON" })
      .option("verbose", {
        type: "boolean",
        default: false,
        describe: "show each iteration of iterative deepening as it finishes; with --json a line for each",
      })
      .option("unicode", { type: "boolean", default: false, describe: "draw pieces with Unicode symbols" })
      .conflicts("state", "states"),
  examples: [
    ["agon analyze connect-four --agent alpha-beta:depth=10,evaluator=threats", "the start"],
    ["agon analyze connect-four --agent alpha-beta:depth=12 --state 4444 --json", "after 4 4 4 4"],
    ["agon analyze chess --agent alpha-beta:timeMs=5000 --verbose", "what it thinks, depth by depth"],
    ["agon analyze tic-tac-toe --agent minimax:depth=9 --states positions.txt", "many positions"],
  ],
  async handler(args) {
    const { readLines } = await import("../specs/files.ts");
    const { boardDrawer, agentArgument, gameArgument } = await import("./arguments.ts");
    const { analysePosition } = await import("../agents/analysis.ts");

    const game = await gameArgument(args.game);
    const prepared = await agentArgument(game, args.agent);
    const clock = () => performance.now();
    const draw = boardDrawer(game, args.unicode);
    const analyse = (state: State, onIteration: (analysis: Analysis) => void) =>
      analysePosition({
        game,
        prepared,
        state,
        seed: args.seed,
        clock,
        onIteration: args.verbose ? onIteration : undefined,
      });
    if (args.states !== undefined) {
      const states = readLines(args.states, (line) => ({ text: line, state: game.parseState(line) }));
      for (const { text, state } of states) {
        const show = (analysis: Analysis) => print(JSON.stringify({ state: text, ...analysis }));
        show(await analyse(state, show));
      }
      return;
    }
    const state = args.state === undefined ? game.start() : game.parseState(args.state);
    if (args.json) {
      const show = (analysis: Analysis) => print(JSON.stringify(analysis));
      show(await analyse(state, show));
      return;
    }
    let rows = 0;
    const analysis = await analyse(state, (iteration) => {
      if (rows++ === 0) print(`${draw(state)}\n\n${ITERATION_HEAD}`);
      print(formatIteration(iteration));
    });
    print(`${rows === 0 ? `${draw(state)}\n` : ""}\n${formatAnalysis(analysis)}`);
  },
});

function formatAnalysis(analysis: Analysis): string {
  const perSecond =
    analysis.timeMs > 0 ? ` (${formatCount((analysis.nodes / analysis.timeMs) * 1000)}/s)` : "";
  return [
    `action  ${analysis.action}`,
    `value   ${analysis.value === null ? "no view" : analysis.value.toFixed(4)} for the player to move`,
    `depth   ${analysis.depth ?? "-"}`,
    `nodes   ${analysis.nodes}${perSecond}`,
    `time    ${analysis.timeMs.toFixed(1)} ms`,
    `line    ${analysis.line.join(" ")}`,
  ].join("\n");
}

/** The head of the table whose rows `formatIteration` makes. */
const ITERATION_HEAD = "depth     value        nodes     time ms  line";

/** One finished iteration as a row of a table. */
function formatIteration({ depth, value, nodes, timeMs, line }: Analysis): string {
  return [
    String(depth ?? "-").padStart(5),
    (value === null ? "-" : value.toFixed(4)).padStart(9),
    String(nodes).padStart(12),
    timeMs.toFixed(1).padStart(11),
    ` ${line.join(" ")}`,
  ].join(" ");
}
