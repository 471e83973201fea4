import process from "node:process";
import { InputError } from "../../base/errors.ts";
import { counted } from "../../base/text.ts";
import { formatSweepTable } from "../../training/sweep/format-sweep.ts";
import { runSweep } from "../../training/sweep/run-sweep.ts";
import { loadSweep } from "../../training/sweep/sweep.ts";
import { outArgument } from "./arguments.ts";
import { EXIT, note, outputWidth, print, show } from "./command.ts";
import { interruptible, ProgressDisplay } from "./progress.ts";
import { noteStopped } from "./runs.ts";

/** The options of `agon train`. */
interface SweepArguments {
  readonly config: string;
  readonly out?: string | undefined;
  readonly resume: boolean;
  readonly quiet: boolean;
  readonly json: boolean;
  readonly seed?: string | undefined;
  readonly queue?: string | undefined;
  readonly open: boolean;
}

/** Trains every setting of a sweep and prints their table. */
export async function trainSweep(args: SweepArguments, workers: number): Promise<void> {
  const refused = { seed: "a sweep has its seeds in `sweep.seeds`", queue: ON_THIS_MACHINE, open: NO_PAGE };
  for (const [option, reason] of Object.entries(refused)) {
    const given = args[option as keyof typeof refused];
    if (given !== undefined && given !== false) throw new InputError(`--${option}: ${reason}`);
  }
  const sweep = await loadSweep(args.config);
  const { name, settings, seeds } = sweep;
  const dir = await outArgument(args, name);
  const size = `${counted(settings.length, "setting")} with ${counted(seeds.length, "seed")}`;
  const hint = args.quiet ? () => {} : note;
  hint(
    `${name}: ${size}, ${counted(Math.min(workers, settings.length * seeds.length), "training")} at once, into ${dir}`,
  );
  const display = new ProgressDisplay(args.quiet);
  const begun = { at: performance.now(), games: undefined as number | undefined };
  const report = await interruptible(
    "Saving; once more to stop at once.",
    (signal) =>
      runSweep(sweep, {
        dir,
        resume: args.resume,
        workers,
        signal,
        onNote: note,
        onProgress: ({ gamesDone, gamesTotal, trainings, trainingsDone }) => {
          begun.games ??= gamesDone;
          const gamesPerSecond = (1000 * (gamesDone - begun.games)) / (performance.now() - begun.at);
          const secondsLeft = gamesPerSecond > 0 ? (gamesTotal - gamesDone) / gamesPerSecond : Infinity;
          const notes = [`${trainingsDone} of ${counted(trainings, "training")}`];
          display.show({ done: gamesDone, total: gamesTotal, gamesPerSecond, secondsLeft, notes });
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
  hint(`Table, picture and curves: ${dir}/sweep.md, sweep.svg and sweep.csv`);
}

const ON_THIS_MACHINE = "the trainings of a sweep run on this machine";
const NO_PAGE = "a sweep has no page; `agon serve FOLDER` shows the one of a training in it";
