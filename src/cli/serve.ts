import process from "node:process";
import { setTimeout } from "node:timers/promises";
import { startServer } from "../report/live/server.ts";
import { checkPort, hostOption } from "./shared/arguments.ts";
import { openInBrowser } from "./shared/browser.ts";
import { defineCommand, note, withCodeOption } from "./shared/command.ts";

/** Open pages get this long to ask how a run ended. */
const LAST_QUESTIONS_MS = 4000;

export const serve = defineCommand({
  builder: (yargs) =>
    yargs
      .positional("dir", { type: "string", default: "runs", describe: "folder that your runs are in" })
      .option("port", {
        type: "number",
        describe: "port; 0 for any that is free [8642 or the next free one]",
      })
      .option("host", hostOption)
      .option("with-code", withCodeOption)
      .option("open", { type: "boolean", default: false, describe: "show it in the browser" }),
  examples: [
    ["agon serve", "all runs in the folder runs: progress, ratings, games as they are played"],
    ["agon serve experiments --port 9000 --open", "another folder, at a port of your choice"],
  ],
  async handler(args) {
    const { port } = args;
    checkPort(port);
    const isChild = process.send !== undefined;
    const ended = new Promise<void>((resolve) => {
      // As a child of `agon run --open`, this process gets the run's Ctrl-C too, and ends with the run.
      if (isChild) process.on("SIGINT", () => {}).once("disconnect", resolve);
      else process.once("SIGINT", resolve);
      if (isChild && !process.connected) resolve();
      process.once("SIGTERM", resolve);
    });
    const server = await startServer({ dir: args.dir, host: args.host, port, withCode: args.withCode });
    note(`Serving ${args.dir} at ${server.address}; Ctrl-C ends it.`);
    if (args.withCode)
      note("The source of your files is in the pages: whoever gets them can read and run it.");
    if (!isChild) {
      server.refresh();
      if (server.isEmpty)
        note(
          `No runs are in ${args.dir} yet: agon run and agon train make them, and they appear by themselves.\nagon report writes a finished one into a file.`,
        );
    }
    if (args.open) openInBrowser(server.address);
    if (process.connected) process.send!(server.address);
    await ended;
    if (isChild && server.isUsed) {
      server.refresh();
      await setTimeout(LAST_QUESTIONS_MS);
    }
    await server.close();
  },
});
