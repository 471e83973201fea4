import process from "node:process";
import { createInterface } from "node:readline";
import { InputError } from "../base/errors.ts";
import { UciEngine } from "../players/engine/uci/engine.ts";
import { engineLoader, locateAgent } from "../specs/agents.ts";
import { defineCommand, print } from "./shared/command.ts";
import { version } from "./shared/version.ts";

export const uci = defineCommand({
  builder: (yargs) =>
    yargs
      .option("agent", { type: "string", demandOption: true, describe: "the agent: agent:key=value,..." })
      .option("seed", {
        type: "string",
        default: "agon",
        describe: "the agent's randomness descends from it",
      }),
  examples: [
    ["agon uci --agent alpha-beta:evaluator=piece-squares", "for cutechess, fastchess and boards on screens"],
    ["agon uci --agent mcts:evaluator=piece-squares,simulations=1000", "never more simulations"],
  ],
  async handler(args) {
    const agent = locateAgent(args.agent, process.cwd());
    const engine = await UciEngine.create({
      loader: engineLoader,
      agent,
      seed: args.seed,
      version,
      say: print,
    }).catch((error: unknown) => {
      throw error instanceof InputError ? new InputError(error.problems, args.agent) : error;
    });
    for await (const line of createInterface({ input: process.stdin })) {
      if (line.trim() === "quit") break;
      await engine.hear(line);
    }
    await engine.close();
  },
});
