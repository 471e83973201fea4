import { existsSync } from "node:fs";
import process from "node:process";
import { setImmediate } from "node:timers/promises";
import { InputError } from "../base/errors.ts";
import { formatJson } from "../base/plain.ts";
import { type Game, refuseHidden } from "../games/contract/game.ts";
import { ClassTables, unsupportedByTables } from "../games/endgames/endgame-tables.ts";
import { buildClass, classesFor, endgamesOf } from "../games/endgames/retrograde.ts";
import { solveWhole } from "../games/endgames/whole-game.ts";
import { textSection } from "../ratings/sections/draw.ts";
import { createSection } from "../ratings/sections/section.ts";
import { type TablePart, TablesFile, WHOLE_GAME } from "../specs/files/tables-file.ts";
import { checkWritable } from "../specs/files/write-file.ts";
import { gameArgument, parseCount } from "./shared/arguments.ts";
import { defineCommand, EXIT, note, print, quiet, show } from "./shared/command.ts";
import { interruptible, ProgressDisplay } from "./shared/progress.ts";

/** The time of work between two checks of the stop signal. */
const SLICE_MS = 50;

export const tables = defineCommand({
  builder: (yargs) =>
    yargs
      .positional("game", { type: "string", demandOption: true, describe: "id, or id:option=value,..." })
      .positional("classes", {
        type: "string",
        array: true,
        default: [] as string[],
        describe: "endgames by their pieces, such as KQK; those that they lead to are solved too",
      })
      .option("out", { type: "string", demandOption: true, describe: "file to write, or to add classes to" })
      .option("most", {
        type: "number",
        default: 20_000_000,
        describe: "without classes: the most positions to solve",
      })
      .option("quiet", quiet)
      .option("json", { type: "boolean", default: false, describe: "print JSON" })
      .epilogue(
        "The file is written after each class, and a class that it has is not solved again: stop with Ctrl-C, and go on " +
          "with the same command. Agents take it as their option `tables`. See docs/endgames.md.",
      ),
  examples: [
    ["agon tables chess KQK KRK KPK --out pieces.agon", "all positions of these endgames; seconds"],
    ["agon tables checkers KK-K --out kings.agon", "kings and men of both players"],
    ["agon tables connect-four:width=4,height=4 --out small.agon", "every position of a small game"],
    ["agon match chess random:tables=pieces.agon random", "an agent with tables"],
  ],
  async handler(args) {
    const most = parseCount("most", args.most);
    const game = await gameArgument(args.game);
    refuseHidden(game, "solved backwards");
    const file = await openFile(args.out, game, args);
    const display = new ProgressDisplay(args.quiet);
    const isComplete = await interruptible(
      "Stopping; the classes that are solved are kept.",
      (signal) =>
        file.isWhole
          ? solveAll(game, most, { file, display, signal })
          : solveClasses(game, args.classes, { file, display, signal }),
      () => display.end(),
    );
    if (args.json) print(formatJson({ file: args.out, complete: isComplete, tables: file.parts }));
    else if (file.parts.length > 0) show(formatParts(file.parts));
    if (isComplete) return;
    note("Stopped early: go on with the same command.");
    process.exitCode = EXIT.interrupted;
  },
});

/** The file as it is, or a new one; throws InputError if the game has no such classes. */
async function openFile(
  path: string,
  game: Game,
  { classes }: { readonly classes: readonly string[] },
): Promise<TablesFile> {
  const trait = unsupportedByTables(game);
  if (trait !== undefined)
    throw new InputError(
      `${game.id} has ${trait}; tables are for two players, without chance, who win, draw or lose`,
    );
  const isWhole = classes.length === 0;
  if (isWhole && game.endgames !== undefined)
    throw new InputError(`name the endgames of ${game.id}: ${game.endgames.summary}`);
  if (!isWhole) for (const name of classes) endgamesOf(game).classNamed(name);
  checkWritable(path);
  return existsSync(path) ? TablesFile.read(path, game) : TablesFile.empty(path, game, { isWhole });
}

interface Work {
  readonly file: TablesFile;
  readonly display: ProgressDisplay;
  readonly signal: AbortSignal;
}

/** Solves the classes that the file lacks; returns true if all are there. */
async function solveClasses(
  game: Game,
  names: readonly string[],
  { file, display, signal }: Work,
): Promise<boolean> {
  const endgames = endgamesOf(game);
  const classes = classesFor(endgames, names);
  const known: ClassTables = new ClassTables(endgames);
  for (const [at, of] of classes.entries()) {
    if (file.has(of.name)) {
      known.add(file.classTable(of.name));
      continue;
    }
    const notes = [`${of.name}, ${at + 1} of ${classes.length} classes`];
    const table = await run(buildClass(game, of, known), signal, (share) => {
      display.show({ done: Math.round(share * of.size), total: of.size, unit: "positions", notes });
    });
    if (table === undefined) return false;
    known.add(table);
    file.addClass(table);
  }
  return true;
}

/** Solves the whole game, unless the file has it; returns true if it is there. */
async function solveAll(game: Game, most: number, { file, display, signal }: Work): Promise<boolean> {
  if (file.has(WHOLE_GAME)) return true;
  // The most are a bound: nobody knows how many there are.
  const table = await run(solveWhole(game, most), signal, (done) =>
    display.show({ done, total: most, unit: "positions", secondsLeft: Infinity, notes: [] }),
  );
  if (table !== undefined) file.addWhole(table);
  return table !== undefined;
}

/** Runs the work in slices, so that signals are heard; undefined if it was stopped. */
async function run<Result>(
  work: Generator<number, Result>,
  signal: AbortSignal,
  onProgress: (done: number) => void,
): Promise<Result | undefined> {
  let paused = performance.now();
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
    if (performance.now() - paused < SLICE_MS) continue;
    onProgress(step.value);
    await setImmediate();
    if (signal.aborted) return undefined;
    paused = performance.now();
  }
}

/** A line for each table. Wins are those of the player to move; the longest win or loss is in plies. */
function formatParts(parts: readonly TablePart[]): string {
  const table = createSection({}, parts, [
    { head: "class", kind: "text", cell: ({ name }) => name },
    { head: "wins", cell: ({ wins }) => wins },
    { head: "draws", cell: ({ draws }) => draws },
    { head: "losses", cell: ({ losses }) => losses },
    { head: "longest", cell: ({ longest }) => longest },
    { head: "bytes", cell: ({ packed }) => packed },
  ]);
  return textSection(table);
}
