import { defineCommand, print } from "./command.ts";

export const agents = defineCommand({
  command: "agents [id]",
  describe: "the agents there are: options, budgets, which games they fit",
  builder: (yargs) =>
    yargs
      .positional("id", { type: "string", describe: "one agent, in full" })
      .option("json", { type: "boolean", default: false, describe: "print JSON" })
      .example("$0 agents", "all of them")
      .example("$0 agents mcts", "one in full"),
  async handler(args) {
    const { describeAgents, formatAgent } = await import("./catalogue.ts");
    const list = describeAgents(args.id);
    if (args.json) print(JSON.stringify(list, null, 2));
    else print(list.map((agent) => formatAgent(agent, args.id !== undefined)).join("\n"));
  },
});
