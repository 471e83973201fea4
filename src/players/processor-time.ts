// oxlint-disable-next-line no-restricted-imports -- players are processes
import process from "node:process";
import { openSync, readdirSync, readFileSync, readSync } from "node:fs";

/*
 * The times of threads that Linux counts in /proc: a processor ran them so long, and they waited for one so long although they
 * could have run. Other systems give 0.
 */

/** Processor time, in ms. */
interface ProcessorTime {
  /** All threads together. */
  readonly ranMs: number;
  /** The thread that waited longest for a processor which others had. */
  readonly waitedMs: number;
}

const MS_PER_NS = 1e-6;
const OWN = "/proc/thread-self/schedstat";
const buffer = Buffer.alloc(128);
/** The open file of this thread's times; null where there is none. */
let own: number | null | undefined;

/** The time in ms that this thread has waited for a processor since it began. A look takes about 1 us. */
export function waitedMs(): number {
  own ??= openOwn();
  return own === null
    ? 0
    : timesIn(buffer.toString("latin1", 0, readSync(own, buffer, 0, buffer.length, 0)))[1];
}

/** The processor time in ms that this process has taken since it began, on any system. */
export function ranMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

function openOwn(): number | null {
  try {
    return openSync(OWN, "r");
  } catch {
    return null;
  }
}

/** A file of times has the time run and the time waited, in ns, then a count. */
function timesIn(text: string): [ranMs: number, waitedMs: number] {
  const [ran = "0", waited = "0"] = text.split(" ");
  return [Number(ran) * MS_PER_NS, Number(waited) * MS_PER_NS];
}

/** Measures the processor time that a process and all that descend from it take from now on. */
export function measureProcesses(pid: number): () => ProcessorTime {
  const before = timesOf(pid);
  return () => {
    let ranMs = 0;
    let longest = 0;
    for (const [thread, [ran, waited]] of timesOf(pid)) {
      const [ranBefore, waitedBefore] = before.get(thread) ?? [0, 0];
      ranMs += ran - ranBefore;
      longest = Math.max(longest, waited - waitedBefore);
    }
    return { ranMs, waitedMs: longest };
  };
}

/** The times of all threads of a process and of all that descend from it. */
function timesOf(pid: number): Map<string, [ranMs: number, waitedMs: number]> {
  const times = new Map<string, [number, number]>();
  for (const one of processesOf(pid)) {
    const tasks = `/proc/${one}/task`;
    try {
      for (const task of readdirSync(tasks))
        times.set(task, timesIn(readFileSync(`${tasks}/${task}/schedstat`, "latin1")));
    } catch {
      // It has ended, or there is nothing to read.
    }
  }
  return times;
}

/*
 * Processes as Linux shows them in /proc. Elsewhere there is nothing to read, and figures are 0.
 */

/** The size of a page of memory, in kB, on nearly all machines that run Linux. */
const PAGE_KB = 4;

/** The memory of a process and of all that descend from it, in kB; 0 if it has ended. */
export function residentKb(pid: number): number {
  let pages = 0;
  for (const one of processesOf(pid)) pages += Number(read(`/proc/${one}/statm`).split(" ")[1] ?? 0);
  return pages * PAGE_KB;
}

/** The names of the processes in a process group, without those that have ended. */
export function groupOf(group: number): string[] {
  return list("/proc").flatMap((pid) => {
    // PID (NAME) STATE PARENT GROUP ...
    const [, name = "", state, of] = /^\d+ \((.*)\) (\S) \d+ (\d+)/s.exec(read(`/proc/${pid}/stat`)) ?? [];
    return Number(of) === group && state !== "Z" ? [name] : [];
  });
}

/**
 * A process and all that descend from it.
 */
function processesOf(pid: number): number[] {
  const found = [pid];
  for (const one of found) {
    for (const task of list(`/proc/${one}/task`))
      found.push(...read(`/proc/${one}/task/${task}/children`).split(" ").filter(Boolean).map(Number));
  }
  return found;
}

function list(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
