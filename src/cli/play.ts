import process from "node:process";
import { defineCommand } from "./command.ts";

export const play = defineCommand({
  command: "play <game>",
  describe: "play a game in the terminal",
  builder: (yargs) =>
    yargs
      .positional("game", { type: "string", demandOption: true, describe: "id, or id:option=value,..." })
      .option("agent", {
        type: "string",
        demandOption: true,
        describe: "who plays the other seats, agent:key=value,...",
      })
      .option("seat", { type: "number", default: 1, describe: "your seat, from 1" })
      .option("state", { type: "string", describe: "position to begin from [the start]" })
      .option("seed", {
        type: "string",
        describe: "the dice and the agent's randomness descend from it [the time]",
      })
      .option("unicode", { type: "boolean", default: false, describe: "draw pieces with Unicode symbols" }),
  examples: [
    ["agon play connect-four --agent alpha-beta:depth=8,evaluator=threats", "you begin"],
    ["agon play pig --agent expectimax:depth=2,evaluator=race --seat 2", "the agent begins"],
  ],
  async handler(args) {
    const { createInterface } = await import("node:readline");
    const { performance } = await import("node:perf_hooks");
    const { InputError } = await import("../base/errors.ts");
    const { boardDrawer, agentArgument, gameArgument } = await import("./arguments.ts");
    const { playAgainst } = await import("../arena/play/session.ts");

    const game = await gameArgument(args.game);
    const prepared = await agentArgument(game, args.agent);
    if (!Number.isInteger(args.seat) || args.seat < 1 || args.seat > game.players) {
      throw new InputError(`--seat must be a whole number from 1 to ${game.players}, got ${args.seat}`);
    }
    const state = args.state === undefined ? game.start() : game.parseState(args.state);
    const reader = createInterface({
      input: process.stdin,
      output: process.stdout,
      terminal: process.stdin.isTTY,
    });
    const lines = reader[Symbol.asyncIterator]();
    try {
      await playAgainst({
        game,
        prepared,
        state,
        draw: boardDrawer(game, args.unicode),
        seat: args.seat - 1,
        seed: args.seed ?? new Date().toISOString(),
        clock: () => performance.now(),
        write: (text) => process.stdout.write(text),
        read: async () => {
          const next = await lines.next();
          return next.done === true ? undefined : next.value;
        },
      });
    } finally {
      reader.close();
    }
  },
});
