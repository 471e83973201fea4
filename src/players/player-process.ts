import { spawn, type ChildProcess } from "node:child_process";
import { delimiter, join, resolve } from "node:path";
import type { Writable } from "node:stream";
import { accessSync, constants, statSync } from "node:fs";
import { constants as systemConstants } from "node:os";
// oxlint-disable-next-line no-restricted-imports -- players are processes
import process from "node:process";
import { InputError } from "../base/errors.ts";
import { LAST_LINES } from "../base/text.ts";
import { guard, inNamespaces } from "./guard.ts";
import { groupOf, residentKb } from "./processor-time.ts";

/*
 * A process that plays. It is told lines and answers lines. It lives in a process group of its own, in process and mount
 * namespaces of its own where the system allows them, with little of the environment, and ends with this program at the
 * latest.
 */

/** The endings of a game in which a player in a process may forfeit. */
type PlayerEnding = "illegal action" | "exception" | "time-out" | "out of memory" | "worker died";

/** A fault of a player in a process. It forfeits the game at hand. */
export class PlayerFault extends Error {
  readonly ending: PlayerEnding;
  /** True if a signal ended the process that agon did not send: somebody else may have sent it. */
  readonly byForeignSignal: boolean;

  constructor(ending: PlayerEnding, message: string, { byForeignSignal = false } = {}) {
    super(message);
    this.name = "PlayerFault";
    this.ending = ending;
    this.byForeignSignal = byForeignSignal;
  }

  /** The same fault with the last lines of the dialogue. */
  with(lastWords: string): PlayerFault {
    if (lastWords === "") return this;
    return new PlayerFault(this.ending, `${this.message}; ${lastWords}`, this);
  }
}

/** The reason of a player to play no more games of its run, which can go on later. The game at hand has no result. */
export class EndOfRun extends InputError {
  constructor(reason: string) {
    super(reason);
    this.name = "EndOfRun";
  }
}

/** A player's program, and the conditions under which it runs. */
export interface PlayerCommand {
  /** The program and its arguments. */
  readonly command: readonly [string, ...string[]];
  /** The folder in which it runs [the current one]. */
  readonly dir?: string | undefined;
  /** The memory that its processes may take together, in MB [4096]. */
  readonly memoryMb?: number | undefined;
  /** Names of variables of this program's environment that it gets besides the usual ones; see USUAL_VARIABLES. */
  readonly variables?: readonly string[] | undefined;
  /** More variables, with their values. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** False to start it beside this program's own processes, not in namespaces of its own [true]. */
  readonly apart?: boolean | undefined;
  /** The content of its descriptor 3 [none]. */
  readonly thirdInput?: Uint8Array | undefined;
  /** Called with every line that is said to it, heard from it, or written by it to standard error. */
  readonly onLine?: ((line: string, from: LineSource) => void) | undefined;
}
export type LineSource = "said" | "heard" | "error";

const { signals } = systemConstants;
/** The variables of the environment that a player gets. Others may hold passwords. */
const USUAL_VARIABLES = ["PATH", "HOME", "LANG", "LC_ALL", "TZ", "TMPDIR", "SystemRoot"];
const DEFAULT_MEMORY_MB = 4096;
/** The longest line that a player may say, in characters. */
const MAX_LINE = 1_000_000;
/** A player that has said so many lines that nobody has asked for is not read any more. */
const MAX_UNREAD = 10_000;
/** The lines that a fault shows. */
const MOST_LAST_LINES = 10;
const MAX_SHOWN = 200;
/** A line of the stack that Node writes, or an empty one. */
const STACK = /^\s+at |^\s*$/;
const LOOK_MS = 50;
/** Looks at the time between two looks at the memory. */
const LOOKS_PER_MEMORY = 2;

/** The work at hand of a process: its limit, and the time that is left. */
interface Work {
  readonly limitMs: number;
  /** The thing that is missing if it takes longer: "no action". */
  readonly missing: string;
  leftMs: number;
}

export class PlayerProcess {
  private readonly child: ChildProcess;
  private readonly memoryMb: number;
  private readonly onLine: PlayerCommand["onLine"];
  private readonly unread: string[] = [];
  /** The beginning of a line whose end has not come yet. */
  private partial = "";
  private readonly last: string[] = [];
  private listener: { resolve(line: string): void; reject(fault: PlayerFault): void } | undefined;
  private fault: PlayerFault | undefined;
  private work: Work | undefined;
  private killed = false;
  private hasEnded = false;
  private readonly apart: boolean;
  /** The processes that it has left behind, where that can be seen. */
  private left: readonly string[] = [];

  /** Starts the program. That it cannot be started is told by the first `hear`. */
  constructor({
    command,
    dir,
    memoryMb = DEFAULT_MEMORY_MB,
    variables = [],
    env = {},
    apart = true,
    thirdInput,
    onLine,
  }: PlayerCommand) {
    this.memoryMb = memoryMb;
    this.onLine = onLine;
    this.apart = apart;
    const begun = begunByLine(command);
    const [program, ...args] = apart ? inNamespaces(begun) : begun;
    this.child = spawn(program, args, {
      cwd: dir,
      env: { ...environmentOf([...USUAL_VARIABLES, ...variables]), ...env },
      stdio: ["pipe", "pipe", "pipe", ...(thirdInput ? ["pipe" as const] : [])],
      // A group of its own, so that all its processes can be ended together, and Ctrl-C does not reach it.
      detached: true,
    });
    const { child } = this;
    child.on("error", (error) => this.end("worker died", `it cannot be started: ${error.message}`));
    child.on("exit", (code, signal) => {
      if (!this.apart && child.pid !== undefined) this.left = groupOf(child.pid);
      // Its children may hold its pipes open.
      this.killGroup();
      this.hasEnded = true;
      const how = signal ?? signalOfShell(code) ?? `exit code ${code}`;
      const byForeignSignal = how.startsWith("SIG") && !this.killed;
      child.on("close", () => this.end("worker died", `its process ended: ${how}`, { byForeignSignal }));
    });
    child.stdin!.on("error", () => {});
    child.stdout!.setEncoding("utf8").on("data", (text: string) => this.read(text));
    let errors = "";
    child.stderr!.setEncoding("utf8").on("data", (text: string) => {
      // The rest of a line that is too long is passed over.
      const from = errors.length < MAX_LINE ? 0 : text.indexOf("\n");
      if (from < 0) return;
      const lines = `${errors}${text.slice(from)}`.split("\n");
      errors = lines.pop()!.slice(0, MAX_LINE);
      for (const line of lines) this.remember(line, "error");
    });
    if (child.pid === undefined) return;
    guard.add(child.pid);
    watch(this);
    if (thirdInput) (child.stdio[3] as Writable).on("error", () => {}).end(thirdInput);
    child.stdin!.write("begin\n");
  }

  get isAlive(): boolean {
    return this.fault === undefined && !this.killed;
  }

  get pid(): number | undefined {
    return this.child.pid;
  }

  /** Says lines, all at once: each write wakes the process. If it has ended, the next `hear` tells so. */
  say(...lines: readonly string[]): void {
    for (const line of lines) this.remember(line, "said");
    if (this.isAlive) this.child.stdin!.write(`${lines.join("\n")}\n`);
  }

  /** The next line that it says. Throws PlayerFault if there will be none. One may listen at a time. */
  async hear(): Promise<string> {
    const line = this.unread.shift();
    if (line !== undefined) {
      if (this.unread.length === MAX_UNREAD - 1) this.child.stdout!.resume();
      return line;
    }
    if (this.fault !== undefined) throw this.fault;
    return new Promise((resolve, reject) => (this.listener = { resolve, reject }));
  }

  /** Forgets what it has said and nobody has listened to, and returns it. */
  forget(): string[] {
    const lines = this.unread.splice(0);
    this.child.stdout!.resume();
    return lines;
  }

  /**
   * Does work that needs its answers. If that takes longer than `limitMs`, the process is ended, and `hear` throws.
   * @param missing what is not there then, such as "no action"
   */
  async within<T>(limitMs: number, missing: string, work: () => Promise<T>): Promise<T> {
    this.work = { limitMs, missing, leftMs: limitMs };
    try {
      return await work();
    } finally {
      this.work = undefined;
    }
  }

  /** The end of the dialogue, for people; `>` is before what was said to it, `!` before what it wrote to standard error. */
  get lastWords(): string {
    return this.last.length === 0 ? "" : LAST_LINES + this.last.join(" | ");
  }

  /** The characters that were said to it and that it has not read, beyond those that the system holds for it. */
  get unreadInput(): number {
    return this.child.stdin!.writableLength;
  }

  /**
   * Ends its input, and waits until it ends by itself, for at most `limitMs`; then it is ended. `left` has the names of the
   * processes that it left behind; with `apart` nobody can see them.
   */
  async finish(limitMs: number): Promise<{ readonly ended: boolean; readonly left: readonly string[] }> {
    const { child } = this;
    const ended = await new Promise<boolean>((resolve) => {
      child.once("close", () => resolve(true));
      setTimeout(() => resolve(false), limitMs).unref();
      child.stdin!.end();
    });
    this.kill();
    return { ended, left: this.left };
  }

  /** Ends it and all its processes at once. */
  kill(): void {
    this.killed = true;
    this.killGroup();
  }

  /** Looks at the time that it takes, and at its memory if `memory` is true. */
  look(passedMs: number, memory: boolean): void {
    if (this.work !== undefined) {
      this.work.leftMs -= passedMs;
      const { leftMs, limitMs, missing } = this.work;
      if (leftMs < 0) this.end("time-out", `${missing} within ${limitMs} ms`);
    }
    if (memory && this.isAlive && residentKb(this.child.pid!) > this.memoryMb * 1024)
      this.end("out of memory", `it took more than ${this.memoryMb} MB`);
  }

  private read(text: string): void {
    const lines = `${this.partial}${text}`.split("\n");
    this.partial = lines.pop()!;
    for (const raw of lines) {
      // Programs on .NET begin their output with a byte order mark.
      const line = raw.replace(/^\ufeff/, "").replace(/\r$/, "");
      this.remember(line, "heard");
      const { listener } = this;
      this.listener = undefined;
      if (listener === undefined) this.unread.push(line);
      else listener.resolve(line);
    }
    if (this.partial.length > MAX_LINE)
      this.end("exception", `it said a line of more than ${MAX_LINE} characters`);
    if (this.unread.length >= MAX_UNREAD) this.child.stdout!.pause();
  }

  private remember(line: string, from: LineSource): void {
    const mark = { said: "> ", heard: "< ", error: "! " }[from];
    this.onLine?.(line, from);
    // The stack of an exception would leave no room for its message.
    if (from === "error" && STACK.test(line)) return;
    if (this.last.push(mark + line.slice(0, MAX_SHOWN)) > MOST_LAST_LINES) this.last.shift();
  }

  private end(ending: PlayerEnding, message: string, options?: { byForeignSignal: boolean }): void {
    if (this.fault === undefined) {
      this.fault = new PlayerFault(ending, message, options);
      this.listener?.reject(this.fault);
      this.listener = undefined;
    }
    forget(this);
    this.kill();
  }

  private killGroup(): void {
    const { pid } = this.child;
    // The number of a process that has ended may be another one's by now.
    if (pid === undefined || this.hasEnded) return;
    try {
      process.kill(process.platform === "win32" ? pid : -pid, "SIGKILL");
    } catch {
      // It has ended.
    }
    guard.remove(pid);
  }
}

/** All processes that play, and what looks at them. */
const watched = new Set<PlayerProcess>();
let watching: NodeJS.Timeout | undefined;

function watch(one: PlayerProcess): void {
  watched.add(one);
  if (watching !== undefined) return;
  let lookedAt = performance.now();
  let looks = 0;
  watching = setInterval(() => {
    const now = performance.now();
    // If this program slept or was stopped, so were they: a look counts for at most two intervals.
    const passed = Math.min(now - lookedAt, 2 * LOOK_MS);
    lookedAt = now;
    const memory = ++looks % LOOKS_PER_MEMORY === 0;
    for (const each of watched) each.look(passed, memory);
  }, LOOK_MS);
  watching.unref();
}

function forget(one: PlayerProcess): void {
  watched.delete(one);
  if (watched.size > 0) return;
  clearInterval(watching);
  watching = undefined;
}

/**
 * The command such that it begins when a line comes: by then the guard knows it. If this program ends before, so does the
 * command. The shell stays its parent, as the first process of a namespace does not get all signals.
 */
function begunByLine(command: readonly [string, ...string[]]): readonly [string, ...string[]] {
  if (process.platform === "win32") return command;
  return ["/bin/sh", "-c", 'read -r begin && { "$@"; exit $?; }', "sh", ...command];
}

/** The signal that ended the command, which the shell tells by an exit code. */
function signalOfShell(code: number | null): string | undefined {
  const number = (code ?? 0) - 128;
  return Object.entries(signals).find(([, one]) => one === number)?.[0];
}

/** The variables of these names that there are. */
export function environmentOf(names: readonly string[]): Record<string, string> {
  const given = names.map((name) => [name, process.env[name]] as const);
  return Object.fromEntries(
    given.filter((entry): entry is readonly [string, string] => entry[1] !== undefined),
  );
}

/** The path of a program: itself if it has a folder, else where PATH has it; undefined if it is nowhere. */
export function findProgram(program: string, dir = "."): string | undefined {
  const folders = /[/\\]/.test(program) ? [""] : (process.env["PATH"] ?? "").split(delimiter);
  // Debian's engines are in the games folder, which is not on every PATH.
  const places = [...folders, ...(folders[0] === "" ? [] : ["/usr/games"])];
  // Windows finds `python` as python.exe, by these endings.
  const endings =
    process.platform === "win32" ? ["", ...(process.env["PATHEXT"] ?? "").split(delimiter)] : [""];
  return places
    .map((folder) => (folder === "" ? resolve(dir, program) : join(folder, program)))
    .flatMap((path) => endings.map((ending) => path + ending))
    .find((path) => {
      try {
        accessSync(path, constants.X_OK);
        return statSync(path).isFile();
      } catch {
        return false;
      }
    });
}
