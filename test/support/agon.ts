import { spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { format } from "node:util";
import { onTestFinished } from "vitest";
import type * as Program from "../../src/cli/program.ts";

export const MAIN = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));

/** The program without its process. */
const PROGRAM = new URL("../../dist/cli/program.js", import.meta.url).href;

/** The same program as modules, which tests import too: a worker of this program plays for them. */
export const MODULES_MAIN = fileURLToPath(new URL("../../build/cli/main.js", import.meta.url));

export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Starts the built command line, as a user would, or that of another copy (`main`); with `detached` in a process group of
 * its own, `env` added to the environment. */
export function startAgon(
  args: readonly string[],
  {
    cwd = tmpdir(),
    detached = false,
    env = {},
    main = MAIN,
  }: { cwd?: string; detached?: boolean; env?: Readonly<Record<string, string>>; main?: string } = {},
): { child: ChildProcess; outcome: Promise<Outcome> } {
  const child = spawn(process.execPath, [main, ...args], {
    cwd,
    detached,
    env: { ...process.env, ...env },
    stdio: ["pipe", "pipe", "pipe"],
  });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  const outcome = new Promise<Outcome>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, stdout, stderr }));
  });
  return { child, outcome };
}

/** Runs the built command line in a process of its own, to its end; `input` is typed into it. */
export async function agonProcess(
  args: readonly string[],
  { input = "", ...options }: { input?: string } & Parameters<typeof startAgon>[1] = {},
): Promise<Outcome> {
  const { child, outcome } = startAgon(args, options);
  child.stdin!.end(input);
  return outcome;
}

/** The command that runs in this process. */
let atWork: Promise<unknown> = Promise.resolve();

/** Commands that read standard input. */
const READERS: readonly string[] = ["play", "uci", "gtp", "engine", "step"];

/**
 * Runs the built command line to its end: in this process, which is quicker, or in one of its own where it is given an
 * input or options of a process. Where the process matters, `agonProcess` starts one. One command runs here at a time.
 */
export async function agon(
  args: readonly string[],
  { cwd = tmpdir(), ...options }: Parameters<typeof agonProcess>[1] = {},
): Promise<Outcome> {
  if (READERS.includes(args[0]!) || Object.keys(options).length > 0)
    return agonProcess(args, { cwd, ...options });
  const outcome = atWork.then(async () => runHere(args, cwd));
  atWork = outcome.catch(() => {});
  return outcome;
}

async function runHere(args: readonly string[], cwd: string): Promise<Outcome> {
  const { runCommandLine } = (await import(PROGRAM)) as Pick<typeof Program, "runCommandLine">;
  const { argv, exitCode } = process;
  const folder = process.cwd();
  const { log, info, debug, error } = console;
  const [stdout, stderr] = [process.stdout, process.stderr].map(captured);
  // Vitest has a console of its own.
  console.log = (...words) => void process.stdout.write(`${format(...words)}\n`);
  console.error = (...words) => void process.stderr.write(`${format(...words)}\n`);
  process.argv = [process.execPath, MAIN, ...args];
  process.exitCode = undefined;
  process.chdir(cwd);
  try {
    await runCommandLine();
    return { code: Number(process.exitCode ?? 0), stdout: stdout!.end(), stderr: stderr!.end() };
  } finally {
    process.chdir(folder);
    process.argv = argv;
    process.exitCode = exitCode;
    Object.assign(console, { log, info, debug, error });
    for (const stream of [stdout, stderr]) stream!.end();
  }
}

/** Takes what is written to a stream from now on, until `end`, which gives it. */
function captured(stream: NodeJS.WriteStream): { end(): string } {
  const write = stream.write.bind(stream);
  let text = "";
  stream.write = (chunk: string | Uint8Array, ...rest: unknown[]) => {
    text += typeof chunk === "string" ? chunk : Buffer.from(chunk).toString("utf8");
    const done = rest.find((one) => typeof one === "function") as (() => void) | undefined;
    if (done !== undefined) queueMicrotask(done);
    return true;
  };
  return {
    end() {
      stream.write = write;
      return text;
    },
  };
}

/** A new empty folder that goes with the test. */
export function temporaryFolder(): string {
  const dir = mkdtempSync(join(tmpdir(), "agon-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

/** Writes a file into a folder; its path. */
export function writeInto(dir: string, name: string, content: string | object): string {
  const path = join(dir, name);
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  return path;
}

export function fixture(name: string): string {
  return fileURLToPath(new URL(`../fixtures/${name}`, import.meta.url));
}
