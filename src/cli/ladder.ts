import { basename, resolve } from "node:path";
import process from "node:process";
import { LadderDoor } from "../arena/ladder/door.ts";
import { Ladder, planLadder } from "../arena/ladder/ladder.ts";
import { issueTokens, namesIn } from "../arena/ladder/tokens.ts";
import type { TournamentPlan } from "../arena/plan/plan.ts";
import { startSpare } from "../arena/play/worker-fork.ts";
import { saveReports } from "../arena/results/runs.ts";
import { Store } from "../arena/store/store.ts";
import { checkAffinity } from "../arena/tournament.ts";
import { escapeControls, InputError } from "../base/errors.ts";
import { counted } from "../base/text.ts";
import { type LiveServer, startServer } from "../report/live/server.ts";
import { planDocument, readText } from "../specs/files/documents.ts";
import { parseGameSpec } from "../specs/games.ts";
import { checkPort, hostOption } from "./shared/arguments.ts";
import { defineCommand, note, print, quiet } from "./shared/command.ts";
import { interruptible, ProgressDisplay, progressNotes } from "./shared/progress.ts";
import { showReport } from "./shared/results.ts";
import { queueOption } from "./shared/queue.ts";
import { noteStopped, placeArgument } from "./shared/runs.ts";
import { sittingNow } from "./shared/version.ts";

/** The most bytes of a file of names. */
const MAX_NAMES_BYTES = 1_000_000;

/** The options that say what a ladder plays. */
interface RulesArguments {
  readonly game?: string | undefined;
  readonly config?: string | undefined;
  readonly agent?: readonly string[] | undefined;
  readonly time?: string | undefined;
  readonly seed?: string | undefined;
  readonly randomPlies: number;
}

export const ladder = defineCommand({
  builder: (yargs) =>
    yargs
      .positional("folder", {
        type: "string",
        demandOption: true,
        describe: "folder of the ladder; bots are put into the folder bots in it",
      })
      .option("game", { type: "string", describe: "what a new ladder plays: id, or id:option=value,..." })
      .option("config", {
        type: "string",
        describe: "tournament file in place of --game; its entrants stand beside the bots",
      })
      .option("agent", {
        type: "string",
        array: true,
        describe: "agents of agon's beside the bots, agent:key=value,... [random]",
      })
      .option("time", { type: "string", describe: "time control in seconds, such as 10+0.1 or 0.5/move" })
      .option("random-plies", {
        type: "number",
        default: 4,
        describe: "random plies before the bots take over",
      })
      .option("seed", { type: "string", describe: "every random choice descends from it [agon]" })
      .option("games", { type: "number", describe: "ends after so many games, in whole rounds [never]" })
      .option("until-margin", {
        type: "number",
        describe:
          "ends when all ratings are known within this many Elo, 95% sure; alone, mean returns within so much [never]",
      })
      .option("forfeits", {
        type: "number",
        default: 5,
        describe: "a bot that forfeits so many games in a row is set aside until it changes",
      })
      .option("tokens", {
        type: "string",
        describe: "CSV file of names: prints a token for each new one, to send bots with, and ends",
      })
      .option("port", { type: "number", describe: "serves the page at this port; 0 for any [no page]" })
      .option("host", hostOption)
      .option("trust", {
        type: "boolean",
        default: false,
        describe: "runs the bots that are sent with your rights, not in a sandbox",
      })
      .option("workers", { type: "number", describe: "workers, which are processes [one a core]" })
      .option("queue", queueOption)
      .option("quiet", quiet)
      .option("json", { type: "boolean", default: false, describe: "print the report as JSON" }),
  examples: [
    ["agon ladder class --game connect-four", "bots from class/bots play until Ctrl-C"],
    ["agon ladder class", "go on with it"],
    ["agon ladder class --game othello --agent mcts random", "with agents of agon's"],
    ["agon ladder class --tokens names.csv", "a token for each name, to send bots with"],
    ["agon ladder class --port 8642", "with its page, which takes bots"],
    ["agon ladder class --until-margin 30", "until all ratings are known within 30 Elo"],
    ["agon ladder class --queue redis://localhost", "agon worker plays the games"],
  ],
  async handler(args) {
    for (const name of ["games", "untilMargin", "forfeits"] as const) {
      const value = args[name];
      const option = name === "untilMargin" ? "until-margin" : name;
      if (value !== undefined && !(value > 0 && (name === "untilMargin" || Number.isInteger(value))))
        throw new InputError(`--${option} must be a number above 0, got ${value}`);
    }
    if (args.tokens !== undefined) {
      printTokens(args.folder, args.tokens);
      return;
    }
    checkPort(args.port);
    if (args.workers !== 0 && args.queue === undefined) startSpare();
    const { workers, players, who, again } = placeArgument({ ...args, seed: undefined });
    const { folder, games, untilMargin: margin, forfeits } = args;
    const given = await planOf(args);
    if (given !== undefined) await checkAffinity(given, { workers, players });
    const opened = Ladder.open(folder, given, sittingNow());
    const hint = args.quiet ? () => {} : note;
    const display = new ProgressDisplay(args.quiet);
    let server: LiveServer | undefined;
    try {
      if (args.port !== undefined) {
        const door = await LadderDoor.open(opened, args);
        server = await startServer({ dir: folder, host: args.host, port: args.port, door });
        note(`Its page is at ${server.address}`);
      }
      const { game } = await opened.rules();
      hint(`The ladder in ${folder}, ${who}; bots come and go in ${folder}/bots. Ctrl-C stops it.`);
      const ended = await interruptible(
        "Finishing the games at hand; once more to stop at once.",
        async (signal) =>
          opened.play({
            workers,
            players,
            signal,
            games,
            margin,
            forfeits,
            trust: args.trust,
            onNews: (text) => hint(escapeControls(text)),
            onProgress: (progress) =>
              display.show({
                ...progress,
                ...(games === undefined && { total: Infinity, least: Infinity }),
                notes: progressNotes(progress, { players: game.players, format: { type: "ladder" } }),
              }),
          }),
        () => display.end(),
      );
      const report = opened.report();
      saveReports(folder, report);
      if (report.games > 0) await showReport(report, args.json ? "json" : "table");
      if (ended === "stopped") noteStopped(`agon ladder ${folder}${again}`);
    } finally {
      await server?.close();
      opened.close();
    }
  },
});

/** Prints a token for each name of a CSV file that has none. */
function printTokens(folder: string, file: string): void {
  const names = namesIn(readText(file, MAX_NAMES_BYTES));
  if (names.length === 0) throw new InputError("has no names", file);
  const issued = issueTokens(folder, names);
  print(["name,token", ...[...issued].map((one) => one.join(","))].join("\n"));
  const others = names.length - issued.size;
  if (others > 0) note(`${counted(others, "name")} had a token before, and kept it.`);
}

/** The plan that the options describe; undefined where they only go on with a ladder. Throws InputError. */
async function planOf(
  args: RulesArguments & { readonly folder: string },
): Promise<TournamentPlan | undefined> {
  const { game, config, agent } = args;
  if (config !== undefined) {
    if (game !== undefined || agent !== undefined || args.time !== undefined)
      throw new InputError(
        "--config has the game, the agents and the time: leave out --game, --agent and --time",
      );
    return planDocument(config, async (document, from) => planLadder(document as object, from));
  }
  if (game === undefined && agent === undefined) return undefined;
  if (game === undefined && !Store.exists(args.folder))
    throw new InputError("holds no ladder yet; say what it plays with --game or --config", args.folder);
  if (game === undefined) throw new InputError("--agent needs --game, which the ladder plays");
  return planLadder(
    {
      name: basename(resolve(args.folder)).replace(/[^\w.-]+/g, "-"),
      game: parseGameSpec(game, process.cwd()),
      seed: args.seed ?? "agon",
      openings: { randomPlies: args.randomPlies },
      ...(args.time !== undefined && { time: args.time }),
      entrants: agent ?? ["random"],
    },
    { baseDir: process.cwd(), source: "agon ladder" },
  );
}
