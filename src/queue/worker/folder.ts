import { mkdtempSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { InputError } from "../../base/errors.ts";
import { isAbandoned, lockFolder } from "../../specs/files/lock.ts";

/** The prefix of the folders of workers. */
const NAME = "agon-worker-";

/** Makes a folder for this worker, and removes those of workers that were killed. Its path has no links. Throws InputError. */
export function makeFolder(): string {
  try {
    const parent = realpathSync(tmpdir());
    removeAbandoned(parent);
    const dir = mkdtempSync(join(parent, NAME));
    lockFolder(dir);
    return dir;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new InputError(
      `takes no folder for what a worker needs (${code ?? message}); TMPDIR can name another place`,
      tmpdir(),
    );
  }
}

function removeAbandoned(parent: string): void {
  for (const name of readdirSync(parent)) {
    const dir = join(parent, name);
    if (!name.startsWith(NAME) || !isAbandoned(dir)) continue;
    try {
      rmSync(dir, { recursive: true, force: true });
    } catch {
      // The folder belongs to another user.
    }
  }
}
