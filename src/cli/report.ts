import { join } from "node:path";
import { isSuiteFolder, suiteFolders } from "../arena/suite/suite.ts";
import { InputError } from "../base/errors.ts";
import { writeReport } from "../report/write-report.ts";
import { parseCount } from "./shared/arguments.ts";
import { openInBrowser } from "./shared/browser.ts";
import { defineCommand, note, noteCode, withCodeOption } from "./shared/command.ts";

export const report = defineCommand({
  builder: (yargs) =>
    yargs
      .positional("dirs", {
        type: "string",
        array: true,
        default: [] as string[],
        describe: "folders of runs, suites, trainings and sweeps",
      })
      .option("out", { type: "string", describe: "file to write [report.html in the first folder]" })
      .option("games", {
        type: "number",
        describe: "most games of a run that can be replayed [1000]; the figures are of all",
      })
      .option("with-code", withCodeOption)
      .option("open", { type: "boolean", default: false, describe: "show it in the browser" }),
  examples: [
    ["agon report runs/quick-20261121-143059", "ratings, games to replay, agents to play against"],
    ["agon report runs/a runs/b runs/training --out all.html", "several runs on one page"],
  ],
  async handler(args) {
    if (args.dirs.length === 0)
      throw new InputError(
        "agon report needs the folder of a run or training, such as runs/NAME; agon serve shows all in the folder runs",
      );
    const dirs = args.dirs.flatMap((dir) => (isSuiteFolder(dir) ? suiteFolders(dir) : dir));
    const inSuite = isSuiteFolder(args.dirs[0]!) ? join(args.dirs[0]!, "report.html") : undefined;
    const out = args.out ?? inSuite ?? join(dirs[0]!, "report.html");
    const { path, bytes, ...code } = await writeReport(dirs, {
      out,

      ...(args.games !== undefined && { games: parseCount("games", args.games) }),
      withCode: args.withCode,
    });
    note(`Written to ${path}, ${(bytes / 1e6).toFixed(1)} MB; it opens in any browser.`);
    if (args.withCode) noteCode(code);
    if (args.open) openInBrowser(path);
  },
});
