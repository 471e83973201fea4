import { cpSync, mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./reports.ts";
import { temporaryFolder } from "./agon.ts";

/** A copy of the built program in a folder of its own, `without` some packages; the folder. */
export function copyOfAgon({ without = [] }: { without?: readonly string[] } = {}): string {
  const dir = temporaryFolder();
  for (const part of ["dist", "package.json"]) cpSync(join(ROOT, part), join(dir, part), { recursive: true });
  mkdirSync(join(dir, "node_modules"));
  for (const name of readdirSync(join(ROOT, "node_modules"))) {
    if (without.includes(name)) continue;
    symlinkSync(join(ROOT, "node_modules", name), join(dir, "node_modules", name));
  }
  return dir;
}

/** The program that the command line of a copy runs. */
export function mainOf(copy: string): string {
  return join(copy, "dist/cli/main.js");
}
