import type { QueueLook } from "../queue/roster.ts";
import { defineCommand, note, print, show } from "./shared/command.ts";
import { counted } from "../base/text.ts";
import { textSection } from "../ratings/sections/draw.ts";
import { createSection, type ColumnOf } from "../ratings/sections/section.ts";

export const workers = defineCommand({
  command: "workers [queue]",
  describe: "machines that play games from a queue",
  builder: (yargs) =>
    yargs
      .positional("queue", { type: "string", describe: "redis://HOST[:PORT][/DATABASE] [$AGON_QUEUE]" })
      .option("json", { type: "boolean", default: false, describe: "print it as JSON" }),
  examples: [["agon workers redis://queue.example/0", "workers and runs, with games a second"]],
  async handler(args) {
    const { lookAtQueue } = await import("../queue/roster.ts");
    const { queueArgument } = await import("./shared/queue.ts");

    const address = queueArgument(args.queue);
    const look = await lookAtQueue(address, note);
    if (args.json) print(JSON.stringify(look, undefined, 2));
    else show(formatLook(look));
    if (look.workers.length === 0 && !args.json) note(`No worker is there: agon worker ${address.shown}`);
  },
});

/**
 * Workers and runs as two tables.
 * @internal the tests look at queues that would need many machines
 */
export function formatLook({ workers: all, runs, jobs }: QueueLook): string {
  const games = all.reduce((sum, { gamesPerSecond }) => sum + gamesPerSecond, 0);
  const slots = all.reduce((sum, worker) => sum + worker.workers, 0);
  const workerTable = createSection({}, all, [
    { head: "worker", kind: "text", cell: ({ host, pid }) => `${host}:${pid}` },
    { head: "at once", cell: (worker) => worker.workers },
    { head: "games/s", cell: ({ gamesPerSecond: pace }) => pace.toFixed(pace < 10 ? 1 : 0) },
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
const BUILD: readonly ColumnOf<{
  readonly version: string;
  readonly code: string;
  readonly node: string;
}>[] = [
  { head: "agon", kind: "text", cell: ({ version, code }) => `${version} ${code.slice(0, 8)}` },
  { head: "node", cell: ({ node }) => node },
];

function stateOf({ stopped, interrupted, silentSeconds }: QueueLook["runs"][number]): string {
  if (stopped) return "stopped";
  return interrupted ? `not heard of for ${Math.round(silentSeconds)} s` : "goes on";
}
