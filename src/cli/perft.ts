import { performance } from "node:perf_hooks";
import { divide, perft as count } from "../games/contract/perft.ts";
import { gameArgument, parseCount } from "./shared/arguments.ts";
import { defineCommand, formatCount, outputWidth, print, show } from "./shared/command.ts";

export const perft = defineCommand({
  builder: (yargs) =>
    yargs
      .positional("game", { type: "string", demandOption: true, describe: "id, or id:option=value,..." })
      .positional("depth", { type: "number", demandOption: true, describe: "deepest level" })
      .option("state", { type: "string", describe: "position in the game's notation [the start]" })
      .option("divide", {
        type: "boolean",
        default: false,
        describe: "count at this depth only, below each action",
      })
      .option("finished", {
        type: "boolean",
        default: false,
        describe: "count a game that ended before the depth as one leaf, as published tables of othello do",
      })
      .option("json", { type: "boolean", default: false, describe: "print JSON" })
      .epilogue(
        "A leaf is a position after exactly that many actions and chance outcomes. A game that ended before the depth has no leaf; with --finished it has one.",
      ),
  examples: [
    ["agon perft connect-four 8", "7, 49, ... 5673234"],
    ["agon perft tic-tac-toe 5 --state x.o/.../...", "from a position"],
    ["agon perft othello 10 --finished", "4, 12, ... 24571284; without --finished 24571056"],
    ["agon perft chess 4 --divide", "a line for each first move, then their sum"],
  ],
  async handler(args) {
    const { finished } = args;
    const depth = parseCount("depth", args.depth);
    const game = await gameArgument(args.game);
    const state = args.state === undefined ? game.start() : game.parseState(args.state);
    if (args.divide) {
      const shares = divide(game, state, depth, { finished }).map(({ action, leaves }) => ({
        action: game.formatAction(action, state),
        leaves,
      }));
      const sum = shares.reduce((total, { leaves }) => total + leaves, 0);
      const lines = shares.map(({ action, leaves }) => `${action}: ${leaves}`);
      print(args.json ? JSON.stringify({ depth, leaves: sum, shares }) : [...lines, "", sum].join("\n"));
      return;
    }
    if (!args.json && outputWidth() !== undefined)
      show("  #           leaves            time  speed\n---  ---------------  --------------  -----");
    const rows: { depth: number; leaves: number; timeMs: number }[] = [];
    for (let level = 1; level <= depth; level++) {
      const begun = performance.now();
      const leaves = count(game, state, level, { finished });
      const row = { depth: level, leaves, timeMs: Number((performance.now() - begun).toFixed(3)) };
      rows.push(row);
      if (!args.json) {
        const speed = row.timeMs > 0 ? `${formatCount((leaves / row.timeMs) * 1000)}/s` : "";
        print(
          `${String(level).padStart(3)} ${String(leaves).padStart(16)} ${row.timeMs.toFixed(1).padStart(12)} ms  ${speed}`,
        );
      }
    }
    if (args.json) print(JSON.stringify(rows));
  },
});
