import { escapeControls } from "../base/errors.ts";
import type { Exported } from "../league/league.ts";
import { defineCommand, print, quiet } from "./shared/command.ts";

export const league = defineCommand({
  command: "league <database> <dirs..>",
  describe: "put runs into PostgreSQL, to query",
  builder: (yargs) =>
    yargs
      .positional("database", {
        type: "string",
        demandOption: true,
        describe: "postgres://[USER@]HOST[:PORT]/DATABASE[?sslmode=MODE]",
      })
      .positional("dirs", {
        type: "string",
        array: true,
        demandOption: true,
        describe: "folders of runs and trainings",
      })
      .option("schema", { type: "string", default: "agon", describe: "schema of the database" })
      .option("json", { type: "boolean", default: false, describe: "print what was done as JSON" })
      .option("quiet", quiet),
  examples: [
    [
      "agon league postgres://db.example/games runs/quick-20261121-143059",
      "once more when the run has grown",
    ],
    ["agon league 'postgres://db.example/games?sslmode=verify-full' runs/*", "all runs, over TLS"],
  ],
  async handler(args) {
    const { Store } = await import("../arena/store/store.ts");
    const { League } = await import("../league/league.ts");
    const { ProgressDisplay } = await import("./shared/progress.ts");

    // A wrong folder is told before anything is written.
    for (const dir of args.dirs) Store.openExisting(dir).close();
    const opened = await League.open(args.database, args.schema);
    const all: Exported[] = [];
    try {
      for (const dir of args.dirs) {
        const display = new ProgressDisplay(args.quiet);
        const began = performance.now();
        const exported = await opened.export(dir, ({ done, total }) => {
          const gamesPerSecond = (1000 * done) / (performance.now() - began);
          const secondsLeft = (total - done) / gamesPerSecond;
          display.show({ done, total, gamesPerSecond, secondsLeft, notes: [] });
        });
        display.end();
        all.push(exported);
        if (!args.json) print(formatExported(exported));
      }
    } finally {
      await opened.close();
    }
    if (args.json) print(JSON.stringify(all, undefined, 2));
  },
});

function formatExported({ folder, games, newGames, entrants, rated }: Exported): string {
  const ratings = rated || games === 0 ? "" : "; ratings are those of another copy, with more games";
  return `${escapeControls(folder)}: ${games} games (${newGames} new), ${entrants} entrants${ratings}`;
}
