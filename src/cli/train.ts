import process from "node:process";
import type { InferredOptionTypes } from "yargs";
import { availableParallelism } from "node:os";
import { InputError } from "../base/errors.ts";
import { counted } from "../base/text.ts";
import { writeReport } from "../report/write-report.ts";
import { formatStrength, unitOf } from "../ratings/sections/curve.ts";
import { readDocument } from "../specs/files/documents.ts";
import { bestPoint } from "../training/curve/curve.ts";
import { formatCurveTable } from "../training/curve/formats.ts";
import { checkTraining, trainFromConfig, trainingName } from "../training/run/train.ts";
import { formatSweepTable } from "../training/sweep/format-sweep.ts";
import { runSweep } from "../training/sweep/run-sweep.ts";
import { isSweep, loadSweep } from "../training/sweep/sweep.ts";
import { outArgument, parseWorkers } from "./shared/arguments.ts";
import { openLivePage } from "./shared/browser.ts";
import {
  defineCommand,
  EXIT,
  note,
  noteCode,
  openOption,
  outputWidth,
  print,
  quiet,
  show,
  withCodeOption,
} from "./shared/command.ts";
import { interruptible, ProgressDisplay } from "./shared/progress.ts";
import { openActors, openPlayers, queueArgument, queueOption } from "./shared/queue.ts";
import { noteStopped } from "./shared/runs.ts";
import { sittingNow } from "./shared/version.ts";

const options = {
  out: { type: "string", describe: "folder of the training [runs/<name>-<date>]" },
  resume: { type: "boolean", default: false, describe: "go on where it was stopped or killed" },
  workers: {
    type: "number",
    describe: "workers for the games of rounds and of the rating [one a core]; they change no result",
  },
  queue: queueOption,
  seed: { type: "string", describe: "the training's seed [the config's]" },
  actors: {
    type: "boolean",
    default: false,
    describe: "have other machines play the games of rounds, too; they change no result",
  },
  open: openOption,
  "with-code": withCodeOption,
  quiet,
  json: { type: "boolean", default: false, describe: "print the result as JSON" },
} as const;

export const train = defineCommand({
  builder: (yargs) =>
    yargs
      .positional("config", { type: "string", demandOption: true, describe: "YAML or JSON file" })
      .options(options),
  examples: [
    ["agon train configs/training/tic-tac-toe-linear.yaml", "under a minute"],
    ["agon train my.yaml --out runs/mine", "into a folder of your choice"],
    ["agon train my.yaml --seed b", "with other random choices, for how much results vary"],
    ["agon train configs/sweeps/tic-tac-toe-lambda.yaml", "settings and seeds, side by side"],
    ["agon train my.yaml --open", "watch it in the browser"],
    ["agon train my.yaml --out runs/mine --resume", "go on after an interrupt or a crash"],
    ["agon train my.yaml --queue redis://queue.example/0", "the rating is played by agon worker elsewhere"],
  ],
  async handler(args) {
    const name = await trainingName(args.config);
    const workers = parseWorkers(args.workers ?? availableParallelism(), "workers");
    if (isSweep(readDocument(args.config))) {
      await trainSweep(args, workers);
      return;
    }
    const queue = args.queue === undefined ? undefined : queueArgument(args.queue);
    if (args.actors && queue === undefined)
      throw new InputError("--actors play on other machines: name their queue, as in --queue redis://HOST/0");
    const elsewhere = queue && { address: queue, onNote: note };
    // A wrong config makes no folder.
    await checkTraining(args.config, { note });
    const outDir = await outArgument(args, name);
    const display = new ProgressDisplay(args.quiet);
    const hint = args.quiet ? () => {} : note;
    const { withCode } = args;
    let begun = false;
    const page: { opened?: ReturnType<typeof openLivePage> } = {};
    try {
      const result = await interruptible(
        "Saving; once more to stop at once.",
        (signal) =>
          trainFromConfig({
            configPath: args.config,
            seed: args.seed,
            outDir,
            resume: args.resume,
            workers,
            ratingPlayers: elsewhere && ((run) => openPlayers({ ...run, ...elsewhere })),
            openActors:
              args.actors && elsewhere ? (training) => openActors({ ...training, ...elsewhere }) : undefined,
            signal,
            onNote: note,
            sitting: sittingNow(),
            onProgress: ({ phase, unit, gamesDone, gamesTotal, gamesPerSecond, secondsLeft, latest }) => {
              if (!begun) hint(`${name}: training into ${outDir}`);
              begun = true;
              if (args.open) page.opened ??= openLivePage(outDir, { view: "curve", hint, withCode });
              display.show({
                done: gamesDone,
                total: gamesTotal,
                gamesPerSecond,
                secondsLeft,
                unit,
                notes: [
                  ...(latest ? [`last ${formatStrength(latest)}`] : []),
                  ...(phase === "rating" ? ["rating a checkpoint"] : []),
                ],
              });
            },
          }),
        () => display.end(),
      );
      if (!result.finished) {
        const seed = args.seed === undefined ? "" : ` --seed ${args.seed}`;
        const where = queue === undefined ? "" : ` --queue ${queue.shown}${args.actors ? " --actors" : ""}`;
        const code = withCode ? " --with-code" : "";
        note(
          `Stopped; nothing is lost. Go on with:\n  agon train ${args.config} --out ${outDir}${seed}${where}${code} --resume`,
        );
        process.exitCode = EXIT.interrupted;
        return;
      }
      if (args.json) print(JSON.stringify(result));
      else show(formatCurveTable(result.curve, { width: outputWidth() }));
      for (const warning of result.curve.warnings) note(`! ${warning}`);
      const best = bestPoint(result.curve);
      const unit = unitOf(result.curve.points);
      if (result.stoppedEarly)
        note(
          `Stopped early, after ${result.games} ${unit}: no later checkpoint was as ${unit === "games" ? "strong" : "good"} as the one after ${result.weightsGames} ${unit} (patience).`,
        );
      const { path, ...written } = await writeReport([outDir], { withCode });
      hint(
        [
          `Weights: ${result.weightsPath}, after ${result.weightsGames} ${unit}`,
          `Best: ${result.bestPath}, after ${best.games} ${unit}, ${formatStrength(best)}`,
          `Curve: ${outDir}/curve.csv, curve.md and curve.svg`,
          `To look at in a browser: ${path}`,
        ].join("\n"),
      );
      if (withCode) noteCode(written);
    } finally {
      await (await page.opened)?.end();
    }
  },
});

/** Trains every setting of a sweep and prints their table. */
export async function trainSweep(
  args: InferredOptionTypes<typeof options> & { readonly config: string },
  workers: number,
): Promise<void> {
  const refused = { seed: "a sweep has its seeds in `sweep.seeds`", queue: ON_THIS_MACHINE, open: NO_PAGE };
  for (const [option, reason] of Object.entries(refused)) {
    const given = args[option as keyof typeof refused];
    if (given !== undefined && given !== false) throw new InputError(`--${option}: ${reason}`);
  }
  const sweep = await loadSweep(args.config, { note });
  const { name, settings, seeds } = sweep;
  const dir = await outArgument(args, name);
  const size = `${counted(settings.length, "setting")} with ${counted(seeds.length, "seed")}`;
  const hint = args.quiet ? () => {} : note;
  hint(
    `${name}: ${size}, ${counted(Math.min(workers, settings.length * seeds.length), "training")} at once, into ${dir}`,
  );
  const display = new ProgressDisplay(args.quiet);
  const report = await interruptible(
    "Saving; once more to stop at once.",
    (signal) =>
      runSweep(sweep, {
        dir,
        resume: args.resume,
        workers,
        signal,
        onNote: note,
        sitting: sittingNow(),
        onProgress: ({ gamesDone, gamesTotal, trainings, trainingsDone }) => {
          const notes = [`${trainingsDone} of ${counted(trainings, "training")}`];
          display.show({ done: gamesDone, total: gamesTotal, notes });
        },
      }),
    () => display.end(),
  );
  if (report === undefined) {
    noteStopped(`agon train ${args.config} --out ${dir} --resume`);
    return;
  }
  if (args.json) print(JSON.stringify(report));
  else show(formatSweepTable(report, { width: outputWidth() }));
  for (const problem of report.problems) note(`! ${problem}`);
  if (report.isBroken) process.exitCode = EXIT.failed;
  const { path } = await writeReport([dir]);
  hint(
    `Table, picture and curves: ${dir}/sweep.md, sweep.svg and sweep.csv\nTo look at in a browser: ${path}`,
  );
}

const ON_THIS_MACHINE = "the trainings of a sweep run on this machine";
const NO_PAGE = "a sweep has its page at the end; `agon serve FOLDER` shows the one of a training in it";
