import process from "node:process";
import { type Verification, verifyRun } from "../arena/play/verify.ts";
import { Store } from "../arena/store/store.ts";
import { parseCount } from "./shared/arguments.ts";
import { defineCommand, EXIT, filesOption, print, show } from "./shared/command.ts";

export const verify = defineCommand({
  builder: (yargs) =>
    yargs
      .positional("dirs", { type: "string", array: true, demandOption: true, describe: "folders of runs" })
      .option("sample", {
        type: "number",
        default: 100,
        describe: "the number of games of each run, spread over it",
      })
      .option("files", filesOption)
      .option("json", { type: "boolean", default: false, describe: "print JSON" }),
  examples: [
    ["agon verify runs/quick-20261121-143059", "100 games"],
    ["agon verify runs/mine --sample 1000000", "all of them"],
  ],
  async handler(args) {
    const sample = parseCount("sample", args.sample);
    for (const dir of args.dirs) {
      await Store.reading({ dir, files: args.files }, async (store) => {
        const result = await verifyRun(store, dir, { sample });
        const name = args.dirs.length === 1 ? "" : `${dir}: `;
        if (args.json) {
          print(JSON.stringify(args.dirs.length === 1 ? result : { dir, ...result }));
        } else {
          for (const { id, what } of result.differences) show(`${name}${id}: ${what}`);
          for (const { reason, games } of result.skipped) show(`${name}${games} games skipped: ${reason}`);
          show(
            `${name}${result.verified} of ${result.sampled} games verified, ${result.differences.length} differ${sampleOf(result)}`,
          );
        }
        if (result.differences.length > 0) process.exitCode = EXIT.failed;
      });
    }
  },
});

/** A remark that not all stored games were played again; empty if they were. */
function sampleOf({ stored, sampled }: Verification): string {
  return sampled < stored ? `; a sample of ${stored} stored games (--sample ${stored} plays all)` : "";
}
