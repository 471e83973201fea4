import process from "node:process";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { exportArrays, exportRun } from "../arena/results/export.ts";
import { Store } from "../arena/store/store.ts";
import { InputError } from "../base/errors.ts";
import { checkWritable, writeWhole } from "../specs/files/write-file.ts";
import { exportEvents } from "../training/sweep/export-events.ts";
import { defineCommand, filesOption, note } from "./shared/command.ts";

export const exportGames = defineCommand({
  builder: (yargs) =>
    yargs
      .positional("dir", { type: "string", demandOption: true, describe: "folder of a run or a training" })
      .option("format", {
        type: "string",
        default: "jsonl",
        describe:
          "one of the game's formats; jsonl fits every game; positions: a CSV line a position, or arrays of NumPy if --out ends in .npz; tensorboard: the curve of a training",
      })
      .option("features", {
        type: "string",
        describe: "of positions in an .npz: a feature set of the game in place of the board's cells",
      })
      .option("files", filesOption)
      .option("out", {
        type: "string",
        describe: "file to write [standard output]; of tensorboard, its folder of logs",
      }),
  examples: [
    ["agon export runs/chess-20261121-143059 --format pgn --out games.pgn", "chess"],
    ["agon export runs/mine --format tensorboard --out logs", "curves of a training or a sweep"],
    ["agon export runs/mine --format positions --out positions.npz", "positions and results, for Python"],
    ["agon export runs/mine", "any game, a JSON object a line"],
  ],
  async handler(args) {
    if (args.format === "tensorboard") {
      await exportCurves(args);
      return;
    }
    const { features } = args;
    const isArrays = args.format === "positions" && args.out?.endsWith(".npz") === true;
    if (features !== undefined && !isArrays)
      throw new InputError("--features are for --format positions with an --out that ends in .npz");
    await Store.reading({ dir: args.dir, files: args.files }, async (store) => {
      if (isArrays) {
        checkWritable(args.out!);
        writeWhole(args.out!, await exportArrays(store, args.dir, { features }));
        note(`Written to ${args.out}`);
        return;
      }
      const pieces = await exportRun(store, args.dir, args.format);
      if (args.out === undefined) {
        await pipeline(Readable.from(pieces), process.stdout, { end: false });
      } else {
        checkWritable(args.out);
        writeWhole(args.out, pieces);
        note(`Written to ${args.out}`);
      }
    });
  },
});

async function exportCurves({ dir, out }: { dir: string; out?: string | undefined }): Promise<void> {
  if (out === undefined) throw new InputError("--format tensorboard needs --out, its folder of logs");
  const files = exportEvents(dir, out);
  const written = files.length === 1 ? files[0] : `${files.length} folders of ${out}`;
  note(`Written to ${written}\nLook at it with:\n  tensorboard --logdir ${out}`);
}
