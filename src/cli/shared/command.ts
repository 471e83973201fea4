import process from "node:process";
import type { ArgumentsCamelCase, Argv, CommandModule } from "yargs";
import { hideBin } from "yargs/helpers";
import type { CodeInPage } from "../../report/write-report.ts";
import { decorate, fitted, wantsColour, widthOf } from "./terminal.ts";

/** Exit codes of `agon` that are not 0. */
export const EXIT = {
  /** The checked thing has a fault, or agon itself has one. */
  failed: 1,
  /** The command line or a file that it names is wrong. */
  wrongUse: 2,
  /** Stopped by Ctrl-C or SIGTERM before the end. */
  interrupted: 130,
} as const;

/** A command as yargs takes it, without its line in the help. */
export type Command = Required<Pick<CommandModule, "builder" | "handler">>;

/** Defines a command. Its line in the help stands in `program.ts`, so that `agon --help` loads no command. */
export function defineCommand<Options>({
  builder,
  examples,
  handler,
}: {
  readonly builder: (yargs: Argv) => Argv<Options>;
  /** Command lines, each with its purpose. */
  readonly examples: readonly (readonly [line: string, what: string])[];
  readonly handler: (args: ArgumentsCamelCase<Options>) => Promise<void>;
}): Command {
  // A comment above each line: beside it, both would be broken into pieces on a terminal of 80 columns.
  const lines = examples.flatMap(([line, what]) => [[`# ${what}`], [line]] as unknown as [string, string][]);
  return {
    handler: handler as Command["handler"],
    builder: (yargs) =>
      builder(yargs)
        .example(lines)
        .check((_, known) => {
          checkOptions(hideBin(process.argv), known as unknown as KnownOptions);
          return true;
        }),
  };
}

/** The options of a command, as yargs hands them to a check. */
interface KnownOptions {
  readonly key: Readonly<Record<string, boolean>>;
  readonly boolean: readonly string[];
  readonly array: readonly string[];
}

/** Options whose empty text has a meaning: the start of a game whose positions are written as moves. */
const MAY_BE_EMPTY: readonly string[] = ["state"];

/**
 * Throws for faults that yargs accepts: an option that is given twice (yargs makes a list), an option without its value, a
 * switch with a value.
 * @internal the tests try more lines than they start programs
 */
export function checkOptions(words: readonly string[], { key, boolean, array }: KnownOptions): void {
  const seen = new Set<string>();
  for (let at = 0; at < words.length && words[at] !== "--"; at++) {
    const [, no, written, value] = /^--(no-)?([a-zA-Z][\w-]*)(?:=([^]*))?$/.exec(words[at]!) ?? [];
    // yargs takes --randomPlies for --random-plies.
    const name = written?.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`) ?? "";
    if (!Object.hasOwn(key, name)) continue;
    if (boolean.includes(name)) {
      if (value !== undefined && value !== "true" && value !== "false")
        throw new Error(`--${name} takes no value, got "${value}"`);
      continue;
    }
    const next = words[at + 1];
    const given = value ?? (next === undefined || /^-(?![\d.])/.test(next) ? undefined : next);
    if (no !== undefined || given === undefined || (given === "" && !MAY_BE_EMPTY.includes(name)))
      throw new Error(`--${name} needs a value, such as --${name} VALUE`);
    if (seen.has(name) && !array.includes(name))
      throw new Error(`--${name} is given more than once; give it one value`);
    seen.add(name);
    if (value === undefined) at++;
  }
}

/** Writes a result to standard output. */
export function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

/**
 * Writes a result for people to standard output. On a terminal, lines are broken to fit and headings are bold.
 */
export function show(text: string): void {
  const shown = wantsColour(process.stdout) ? decorate(text) : text;
  print(process.stdout.isTTY ? fitted(shown, widthOf(process.stdout)) : shown);
}

/** Writes progress, hints and errors to standard error. */
export function note(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** The width of the terminal in characters; undefined if standard output is not a terminal. */
export function outputWidth(): number | undefined {
  return process.stdout.isTTY ? widthOf(process.stdout) : undefined;
}

/** The option of commands that show progress. */
export const quiet = {
  type: "boolean",
  alias: "q",
  default: false,
  describe: "no progress and no hints: only results and problems",
} as const;

/** The option of commands that can be watched while they work. */
export const openOption = {
  type: "boolean",
  default: false,
  describe: "watch it in the browser (agon serve)",
} as const;

/** The option `--files` of commands that read runs. */
export const filesOption = {
  type: "string",
  describe: "folder that has the run's code and programs in place of the config's folder",
} as const;

/** The option of commands that make a page. */
export const withCodeOption = {
  type: "boolean",
  default: false,
  describe: "games and agents of your own are played in the page, which then has their source",
} as const;

/** Tells the user of `--with-code` what the page has. */
export function noteCode({ hasCode, misses }: CodeInPage): void {
  note(
    hasCode
      ? "The source of your files is in the page: whoever gets it can read and run it."
      : "No source of yours is in the page.",
  );
  for (const reason of misses) note(`! cannot play there: ${reason}`);
}

/** A count in short: `1.5 M`, `320 k`, `42`. */
export function formatCount(count: number): string {
  if (count >= 1e6) return `${(count / 1e6).toFixed(1)} M`;
  if (count >= 1e3) return `${(count / 1e3).toFixed(0)} k`;
  return count.toFixed(0);
}
