import process from "node:process";
import { createInterface } from "node:readline";
import { GtpEngine } from "../players/engine/gtp.ts";
import { loadGame, parseGameSpec } from "../specs/games.ts";
import { agentArgument } from "./shared/arguments.ts";
import { defineCommand } from "./shared/command.ts";
import { version } from "./shared/version.ts";

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
