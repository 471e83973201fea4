import { createWriteStream } from "node:fs";
import process from "node:process";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { defineCommand, note } from "./shared/command.ts";

export const exportGames = defineCommand({
  command: "export <dir>",
  describe: "a run's games as pgn, pdn, sgf, jsonl",
  builder: (yargs) =>
    yargs
      .positional("dir", { type: "string", demandOption: true, describe: "folder of a run" })
      .option("format", {
        type: "string",
        default: "jsonl",
        describe: "one of the game's formats; jsonl fits every game",
      })
      .option("out", { type: "string", describe: "file to write [standard output]" }),
  examples: [
    ["agon export runs/chess-20261121-143059 --format pgn --out games.pgn", "chess"],
    ["agon export runs/mine", "any game, a JSON object a line"],
  ],
  async handler(args) {
    const { exportRun } = await import("../arena/results/export.ts");
    const { Store } = await import("../arena/store/store.ts");
    const { checkWritable } = await import("../files/documents.ts");
    const store = Store.openExisting(args.dir);
    try {
      const pieces = Readable.from(await exportRun(store, args.dir, { as: args.format }));
      if (args.out === undefined) {
        await pipeline(pieces, process.stdout, { end: false });
      } else {
        checkWritable(args.out);
        await pipeline(pieces, createWriteStream(args.out));
        note(`Written to ${args.out}`);
      }
    } finally {
      store.close();
    }
  },
});
