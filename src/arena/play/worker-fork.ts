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
}

/** The memory of a worker's process if a plan does not say, in MB. */
export const DEFAULT_MEMORY_MB = 4096;

const FILE = fileURLToPath(new URL("watchdog.js", import.meta.url));
const USUAL: WorkerOptions = { memoryMb: DEFAULT_MEMORY_MB, variables: [] };

let spare: ChildProcess | undefined;

/** Starts a worker's process now, which the first worker with the usual options takes. It ends with this process. */
export function startSpare(): void {
  spare = start(USUAL);
  spare.unref();
  spare.channel?.unref();
  spare.once("error", () => (spare = undefined));
  process.on("exit", endSpare);
}

/** Ends the process of `startSpare` if no worker took it. */
export function endSpare(): void {
  spare?.kill("SIGKILL");
  spare = undefined;
  process.off("exit", endSpare);
}

/** A worker's process. */
export function forkWorker(options: WorkerOptions): ChildProcess {
  const isUsual = options.memoryMb === USUAL.memoryMb && options.variables.length === 0;
  const taken = isUsual && spare?.connected === true ? spare : undefined;
  if (taken === undefined) return start(options);
  spare = undefined;
  process.off("exit", endSpare);
  taken.ref();
  taken.channel?.ref();
  return taken;
}

/** The variables of the environment that a worker gets. Others may hold passwords, and players could look for them. */
const VARIABLES =
  /^(PATH|HOME|USER|SHELL|LANG|LC_\w+|TZ|TMP|TEMP|TMPDIR|SystemRoot|LD_LIBRARY_PATH|(NODE|TF|AGON_TEST)_\w+)$/;

function start(options: WorkerOptions): ChildProcess {
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
  });
}
