import process from "node:process";
import yargs, { type Argv, type CommandModule } from "yargs";
import { hideBin } from "yargs/helpers";
import { escapeControls } from "../base/errors.ts";
import { didYouMean, unknownName } from "../base/text.ts";
import { describeError, describeRefusal, theirPlaceOf } from "../base/thrown.ts";
import { raiseInliningBudget } from "../arena/play/inlining.ts";
import { STANDARD_INPUT } from "../specs/files/documents.ts";
import { endSpare } from "../arena/play/worker-fork.ts";
import { analyze } from "./analyze.ts";
import { agents, games } from "./catalogue.ts";
import { book } from "./book.ts";
import { check } from "./check.ts";
import { EXIT, note } from "./shared/command.ts";
import { doctor } from "./doctor.ts";
import { engine } from "./engine.ts";
import { exportGames } from "./export.ts";
import { importModel } from "./import-model.ts";
import { gtp } from "./gtp.ts";
import { inspect } from "./inspect.ts";
import { match } from "./match.ts";
import { openings } from "./openings.ts";
import { perft } from "./perft.ts";
import { play } from "./play.ts";
import { plan } from "./plan.ts";
import { rate } from "./rate.ts";
import { report } from "./report.ts";
import { run } from "./run.ts";
import { serve } from "./serve.ts";
import { solve } from "./solve.ts";
import { styled, wantsColour, widthOf } from "./shared/terminal.ts";
import { tables } from "./tables.ts";
import { train } from "./train.ts";
import { tree } from "./tree.ts";
import { uci } from "./uci.ts";
import { verify } from "./verify.ts";
import { version } from "./shared/version.ts";
import { worker } from "./worker.ts";

const COMMANDS = [
  run,
  rate,
  report,
  serve,
  match,
  plan,
  train,
  play,
  analyze,
  tree,
  inspect,
  importModel,
  solve,
  tables,
  book,
  openings,
  perft,
  check,
  engine,
  gtp,
  uci,
  verify,
  exportGames,
  worker,
  games,
  agents,
  doctor,
] as const;

/** Commands that people may know from other programs or pages, and what does their work. */
const INSTEAD: Readonly<Record<string, string>> = {
  tune: "agon run CONFIG takes tunings",
  ablate: "agon run CONFIG takes ablations",
  workers: "agon worker QUEUE --list lists them",
  "check-game": "agon check GAME finds its faults",
  "check-agent": "agon check AGENT --game GAME finds its faults",
  "check-evaluator": "agon check EVALUATOR --game GAME finds its faults",
  "check-engine": "agon check -- PROGRAM ARGUMENTS finds its faults",
};

/** The parser of the command line. */
function createParser(): Argv {
  const heading = (title: string) => (wantsColour(process.stdout) ? styled(title, "bold") : title);

  return yargs(plainArguments(hideBin(process.argv)))
    .scriptName("agon")
    .usage("$0 <command>\n\nTournaments of game-playing agents, evaluators tuned by self-play, Elo tables.")
    .command([...COMMANDS] as unknown as CommandModule[])
    .middleware(() => {
      // Standard output is for results; the user's code prints to standard error.
      console.log = console.info = console.debug = console.error;
    })
    .completion("completion", "a completion script for your shell")
    .version(version)
    .demandCommand(1, "a command is missing")
    .strict()
    .parserConfiguration({ "dot-notation": false })
    .wrap(Math.min(110, widthOf(process.stdout)))
    .updateStrings({
      ...Object.fromEntries(["Commands:", "Options:", "Examples:"].map((title) => [title, heading(title)])),
      "Positionals:": heading("Arguments:"),
      "Show version number": "print the version",
      "Show help": "print this help",
    })
    .help()
    .alias("help", "h")
    .fail((message: string | null, error: Error | undefined) => {
      // yargs passes a message and an error from a check, and an error alone from a handler.
      throw message === null && error !== undefined ? error : new UsageError(message ?? "wrong use");
    })
    .exitProcess(false);
}

/**
 * The arguments with those behind `--` as any others: a file may begin with a hyphen. `check` takes a program behind it.
 * `-` is standard input. (The parser keeps both from a command's arguments.)
 */
function plainArguments(given: readonly string[]): string[] {
  if (given[0] === "check") return [...given];
  const at = given.includes("--") ? given.indexOf("--") : given.length;
  const behind = given.slice(at + 1).map((word) => (/^-./.test(word) ? `./${word}` : word));
  return [...given.slice(0, at), ...behind].map((word) => (word === "-" ? STANDARD_INPUT : word));
}

/** Something that yargs found wrong with the command line. */
class UsageError extends Error {}

/** The message of yargs; for an unknown command or option it names the nearest known one. */
async function explain(message: string, parser: Argv): Promise<string> {
  const [, first] = /^Unknown (?:argument|command)s?: ([^,]+)/.exec(message) ?? [];
  if (first === undefined) return message;
  const help = await parser.getHelp();
  const options = Array.from(help.matchAll(/--([a-z][\w-]*)/g), ([, name]) => name!);
  const isOption = process.argv.some((word) => word.split("=")[0] === `--${first}`);
  const commands = COMMANDS.map(({ command }) => String(command).split(" ")[0]!);
  if (isOption) return `unknown option --${first}${didYouMean(first, options)}`;
  const isCommand = process.argv[2] === first;
  if (!isCommand) return `unknown argument "${first}"`;
  const instead = INSTEAD[first];
  return instead === undefined
    ? unknownName("command", first, commands)
    : `unknown command "${first}": ${instead}`;
}

/** The text with control characters as escapes, but for its line breaks. */
function escapeLines(text: string): string {
  return text.split("\n").map(escapeControls).join("\n");
}

/** The advice after an error, if a part of the work was stored. */
function afterRefusal(error: unknown): string {
  const isGone = (error as NodeJS.ErrnoException).code === "ENOENT";
  const isStored = !isGone && ["run", "train"].includes(process.argv[2] ?? "");
  return isStored ? ". What was stored is kept: go on with the same command and --resume" : "";
}

/**
 * Runs the command that `process.argv` names; `process.exitCode` says how it ended.
 * @internal the tests run more commands than they start programs
 */
export async function runCommandLine(): Promise<void> {
  const parser = createParser();
  try {
    await parser.parseAsync();
  } catch (error) {
    if (error instanceof UsageError) {
      note(`agon: ${await explain(error.message, parser)}\n\nSee: agon --help`);
      process.exitCode = EXIT.wrongUse;
    } else if (error instanceof Error && error.name === "InputError") {
      note(escapeLines(error.message));
      process.exitCode = EXIT.wrongUse;
    } else if (error instanceof Error && ["DivergenceError", "GameFault"].includes(error.name)) {
      note(escapeLines(error.message));
      process.exitCode = EXIT.failed;
    } else {
      const place = theirPlaceOf(error);
      const refusal = describeRefusal(error);
      // Errors about files from the user's code are shown with their place.
      if (refusal !== undefined && place === undefined) note(`${refusal}${afterRefusal(error)}`);
      // For the user's code the place is enough; for our own code the whole stack is shown.
      else if (place !== undefined) note(`${describeError(error)}, at ${place}`);
      else note(error instanceof Error ? (error.stack ?? error.message) : String(error));
      process.exitCode = EXIT.failed;
    }
  } finally {
    endSpare();
  }
}

/** Runs the program: a command in a process of its own, which ends with it. */
export async function runProgram(): Promise<void> {
  raiseInliningBudget();
  // The reader of the output may go away, as in `agon games | head`. This is no error.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit(0);
    note(`standard output: ${describeRefusal(error) ?? error.message}`);
    process.exit(EXIT.failed);
  });
  // Notes may be lost: a run goes on without its progress.
  process.stderr.on("error", () => {});
  await runCommandLine();
  // An agent may have left a timer behind, which would keep the process from its end.
  process.stderr.write("", () => process.stdout.write("", () => process.exit()));
}
