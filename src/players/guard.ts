// oxlint-disable-next-line no-restricted-imports -- players are processes
import process from "node:process";
import { spawn, type ChildProcess, spawnSync } from "node:child_process";

/*
 * A process that ends the players' processes when this program ends, however it ends: then the pipe between them closes.
 * It is a shell, which takes a megabyte.
 */

/** Reads `+ PID` and `- PID`, and at the end of its input ends the process groups that are left. */
const SCRIPT = `
trap '' HUP INT QUIT TERM PIPE
groups=
while read -r sign group; do
  case $sign in
    +) groups="$groups $group" ;;
    -) left=; for one in $groups; do [ "$one" = "$group" ] || left="$left $one"; done; groups=$left ;;
  esac
done
for one in $groups; do kill -9 "-$one"; done`;

class Guard {
  private shell: ChildProcess | undefined;

  /** Ends the group `pid` at the end of this program. */
  add(pid: number): void {
    this.shell ??= this.start();
    this.say(`+ ${pid}`);
  }

  /** Forgets a group that has ended. */
  remove(pid: number): void {
    this.say(`- ${pid}`);
  }

  private say(line: string): void {
    this.shell?.stdin!.write(`${line}\n`);
  }

  private start(): ChildProcess | undefined {
    if (process.platform === "win32") return undefined;
    const shell = spawn("/bin/sh", ["-c", SCRIPT], {
      env: {},
      stdio: ["pipe", "ignore", "ignore"],
      detached: true,
    });
    shell.on("error", () => {});
    shell.stdin.on("error", () => {});
    shell.unref();
    (shell.stdin as unknown as { unref(): void }).unref();
    return shell;
  }
}

export const guard = new Guard();

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
