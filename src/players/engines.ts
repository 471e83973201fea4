import { createHash } from "node:crypto";
import { existsSync, readFileSync, statSync } from "node:fs";
import { isAbsolute, resolve } from "node:path";
import { z } from "zod";
import { InputError } from "../base/errors.ts";
import { BUDGET_KEYS, defineAgent, type AgentFamily } from "../agents/agent.ts";
import { GnuBackgammon } from "./gnubg/dialect.ts";
import { Gtp, isCarriedByGtp } from "./gtp/dialect.ts";
import { HostedAgent, type Hosting } from "./hosted-agent.ts";
import { JsonLines } from "./json-lines/dialect.ts";
import { environmentOf, findProgram, type PlayerCommand } from "./player-process.ts";
import { inSandbox } from "./sandbox.ts";
import { Uci } from "./uci/dialect.ts";

/*
 * The agents that are programs: each is started by a command and spoken to in a protocol. A new protocol is a folder here
 * with a Dialect, and an entry in `engines`.
 */

/** The options of every agent that is a program. */
const processOptions = {
  command: z
    .union(
      [z.array(z.string().min(1)).min(1), z.string().min(1)],
      "must be a program and its arguments, as a list",
    )
    .describe(
      "the program and its arguments, as a list, or a text with spaces between; those that begin with ./ or ../ are paths from the config's folder",
    ),
  files: z
    .array(z.string().min(1))
    .optional()
    .describe(
      "files and folders that the program needs besides those that its command names, as paths from the config's folder; a run tells if one of them has changed",
    ),
  restart: z
    .enum(["on-crash", "always"])
    .default("on-crash")
    .describe("when its process is started again: after it has died, or for each game"),
  environment: z
    .array(z.string().regex(/^[A-Za-z_]\w*$/))
    .optional()
    .describe("names of variables of agon's environment that it gets too; their values are stored nowhere"),
  sandbox: z
    .boolean()
    .optional()
    .describe(
      "shuts it in: it reads the system and its own files alone, and reaches no network (docs/reliability.md); on Linux with bubblewrap",
    ),
  log: z
    .boolean()
    .optional()
    .describe(
      "keeps what is said in each game, and its standard error, in the folder `dialogues` of the run",
    ),
};
type ProcessOptions = z.output<z.ZodObject<typeof processOptions>>;

/** The command of the options. Throws InputError if there is no such program or variable, or no sandbox. */
function commandOf(options: ProcessOptions): PlayerCommand {
  const { command, files = [], environment: variables = [], sandbox = false } = options;
  const [program = "", ...args] = wordsOf(command);
  const path = findProgram(program);
  if (path === undefined) {
    const where = program.includes("/") ? "" : " on the PATH or in /usr/games";
    const message = existsSync(program)
      ? `${program} may not be executed; allow it with: chmod +x ${program}, or name its interpreter: [python3, ${program}]`
      : `there is no program ${program}${where}`;
    throw new InputError([{ path: "command", message }]);
  }
  const known = environmentOf(variables);
  const missing = variables.filter((name) => !Object.hasOwn(known, name));
  const player: PlayerCommand = { command: [path, ...args], variables };
  const named = args.filter((word) => isAbsolute(word) && existsSync(word));
  if (missing.length === 0) return sandbox ? inSandbox(player, [...new Set([...files, ...named])]) : player;
  const message = `not in the environment of agon: ${missing.join(", ")}`;
  throw new InputError([{ path: "environment", message }]);
}

/** The agent that a program is, which is spoken to by a dialect. */
function host(options: ProcessOptions, speak: Hosting["speak"]): HostedAgent {
  const { restart, log } = options;
  return new HostedAgent({ command: commandOf(options), restart, log, showsDialogue: true, speak });
}

const program = defineAgent({
  id: "program",
  summary: "a program of yours, in any language, that speaks agon's protocol (docs/protocol.md)",
  options: z.strictObject(processOptions),
  budgets: BUDGET_KEYS,
  needsBudget: false,
  unsupported: () => undefined,
  create: ({ game, options }) => host(options, (process) => new JsonLines(process, game)),
});

const gtp = defineAgent({
  id: "gtp",
  summary: "a go or othello program that speaks GTP, the Go Text Protocol, such as GNU Go (docs/engines.md)",
  options: z.strictObject({
    ...processOptions,
    commands: z
      .array(z.string().regex(/^[^\s\p{Cc}#][^\p{Cc}#]*$/u))
      .default([])
      .describe("commands of GTP that are sent when the program has started, such as `level 3`"),
  }),
  budgets: [],
  unsupported: (game) =>
    !isCarriedByGtp(game)
      ? "moves that GTP cannot carry"
      : game.setups !== undefined && game.id !== "go"
        ? "positions to begin at, which GTP cannot set up"
        : undefined,
  create: ({ game, options }) => host(options, (process) => new Gtp(process, game, options.commands)),
});

const uci = defineAgent({
  id: "uci",
  summary: "a chess engine that speaks UCI, such as Stockfish (docs/engines.md)",
  options: z.strictObject({
    ...processOptions,
    options: z
      .record(z.string(), z.union([z.boolean(), z.number(), z.string()]))
      .default({})
      .describe("the engine's own options by name, such as Threads and Hash; the engine tells which it has"),
    ponder: z
      .boolean()
      .optional()
      .describe(
        "thinks on in its opponent's time, for which it wants a core of its own; with timeMs or a clock only",
      ),
  }),
  budgets: ["depth", "nodes", "timeMs"],
  heedsClocks: true,
  unsupported: ({ protocols }) =>
    "uci" in protocols ? undefined : "no notation in UCI, the protocol of chess engines",
  create: ({ game, options }) => host(options, (process) => new Uci(process, game, options)),
});

const gnubg = defineAgent({
  id: "gnubg",
  summary:
    "GNU Backgammon, which is told each position and says the turn of its evaluation (docs/engines.md)",
  options: z.strictObject({
    ...processOptions,
    command: processOptions.command.default(["gnubg"]),
    plies: z
      .int()
      .min(0)
      .max(4)
      .default(0)
      .describe("plies that it looks ahead, as it counts: 0 values the positions after its own turn"),
  }),
  budgets: [],
  unsupported: ({ id }) => (id === "backgammon" ? undefined : "other rules than backgammon"),
  create: ({ game, options }) => {
    // Text mode, no sounds, no settings of the user's.
    const command = [...wordsOf(options.command), "--tty", "--quiet", "--no-rc"];
    return host({ ...options, command }, (process) => new GnuBackgammon(process, game, options.plies));
  },
});

/** The agents that are programs, by id. */
export const engines: Readonly<Record<string, AgentFamily>> = { program, uci, gtp, gnubg };

/**
 * The command as a list and the files that belong to the program: those that the command names by relative paths, and
 * `files`. Relative paths start at `dir` and become absolute. Other values are left as they are.
 */
export function locateCommand(
  { command, files = [] }: { readonly command?: unknown; readonly files?: unknown },
  dir: string,
): { readonly command?: unknown; readonly files?: unknown } {
  if ((typeof command !== "string" && !Array.isArray(command)) || !Array.isArray(files))
    return { command, files };
  const own = new Set<unknown>();
  const words = wordsOf(command as string | readonly unknown[]).map((word, at) => {
    if (typeof word !== "string" || isAbsolute(word)) return word;
    const path = resolve(dir, word);
    const isFile = statSync(path, { throwIfNoEntry: false })?.isFile() === true;
    // The first word alone is looked up on the PATH.
    const isPath = /^\.\.?\//.test(word) || (isFile && (at > 0 || word.includes("/")));
    if (isPath && isFile) own.add(path);
    return isPath ? path : word;
  });
  for (const file of files) own.add(typeof file === "string" ? resolve(dir, file) : file);
  return { command: words, ...(own.size > 0 && { files: [...own] }) };
}

/** The hash of the program that a spec's command starts, unless it is among the spec's own files; undefined if there is none. */
export function hashOfProgram({
  command,
  files = [],
}: Readonly<Record<string, unknown>>): string | undefined {
  const [program] = Array.isArray(command) ? (command as readonly unknown[]) : [];
  if (typeof program !== "string" || (files as readonly unknown[]).includes(program)) return undefined;
  const path = findProgram(program);
  return path === undefined ? undefined : hashOfLocal(path);
}

/** The hashes of programs, by path, time and size: an engine with its network is large. */
const known = new Map<string, string>();

function hashOfLocal(path: string): string {
  const { mtimeMs, size } = statSync(path);
  const key = `${path} ${mtimeMs} ${size}`;
  const hash = known.get(key) ?? createHash("sha256").update(readFileSync(path)).digest("hex").slice(0, 24);
  known.set(key, hash);
  return hash;
}

/** The parts of a command, which is a list or a text. */
function wordsOf<Part>(command: string | readonly Part[]): readonly (string | Part)[] {
  return typeof command === "string" ? command.split(/\s+/).filter(Boolean) : command;
}
