import { fork, type ChildProcess } from "node:child_process";
// oxlint-disable-next-line no-restricted-imports -- it starts a worker's process
import process from "node:process";
import { fileURLToPath } from "node:url";

/*
 * The processes of workers. This file imports nothing of agon, so that a command can start a process before it loads
 * what it needs itself.
 */

/** The options of a worker's process, as JSON in its only argument. */
export interface WorkerOptions {
  readonly memoryMb: number;
  /** The variables of the environment that it gets for its players, besides the usual ones. */
  readonly variables: readonly string[];
  /** The core that it is pinned to, with all that it starts [none]. */
  readonly core?: number | undefined;
}

/** The memory of a worker's process if a plan does not say, in MB. */
export const DEFAULT_MEMORY_MB = 4096;

const FILE = fileURLToPath(new URL("watchdog.js", import.meta.url));
const USUAL: WorkerOptions = { memoryMb: DEFAULT_MEMORY_MB, variables: [] };

/** A process that waits for longer has its memory for nothing: it takes less time to start than it waited. */
const SPARE_MS = 10_000;
/** The processes that no worker has now, by their options as JSON, each with the timer that ends it. They end with this process. */
const spares = new Map<ChildProcess, { readonly options: string; readonly end: NodeJS.Timeout }>();
/** The number of those who keep the processes of workers. */
let keepers = 0;

/** Starts a worker's process now, which the first worker with the usual options takes. */
export function startSpare(): void {
  keepSpare(start(USUAL), JSON.stringify(USUAL));
}

function keepSpare(child: ChildProcess, options: string): void {
  child.unref();
  child.channel?.unref();
  const end = setTimeout(() => endSpare(child), SPARE_MS).unref();
  child.once("error", () => endSpare(child));
  if (spares.size === 0) process.on("exit", endSpares);
  spares.set(child, { options, end });
}

function endSpare(child: ChildProcess): void {
  forget(child);
  child.kill("SIGKILL");
}

function forget(child: ChildProcess): void {
  clearTimeout(spares.get(child)?.end);
  spares.delete(child);
  if (spares.size === 0) process.off("exit", endSpares);
}

/** Ends the processes that no worker has. */
function endSpares(): void {
  for (const child of spares.keys()) endSpare(child);
}

/** Keeps the processes of workers for the next tournament while `play` plays several, one after the other. */
export async function keepingWorkers<Result>(play: () => Promise<Result>): Promise<Result> {
  keepers++;
  try {
    return await play();
  } finally {
    if (--keepers === 0) endSpares();
  }
}

/** A worker's process: one that no worker has, or a new one. */
export function forkWorker(options: WorkerOptions): ChildProcess {
  const wanted = JSON.stringify(options);
  const taken = [...spares.keys()].find((one) => one.connected && spares.get(one)!.options === wanted);
  if (taken === undefined) return start(options);
  forget(taken);
  taken.removeAllListeners("error");
  taken.ref();
  taken.channel?.ref();
  return taken;
}

/** Takes the process of a worker that has nothing to play: the next worker gets it if they are kept, and else it ends. */
export function giveBack(child: ChildProcess, options: WorkerOptions): void {
  for (const event of ["message", "error", "exit", "disconnect"]) child.removeAllListeners(event);
  if (keepers > 0 && child.connected) keepSpare(child, JSON.stringify(options));
  else child.kill("SIGKILL");
}

/** The variables of the environment that a worker gets. Others may hold passwords, and players could look for them. */
const VARIABLES =
  /^(PATH|HOME|USER|SHELL|LANG|LC_\w+|TZ|TMP|TEMP|TMPDIR|SystemRoot|LD_LIBRARY_PATH|(NODE|TF|AGON_TEST)_\w+)$/;

function start(options: WorkerOptions): ChildProcess {
  const { core } = options;
  return fork(FILE, [JSON.stringify(options)], {
    serialization: "advanced",
    env: Object.fromEntries(
      Object.entries(process.env).filter(
        ([name]) => VARIABLES.test(name) || options.variables.includes(name),
      ),
    ),
    // The output of a user's game goes to standard error.
    stdio: ["ignore", 2, 2, "ipc"],
    // The program's own options of Node are not for its workers: a debugger, or the script of `node -e`.
    execArgv: [],
    // taskset pins itself, and then becomes Node.
    ...(core !== undefined && { execPath: "taskset", execArgv: ["-c", String(core), process.execPath] }),
  });
}
