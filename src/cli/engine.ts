import process from "node:process";
import { createInterface } from "node:readline";
import { InputError } from "../base/errors.ts";
import type { Game } from "../games/contract/game.ts";
import { GtpEngine } from "../players/engine/gtp.ts";
import { JsonLinesEngine } from "../players/engine/json-lines.ts";
import { UciEngine } from "../players/engine/uci/engine.ts";
import { engineLoader, locateAgent } from "../specs/agents.ts";
import { loadGame, parseGameSpec } from "../specs/games.ts";
import { agentArgument, gameArgument } from "./shared/arguments.ts";
import { defineCommand, print } from "./shared/command.ts";
import { version } from "./shared/version.ts";

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

/** Under GTP the controller ends games and forbids boards, so a board that comes back is no draw. */
const USUAL_GO = { repetition: "play-on" };

export const gtp = defineCommand({
  builder: (yargs) =>
    yargs
      .option("agent", { type: "string", demandOption: true, describe: "the agent: agent:key=value,..." })
      .option("game", {
        type: "string",
        default: "go",
        describe: "go or othello, with options; the size and the komi come by GTP",
      })
      .option("seed", {
        type: "string",
        default: "agon",
        describe: "the agent's randomness descends from it",
      }),
  examples: [
    ["agon gtp --agent mcts:evaluator=area", "for Sabaki, GoGui or twogtp: it keeps to the clock"],
    ["agon gtp --agent mcts:evaluator=area,simulations=2000", "never more simulations"],
    ["agon gtp --game go:ko=positional-superko --agent mcts:evaluator=area", "with superko"],
    ["agon gtp --game othello --agent mcts:simulations=2000", "othello"],
  ],
  async handler(args) {
    const given = parseGameSpec(args.game, process.cwd());
    const spec = typeof given === "string" ? { id: given } : given;
    const usual = spec.id === "go" ? USUAL_GO : {};
    const engine = await GtpEngine.create({
      name: `agon ${args.agent}`,
      version,
      seed: args.seed,
      async prepare(options) {
        const set = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
        const game = await loadGame({ ...usual, ...spec, ...set });
        const prepared = await agentArgument(game, args.agent, { hasClocks: true });
        return { game, agent: prepared.create(), budget: prepared.budget };
      },
    });
    for await (const line of createInterface({ input: process.stdin })) {
      process.stdout.write(await engine.hear(line));
      if (engine.hasQuit) break;
    }
  },
});
