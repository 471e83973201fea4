import { accessSync, constants, readdirSync, statSync } from "node:fs";
import { parse, resolve } from "node:path";
import { InputError } from "../base/errors.ts";

// A folder of bots as entrants: `./bots/*/` enters each folder under its name, `./bots/*.py` each file. As the agent of an
// entrant, a pattern gives each bot the other options.

/** The programs that run files of these endings; a file without one runs by itself. */
export const RUNNERS: Readonly<Record<string, readonly string[]>> = {
  ".py": ["python3"],
  ".js": ["node"],
  ".mjs": ["node"],
  ".jar": ["java", "-jar"],
  "": [],
};
const AGENT_ENDINGS = [".ts", ".js", ".mjs"];
const ALLOWED = "bot.py, bot.mjs, bot.js, bot.jar, a program named bot, or an agent in agent.ts or agent.mjs";

/** The entrants of a config, with the bots that a pattern names in its place. Throws InputError if one names none. */
export function enterBots(entrants: unknown, baseDir: string): unknown {
  if (!Array.isArray(entrants)) return isPattern(entrants) ? botsOf(entrants, baseDir) : entrants;
  return entrants.flatMap((one: unknown) => {
    if (isPattern(one)) return botsOf(one, baseDir);
    const { agent, ...options } = (one ?? {}) as { readonly agent?: unknown };
    return isPattern(agent) ? botsOf(agent, baseDir, options) : [one];
  });
}

/** True for a text with `*`, which enters all bots of a folder. */
export function isPattern(given: unknown): given is string {
  return typeof given === "string" && /^\.{0,2}\/.*\*/.test(given);
}

function botsOf(pattern: string, baseDir: string, options: BotOptions = {}): object[] {
  const hasFolders = pattern.endsWith("/");
  const paths = pathsOf(pattern.replace(/\/+$/, ""), baseDir).filter(
    (path) => statSync(resolve(baseDir, path)).isDirectory() === hasFolders,
  );
  if (paths.length === 0)
    throw new InputError(`no ${hasFolders ? "folder" : "file"} is named like "${pattern}"`);
  return paths.map((path) => botAt(path, baseDir, options));
}

/** Options that a bot gets besides. In a sandbox a program sees the other files of its own folder, too. */
interface BotOptions {
  readonly sandbox?: unknown;
}

/** The entrant that a file or a folder with a bot is, as configs write it, under the name of either. Throws InputError. */
export function botAt(
  path: string,
  baseDir: string,
  options: BotOptions = {},
): { readonly name: string; readonly agent: string } {
  const { name, base } = parse(path);
  if (!statSync(resolve(baseDir, path)).isDirectory()) return { name, ...botIn(path, baseDir), ...options };
  const found = readdirSync(resolve(baseDir, path)).toSorted();
  const file = found.find((one) => ["bot", "agent"].includes(parse(one).name) && canRun(one));
  if (file === undefined) throw new InputError(`${path} has no bot; allowed: ${ALLOWED}`);
  const bot = botIn(`${path}/${file}`, baseDir);
  const files = options.sandbox === true && bot.agent === "program" ? { files: [path] } : {};
  return { name: base, ...bot, ...files, ...options };
}

function canRun(file: string): boolean {
  const { name, ext } = parse(file);
  return name === "agent" ? AGENT_ENDINGS.includes(ext) : Object.hasOwn(RUNNERS, ext);
}

/** The agent of a file, as configs write it. */
function botIn(
  path: string,
  baseDir: string,
): { readonly agent: string; readonly command?: readonly string[] } {
  const { name, ext } = parse(path);
  if (name === "agent" || ext === ".ts") return { agent: path };
  const runner = RUNNERS[ext];
  if (runner === undefined) throw new InputError(`${path} is no bot; allowed: ${ALLOWED}`);
  if (runner.length === 0) checkExecutable(path, baseDir);
  return { agent: "program", command: [...runner, path] };
}

function checkExecutable(path: string, baseDir: string): void {
  try {
    accessSync(resolve(baseDir, path), constants.X_OK);
  } catch {
    throw new InputError(`${path} may not be executed; allow it by chmod +x`);
  }
}

/** The paths that fit a pattern, in order; `*` stands for any part of a name that does not begin with a dot. */
function pathsOf(pattern: string, baseDir: string): string[] {
  return pattern.split("/").reduce<string[]>((found, part, at) => {
    if (at === 0) return [part];
    if (!part.includes("*")) return found.map((path) => `${path}/${part}`);
    const literal = part.split("*").map((piece) => piece.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
    const fits = new RegExp(`^(?!\\.)${literal.join(".*")}$`, "s");
    return found.flatMap((path) =>
      namesIn(resolve(baseDir, `${path}/`))
        .filter((name) => fits.test(name))
        .map((name) => `${path}/${name}`),
    );
  }, []);
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).toSorted();
  } catch {
    return [];
  }
}
