import { existsSync, linkSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import type { Redis } from "ioredis";
import { z } from "zod";
import { check } from "../base/check.ts";
import { InputError } from "../base/errors.ts";
import { codeFiles, commonFolder } from "../specs/plugins/portable-code.ts";
import { canonicalJson } from "../base/plain.ts";
import { writeWhole } from "../specs/files/write-file.ts";
import { sha256 } from "../specs/files/hashes.ts";
import { hashShape } from "./jobs.ts";
import { PREFIX } from "./redis.ts";

/*
 * A bundle holds everything that a worker needs besides its jobs: the plan of a run or the config of a training, and
 * files. Redis keeps each file under the hash of its content, and so it keeps the manifest, which lists the files. A
 * worker writes the files into a folder of its own; their names cannot lead out of it.
 */

/** The name of a bundle in error messages. */
export const BUNDLE = "a bundle from the queue";
/** Redis forgets a content that no coordinator has renewed for this time, in seconds. */
const KEEP_S = 24 * 3600;
const MAX_FILE_BYTES = 256 * 2 ** 20;
const MAX_NAME = 1000;

/** The files of a bundle. */
interface Listing {
  /** By name in the worker's folder: the SHA-256 of the content. */
  readonly files: Readonly<Record<string, string>>;
  /** By path on the machine that began the run: the name of a file with code. */
  readonly code: Readonly<Record<string, string>>;
}

/** A bundle that is ready to be sent. */
export interface Bundle {
  /** The SHA-256 of the manifest. */
  readonly hash: string;
  /** True if it has code of the user's. */
  readonly plugins: boolean;
  /** By key in Redis: the content. */
  readonly contents: ReadonlyMap<string, Uint8Array>;
}

/** Collects the files of a bundle. */
export class Packing {
  private readonly contents = new Map<string, Uint8Array>();
  private readonly files: Record<string, string> = {};
  private code: Record<string, string> = {};

  add(name: string, path: string): void {
    const content = readFileSync(path);
    if (content.length > MAX_FILE_BYTES)
      throw new InputError(
        `is too large for the queue: ${content.length} bytes, at most ${MAX_FILE_BYTES}`,
        path,
      );
    const hash = sha256(content);
    this.files[name] = hash;
    this.contents.set(keyOf(hash), content);
  }

  /** Adds files of code with all that they import. */
  addCode(plugins: readonly string[]): void {
    const all = codeFiles(plugins);
    const root = commonFolder(all);
    const nameOf = (file: string) => `code/${portable(relative(root, file))}`;
    for (const file of all) this.add(nameOf(file), file);
    this.code = Object.fromEntries(all.map((file) => [file, nameOf(file)]));
  }

  /** @param what the plan or the config that the files belong to */
  close(what: Readonly<Record<string, unknown>>): Bundle {
    const { contents, files, code } = this;
    const manifest = Buffer.from(canonicalJson({ ...what, files, code } satisfies Listing));
    const hash = sha256(manifest);
    contents.set(keyOf(hash), manifest);
    return { hash, plugins: Object.keys(code).length > 0, contents };
  }
}

/** Puts the missing contents into Redis, and has it keep all of them for another day. */
export async function publish(redis: Redis, { contents }: Bundle): Promise<void> {
  for (const [key, content] of contents) {
    // A key of another type or length was written by another program.
    const length = await redis.strlen(key).catch(() => -1);
    if (length !== content.length || (await redis.expire(key, KEEP_S)) === 0)
      await redis.set(key, Buffer.from(content), "EX", KEEP_S);
  }
}

/** A bundle whose files are in a worker's folder. */
export interface LaidOut {
  /** The plan or the config, not yet checked. */
  readonly what: Readonly<Record<string, unknown>>;
  readonly dir: string;
  readonly listing: Listing;
  /**
   * The path here of a file of code, from its path on the machine that packed it. Throws InputError if the bundle does not
   * have it, or if code is not allowed.
   */
  readonly codePath: (path: string) => string;
}

/**
 * Fetches a bundle and writes its files into a folder of `parent`. Throws InputError if a content is damaged, or if there is
 * code although `plugins` is false, and ContentLost.
 */
export async function layOut(
  redis: Redis,
  hash: string,
  { parent, plugins }: { parent: string; plugins: boolean },
): Promise<LaidOut> {
  const json = JSON.parse(Buffer.from(await fetchContent(redis, hash)).toString()) as unknown;
  const { files, code, ...what } = check(manifestShape, json, BUNDLE);
  checkNames({ files, code });
  const dir = join(parent, hash);
  for (const [name, content] of Object.entries(files)) {
    const path = join(dir, ...name.split("/"));
    const kept = await fetchOnce(redis, content, parent);
    mkdirSync(dirname(path), { recursive: true });
    rmSync(path, { force: true });
    linkSync(kept, path);
  }
  const codePath = (path: string) => {
    const name = Object.hasOwn(code, path) ? code[path]! : undefined;
    if (name === undefined || !Object.hasOwn(files, name))
      throw new InputError(`a bundle from the queue names code that it has not: ${path}`);
    if (!plugins) throw new InputError("a bundle with code came to a worker that takes none");
    return join(dir, ...name.split("/"));
  };
  return { what, dir, listing: { files, code }, codePath };
}

const manifestShape = z.looseObject({
  files: z.record(z.string(), hashShape),
  code: z.record(z.string(), z.string()),
});

/** A relative path that cannot lead out of its folder, on any system. */
function isSafePart(part: string): boolean {
  // eslint-disable-next-line no-control-regex
  return part.length <= 255 && !/^\.{0,2}$|[\\/:\u0000-\u001f]/.test(part);
}

/** Throws InputError if a file would lie outside the folder. */
function checkNames({ files, code }: Listing): void {
  for (const name of [...Object.keys(files), ...Object.values(code)]) {
    if (name.length > MAX_NAME || !name.split("/").every(isSafePart))
      throw new InputError(`${BUNDLE} has a file ${JSON.stringify(name)}, which is no path inside a folder`);
  }
}

/** Redis has forgotten a content. The coordinator sends it again. */
export class ContentLost extends Error {}

/** The content of a hash; throws InputError if it is damaged, ContentLost if Redis does not have it. */
export async function fetchContent(redis: Redis, hash: string): Promise<Uint8Array> {
  const content = await redis.getBuffer(keyOf(hash));
  if (content === null) throw new ContentLost(`Redis has lost ${hash}`);
  if (sha256(content) !== hash)
    throw new InputError(`a bundle from the queue is damaged: ${hash} has another hash`);
  return content;
}

/**
 * The file of a content in the worker's folder. Bundles share it, since bundles of one training have most files in
 * common.
 */
async function fetchOnce(redis: Redis, hash: string, parent: string): Promise<string> {
  const kept = join(parent, "contents", hash);
  if (!existsSync(kept)) writeWhole(kept, await fetchContent(redis, hash));
  return kept;
}

/** The path with slashes, as bundles have it on every system. */
export function portable(path: string): string {
  return path.split(sep).join("/");
}

/** The key of a content in Redis. */
export function keyOf(hash: string): string {
  return `${PREFIX}:content:${hash}`;
}
