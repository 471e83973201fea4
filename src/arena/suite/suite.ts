import { existsSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { check } from "../../base/check.ts";
import { InputError } from "../../base/errors.ts";
import { readJson } from "../../specs/files/documents.ts";
import { makeFolder, writeWhole } from "../../specs/files/write-file.ts";
import { reportSuite, type SuiteReport } from "../../ratings/suite.ts";
import { loadReport, saveTexts } from "../results/runs.ts";
import type { Play } from "../tournament.ts";
import type { Suite } from "./config.ts";
import { formatSuite } from "../../ratings/sections/format-report.ts";

/** The table of contents in the folder of a suite, whose runs are folders in it. */
const SUITE_FILE = "suite.json";

const suiteFile = z.strictObject({
  formatVersion: z.literal(1),
  name: z.string(),
  games: z.array(z.string()).min(1),
});

/**
 * Plays the tournaments of a suite one after the other, each into a folder of its own in `dir`, and writes the report.
 * Returns undefined if one was stopped before its end. Throws as `playTournament`.
 */
export async function playSuite(
  { name, tournaments }: Suite,
  { dir, resume, play }: { readonly dir: string; readonly resume: boolean; readonly play: Play },
): Promise<SuiteReport | undefined> {
  if (!resume && isSuiteFolder(dir))
    throw new InputError("holds a suite already; go on with --resume, or name another folder", dir);
  makeFolder(dir);
  const contents = { formatVersion: 1, name, games: tournaments.map(({ label }) => label) };
  writeWhole(join(dir, SUITE_FILE), `${JSON.stringify(contents, null, 2)}\n`);
  const games = [];
  for (const { label, plan } of tournaments) {
    const { complete, report } = await play(plan, { outDir: join(dir, label), resume });
    if (!complete) return undefined;
    games.push({ label, report });
  }
  const report = reportSuite(name, games);
  saveTexts(dir, (format, width) => formatSuite(report, format, { width }));
  return report;
}

/** True if `dir` is the folder of a suite. */
export function isSuiteFolder(dir: string): boolean {
  return existsSync(join(dir, SUITE_FILE));
}

/** The folders of the runs of a suite, in the order of its config. Throws InputError. */
export function suiteFolders(dir: string): string[] {
  return readContents(dir).games.map((label) => join(dir, label));
}

/** The report of the suite in `dir`, from the games that are stored. Throws InputError if a run has not begun. */
export async function loadSuiteReport(dir: string): Promise<SuiteReport> {
  const { name, games } = readContents(dir);
  const reports = [];
  for (const label of games) reports.push({ label, report: await loadReport(join(dir, label)) });
  return reportSuite(name, reports);
}

function readContents(dir: string): z.output<typeof suiteFile> {
  const path = join(dir, SUITE_FILE);
  return check(suiteFile, readJson(path), path);
}
