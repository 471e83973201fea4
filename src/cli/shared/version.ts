import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { cpus } from "node:os";
import process from "node:process";
import { fileURLToPath } from "node:url";
import type { Played } from "../../ratings/format-results.ts";

const root = new URL("../../../", import.meta.url);

/** The version of this program. */
export const { version } = JSON.parse(readFileSync(new URL("package.json", root), "utf8")) as {
  version: string;
};

/** The program, the machine, the time and the command of the games that are played now. */
export function sittingNow(): Played {
  const commit = commitOfClone();
  return {
    agon: version,
    ...(commit !== undefined && { commit }),
    node: process.version,
    processor: cpus()[0]?.model ?? process.arch,
    begun: new Date().toISOString(),
    // The address of a queue may have a password.
    command: process.argv
      .slice(2)
      .join(" ")
      .replace(/:\/\/[^/@ ]*@/g, "://"),
  };
}

/** The commit of the clone that this program is; undefined in a package. */
function commitOfClone(): string | undefined {
  if (!existsSync(new URL(".git", root))) return undefined;
  try {
    return execFileSync("git", ["rev-parse", "HEAD"], {
      cwd: fileURLToPath(root),
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    }).trim();
  } catch {
    return undefined;
  }
}
