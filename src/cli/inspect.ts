import process from "node:process";
import { defineCommand, print } from "./command.ts";

/** The width of the output, in characters, if it is no terminal. */
const WIDTH = 110;

export const inspect = defineCommand({
  command: "inspect <weights>",
  describe: "what an evaluator has learned: its largest weights by name, heat maps of the board",
  builder: (yargs) =>
    yargs
      .positional("weights", { type: "string", demandOption: true, describe: "weights file" })
      .option("top", {
        type: "number",
        default: 15,
        describe: "how many weights are listed above zero, and how many below",
      })
      .option("match", { type: "string", describe: "list features whose names contain this" })
      .option("stage", { type: "number", describe: "look at this stage of the game, from 1 [all]" })
      .option("game", {
        type: "string",
        describe: "the game, if it is a file of your own [the game that the weights name]",
      })
      .option("json", { type: "boolean", default: false, describe: "print JSON" })
      .example("$0 inspect weights/tic-tac-toe/linear.json", "all of it")
      .example("$0 inspect weights/connect-four/linear.json --match column --top 5", "some features"),
  async handler(args) {
    const { formatJson } = await import("../base/json.ts");
    const { equipGame, resolveEvaluatorName } = await import("../specs/evaluators.ts");
    const { inspectWeights } = await import("../specs/weights-file.ts");
    const { gameArgument, loadGameOf, parseCount } = await import("./arguments.ts");
    const { formatInspection } = await import("../evaluators/inspect/format.ts");

    const top = parseCount("top", args.top);
    const { weights: path, stage, match } = args;
    const named = args.game === undefined ? loadGameOf(path) : await gameArgument(args.game);
    const game = await equipGame(named, { evaluators: [resolveEvaluatorName(path, process.cwd())] });
    const inspection = inspectWeights(path, game, { top, stage, match });
    if (args.json) {
      print(formatJson({ file: path, ...inspection }));
      return;
    }
    const { isTTY, columns } = process.stdout;
    const colour = isTTY && !process.env["NO_COLOR"];
    print(formatInspection(path, inspection, { colour, width: isTTY ? columns : WIDTH }));
  },
});
