import { availableParallelism } from "node:os";
import { InputError } from "../base/errors.ts";
import { formatPace } from "../base/pace.ts";
import { counted } from "../base/text.ts";
import type { Build } from "../queue/build.ts";
import type { QueueLook } from "../queue/roster.ts";
import { textSection } from "../ratings/sections/draw.ts";
import { createSection, type ColumnOf } from "../ratings/sections/section.ts";
import { parseWorkers } from "./shared/arguments.ts";
import { defineCommand, note, print, quiet, show } from "./shared/command.ts";
import { interruptible } from "./shared/progress.ts";
import { queueArgument } from "./shared/queue.ts";

export const worker = defineCommand({
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
      .option("list", { type: "boolean", default: false, describe: "list the workers and runs of the queue" })
      .option("json", { type: "boolean", default: false, describe: "print the list as JSON" })
      .option("quiet", quiet),
  examples: [
    ["agon worker redis://queue.example/0", "on any number of machines, before or after agon run --queue"],
    ["agon worker redis://localhost/0 --workers 4 --allow-plugins", "also for games and agents of your own"],
    ["agon worker redis://queue.example/0 --list", "workers and runs, with games a second"],
  ],
  async handler(args) {
    const { serveQueue } = await import("../queue/worker/worker.ts");

    const address = queueArgument(args.queue);
    if (args.list) {
      const { lookAtQueue } = await import("../queue/roster.ts");
      const look = await lookAtQueue(address, note);
      if (args.json) print(JSON.stringify(look, undefined, 2));
      else show(formatLook(look));
      if (look.workers.length === 0 && !args.json) note(`No worker is there: agon worker ${address.shown}`);
      return;
    }
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

/** Workers and runs as two tables; the tests look at queues that would need many machines. */
export function formatLook({ workers: all, runs, jobs }: QueueLook): string {
  const games = all.reduce((sum, { gamesPerSecond }) => sum + gamesPerSecond, 0);
  const slots = all.reduce((sum, worker) => sum + worker.workers, 0);
  const workerTable = createSection({}, all, [
    { head: "worker", kind: "text", cell: ({ host, pid }) => `${host}:${pid}` },
    { head: "at once", cell: (worker) => worker.workers },
    { head: "games/s", cell: ({ gamesPerSecond }) => formatPace(gamesPerSecond) },
    { head: "games", cell: (worker) => worker.games },
    ...BUILD,
    {
      head: "does",
      kind: "line",
      cell: (worker) => (worker.runs.join(", ") || "waits") + (worker.plugins ? ", takes plug-ins" : ""),
    },
  ]);
  const runTable = createSection({}, runs, [
    { head: "run", kind: "text", cell: ({ name }) => name },
    { head: "done", cell: ({ done }) => done },
    { head: "games", cell: ({ total }) => total },
    ...BUILD,
    { head: "from", kind: "text", cell: ({ host, pid }) => `${host}:${pid}` },
    { head: "state", kind: "line", cell: stateOf },
  ]);
  const programs = `${counted(all.length, "worker")} for ${counted(slots, "game")} at once`;
  return [
    `${programs}, ${games.toFixed(0)} games/s; ${counted(jobs.active, "job")} at work, ${jobs.waiting} waiting`,
    ...[workerTable, runTable].flatMap((table) => (table.rows.length === 0 ? [] : ["", textSection(table)])),
  ].join("\n");
}

/** The columns of the code that a worker or a run has. */
const BUILD: readonly ColumnOf<Build>[] = [
  { head: "agon", kind: "text", cell: ({ version, code }) => `${version} ${code.slice(0, 8)}` },
  { head: "node", cell: ({ node }) => node },
];

function stateOf({ stopped, interrupted, silentSeconds }: QueueLook["runs"][number]): string {
  if (stopped) return "stopped";
  return interrupted ? `not heard of for ${Math.round(silentSeconds)} s` : "goes on";
}
