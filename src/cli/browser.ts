import { spawn } from "node:child_process";
import process from "node:process";
import { note } from "./command.ts";

/** The program that opens what its argument names, by system. */
const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ["open"],
  win32: ["cmd", "/c", "start", ""],
};

/** Shows a file or an address in the user's browser; where there is none, says so and goes on. */
export function openInBrowser(target: string): void {
  const [program, ...before] = OPENERS[process.platform] ?? ["xdg-open"];
  const child = spawn(program, [...before, target], { stdio: "ignore", detached: true });
  child.on("error", () => note(`No browser could be started; open ${target} yourself.`));
  child.unref();
}
