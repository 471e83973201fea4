import { performance } from "node:perf_hooks";
import { type DrawnOpening, drawOpenings } from "../arena/schedule/draw-openings.ts";
import { InputError } from "../base/errors.ts";
import { type Game, refuseHidden } from "../games/contract/game.ts";
import { checkWritable, writeWhole } from "../specs/files/write-file.ts";
import { agentArgument, gameArgument, parseCount } from "./shared/arguments.ts";
import { defineCommand, note, quiet } from "./shared/command.ts";

export const openings = defineCommand({
  builder: (yargs) =>
    yargs
      .positional("game", { type: "string", demandOption: true, describe: "id, or id:option=value,..." })
      .option("plies", {
        type: "number",
        alias: "depth",
        demandOption: true,
        describe: "plies of each opening",
      })
      .option("count", { type: "number", default: 100, describe: "openings to write" })
      .option("out", { type: "string", demandOption: true, describe: "file to write, such as book.txt" })
      .option("balanced", {
        type: "number",
        describe: "keep openings whose value is at most this far from zero, in the game's units",
      })
      .option("agent", {
        type: "string",
        describe:
          "the agent that finds the values [alpha-beta with 20000 nodes and the game's first heuristic]",
      })
      .option("seed", { type: "string", default: "agon", describe: "every random choice descends from it" })
      .option("quiet", quiet)
      .epilogue(
        "The moves are random, and no two openings lead to the same position. The file has one opening a line; a config " +
          "takes it as `openings: { file: book.txt }`. See docs/tournaments.md.",
      ),
  examples: [
    ["agon openings connect-four --plies 6 --count 50 --out book.txt", "50 random openings"],
    ["agon openings chess --plies 8 --count 200 --balanced 0.05 --out book.txt", "about equal ones"],
    ["agon openings go --plies 4 --count 20 --seed mine --out book.txt", "others, by another seed"],
  ],
  async handler(args) {
    const { out, seed, balanced: within } = args;
    const plies = parseCount("plies", args.plies);
    const count = parseCount("count", args.count);
    if (within !== undefined && !(within >= 0))
      throw new InputError(`--balanced must be at least 0, got ${within}`);
    if (within === undefined && args.agent !== undefined)
      throw new InputError("--agent finds values, which only --balanced asks for");
    const game = await gameArgument(args.game);
    refuseHidden(game, "searched for openings");
    checkWritable(out);
    const spec = args.agent ?? defaultAgent(game);
    const balance = within === undefined ? undefined : { within, agent: await agentArgument(game, spec) };
    const clock = () => performance.now();
    const found = await drawOpenings(game, { plies, count, seed, balance, clock });
    const kept = found.openings.length;
    const told = balance === undefined ? "" : `, value at most ${within} from zero by ${spec}`;
    if (kept === 0)
      throw new InputError(
        `${game.id} has no opening of ${plies} plies${told}; positions drawn: ${found.drawn}`,
      );
    const head = `# ${kept} openings of ${args.game}: ${plies} random plies, seed ${seed}${told}\n`;
    writeWhole(out, head + found.openings.map((opening) => formatOpening(game, opening)).join(""));
    if (args.quiet) return;
    if (kept < count) note(`Only ${kept} of ${count}: no more were found among ${found.drawn} positions`);
    note(`Written to ${out}: ${kept} openings of ${found.drawn} positions drawn${told}`);
  },
});

/** The search of 20,000 nodes with the first heuristic of the game, if it has one. */
function defaultAgent({ heuristics }: Game): string {
  const [evaluator = "none"] = Object.keys(heuristics);
  return `alpha-beta:nodes=20000,evaluator=${evaluator}`;
}

/** The moves on a line, and the value for the player to move. */
function formatOpening(game: Game, { actions, value }: DrawnOpening): string {
  const state = game.start();
  const moves = actions.map((action) => {
    const text = game.formatAction(action, state);
    state.apply(action);
    return text;
  });
  return `${moves.join(" ")}${value === undefined ? "" : ` # ${value.toFixed(4)}`}\n`;
}
