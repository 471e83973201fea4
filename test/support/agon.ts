import { spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

export const MAIN = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));

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

/** Runs the built command line to its end; `input` is typed into it. */
export async function agon(
  args: readonly string[],
  { input = "", ...options }: { input?: string } & Parameters<typeof startAgon>[1] = {},
): Promise<Outcome> {
  const { child, outcome } = startAgon(args, options);
  child.stdin!.end(input);
  return outcome;
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
