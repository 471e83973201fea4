import { availableParallelism } from "node:os";
import { InputError } from "../base/errors.ts";
import { defineCommand, note, quiet } from "./shared/command.ts";
import { counted } from "../base/text.ts";

export const worker = defineCommand({
  command: "worker [queue]",
  describe: "play games for other machines",
  builder: (yargs) =>
    yargs
      .positional("queue", { type: "string", describe: "redis://HOST[:PORT][/DATABASE] [$AGON_QUEUE]" })
      .option("workers", { type: "number", describe: "games at once, each in a process [one a core]" })
      .option("allow-plugins", {
        type: "boolean",
        default: false,
        describe: "run code that comes with a run: of games, agents and evaluators that are files",
      })
      .option("lost-after", {
        type: "number",
        default: 20,
        describe: "seconds of silence after which other workers get its games",
      })
      .option("quiet", quiet),
  examples: [
    ["agon worker redis://queue.example/0", "on any number of machines, before or after agon run --queue"],
    ["agon worker redis://localhost/0 --workers 4 --allow-plugins", "also for games and agents of your own"],
  ],
  async handler(args) {
    const { serveQueue } = await import("../queue/worker/worker.ts");
    const { interruptible } = await import("./shared/progress.ts");
    const { parseWorkers } = await import("./shared/arguments.ts");
    const { queueArgument } = await import("./shared/queue.ts");

    const address = queueArgument(args.queue);
    const workers = parseWorkers(args.workers ?? availableParallelism());
    const lostAfterMs = parseSeconds(args.lostAfter) * 1000;
    const hint = args.quiet ? () => {} : note;
    const games = await interruptible(
      "Finishing the games at hand; once more to stop at once.",
      async (signal) =>
        serveQueue({
          address,
          workers,
          plugins: args.allowPlugins,
          lostAfterMs,
          signal,
          onNote: note,
          onReady: () => hint(`${counted(workers, "game")} at once, for ${address.shown}; Ctrl-C ends it.`),
        }),
      () => {},
    );
    hint(`Stopped; ${counted(games, "game")} played here.`);
  },
});

/** Below a second a busy machine would lose its games; above an hour nobody would get them. */
function parseSeconds(seconds: number): number {
  if (seconds >= 1 && seconds <= 3600) return seconds;
  throw new InputError(`--lost-after must be a number of seconds from 1 to 3600, got ${seconds}`);
}
