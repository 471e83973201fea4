/*
 * The kinds of faults share these parts: randomness from the seed, the built command line as a process, and the text
 * of a store without its times.
 */
import { spawn } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Store } from "../../build/arena/store/store.js";
import { createRandom } from "../../build/base/random.js";

export const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const MAIN = "dist/cli/main.js";

/** Random choices of one case: they depend on the seed, the kind and the number of the case alone. */
export class Dice {
  constructor(...parts) {
    this.random = createRandom(...parts);
  }

  below(count) {
    return this.random.below(count);
  }

  /** A whole number from `least` to `most`. */
  between(least, most) {
    return least + this.below(most - least + 1);
  }

  chance(probability) {
    return this.random.float() < probability;
  }

  pick(list) {
    return list[this.below(list.length)];
  }

  /** `count` members of `list`, all different. */
  draw(list, count) {
    const left = [...list];
    return Array.from({ length: count }, () => left.splice(this.below(left.length), 1)[0]);
  }
}

/**
 * Starts the command line, or that of a copy of `program`, in the folder `cwd`, with a limit of `openFiles` if it is
 * given. `outcome` comes when it has ended; after `limitMs` it is killed, and `outcome.late` is true. What it writes beyond
 * a megabyte is not kept.
 */
export function start(args, { cwd, limitMs = 60_000, program = ROOT, openFiles }) {
  const words = [process.execPath, join(program, MAIN), ...args];
  const limited = openFiles && ["sh", "-c", `ulimit -n ${openFiles}; exec "$0" "$@"`, ...words];
  const [command, ...rest] = limited ?? words;
  const child = spawn(command, rest, {
    cwd,
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  watchOver(child);
  const written = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"]) {
    child[name].setEncoding("utf8").on("data", (text) => {
      if (written[name].length < 1e6) written[name] += text;
    });
  }
  let late = false;
  const watch = globalThis.setTimeout(() => {
    late = true;
    killGroup(child);
  }, limitMs);
  const outcome = new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => {
      clearTimeout(watch);
      resolve({ args, code, signal, late, ...written });
    });
  });
  return { child, outcome };
}

/** Processes have groups of their own, so that they can be killed with those that they start; they must not outlive us. */
const living = new Set();

/** Notes a process, which is to be killed when this one is interrupted. */
export function watchOver(child) {
  living.add(child);
  child.on("close", () => living.delete(child));
}

for (const signal of ["SIGINT", "SIGTERM"])
  process.on(signal, () => {
    living.forEach(killGroup);
    process.exit(130);
  });

/** Kills a process and those that it started. */
export function killGroup({ pid }) {
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // It has ended.
  }
}

/** Copies the program to a folder, where a file of `dist` has a text in place of another; the folder. */
export function copyWith(dir, [file, is, becomes]) {
  for (const part of ["dist", "package.json"]) cpSync(join(ROOT, part), join(dir, part), { recursive: true });
  symlinkSync(join(ROOT, "node_modules"), join(dir, "node_modules"));
  const text = readFileSync(join(dir, "dist", file), "utf8");
  if (!text.includes(is)) throw new Error(`${file} has no ${is}`);
  writeFileSync(join(dir, "dist", file), text.replace(is, becomes));
  return dir;
}

/** Runs the command line to its end. */
export async function agon(args, options) {
  return start(args, options).outcome;
}

/** Resolves after `timeMs`, or as soon as `promise` does. */
export async function atMost(timeMs, promise) {
  const stop = new AbortController();
  const wait = setTimeout(timeMs, undefined, { signal: stop.signal }).catch(() => {});
  await Promise.race([wait, promise]);
  stop.abort();
}

/** Writes a file, its folder where there is none; an object as JSON. Its path. */
export function put(path, content) {
  mkdirSync(dirname(path), { recursive: true });
  const isData = typeof content !== "string" && !(content instanceof Uint8Array);
  writeFileSync(path, isData ? JSON.stringify(content, null, 2) : content);
  return path;
}

/** A game without its times. */
function timeless(game) {
  return { ...game, timeMs: [], thoughts: game.thoughts.map((thought) => ({ ...thought, timeMs: 0 })) };
}

/** All games of a run by id, without their times. */
export function gamesOf(dir) {
  const store = Store.openExisting(dir);
  try {
    return new Map(store.records().map((game) => [game.id, timeless(game)]));
  } finally {
    store.close();
  }
}

/** The content of a report or a result in JSON, without times, and without when and by which command it was played. */
export function withoutTimes(path) {
  return JSON.stringify(JSON.parse(readFileSync(path, "utf8")), (key, value) =>
    /timeMs|msPer|date|^played$/i.test(key) ? undefined : value,
  );
}

/** A text in one line that a message can hold. */
export function brief(text, length = 300) {
  const line = String(text)
    .trim()
    .replaceAll(/\s*\n\s*/g, " | ");
  return line.length > length ? `${line.slice(0, length)}...` : line;
}

/** The end of a process, for a message. */
export function ending({ args, code, signal, late, stderr }) {
  const how = late ? "did not end" : signal === null ? `exit code ${code}` : `died of ${signal}`;
  return `agon ${args.join(" ")}: ${how}: ${brief(stderr)}`;
}

/** True if an error was shown as people shall see it: exit code 1 or 2 and sentences, no stack. */
export function isTold({ code, stderr }) {
  return (
    (code === 1 || code === 2) &&
    stderr.trim() !== "" &&
    !/^\s+at .*:\d+:\d+\)?$|^node:|Node\.js v/m.test(stderr)
  );
}
