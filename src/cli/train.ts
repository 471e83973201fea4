import { defineCommand } from "./command.ts";
export const train = defineCommand({
  command: "train <config>",
  describe: "train an evaluator by self-play",
  builder: (yargs) =>
    yargs.positional("config", { type: "string", demandOption: true, describe: "YAML or JSON file" }),
  async handler() {},
});
