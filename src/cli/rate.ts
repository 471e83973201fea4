import { defineCommand, outputWidth, print, show } from "./shared/command.ts";

export const rate = defineCommand({
  command: "rate <dirs..>",
  describe: "rate stored games of one or more runs",
  builder: (yargs) =>
    yargs
      .positional("dirs", { type: "string", array: true, demandOption: true, describe: "folders of runs" })
      .option("format", {
        choices: ["table", "markdown", "csv", "json"] as const,
        default: "table" as const,
        describe: "the format of the table",
      })
      .option("json", { type: "boolean", default: false, describe: "print JSON: the same as --format json" })
      .option("anchor", { type: "string", describe: "NAME=ELO: fix an entrant's rating" }),
  examples: [
    ["agon rate runs/quick-20261121-143059", "the table of a run"],
    ["agon rate runs/a runs/b --format markdown", "two runs of one game as one"],
    ["agon rate runs/a --anchor random=0", "ratings with random at 0"],
  ],
  async handler(args) {
    const { createReport } = await import("../ratings/report.ts");
    const { loadRuns, parseAnchor } = await import("../arena/results/runs.ts");
    const { formatReport } = await import("../arena/results/format-report.ts");
    const runs = loadRuns(args.dirs);
    const anchor = args.anchor === undefined ? runs.anchor : parseAnchor(args.anchor, runs.entrants);
    const format = args.json ? "json" : args.format;
    const text = formatReport(createReport({ ...runs, anchor }), format, { width: outputWidth() });
    if (format === "table") show(text);
    else print(text);
  },
});
