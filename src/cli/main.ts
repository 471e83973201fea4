#!/usr/bin/env node
import process from "node:process";
import yargs from "yargs";
import { hideBin } from "yargs/helpers";
import { raiseInliningBudget } from "../arena/play/inlining.ts";
import { analyze } from "./analyze.ts";
import { agents, games } from "./catalogue.ts";
import { checkAgent, checkEvaluator, checkGame } from "./check.ts";
import { EXIT, note } from "./command.ts";
import { doctor } from "./doctor.ts";
import { exportGames } from "./export.ts";
import { inspect } from "./inspect.ts";
import { match } from "./match.ts";
import { perft } from "./perft.ts";
import { play } from "./play.ts";
import { rate } from "./rate.ts";
import { run } from "./run.ts";
import { train } from "./train.ts";
import { verify } from "./verify.ts";

raiseInliningBudget();

/** A reader that went away, as in `agon games | head`, is no failure of ours. */
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  process.exit(error.code === "EPIPE" ? 0 : EXIT.failed);
});

const parser = yargs(hideBin(process.argv))
  .scriptName("agon")
  .usage("$0 <command>\n\nTournaments of game-playing agents, evaluators tuned by self-play, Elo tables.")
  .command(run)
  .command(rate)
  .command(match)
  .command(train)
  .command(play)
  .command(analyze)
  .command(inspect)
  .command(perft)
  .command(checkGame)
  .command(checkAgent)
  .command(checkEvaluator)
  .command(verify)
  .command(exportGames)
  .command(games)
  .command(agents)
  .command(doctor)
  .demandCommand(1, "a command is missing")
  .recommendCommands()
  .strict()
  .wrap(Math.min(110, process.stdout.columns ?? 110))
  .help()
  .alias("help", "h")
  .fail((message: string | null, error: Error | undefined) => {
    throw error ?? new UsageError(message ?? "wrong use");
  })
  .exitProcess(false);

/** What yargs found wrong with the command line. */
class UsageError extends Error {}

try {
  await parser.parseAsync();
} catch (error) {
  if (error instanceof UsageError) {
    note(`agon: ${error.message}\n\nSee: agon --help`);
    process.exitCode = EXIT.wrongUse;
  } else if (error instanceof Error && error.name === "InputError") {
    note(error.message);
    process.exitCode = EXIT.wrongUse;
  } else if (error instanceof Error && error.name === "DivergenceError") {
    note(error.message);
    process.exitCode = EXIT.failed;
  } else {
    note(error instanceof Error ? (error.stack ?? error.message) : String(error));
    process.exitCode = EXIT.failed;
  }
}
