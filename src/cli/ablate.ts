import { placeArgument, runOptions, runSuite } from "./shared/runs.ts";
import { defineCommand } from "./shared/command.ts";

export const ablate = defineCommand({
  command: "ablate <config>",
  describe: "what each option of an agent is worth",
  builder: (yargs) =>
    yargs
      .positional("config", { type: "string", demandOption: true, describe: "YAML or JSON file" })
      .options(runOptions),
  examples: [
    ["agon ablate configs/ablations/alpha-beta.yaml", "the options of alpha-beta"],
    ["agon ablate my.yaml --out runs/mine --resume", "go on after an interrupt or a crash"],
  ],
  async handler(args) {
    const { startSpare } = await import("../arena/play/worker-fork.ts");
    if (args.queue === undefined) startSpare();
    const { loadAblation } = await import("../arena/suite/ablation.ts");
    const place = placeArgument(args);
    await runSuite(await loadAblation(args.config), place, { ...args, command: `ablate ${args.config}` });
  },
});
