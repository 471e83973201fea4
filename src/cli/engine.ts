import process from "node:process";
import { createInterface } from "node:readline";
import { InputError } from "../base/errors.ts";
import type { Game } from "../games/contract/game.ts";
import { JsonLinesEngine } from "../players/engine/json-lines.ts";
import { loadGame } from "../specs/games.ts";
import { agentArgument, gameArgument } from "./shared/arguments.ts";
import { defineCommand, print } from "./shared/command.ts";

export const engine = defineCommand({
  builder: (yargs) =>
    yargs
      .option("agent", { type: "string", demandOption: true, describe: "the agent: agent:key=value,..." })
      .option("game", { type: "string", describe: "the only game that it plays [any that the agent can]" }),
  examples: [
    ["agon engine --agent mcts:simulations=1000", "a player of any game, for docs/protocol.md"],
    ["agon engine --game connect-four --agent alpha-beta:depth=6", "a player of connect four"],
  ],
  async handler(args) {
    const only = args.game === undefined ? undefined : await gameArgument(args.game);
    // A game that is known lets agon refuse a wrong agent at once.
    if (only !== undefined) await agentArgument(only, args.agent);
    const player = new JsonLinesEngine(args.agent, {
      async prepare(hello) {
        const game = await loadGame(hello.game);
        if (only !== undefined && idOf(only) !== idOf(game))
          throw new InputError(`this player plays ${idOf(only)}, not ${idOf(game)}`);
        const prepared = await agentArgument(game, args.agent);
        const { budget, family } = prepared;
        return { game, agent: prepared.create(), budget, heeds: family.budgets };
      },
      send: (message) => print(JSON.stringify(message)),
    });
    for await (const line of createInterface({ input: process.stdin })) await player.hear(line);
  },
});

/** The id of a game with its options. */
function idOf({ id, options }: Game): string {
  const given = Object.entries(options).map(([key, value]) => `${key}=${JSON.stringify(value)}`);
  return given.length === 0 ? id : `${id}:${given.join(",")}`;
}
