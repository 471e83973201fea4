import process from "node:process";
import { formatJson } from "../base/plain.ts";
import { formatInspection } from "../explain/weights/format.ts";
import { inspectWeights } from "../report/inspect-weights.ts";
import { equipGame } from "../specs/evaluators.ts";
import { referTo } from "../specs/references.ts";
import { gameArgument, loadGameOf, parseCount } from "./shared/arguments.ts";
import { defineCommand, outputWidth, print, show } from "./shared/command.ts";
import { wantsColour } from "./shared/terminal.ts";

/** The width of the output, in characters, if it is no terminal. */
const WIDTH = 110;

export const inspect = defineCommand({
  builder: (yargs) =>
    yargs
      .positional("weights", { type: "string", demandOption: true, describe: "weights file" })
      .option("top", {
        type: "number",
        default: 15,
        describe: "the number of weights listed above zero, and below",
      })
      .option("match", { type: "string", describe: "list features whose names contain this" })
      .option("stage", { type: "number", describe: "look at this stage of the game, from 1 [all]" })
      .option("state", {
        type: "string",
        describe: "a position in the game's notation: its value, and the likeliest actions of a policy",
      })
      .option("game", {
        type: "string",
        describe: "the game, if it is a file of your own [the game that the weights name]",
      })
      .option("json", { type: "boolean", default: false, describe: "print JSON" }),
  examples: [
    ["agon inspect weights/tic-tac-toe/linear.json", "all of it"],
    ["agon inspect weights/connect-four/linear.json --match column --top 5", "some features"],
    ["agon inspect weights/connect-four/linear.json --state 4444", "the value of a position too"],
  ],
  async handler(args) {
    const top = parseCount("top", args.top);
    const { weights: path, stage, match } = args;
    const named = args.game === undefined ? await loadGameOf(path) : await gameArgument(args.game);
    const game = await equipGame(named, [referTo("evaluator", path)]);
    const state = args.state === undefined ? undefined : game.parseState(args.state);
    const inspection = inspectWeights(path, game, { top, stage, match, state });
    if (args.json) {
      print(formatJson({ file: path, ...inspection }));
      return;
    }
    const colour = wantsColour(process.stdout);
    show(formatInspection(path, inspection, { colour, width: outputWidth() ?? WIDTH }));
  },
});
