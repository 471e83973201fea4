import process from "node:process";
import yargs, { type Argv, type CommandModule } from "yargs";
import { hideBin } from "yargs/helpers";
import { raiseInliningBudget } from "../arena/play/inlining.ts";
import { keepingWorkers } from "../arena/play/worker-fork.ts";
import { escapeControls } from "../base/errors.ts";
import { didYouMean, unknownName } from "../base/text.ts";
import { describeError, describeRefusal, theirPlaceOf } from "../base/thrown.ts";
import { STANDARD_INPUT } from "../specs/files/documents.ts";
import { type Command, EXIT, note, print } from "./shared/command.ts";
import { styled, wantsColour, widthOf } from "./shared/terminal.ts";
import { version } from "./shared/version.ts";

/** The commands, in the order of the help. A module is loaded whole when its command is called. */
const COMMANDS: readonly {
  readonly usage: string;
  readonly describe: string;
  readonly load: () => Promise<Command>;
}[] = [
  {
    usage: "run <config>",
    describe: "play what a config says",
    load: async () => (await import("./run.ts")).run,
  },
  {
    usage: "rate <sources..>",
    describe: "rate runs, or results in files",
    load: async () => (await import("./rate.ts")).rate,
  },
  {
    usage: "cite <dir>",
    describe: "a BibTeX entry and a sentence for a run",
    load: async () => (await import("./cite.ts")).cite,
  },
  {
    usage: "report [dirs..]",
    describe: "runs as one HTML file to look at",
    load: async () => (await import("./report.ts")).report,
  },
  {
    usage: "serve [dir]",
    describe: "runs while they go on, in a browser",
    load: async () => (await import("./serve.ts")).serve,
  },
  {
    usage: "init <kind> [folder]",
    describe: "write a small working example",
    load: async () => (await import("./init.ts")).init,
  },
  {
    usage: "match <game> <specs..>",
    describe: "compare agents without a config",
    load: async () => (await import("./match.ts")).match,
  },
  {
    usage: "ladder <folder>",
    describe: "bots that come and go, rated all the time",
    load: async () => (await import("./ladder.ts")).ladder,
  },
  {
    usage: "grade <bot>",
    describe: "give a bot marks by its games",
    load: async () => (await import("./grade.ts")).grade,
  },
  {
    usage: "plan <config>",
    describe: "check a config; forecast its time",
    load: async () => (await import("./plan.ts")).plan,
  },
  {
    usage: "train <config>",
    describe: "train an evaluator by self-play",
    load: async () => (await import("./train.ts")).train,
  },
  {
    usage: "play <game>",
    describe: "play a game in the terminal",
    load: async () => (await import("./play.ts")).play,
  },
  {
    usage: "analyze <game>",
    describe: "have an agent analyse a position",
    load: async () => (await import("./analyze.ts")).analyze,
  },
  {
    usage: "tree <game>",
    describe: "the tree that a search visited",
    load: async () => (await import("./tree.ts")).tree,
  },
  {
    usage: "inspect <weights>",
    describe: "show the weights of an evaluator",
    load: async () => (await import("./inspect.ts")).inspect,
  },
  {
    usage: "import-model <model>",
    describe: "an evaluator from a TF.js model",
    load: async () => (await import("./import-model.ts")).importModel,
  },
  {
    usage: "solve <game>",
    describe: "strategies for hidden information",
    load: async () => (await import("./solve.ts")).solve,
  },
  {
    usage: "tables <game> [classes..]",
    describe: "solve endgames, or a small game",
    load: async () => (await import("./tables.ts")).tables,
  },
  {
    usage: "book <sources..>",
    describe: "an opening book from played games",
    load: async () => (await import("./book.ts")).book,
  },
  {
    usage: "openings <game>",
    describe: "a file of openings for tournaments",
    load: async () => (await import("./openings.ts")).openings,
  },
  {
    usage: "positions [files..]",
    describe: "right choices in test positions",
    load: async () => (await import("./positions.ts")).positions,
  },
  {
    usage: "perft <game> <depth>",
    describe: "count leaves, to check the rules",
    load: async () => (await import("./perft.ts")).perft,
  },
  {
    usage: "check [thing]",
    describe: "find faults of games, agents and engines",
    load: async () => (await import("./check.ts")).check,
  },
  {
    usage: "engine",
    describe: "an agent that speaks agon's protocol",
    load: async () => (await import("./engine.ts")).engine,
  },
  {
    usage: "step <game>",
    describe: "games that a program of yours steps",
    load: async () => (await import("./step.ts")).step,
  },
  {
    usage: "gtp",
    describe: "an agent that speaks GTP, for Go",
    load: async () => (await import("./engine.ts")).gtp,
  },
  {
    usage: "uci",
    describe: "an agent that speaks UCI, for chess",
    load: async () => (await import("./engine.ts")).uci,
  },
  {
    usage: "schema <kind>",
    describe: "the JSON Schema of a config",
    load: async () => (await import("./schema.ts")).schema,
  },
  {
    usage: "verify <dirs..>",
    describe: "replay stored games and compare",
    load: async () => (await import("./verify.ts")).verify,
  },
  {
    usage: "export <dir>",
    describe: "games as text, curves for TensorBoard",
    load: async () => (await import("./export.ts")).exportGames,
  },
  {
    usage: "worker [queue]",
    describe: "play games for other machines",
    load: async () => (await import("./worker.ts")).worker,
  },
  {
    usage: "games [id]",
    describe: "the games: options, traits, features",
    load: async () => (await import("./catalogue.ts")).games,
  },
  {
    usage: "agents [id]",
    describe: "the agents: options, budgets, games",
    load: async () => (await import("./catalogue.ts")).agents,
  },
  {
    usage: "doctor",
    describe: "examine this machine and the program",
    load: async () => (await import("./doctor.ts")).doctor,
  },
];

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

const COMPLETION = "words for your shell to complete: $SHELL";
/** The script of yargs for fish completes no names of files. */
const FISH_COMPLETION = `# Installation: agon completion > ~/.config/fish/completions/agon.fish
complete -c agon -a '(SHELL=fish agon --get-yargs-completions (commandline -opc)[2..] (commandline -ct))'`;

/** The name of a command, as people write it. */
const nameOf = ({ usage }: (typeof COMMANDS)[number]) => usage.split(" ")[0]!;

/** The commands for the parser; those that the words do not name are there for the help alone. */
function loadCommands(words: readonly string[]): Promise<CommandModule[]> {
  return Promise.all(
    COMMANDS.map(async (entry) => {
      const { usage: command, describe } = entry;
      return {
        command,
        describe,
        ...(words.includes(nameOf(entry)) ? await entry.load() : { handler() {} }),
      };
    }),
  );
}

/** The parser of the command line. */
async function createParser(): Promise<Argv> {
  const heading = (title: string) => (wantsColour(process.stdout) ? styled(title, "bold") : title);

  const words = hideBin(process.argv);
  const parser = yargs(plainArguments(words))
    .scriptName("agon")
    .usage("$0 <command>\n\nTournaments of game-playing agents, evaluators tuned by self-play, Elo tables.")
    .command(await loadCommands(words))
    .middleware(() => {
      // Standard output is for results; the user's code prints to standard error.
      console.log = console.info = console.debug = console.error;
    })
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
  return process.env["SHELL"]?.includes("fish") === true
    ? parser.command("completion", COMPLETION, {}, () => print(FISH_COMPLETION))
    : parser.completion("completion", COMPLETION);
}

/**
 * The arguments with those behind `--` as any others: a file may begin with a hyphen. `check` takes a program behind it.
 * `-` is standard input. (The parser keeps both from a command's arguments.)
 */
function plainArguments(given: readonly string[]): string[] {
  const at = given.includes("--") ? given.indexOf("--") : given.length;
  const orInput = (word: string) => (word === "-" ? STANDARD_INPUT : word);
  const before = given.slice(0, at).map(orInput);
  if (given[0] === "check") return [...before, ...given.slice(at)];
  const behind = given.slice(at + 1).map((word) => (/^-./.test(word) ? `./${word}` : word));
  return [...before, ...behind.map(orInput)];
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
  const commands = COMMANDS.map(nameOf);
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
  const parser = await createParser();
  try {
    await keepingWorkers(async () => parser.parseAsync());
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
