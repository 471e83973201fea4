import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { InputError } from "../base/errors.ts";
import { unknownName } from "../base/text.ts";
import { PROGRAM } from "../specs/files/documents.ts";
import { makeFolder } from "../specs/files/write-file.ts";
import { quoted } from "./shared/arguments.ts";
import { defineCommand, print, show } from "./shared/command.ts";

/** An example that agon ships, and that is copied. */
interface Example {
  readonly files: readonly string[];
  /** The commands to go on with; a word that is a file of the example becomes its copy. */
  readonly commands: readonly string[];
  /** The names of copies that are called otherwise. */
  readonly names?: Readonly<Record<string, string>>;
}

const BOTS = "examples/bots";
const EXAMPLES: Readonly<Record<string, Example>> = {
  tournament: {
    files: ["configs/tournaments/tic-tac-toe.yaml"],
    commands: ["agon plan tic-tac-toe.yaml", "agon run tic-tac-toe.yaml"],
  },
  training: {
    files: ["configs/training/tic-tac-toe-linear.yaml"],
    commands: ["agon plan tic-tac-toe-linear.yaml", "agon train tic-tac-toe-linear.yaml"],
  },
  game: {
    files: ["examples/kalah/kalah.ts", "examples/kalah/tournament.yaml"],
    commands: ["agon check kalah.ts", "agon run tournament.yaml"],
  },
  agent: {
    files: ["examples/one-move/one-move.ts", "examples/one-move/tournament.yaml"],
    commands: ["agon check one-move.ts --game connect-four", "agon run tournament.yaml"],
  },
  bot: {
    files: [`${BOTS}/captures.mjs`, `${BOTS}/javascript.yaml`],
    commands: ["agon check --game chess -- node captures.mjs", "agon run javascript.yaml"],
    // Folders of bots are entered by this name.
    names: { "captures.mjs": "bot.mjs" },
  },
};
const KINDS = Object.keys(EXAMPLES);

export const init = defineCommand({
  builder: (yargs) =>
    yargs
      .positional("kind", { type: "string", demandOption: true, describe: `one of ${KINDS.join(", ")}` })
      .positional("folder", { type: "string", default: ".", describe: "folder to write into" })
      .option("json", { type: "boolean", default: false, describe: "print JSON" }),
  examples: [
    ["agon init tournament", "a config in this folder, and the command that plays it"],
    ["agon init game my-game", "rules in TypeScript and a tournament, in the folder my-game"],
  ],
  handler({ kind, folder, json }) {
    if (!Object.hasOwn(EXAMPLES, kind)) throw new InputError(unknownName("kind of example", kind, KINDS));
    const { files, commands, names = {} } = EXAMPLES[kind]!;
    const copies = new Map(
      files.map((file) => [basename(file), join(folder, names[basename(file)] ?? basename(file))]),
    );
    for (const path of copies.values())
      if (existsSync(path)) throw new InputError("is there already; name another folder", path);
    makeFolder(folder);
    for (const file of files)
      writeFileSync(copies.get(basename(file))!, textOf(file, folder, names), { flag: "wx" });
    const next = commands.map((command) =>
      command
        .split(" ")
        .map((word) => quoted(copies.get(word) ?? word))
        .join(" "),
    );
    const written = [...copies.values()];
    if (json) print(JSON.stringify({ written, next }));
    else
      show([`Written: ${written.join(", ")}`, "Go on with:", ...next.map((line) => `  ${line}`)].join("\n"));
    return Promise.resolve();
  },
});

/** The text of a shipped file, for a copy in another folder. */
function textOf(file: string, folder: string, names: Readonly<Record<string, string>>): string {
  const own = join(PROGRAM, file);
  const text = readFileSync(own, "utf8")
    .replace(/(?<=\$schema=)\S+/, (path) => relative(folder, join(dirname(own), path)))
    .replaceAll("npm run agon --", "agon")
    .replaceAll(`${dirname(file)}/`, "");
  return Object.entries(names).reduce((copy, [former, name]) => copy.replaceAll(former, name), text);
}
