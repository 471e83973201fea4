import { spawn, type ChildProcess } from "node:child_process";
// oxlint-disable-next-line no-restricted-imports -- players are processes
import process from "node:process";

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
