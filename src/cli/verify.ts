import process from "node:process";
import { defineCommand, EXIT, print } from "./command.ts";

export const verify = defineCommand({
  command: "verify <dir>",
  describe: "play stored games again from their seeds and compare action by action",
  builder: (yargs) =>
    yargs
      .positional("dir", { type: "string", demandOption: true, describe: "folder of a run" })
      .option("sample", { type: "number", default: 100, describe: "how many games, spread over the run" })
      .option("json", { type: "boolean", default: false, describe: "print JSON" })
      .example("$0 verify runs/quick-20261121-143059", "100 games")
      .example("$0 verify runs/mine --sample 1000000", "all of them"),
  async handler(args) {
    const { verifyRun } = await import("../arena/play/verify.ts");
    const { Store } = await import("../arena/store/store.ts");
    const { parseCount } = await import("./arguments.ts");
    const store = Store.openExisting(args.dir);
    try {
      const result = await verifyRun(store, args.dir, parseCount("sample", args.sample));
      if (args.json) {
        print(JSON.stringify(result));
      } else {
        for (const { id, what } of result.differences) print(`${id}: ${what}`);
        for (const { reason, games } of result.skipped) print(`${games} games skipped: ${reason}`);
        print(`${result.verified} of ${result.sampled} games verified, ${result.differences.length} differ`);
      }
      if (result.differences.length > 0) process.exitCode = EXIT.failed;
    } finally {
      store.close();
    }
  },
});
