#!/usr/bin/env node
import { readFileSync } from "node:fs";
import process from "node:process";

/*
 * The beginning of the program, which imports nothing of agon: with few files to open, not even all modules can be
 * loaded.
 */

/** With fewer open files workers end while they load, and a run would not come to its end. */
const LEAST_OPEN_FILES = 64;

/** The number of files that a process may have open; Infinity on systems that do not tell. */
function openFilesLimit(): number {
  try {
    const limits = readFileSync("/proc/self/limits", "latin1");
    return Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1] ?? Infinity);
  } catch {
    return Infinity;
  }
}

// Ctrl-\ ends the program as SIGTERM does: in order, and without a core file.
if (process.platform !== "win32") process.on("SIGQUIT", () => process.kill(process.pid, "SIGTERM"));

// Everyone on the machine may read a command line, and the address of a queue may have a password.
if (process.argv.some((word) => /:\/\/[^/]*@/.test(word))) process.title = "agon";

/** False if the folder in which the program was started has been removed. */
function hasFolder(): boolean {
  try {
    process.cwd();
    return true;
  } catch {
    return false;
  }
}

const limit = openFilesLimit();
if (!hasFolder()) {
  process.stderr.write("the working folder is gone: somebody has removed it; change to another one\n");
  process.exitCode = 1;
} else if (limit < LEAST_OPEN_FILES) {
  const needed = `agon needs at least ${LEAST_OPEN_FILES} open files, and this shell allows ${limit}`;
  process.stderr.write(`${needed}; raise the limit: ulimit -n 256\n`);
  process.exitCode = 1;
} else {
  const { runProgram } = await import("./program.ts");
  await runProgram();
}
