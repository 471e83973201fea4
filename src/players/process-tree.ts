import { readdirSync, readFileSync } from "node:fs";

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

/** A process and all that descend from it. */
export function processesOf(pid: number): number[] {
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
