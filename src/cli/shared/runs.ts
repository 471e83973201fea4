import { availableParallelism } from "node:os";
import process from "node:process";
import type { InferredOptionTypes } from "yargs";
import type { Suite } from "../../arena/suite/config.ts";
import { playSuite, suiteFolders } from "../../arena/suite/suite.ts";
import type { TournamentRequest } from "../../arena/tournament.ts";
import { InputError } from "../../base/errors.ts";
import { counted } from "../../base/text.ts";
import { formatSuite } from "../../ratings/sections/format-report.ts";
import { writeReport } from "../../report/write-report.ts";
import { outArgument, parseWorkers } from "./arguments.ts";
import { EXIT, note, outputWidth, print, quiet, show } from "./command.ts";
import { playWithProgress } from "./progress.ts";
import { openPlayers, queueArgument, queueOption } from "./queue.ts";

/** The options of commands that play runs into a folder. */
export const runOptions = {
  out: { type: "string", describe: "folder of the run [runs/<name>-<date>]" },
  workers: { type: "number", describe: "workers, which are processes [one a core]" },
  queue: queueOption,
  seed: { type: "string", describe: "the run's seed [the config's]" },
  resume: { type: "boolean", default: false, describe: "go on with a run: play its missing games" },
  quiet,
  json: { type: "boolean", default: false, describe: "print the result as JSON" },
} as const;

/** The values of `runOptions`. */
export type RunArguments = InferredOptionTypes<typeof runOptions>;

/** The place where the games of a run are played. */
export interface Place extends Pick<TournamentRequest, "workers" | "players"> {
  /** Its description, for people: `2 workers`. */
  readonly who: string;
  /** The options with which a command goes on there, each after a blank. */
  readonly again: string;
}

/** The workers of this machine, or those of a queue. Throws InputError. */
export function placeArgument(args: Pick<RunArguments, "workers" | "queue" | "seed">): Place {
  if (args.queue !== undefined && args.workers !== undefined)
    throw new InputError(
      "--queue or --workers, not both: with a queue, agon worker says how many games it plays at once",
    );
  const workers = parseWorkers(args.workers ?? availableParallelism());
  const seed = args.seed === undefined ? "" : ` --seed ${args.seed}`;
  if (args.queue === undefined) return { workers, who: counted(workers, "worker"), again: seed };
  const address = queueArgument(args.queue);
  return {
    workers,
    players: async (run) => openPlayers({ address, ...run, onNote: note }),
    who: `workers at ${address.shown}`,
    again: `${seed} --queue ${address.shown}`,
  };
}

/** Says how to go on with a run that was stopped, and ends with the code for that. */
export function noteStopped(command: string): void {
  note(`Stopped; nothing is lost. Go on with:\n  ${command}`);
  process.exitCode = EXIT.interrupted;
}

/** Plays a suite and prints its table. @param args.command the command with its config: `run my.yaml` */
export async function runSuite(
  suite: Suite,
  { workers, players, who, again }: Place,
  args: RunArguments & { readonly command: string },
): Promise<void> {
  const dir = await outArgument(args, suite.name);
  const hint = args.quiet ? () => {} : note;
  const tournaments = suite.tournaments.map(({ label, plan }) => ({
    label,
    plan: args.seed === undefined ? plan : { ...plan, seed: args.seed },
  }));
  const { seed } = tournaments[0]!.plan;
  hint(`${suite.name}: ${counted(tournaments.length, "tournament")}, seed "${seed}", ${who}, into ${dir}`);
  const report = await playSuite(
    { ...suite, tournaments },
    {
      dir,
      resume: args.resume,
      play: async (plan, request) => {
        hint(`${plan.name}: ${counted(plan.entrants.length, "entrant")}`);
        return playWithProgress(plan, { ...request, workers, players }, args);
      },
    },
  );
  if (report === undefined) {
    noteStopped(`agon ${args.command} --out ${dir}${again} --resume`);
    return;
  }
  if (args.json) print(formatSuite(report, "json"));
  else show(formatSuite(report, "table", { width: outputWidth() }));
  const { path } = await writeReport(suiteFolders(dir), { out: `${dir}/report.html` });
  hint(`Stored in ${dir}; the table again:\n  agon rate ${dir}\nLook at it in a browser:\n  ${path}`);
}
