import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { botAt } from "../../specs/bots.ts";

/** The folder, in that of a ladder, with what was found wrong with uploads: `NAME.json` of each bot that was sent. */
export const UPLOADS = "uploads";

/** True for a bot that somebody has sent. */
export function wasSent(bot: string, dir: string): boolean {
  return existsSync(join(dir, UPLOADS, `${bot}.json`));
}

/**
 * The agent that a bot in a ladder's folder is, as configs write it. Each process of a bot is started by this spec: when it is
 * tried at its upload, and when it plays. Throws InputError.
 * @param path of the file or folder, relative to the ladder's folder
 * @param sandbox true if a program is shut in
 */
export function botSpec(
  path: string,
  dir: string,
  { sandbox }: { sandbox: boolean },
): { readonly agent: string } {
  const { name: _, ...spec } = botAt(path, dir);
  if (spec.agent !== "program") return spec;
  // A program may need all files of its folder.
  const program = { ...spec, files: [resolve(dir, path)], ...(sandbox && { sandbox }) };
  return program;
}
