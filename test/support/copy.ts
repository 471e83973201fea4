import { cpSync, mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./reports.ts";
import { temporaryFolder } from "./agon.ts";

/** A copy of the built program in a folder, `without` some packages, with parts that are `also` needed; the folder. */
export function copyOfAgon({
  without = [],
  also = [],
  dir = temporaryFolder(),
}: { without?: readonly string[]; also?: readonly string[]; dir?: string } = {}): string {
  for (const part of ["dist", "package.json", ...also])
    cpSync(join(ROOT, part), join(dir, part), { recursive: true });
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
