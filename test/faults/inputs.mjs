/*
 * Inputs: a process reads wrong input by the thousand. It may be refused with InputError or taken, within a second.
 * Other exceptions, hangs, a process that dies and memory that grows are findings.
 */
import { spawn } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { brief, killGroup, watchOver } from "./support.mjs";

const READER = fileURLToPath(new URL("input-reader.mjs", import.meta.url));
const SECONDS = 10;
/** An input that takes so long hangs, and with it the process. */
const HANG_MS = 40_000;

/** One process for ten seconds; `at` reads that one input alone. */
export async function inputsCase({ seed, number, dir, at, report }) {
  const task = { dir, seed, number, seconds: SECONDS, only: at };
  const child = spawn(process.execPath, ["--max-old-space-size=2048", READER, JSON.stringify(task)], {
    cwd: dir,
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  watchOver(child);
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text) => (stderr = (stderr + text).slice(-5000)));
  let ended;
  const closed = new Promise((resolve) => {
    child.on("close", (code, signal) => resolve((ended = { code, signal })));
  });
  const current = join(dir, "current");
  let hangs = false;
  while (ended === undefined) {
    await Promise.race([closed, setTimeout(500)]);
    // oxlint-disable-next-line no-restricted-properties -- the age of a file
    if (ended === undefined && existsSync(current) && Date.now() - statSync(current).mtimeMs > HANG_MS) {
      hangs = true;
      killGroup(child);
      await closed;
    }
  }
  let inputs = 0;
  for (const line of stdout.split("\n").filter((text) => text !== "")) {
    const { counts, name, error, ...found } = JSON.parse(line);
    if (counts !== undefined) inputs = Object.values(counts).reduce((sum, count) => sum + count, 0);
    else
      report(`${name}: ${brief(error)}`, {
        kind: `${name} ${errorKind(error)}`,
        at: found.at,
        error,
        ...found,
      });
  }
  if (hangs || ended.code !== 0) {
    const last = existsSync(current) ? JSON.parse(readFileSync(current, "utf8")) : {};
    const how = hangs
      ? `took more than ${HANG_MS / 1000} s`
      : `ended the process (${ended.signal ?? ended.code})`;
    report(`${last.name}: ${how}: ${brief(stderr)}`, { kind: `${last.name} ${how}`, ...last, stderr });
    inputs += last.at ?? 0;
  }
  return inputs;
}

/** Findings with the same first two lines, but for what is quoted and numbers, are one. */
function errorKind(error) {
  const lines = error.split("\n").filter((line, at) => at === 0 || /\/dist\//.test(line));
  return lines
    .slice(0, 2)
    .join(" ")
    .replaceAll(/"[^"]*"|-?\d+/g, "#");
}
