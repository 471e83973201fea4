import process from "node:process";
import { availableParallelism } from "node:os";
import { InputError } from "../base/errors.ts";
import { openPlayers, queueArgument, queueOption } from "./shared/queue.ts";
import {
  defineCommand,
  EXIT,
  note,
  noteCode,
  openOption,
  outputWidth,
  print,
  show,
  quiet,
  withCodeOption,
} from "./shared/command.ts";
import { counted } from "../base/text.ts";

export const run = defineCommand({
  command: "run <config>",
  describe: "play a tournament; print its ratings",
  builder: (yargs) =>
    yargs
      .positional("config", { type: "string", demandOption: true, describe: "YAML or JSON file" })
      .option("out", { type: "string", describe: "folder of the run [runs/<name>-<date>]" })
      .option("workers", { type: "number", describe: "workers, which are processes [one a core]" })
      .option("queue", queueOption)
      .option("seed", { type: "string", describe: "the run's seed [the config's]" })
      .option("resume", {
        type: "boolean",
        default: false,
        describe: "go on with a run: play its missing games",
      })
      .option("open", openOption)
      .option("with-code", withCodeOption)
      .option("quiet", quiet)
      .option("json", { type: "boolean", default: false, describe: "print the report as JSON" }),
  examples: [
    [
      "agon run configs/tournaments/quick.yaml",
      "a round robin on connect four: 2240 games in ten to twenty seconds",
    ],
    ["agon run my.yaml --out runs/mine --workers 4", "into a folder of your choice"],
    ["agon run my.yaml --open", "watch it in the browser"],
    ["agon run my.yaml --out runs/mine --resume", "go on after an interrupt or a crash"],
    ["agon run my.yaml --queue redis://queue.example/0", "the games are played by agon worker elsewhere"],
  ],
  async handler(args) {
    const { startSpare } = await import("../arena/play/worker-fork.ts");
    if (args.workers !== 0 && args.queue === undefined) startSpare();
    const { loadTournament } = await import("../arena/plan/config.ts");
    const { formatReport } = await import("../arena/results/format-report.ts");
    const { openLivePage } = await import("./shared/browser.ts");
    const { playWithProgress } = await import("./shared/progress.ts");
    const { outArgument, parseWorkers } = await import("./shared/arguments.ts");

    if (args.queue !== undefined && args.workers !== undefined)
      throw new InputError(
        "--queue or --workers, not both: with a queue, agon worker says how many games it plays at once",
      );
    const workers = parseWorkers(args.workers ?? availableParallelism());
    const queue = args.queue === undefined ? undefined : queueArgument(args.queue);
    const checked = await loadTournament(args.config);
    const plan = args.seed === undefined ? checked : { ...checked, seed: args.seed };
    const { withCode } = args;
    const dir = await outArgument(args, plan.name);
    const hint = args.quiet ? () => {} : note;
    let page: ReturnType<typeof openLivePage> | undefined;
    const request: Parameters<typeof playWithProgress>[1] = {
      outDir: dir,
      resume: args.resume,
      workers,
      players: queue && ((run) => openPlayers({ address: queue, ...run, onNote: note })),
      onOpen() {
        if (args.open) page = openLivePage(dir, { view: "standings", hint, withCode });
        const who = queue === undefined ? counted(workers, "worker") : `workers at ${queue.shown}`;
        hint(`${plan.name}: ${plan.entrants.length} entrants, seed "${plan.seed}", ${who}, into ${dir}`);
      },
    };
    try {
      const result = await playWithProgress(plan, request, args);
      if (!result.complete) {
        const seed = args.seed === undefined ? "" : ` --seed ${args.seed}`;
        const where = queue === undefined ? "" : ` --queue ${queue.shown}`;
        const code = withCode ? " --with-code" : "";
        note(
          `Stopped; nothing is lost. Go on with:\n  agon run ${args.config} --out ${dir}${seed}${where}${code} --resume`,
        );
        process.exitCode = EXIT.interrupted;
        return;
      }
      if (args.json) print(formatReport(result.report, "json"));
      else show(formatReport(result.report, "table", { width: outputWidth() }));
    } finally {
      await (await page)?.end();
    }
    const { writeReport } = await import("../report/write-report.ts");
    const { path, ...written } = await writeReport([dir], { withCode });
    hint(
      `Stored in ${dir}; rate it again with:\n  agon rate ${dir}\nLook at it, and play, in a browser:\n  ${path}`,
    );
    if (withCode) noteCode(written);
  },
});
