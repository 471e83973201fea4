import { formatOf, hasOneRound } from "../arena/formats/index.ts";
import { loadTournament } from "../arena/plan/config.ts";
import { describeTime, isTuning, loadTuning } from "../arena/plan/tuning.ts";
import { planOfRun } from "../arena/store/run-folder.ts";
import { Store } from "../arena/store/store.ts";
import { startSpare } from "../arena/play/worker-fork.ts";
import { isAblation, loadAblation } from "../arena/suite/ablation.ts";
import { isSuite, loadSuite } from "../arena/suite/config.ts";
import { FINALISTS, playTuning } from "../arena/tuning.ts";
import { InputError } from "../base/errors.ts";
import { formatPercent } from "../base/text.ts";
import { formatResultTables } from "../ratings/sections/format-report.ts";
import { writeReport } from "../report/write-report.ts";
import { formatAgentSpec } from "../specs/agents.ts";
import { readDocument } from "../specs/files/documents.ts";
import { outArgument } from "./shared/arguments.ts";
import { openLivePage } from "./shared/browser.ts";
import {
  defineCommand,
  note,
  noteCode,
  openOption,
  outputWidth,
  print,
  show,
  withCodeOption,
} from "./shared/command.ts";
import { playWithProgress } from "./shared/progress.ts";
import { showReport } from "./shared/results.ts";
import {
  noteStopped,
  type Place,
  placeArgument,
  type RunArguments,
  runOptions,
  runSuite,
} from "./shared/runs.ts";

export const run = defineCommand({
  builder: (yargs) =>
    yargs
      .positional("config", {
        type: "string",
        demandOption: true,
        describe: "YAML or JSON file, or the folder of a run to go on with",
      })
      .options(runOptions)
      .option("into", {
        type: "string",
        describe: "folder of a run that gets the config's new entrants; only their games are played",
      })
      .option("as", {
        type: "string",
        describe:
          "with --resume or --into: enters a changed bot, engine or agent as a new version of this name",
      })
      .option("open", openOption)
      .option("with-code", withCodeOption),
  examples: [
    [
      "agon run configs/tournaments/quick.yaml",
      "a round robin on connect four: 2240 games in ten to twenty seconds",
    ],
    ["agon run my.yaml --out runs/mine --workers 4", "into a folder of your choice"],
    ["agon run my.yaml --open", "watch it in the browser"],
    ["agon run my.yaml --out runs/mine --resume", "go on after an interrupt or a crash"],
    ["agon run runs/mine --resume", "the same, wherever the config is now"],
    ["agon run more.yaml --into runs/mine", "more entrants in a run that was played"],
    ["agon run configs/ablations/alpha-beta.yaml", "what each option of an agent is worth"],
    ["agon run configs/tuning/connect-four-exploration.yaml", "numbers of an agent, tuned by play"],
    ["agon run my.yaml --queue redis://queue.example/0", "the games are played by agon worker elsewhere"],
  ],
  async handler(args) {
    if (args.workers !== 0 && args.queue === undefined) startSpare();

    const place = placeArgument(args);
    const isRun = Store.exists(args.config);
    if (isRun && (!args.resume || args.out !== undefined || args.into !== undefined || args.as !== undefined))
      throw new InputError("is the folder of a run; --resume alone goes on with it", args.config);
    const document = isRun ? undefined : readDocument(args.config);
    const suite = isAblation(document) ? loadAblation : isSuite(document) ? loadSuite : undefined;
    if (suite !== undefined || isTuning(document)) {
      for (const name of ["into", "open", "withCode"] as const)
        if (args[name] !== undefined && args[name] !== false)
          throw new InputError(
            `--${name === "withCode" ? "with-code" : name} is for tournaments of one game`,
            args.config,
          );
      if (suite === undefined) {
        await runTuning(place, args);
      } else
        await runSuite(await suite(args.config, { note }), place, { ...args, command: `run ${args.config}` });
      return;
    }
    const checked = isRun ? planOfRun(args.config) : await loadTournament(args.config, { note });
    const plan = args.seed === undefined ? checked : { ...checked, seed: args.seed };
    const { withCode } = args;
    if (args.into !== undefined && (args.out !== undefined || args.resume))
      throw new InputError("--into or --out, not both: --into goes on with a run and needs no --resume");
    if (args.as !== undefined && args.into === undefined && !args.resume)
      throw new InputError("--as is for runs that go on: give --resume or --into");
    const dir = isRun ? args.config : (args.into ?? (await outArgument(args, plan.name)));
    const hint = args.quiet ? () => {} : note;
    let page: ReturnType<typeof openLivePage> | undefined;
    const request: Parameters<typeof playWithProgress>[1] = {
      outDir: dir,
      resume: args.resume,
      grow: args.into !== undefined || args.as !== undefined,
      as: args.as,
      stored: isRun,
      workers: place.workers,
      players: place.players,
      onOpen({ plan: { name, entrants } }) {
        if (args.open) page = openLivePage(dir, { view: "standings", hint, withCode });
        hint(`${name}: ${entrants.length} entrants, seed "${plan.seed}", ${place.who}, into ${dir}`);
      },
    };
    try {
      const result = await playWithProgress(plan, request, args);
      if (!result.complete) {
        const code = withCode ? " --with-code" : "";
        const resume = args.into === undefined ? " --resume" : "";
        const target = isRun ? "" : ` ${args.into === undefined ? "--out" : "--into"} ${dir}`;
        noteStopped(`agon run ${args.config}${target}${place.again}${code}${resume}`);
        return;
      }
      const { idleShare } = result;
      if (idleShare !== undefined && formatOf(plan).lag === 1 && !hasOneRound(plan))
        hint(
          `Workers had no games in ${formatPercent(idleShare)}% of the time: a round waits for the one before it.`,
        );
      await showReport(result.report, args.json ? "json" : "table");
    } finally {
      await (await page)?.end();
    }
    const { path, ...written } = await writeReport([dir], { withCode });
    hint(
      `Stored in ${dir}; rate it again with:\n  agon rate ${dir}\nLook at it, and play, in a browser:\n  ${path}`,
    );
    if (withCode) noteCode(written);
  },
});

/** Tunes numbers of an agent by play, and prints them. */
export async function runTuning(
  { workers, players, who, again }: Place,
  args: RunArguments & { readonly config: string },
): Promise<void> {
  const tuning = await loadTuning(args.config, { note });
  const plan = args.seed === undefined ? tuning.plan : { ...tuning.plan, seed: args.seed };
  const dir = await outArgument(args, plan.name);
  const hint = args.quiet ? () => {} : note;
  const warning = describeTime(plan);
  if (warning !== undefined) note(`Warning: ${warning}`);
  hint(`${plan.name}: seed "${plan.seed}", ${who}, into ${dir}`);
  const result = await playTuning(
    { ...tuning, plan },
    {
      dir,
      resume: args.resume,
      play: async (run, request) => playWithProgress(run, { ...request, workers, players }, args),
    },
  );
  if (result !== undefined) {
    const { tuned, agent, final } = result;
    const spec = formatAgentSpec(agent);
    if (args.json) print(JSON.stringify({ ...tuned, agent: spec, final }));
    else {
      show(`${formatResultTables(tuned, { width: outputWidth() })}\n`);
      const match = final?.entrants.find(({ name }) => name === FINALISTS.tuned);
      if (match !== undefined) show(describeMatch(match));
      show(`The agent:\n  ${spec}`);
    }
    if (final !== undefined || tuning.final === 0) {
      hint(`Stored in ${dir}; the games again:\n  agon verify ${dir}`);
      return;
    }
  }
  noteStopped(`agon run ${args.config} --out ${dir}${again} --resume`);
}

/** The outcome of the final match in one line. */
function describeMatch({
  elo,
  low,
  high,
  games,
}: Readonly<Record<"elo" | "low" | "high" | "games", number>>): string {
  const [mean, least, most] = [elo, low, high].map((value) => `${value > 0 ? "+" : ""}${Math.round(value)}`);
  return `The tuned values against those of the start, in ${games} new games: ${mean} Elo (${least} to ${most})`;
}
