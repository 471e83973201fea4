import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
// oxlint-disable-next-line no-restricted-imports -- processes are pinned to cores
import process from "node:process";
import { counted } from "../../base/text.ts";

/*
 * Cores of their own for workers, by taskset of util-linux. A process and all that it starts stay on the cores that it was
 * pinned to. A core is one as the system counts them.
 */

/** Whether processes can be pinned to cores on this machine, and why not. */
type PinningHere =
  | { readonly works: true; readonly cores: readonly number[] }
  | { readonly works: false; readonly reason: string };

/** The cores that this process could use when it was first asked; later it may have left some to its workers. */
let cores: readonly number[] | undefined;

/** Tries taskset. */
export function pinningHere(): PinningHere {
  const no = (reason: string): PinningHere => ({ works: false, reason });
  if (process.platform !== "linux") return no("there is taskset on Linux only");
  cores ??= parseCores(/^Cpus_allowed_list:\s*(.*)$/m.exec(readFileSync("/proc/self/status", "utf8"))![1]!);
  const { status, error, stderr } = spawnSync("taskset", ["-c", cores.join(), "true"], { encoding: "utf8" });
  if (status === 0) return { works: true, cores };
  return no(
    error === undefined
      ? `taskset does not work here: ${stderr.trim() || `exit code ${status}`}`
      : "there is no program taskset; install util-linux, such as with: apt install util-linux",
  );
}

/**
 * The numbers of the cores in a list as Linux writes it: `0-2,5`.
 * @internal for tests.
 */
export function parseCores(list: string): number[] {
  return list.split(",").flatMap((range) => {
    const [first, last = first] = range.split("-").map(Number) as [number, number?];
    return Array.from({ length: last - first + 1 }, (_, at) => first + at);
  });
}

/** Cores of their own for workers, or the problem why there are none. */
interface OwnCores {
  readonly cores?: readonly number[];
  readonly problem?: string;
}

/** A core for each worker, the last ones that there are. */
export function coresFor(workers: number): OwnCores {
  if (workers === 0) return { problem: "is for workers, which are processes, and there are to be none" };
  const here = pinningHere();
  if (!here.works) return { problem: `no process can be pinned to a core: ${here.reason}` };
  const { length: most } = here.cores;
  if (workers <= most) return { cores: here.cores.slice(-workers) };
  const remedy = `take at most ${counted(most, "worker")}`;
  return { problem: `${workers} workers cannot have a core each, of ${counted(most, "core")}; ${remedy}` };
}

/** Moves this process off the cores of its workers, if there are others; the function that is returned moves it back. */
export function leaveCores(taken: readonly number[]): () => void {
  const all = cores ?? [];
  const others = all.filter((core) => !taken.includes(core));
  if (others.length === 0) return () => {};
  const moveTo = (list: readonly number[]) =>
    void spawnSync("taskset", ["-a", "-c", "-p", list.join(), String(process.pid)], { stdio: "ignore" });
  moveTo(others);
  return () => moveTo(all);
}
