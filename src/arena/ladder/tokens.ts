import { randomBytes } from "node:crypto";
import { chmodSync, existsSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { check } from "../../base/check.ts";
import { InputError } from "../../base/errors.ts";
import { readJson } from "../../specs/files/documents.ts";
import { sha256 } from "../../specs/files/hashes.ts";
import { makeFolder, writeWhole } from "../../specs/files/write-file.ts";
import { isBotName, NAME_RULE } from "./bot-folder.ts";

/** The file in a ladder's folder with the hash of each name's token. */
const FILE = "tokens.json";
/** Bytes of a token: nobody guesses it, so its hash needs no salt. */
const TOKEN_BYTES = 18;

const fileShape = z.record(z.string(), z.string());

/**
 * Makes a token for each name that has none yet, and keeps its hash in the ladder's folder; returns the new tokens by name.
 * Throws InputError where a name cannot be that of a bot.
 */
export function issueTokens(dir: string, names: readonly string[]): ReadonlyMap<string, string> {
  const wrong = names.find((name) => !isBotName(name));
  if (wrong !== undefined) throw new InputError(`"${wrong}" is no name of a bot: ${NAME_RULE}`);
  makeFolder(dir);
  const known = read(dir);
  const fresh = names.filter((name) => !Object.hasOwn(known, name));
  const issued = new Map(fresh.map((name) => [name, randomBytes(TOKEN_BYTES).toString("base64url")]));
  const hashes = Object.fromEntries([...issued].map(([name, token]) => [name, hashOf(token)]));
  const path = join(dir, FILE);
  writeWhole(path, `${JSON.stringify({ ...known, ...hashes }, null, 2)}\n`);
  chmodSync(path, 0o600);
  return issued;
}

/** The name that a token is for; undefined if it is nobody's. */
export function ownerOf(dir: string, token: string): string | undefined {
  const hash = hashOf(token);
  return Object.entries(read(dir)).find(([, known]) => known === hash)?.[0];
}

/** The names in the first column of a CSV file; a first line that begins with `name` is its head. */
export function namesIn(csv: string): string[] {
  const names = csv
    .replace(/^\uFEFF/, "")
    .split(/\r?\n/)
    .map((line) =>
      line
        .split(/[,;\t]/)[0]!
        .trim()
        .replace(/^"(.*)"$/, "$1"),
    )
    .filter((name) => name !== "");
  return [...new Set(names[0]?.toLowerCase() === "name" ? names.slice(1) : names)];
}

function hashOf(token: string): string {
  return sha256(Buffer.from(token));
}

function read(dir: string): Readonly<Record<string, string>> {
  const path = join(dir, FILE);
  return existsSync(path) ? check(fileShape, readJson(path), path) : {};
}
