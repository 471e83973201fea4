import { defineCommand, print } from "./command.ts";

export const games = defineCommand({
  command: "games [id]",
  describe: "the games there are: options, traits, heuristics, policies, feature sets",
  builder: (yargs) =>
    yargs
      .positional("id", { type: "string", describe: "one game, in full" })
      .option("json", { type: "boolean", default: false, describe: "print JSON" })
      .example("$0 games", "all of them")
      .example("$0 games connect-four", "one in full"),
  async handler(args) {
    const { describeGames, formatGame } = await import("./catalogue.ts");
    const list = describeGames(args.id);
    if (args.json) print(JSON.stringify(list, null, 2));
    else print(list.map((game) => formatGame(game, args.id !== undefined)).join("\n"));
  },
});
