import process from "node:process";
import { defineCommand, EXIT, note, print } from "./command.ts";

export const train = defineCommand({
  command: "train <config>",
  describe: "train an evaluator by self-play, with its learning curve in Elo",
  builder: (yargs) =>
    yargs
      .positional("config", { type: "string", demandOption: true, describe: "YAML or JSON file" })
      .option("out", { type: "string", describe: "folder of the training [runs/<name>-<date>]" })
      .option("resume", { type: "boolean", default: false, describe: "go on where it was stopped or killed" })
      .option("rating-workers", {
        type: "number",
        describe: "workers for the games of the rating [one a core]",
      })
      .option("json", { type: "boolean", default: false, describe: "print the result as JSON" })
      .example("$0 train configs/training/tic-tac-toe-linear.yaml", "under a minute")
      .example("$0 train my.yaml --out runs/mine", "into a folder of your choice")
      .example("$0 train my.yaml --out runs/mine --resume", "go on after an interrupt or a crash"),
  async handler(args) {
    const { availableParallelism } = await import("node:os");
    const { formatCurveTable } = await import("../training/curve/formats.ts");
    const { trainFromConfig, trainingName } = await import("../training/run/train.ts");
    const { outArgument, parseWorkers } = await import("./arguments.ts");
    const { interruptible, ProgressDisplay } = await import("./progress.ts");

    const name = trainingName(args.config);
    const ratingWorkers = parseWorkers(args.ratingWorkers ?? availableParallelism(), "rating-workers");
    const outDir = await outArgument(args, name);
    const display = new ProgressDisplay();
    let begun = false;
    const result = await interruptible(
      "Saving; once more to stop at once.",
      (signal) =>
        trainFromConfig({
          configPath: args.config,
          outDir,
          resume: args.resume,
          ratingWorkers,
          signal,
          onProgress: ({ phase, gamesDone, gamesTotal, gamesPerSecond, secondsLeft, latest }) => {
            if (!begun) note(`${name}: training into ${outDir}`);
            begun = true;
            display.show({
              done: gamesDone,
              total: gamesTotal,
              gamesPerSecond,
              secondsLeft,
              extra: [
                phase === "rating" ? "rating a checkpoint" : "",
                latest ? `last ${Math.round(latest.elo)} Elo` : "",
              ]
                .filter((part) => part !== "")
                .join(", "),
            });
          },
        }),
      () => display.end(),
    );
    if (!result.finished) {
      note(`Stopped; nothing is lost. Go on with:\n  agon train ${args.config} --out ${outDir} --resume`);
      process.exitCode = EXIT.interrupted;
      return;
    }
    print(args.json ? JSON.stringify(result) : formatCurveTable(result.curve));
    for (const warning of result.curve.warnings) note(`! ${warning}`);
    note(`Weights: ${result.weightsPath}; curve: ${outDir}/curve.csv and curve.svg`);
  },
});
