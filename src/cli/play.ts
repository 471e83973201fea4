import { Buffer } from "node:buffer";
import { appendFileSync, statSync, truncateSync } from "node:fs";
import { extname } from "node:path";
import { performance } from "node:perf_hooks";
import process from "node:process";
import { setTimeout } from "node:timers/promises";
import { transcriptFormats } from "../arena/results/export.ts";
import { InputError } from "../base/errors.ts";
import { type Game, TERMINAL, type Transcript } from "../games/contract/game.ts";
import { checkWritable } from "../specs/files/write-file.ts";
import { agentArgument, gameArgument, quoted } from "./shared/arguments.ts";
import { boardDrawer } from "./shared/board.ts";
import { defineCommand, EXIT, note } from "./shared/command.ts";
import { createLineReader } from "./shared/line-reader.ts";
import { playAgainst } from "./shared/play-session.ts";
import { fitted, widthOf } from "./shared/terminal.ts";

export const play = defineCommand({
  builder: (yargs) =>
    yargs
      .positional("game", { type: "string", demandOption: true, describe: "id, or id:option=value,..." })
      .option("agent", {
        type: "string",
        describe: "the agent in the other seats, agent:key=value,...; a game of one player needs none",
      })
      .option("seat", { type: "number", default: 1, describe: "your seat, from 1" })
      .option("state", { type: "string", describe: "position to begin from [the start]" })
      .option("seed", {
        type: "string",
        describe: "the dice and the agent's randomness descend from it [the time]",
      })
      .option("save", {
        type: "string",
        describe: "file that gets the game when you leave it: pgn, pdn, sgf, mat or jsonl, by its ending",
      })
      .option("unicode", { type: "boolean", default: false, describe: "draw pieces with Unicode symbols" }),
  examples: [
    ["agon play connect-four --agent alpha-beta:depth=8,evaluator=threats", "you begin"],
    ["agon play pig --agent expectimax:depth=2,evaluator=race --seat 2", "the agent begins"],
    ["agon play chess --agent alpha-beta:timeMs=1000 --unicode --save game.pgn", "the game is kept"],
    ["agon play 2048", "alone, with the arrow keys"],
  ],
  async handler(args) {
    const game = await gameArgument(args.game);
    if (game.hiddenInformation && args.state !== undefined)
      throw new InputError(`--state: a position of ${game.id} shows what is hidden; it begins at the start`);
    const { agent, seat } = args;
    if (agent === undefined && game.players > 1)
      throw new InputError(`--agent is missing: ${game.id} has ${game.players} players`);
    const prepared = agent === undefined ? undefined : await agentArgument(game, agent);
    if (!Number.isInteger(seat) || seat < 1 || seat > game.players)
      throw new InputError(`--seat must be a whole number from 1 to ${game.players}, got ${seat}`);
    if (args.save !== undefined) {
      formatFor(args.save, game, {});
      checkWritable(args.save);
    }
    const state = args.state === undefined ? game.start() : game.parseState(args.state);
    const from = args.state === undefined ? {} : { from: game.formatState(state) };
    const saved = new Map<string, Written>();
    const save = (file: string, actions: readonly number[]) => {
      const names = Array.from({ length: game.players }, (_, at) => (at === seat - 1 ? "you" : agent!));
      const isOver = state.toMove === TERMINAL;
      const returns = isOver ? names.map((_, player) => state.returns(player)) : [];
      const transcript = { event: "agon play", round: 1, names, ...from, actions, returns, forfeit: "" };
      const format = formatFor(file, game, transcript);
      const text = [...transcriptFormats(game)[format]!.write([transcript])].join("");
      saved.set(file, addTo(file, text, saved.get(file)));
      const others = saved.get(file)!.from > 0 ? ", behind what it held before" : "";
      return `The game is in ${file}, as ${format}${others}.`;
    };

    const { stdin: input, stdout: output } = process;
    const reader = createLineReader(input, output);
    try {
      const { ending, actions } = await playAgainst({
        game,
        prepared,
        state,
        draw: boardDrawer(game, args.unicode),
        seat: seat - 1,
        seed: args.seed ?? new Date().toISOString(),
        clock: () => performance.now(),
        write: (text) => output.write(output.isTTY ? fitted(text, widthOf(output)) : text),
        read: reader.read,
        pause: setTimeout,
        save,
      });
      if (args.save !== undefined) note(save(args.save, actions));
      if (ending === "interrupted") process.exitCode = EXIT.interrupted;
      // The position of an unfinished game is not shown where something is hidden.
      if (ending === "finished" || game.hiddenInformation) return;
      const options = [
        ...(agent === undefined ? [] : [`--agent ${quoted(agent)}`]),
        ...(seat === 1 ? [] : [`--seat ${seat}`]),
        `--state ${quoted(game.formatState(state))}`,
      ];
      note(`Go on with:\n  agon play ${quoted(args.game)} ${options.join(" ")}`);
    } finally {
      reader.close();
    }
  },
});

/** The bytes of a file that this command has written, from the first to behind the last. */
interface Written {
  readonly from: number;
  readonly to: number;
}

/** Adds a game to a file, in place of an earlier stage of the same game at its end. */
function addTo(file: string, text: string, earlier: Written | undefined): Written {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  const isLast = earlier !== undefined && earlier.to === size;
  if (isLast) truncateSync(file, earlier.from);
  const from = isLast ? earlier.from : size;
  // Formats for people part games by an empty line.
  const gap = from > 0 && !isLast ? "\n" : "";
  appendFileSync(file, gap + text);
  return { from: from + gap.length, to: from + gap.length + Buffer.byteLength(text) };
}

/** The format that a game is saved in: the one that the file's ending names, else the game's own, else JSON lines. Throws InputError for a packed file. */
function formatFor(file: string, { transcripts }: Game, { from }: Pick<Transcript, "from">): string {
  const ending = extname(file).slice(1).toLowerCase();
  if (ending === "gz" || ending === "zst")
    throw new InputError("is packed, and a game is added to plain files alone; name another file", file);
  // The formats of the field, as they are written here, begin at the start of the game.
  if (ending === "jsonl" || from !== undefined) return "jsonl";
  return Object.hasOwn(transcripts, ending) ? ending : (Object.keys(transcripts)[0] ?? "jsonl");
}
