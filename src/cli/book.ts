import { statSync } from "node:fs";
import { FileProblems } from "../arena/result-files/file-problems.ts";
import { namedTwice } from "../arena/result-files/load.ts";
import { readPlayedGames } from "../arena/result-files/played-games.ts";
import { Store } from "../arena/store/store.ts";
import { InputError } from "../base/errors.ts";
import { counted } from "../base/text.ts";
import type { Game } from "../games/contract/game.ts";
import { bookLines, BookMaker, keyOf } from "../games/endgames/book.ts";
import { isForeignBook, readForeignBook, saveBook } from "../specs/files/book-file.ts";
import { checkWritable } from "../specs/files/write-file.ts";
import { loadGame } from "../specs/games.ts";
import { gameArgument, parseCount } from "./shared/arguments.ts";
import { defineCommand, note, quiet } from "./shared/command.ts";

export const book = defineCommand({
  builder: (yargs) =>
    yargs
      .positional("sources", {
        type: "string",
        array: true,
        demandOption: true,
        describe: "folders of runs, files of games (.pgn, .sgf), and PolyGlot books of chess (.bin)",
      })
      .option("out", { type: "string", demandOption: true, describe: "file to write, such as book.json" })
      .option("game", {
        type: "string",
        describe: "game of the files, id:option=value,... [that of the first run, else chess]",
      })
      .option("plies", {
        type: "number",
        default: 16,
        describe: "moves of each game, of all players together",
      })
      .option("least", { type: "number", default: 2, describe: "games that a move must occur in" })
      .option("strict", {
        type: "boolean",
        default: false,
        describe: "refuse a file for games that cannot be read, which are left out otherwise",
      })
      .option("quiet", quiet)
      .epilogue(
        "The weight of a move is the sum of what its player got in the games with it, from 0 for a loss to 1 for a win. " +
          "Random opening moves and games that ended by a forfeit are left out. A move of a PolyGlot book counts as games won, as many as its " +
          "weight there. Agents take the file as their option " +
          "`book`. See docs/endgames.md.",
      ),
  examples: [
    ["agon book runs/mine --out book.json", "from the games of a run"],
    ["agon book games.pgn --plies 20 --least 5 --out book.json", "from games of chess"],
    ["agon match chess alpha-beta:depth=3,book=book.json alpha-beta:depth=3", "an agent with a book"],
  ],
  async handler(args) {
    const { out, sources } = args;
    if (!out.endsWith(".json")) throw new InputError(`--out must end in .json, got ${out}`);
    const plies = parseCount("plies", args.plies);
    const least = parseCount("least", args.least);
    checkWritable(out);
    const game = await gameOf(sources, args.game);
    if (game.hiddenInformation)
      throw new InputError(`${game.id} has hidden information, so a position is not all that a player knows`);
    const maker = new BookMaker(game, plies);
    const seen = new Set<string>();
    let books = 0;
    for (const source of sources) {
      const again = namedTwice(source, seen);
      if (again !== undefined) note(again);
      else if (isForeignBook(source, game)) {
        const book = readForeignBook(source, game);
        books++;
        maker.addBook(book, bookLines(game, book, { plies, most: MAX_LINES }));
      } else await (isFolder(source) ? addRun : addFile)(source, { game, maker, strict: args.strict });
    }
    const made = maker.book(least);
    if (made.size === 0)
      throw new InputError(`no move occurs in ${least} games or more, of ${maker.games}; see --least`);
    saveBook(out, game, { book: made, games: maker.games });
    const from = [
      ...(books > 0 ? [counted(books, "book")] : []),
      ...(maker.games > 0 || books === 0 ? [`${maker.games} games`] : []),
    ];
    if (!args.quiet)
      note(`Written to ${out}: ${made.size} positions from ${from.join(" and ")}. Play with book=${out}`);
  },
});

/** The most lines of a book of another program: the likeliest ones. */
const MAX_LINES = 100_000;

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** The named game, or the game of the first run. */
async function gameOf(sources: readonly string[], named: string | undefined): Promise<Game> {
  const run = sources.find(isFolder);
  if (named !== undefined || run === undefined) return gameArgument(named ?? "chess");
  return Store.reading({ dir: run }, async (store) => loadGame(store.requirePlan(run).game));
}

interface Task {
  readonly game: Game;
  readonly maker: BookMaker;
  /** True if games that cannot be read refuse their file. */
  readonly strict: boolean;
}

/** Adds the games of a run's folder; throws InputError if they are of another game. */
async function addRun(dir: string, { game, maker }: Task): Promise<void> {
  await Store.reading({ dir }, async (store) => {
    const played = await loadGame(store.requirePlan(dir).game);
    if (played.id !== game.id || keyOf(played.start()) !== keyOf(game.start()))
      throw new InputError(`is a run of ${played.id} from another start than ${game.id} here`, dir);
    for (const record of store.games()) if (record.forfeitSeat < 0) maker.add(record);
  });
}

/** Adds the games of a file; throws InputError if it cannot be read. */
async function addFile(path: string, { game, maker, strict }: Task): Promise<void> {
  const problems = new FileProblems(path, { strict });
  const games = await readPlayedGames(game, path, { problems, note });
  problems.throwIfAny();
  if (games.length === 0) problems.throwIfPassedOver();
  for (const played of games) if (played.returns.length > 0) maker.add(played);
  for (const line of problems.notes()) note(line);
}
