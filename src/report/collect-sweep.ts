import { basename, resolve } from "node:path";
import { escapeControls } from "../base/errors.ts";
import { counted } from "../base/text.ts";
import { sweepSection } from "../training/sweep/format-sweep.ts";
import { loadSweepReport } from "../training/sweep/sweep-folder.ts";
import type { SweepData } from "./page/data.ts";
import { withoutFolders } from "./reason.ts";

/** Collects the page's data of a sweep: its table and the mean curves of its settings. Throws InputError. */
export function collectSweep(dir: string): SweepData {
  const { report, about, unfinished } = loadSweepReport(dir);
  const settings = report.settings.map((setting) => ({ ...setting, name: withoutFolders(setting.name) }));
  return {
    name: report.name,
    about,
    folder: escapeControls(basename(resolve(dir))),
    notices:
      unfinished === 0 ? [] : [`The sweep is not finished: ${counted(unfinished, "training")} left out.`],
    measure: report.measure,
    table: sweepSection({ ...report, settings }),
    findings: report.findings.map((finding) => withoutFolders(finding)),
    curves: settings.map(({ name, curve }) => ({ name, points: curve })),
  };
}
