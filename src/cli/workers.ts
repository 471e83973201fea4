import type { QueueLook } from "../queue/roster.ts";
import { defineCommand, note, print, show } from "./shared/command.ts";
import { counted } from "../base/text.ts";
import { alignColumns } from "./shared/terminal.ts";

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
  const workerRows = all.map((worker) => [
    `${worker.host}:${worker.pid}`,
    String(worker.workers),
    worker.gamesPerSecond.toFixed(worker.gamesPerSecond < 10 ? 1 : 0),
    String(worker.games),
    `${worker.version} ${worker.code.slice(0, 8)}`,
    worker.node,
    (worker.runs.join(", ") || "waits") + (worker.plugins ? ", takes plug-ins" : ""),
  ]);
  const runRows = runs.map((run) => [
    run.name,
    String(run.done),
    String(run.total),
    `${run.version} ${run.code.slice(0, 8)}`,
    run.node,
    `${run.host}:${run.pid}`,
    stateOf(run),
  ]);
  const heads = {
    workers: ["worker", "at once", "games/s", "games", "agon", "node", "does"],
    runs: ["run", "done", "games", "agon", "node", "from", "state"],
  };
  const programs = `${counted(all.length, "worker")} for ${counted(slots, "game")} at once`;
  return [
    `${programs}, ${games.toFixed(0)} games/s; ${counted(jobs.active, "job")} at work, ${jobs.waiting} waiting`,
    ...(workerRows.length === 0 ? [] : ["", alignColumns([heads.workers, ...workerRows])]),
    ...(runRows.length === 0 ? [] : ["", alignColumns([heads.runs, ...runRows])]),
  ].join("\n");
}

function stateOf({ stopped, interrupted, silentSeconds }: QueueLook["runs"][number]): string {
  if (stopped) return "stopped";
  return interrupted ? `not heard of for ${Math.round(silentSeconds)} s` : "goes on";
}
