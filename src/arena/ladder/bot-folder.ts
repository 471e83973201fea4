import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { basename, join, parse } from "node:path";
import { z } from "zod";
import { InputError } from "../../base/errors.ts";
import { check } from "../../base/check.ts";
import { readJson } from "../../specs/files/documents.ts";
import { writeWhole } from "../../specs/files/write-file.ts";
import { filesBelow, FileReference } from "../../specs/references.ts";

/** The folder, in that of a ladder, that bots are put into. */
export const BOTS = "bots";
/** The folder with the copies that play: `alice/alice.py`, `alice@2/alice.py`. */
const VERSIONS = "versions";

/** Names of bots; the `@` of versions is no part of them. */
const NAME = /^[\p{L}\p{N}][\p{L}\p{N} _-]{0,39}$/u;
/** The rule for names of bots, for people. */
export const NAME_RULE = "1 to 40 letters, digits, blanks, _ or -, the first one a letter or a digit";

/** True if a bot may be called so. */
export function isBotName(name: string): boolean {
  return NAME.test(name);
}

/** A bot as it was at a time. Its copy never changes. */
export interface BotVersion {
  /** `alice`, later `alice@2`. */
  readonly name: string;
  /** The copy, a file or a folder, relative to the ladder's folder. */
  readonly path: string;
}

/** A bot of a ladder, and what it does. */
export interface LadderBot {
  readonly bot: string;
  /** The entrant that is its version of now; absent if it was refused. */
  readonly entrant?: string | undefined;
  readonly state: "plays" | "set aside" | "refused";
  /** A sentence for people; empty for those that play. */
  readonly reason: string;
}

/** The file with the bots of a ladder, for those who show it. */
export const BOTS_FILE = "ladder.json";

const botsShape = z.array(
  z.object({
    bot: z.string(),
    entrant: z.string().optional(),
    state: z.enum(["plays", "set aside", "refused"]),
    reason: z.string(),
  }),
);

/** Writes down the bots of the ladder in a folder. */
export function saveBots(dir: string, bots: readonly LadderBot[]): void {
  writeWhole(join(dir, BOTS_FILE), `${JSON.stringify(bots, null, 2)}\n`);
}

/** The bots of the ladder in a folder at its last look; none before the first one. Throws InputError if the file is damaged. */
export function readBots(dir: string): readonly LadderBot[] {
  const path = join(dir, BOTS_FILE);
  return existsSync(path) ? check(botsShape, readJson(path), path) : [];
}

/** The bots in the folder of a ladder. A bot is a file or a folder; its name without the ending is the bot's. */
export class BotFolder {
  private readonly dir: string;
  /** The look of the folder when it was taken, and at the last look. */
  private taken = "";
  private seen = "";

  /** @param dir the ladder's folder; the folders in it are made */
  constructor(dir: string) {
    this.dir = dir;
    for (const folder of [BOTS, VERSIONS]) mkdirSync(join(dir, folder), { recursive: true });
  }

  /** The names of all versions that there have been. */
  get versions(): readonly string[] {
    return readdirSync(join(this.dir, VERSIONS)).filter((name) => !name.startsWith("."));
  }

  /** True if bots have changed since they were taken, and not since the last look: somebody may still write. */
  hasSettled(): boolean {
    const before = this.seen;
    this.seen = this.look();
    return this.seen !== this.taken && this.seen === before;
  }

  /**
   * The version of each bot that is there now, by the bot's name; an InputError says why a bot cannot be taken.
   * @param others names that are no bots'
   */
  take(others: ReadonlySet<string>): Map<string, BotVersion | InputError> {
    this.taken = this.seen = this.look();
    const found = new Map<string, BotVersion | InputError>();
    for (const file of this.files()) {
      const bot = nameOf(this.dir, file);
      const fault = found.has(bot)
        ? "two files or folders have this name"
        : others.has(bot)
          ? "an agent of the ladder has this name"
          : isBotName(bot)
            ? undefined
            : `is no name of a bot: ${NAME_RULE}`;
      found.set(bot, fault === undefined ? this.version(bot, file) : new InputError(fault));
    }
    return found;
  }

  /** Forgets a version that has never played. */
  drop({ path }: BotVersion): void {
    rmSync(join(this.dir, path, ".."), { recursive: true, force: true });
  }

  /** Files and folders; links that lead nowhere are left out. */
  private files(): string[] {
    return readdirSync(join(this.dir, BOTS))
      .filter((name) => !/^(?:\.|__pycache__$)/.test(name) && existsSync(join(this.dir, BOTS, name)))
      .toSorted();
  }

  private version(bot: string, file: string): BotVersion | InputError {
    try {
      return this.copied(bot, file);
    } catch (error) {
      // A part of it is gone, or cannot be read.
      return new InputError((error as Error).message);
    }
  }

  /** The version with this content: a known one, or a new copy. */
  private copied(bot: string, file: string): BotVersion {
    const { dir } = this;
    const hash = hashAt(join(dir, BOTS, file));
    let name = bot;
    for (let number = 2; existsSync(join(dir, VERSIONS, name)); number++) {
      const path = join(VERSIONS, name, file);
      if (existsSync(join(dir, path)) && hashAt(join(dir, path)) === hash) return { name, path };
      name = `${bot}@${number}`;
    }
    // The copy gets its name when it is whole.
    const made = mkdtempSync(join(dir, VERSIONS, "."));
    cpSync(join(dir, BOTS, file), join(made, file), { recursive: true, dereference: true });
    renameSync(made, join(dir, VERSIONS, name));
    return { name, path: join(VERSIONS, name, file) };
  }

  /** Names, sizes and times of all files, as a text. */
  private look(): string {
    return JSON.stringify(this.files().map((file) => lookAt(join(this.dir, BOTS, file))));
  }
}

function nameOf(dir: string, file: string): string {
  return statSync(join(dir, BOTS, file)).isDirectory() ? file : parse(file).name;
}

/** Names, sizes, times and modes of all files below a path; its fault if a file is gone or cannot be read. */
function lookAt(path: string): unknown {
  try {
    return filesBelow(path).map((file) => {
      const { size, mtimeMs, mode } = statSync(file);
      return [file, size, mtimeMs, mode];
    });
  } catch (error) {
    return [path, (error as Error).message];
  }
}

function hashAt(path: string): string {
  return new FileReference("program", "files", { name: basename(path), path }).hash;
}
