import { spawnSync } from "node:child_process";
// oxlint-disable-next-line no-restricted-imports -- players are processes
import process from "node:process";

/** Runs a command as the first process of a process namespace, with a `/proc` that shows nothing else. */
const UNSHARE = [
  "unshare",
  "--user",
  "--map-current-user",
  "--pid",
  "--fork",
  "--kill-child",
  "--mount-proc",
  "--",
];

let known: boolean | undefined;

/**
 * True if this user may make process and mount namespaces here. Only Linux has them, and some systems forbid them.
 *
 * @internal for tests.
 */
export function hasNamespaces(): boolean {
  return (known ??=
    process.platform === "linux" &&
    spawnSync(UNSHARE[0]!, [...UNSHARE.slice(1), "true"], { stdio: "ignore", timeout: 5000 }).status === 0);
}

/** The command in process and mount namespaces of its own, where the system allows them. */
export function inNamespaces(command: readonly [string, ...string[]]): readonly [string, ...string[]] {
  return hasNamespaces() ? ([...UNSHARE, ...command] as unknown as [string, ...string[]]) : command;
}
