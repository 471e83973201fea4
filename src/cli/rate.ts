import { statSync } from "node:fs";
import { isResultFile, loadResults } from "../arena/result-files/load.ts";
import { loadLuck, luckOfRun } from "../arena/results/luck.ts";
import { addDetails, type LoadedRuns, loadRuns } from "../arena/results/runs.ts";
import { isSuiteFolder, loadSuiteReport } from "../arena/suite/suite.ts";
import { escapeControls, InputError } from "../base/errors.ts";
import { parseAnchor } from "../ratings/elo/scale.ts";
import type { RunReport } from "../ratings/format-results.ts";
import type { LuckSource } from "../ratings/luck.ts";
import { createReport, type Report, type ReportInput } from "../ratings/report.ts";
import { formatSuite, type ReportFormat } from "../ratings/sections/format-report.ts";
import { defineCommand, note, outputWidth, print, show } from "./shared/command.ts";
import { showReport } from "./shared/results.ts";

export const rate = defineCommand({
  builder: (yargs) =>
    yargs
      .positional("sources", {
        type: "string",
        array: true,
        demandOption: true,
        describe: "folders of runs, that of a suite, or files of results: .pgn, .csv",
      })
      .option("format", {
        choices: ["table", "markdown", "csv", "json"] as const,
        default: "table" as const,
        describe: "the format of the table",
      })
      .option("json", { type: "boolean", default: false, describe: "print JSON: the same as --format json" })
      .option("anchor", { type: "string", describe: "NAME=ELO: fix an entrant's rating" })
      .option("luck", {
        type: "string",
        describe: "take luck out of mean returns: a heuristic of the game or a weights file",
      })
      .option("rank-by", {
        choices: ["elo", "return", "adjusted-return"] as const,
        describe: "the figure that orders the table",
      }),
  examples: [
    ["agon rate runs/quick-20261121-143059", "the table of a run"],
    ["agon rate runs/a runs/b --format markdown", "two runs of one game as one"],
    ["agon rate runs/a --anchor random=0", "ratings with random at 0"],
    ["agon rate runs/a --luck weights/backgammon/network.json", "mean returns without the luck of the dice"],
    ["agon rate games.pgn results.csv", "games that were played elsewhere (docs/formats.md)"],
  ],
  async handler(args) {
    if (args.sources.some(isSuiteFolder)) {
      await showSuite(args.sources, args);
      return;
    }
    const input = await load(args.sources);
    const anchor = args.anchor === undefined ? input.anchor : parseAnchor(args.anchor, input.entrants);
    const format = args.json ? "json" : args.format;
    const luck = await findLuck(args.sources, input, args.luck);
    const rankBy = args.rankBy ?? input.rankBy;
    if (rankBy === "adjusted-return" && luck === undefined)
      throw new InputError("--rank-by adjusted-return needs --luck EVALUATOR, which takes luck out");
    const report = await withDetails(createReport({ ...input, anchor, luck, rankBy }), args.sources);
    await showReport(report, format);
    // A CSV has no place for them.
    if (format === "csv") for (const warning of report.warnings) note(`Warning: ${escapeControls(warning)}`);
  },
});

/** Prints the table of a suite again. Throws InputError with options that are for runs of one game. */
async function showSuite(
  [dir, ...others]: readonly string[],
  args: Readonly<Record<"anchor" | "luck" | "rankBy", string | undefined>> & {
    readonly format: ReportFormat;
    readonly json: boolean;
  },
): Promise<void> {
  if (others.length > 0) throw new InputError("is the folder of a suite, which is rated alone", dir);
  for (const name of ["anchor", "luck", "rankBy"] as const)
    if (args[name] !== undefined)
      throw new InputError(`--${name === "rankBy" ? "rank-by" : name} is for runs of one game`, dir);
  const format = args.json ? "json" : args.format;
  const text = formatSuite(await loadSuiteReport(dir!), format, { width: outputWidth() });
  if (format === "table") show(text);
  else print(text);
}

async function load(sources: readonly string[]): Promise<ReportInput | LoadedRuns> {
  const isFile = (path: string) => isResultFile(path) || statSync(path, { throwIfNoEntry: false })?.isFile();
  if (sources.some(isFile)) return loadResults(sources);
  return loadRuns(sources);
}

/** The luck of the games of runs, told by the evaluator of that name, or by that of the first run's plan. */
async function findLuck(
  sources: readonly string[],
  input: ReportInput | LoadedRuns,
  evaluator: string | undefined,
): Promise<LuckSource | undefined> {
  if (!("plan" in input)) {
    if (evaluator === undefined) return undefined;
    throw new InputError("--luck needs the folders of runs: files of results do not have the dice");
  }
  const dir = sources[0]!;
  return evaluator === undefined ? luckOfRun(input.plan, dir) : loadLuck(input.plan, evaluator, { dir });
}

/** Adds to the report of a single run what `addDetails` tells. */
async function withDetails(report: Report, sources: readonly string[]): Promise<RunReport> {
  if (sources.length > 1 || isResultFile(sources[0]!)) return report;
  return addDetails(report, sources[0]!);
}
