import { fork, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { basename, dirname, resolve } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { note } from "./command.ts";

/** The program that opens a file or an address, by system. */
const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ["open"],
  win32: ["cmd", "/c", "start", ""],
};

/** Shows a file or an address in the user's browser; if none can be started, a note says so. */
export function openInBrowser(target: string): void {
  const [program, ...before] = OPENERS[process.platform] ?? ["xdg-open"];
  const child = spawn(program, [...before, target], { stdio: "ignore", detached: true });
  child.on("error", () => note(`No browser could be started; open ${target} yourself.`));
  child.unref();
}

const MAIN = fileURLToPath(new URL("../main.js", import.meta.url));

/** The live page of a run. */
export interface OpenedPage {
  /** Ends the server after the open pages have the last data; says how to look at the run from then on. */
  end(): Promise<void>;
}

interface Watched {
  /** The view that is shown first. */
  readonly view: "standings" | "curve";
  /** Takes the page's address, and the command that shows the run later. */
  readonly hint: (text: string) => void;
  /** True if pages get the user's code. */
  readonly withCode: boolean;
}

/**
 * Shows a run or a training in the browser while it goes on: `agon serve` in a process of its own, which takes no time
 * from the games and ends with this process. If it cannot start, a note says so, and the run goes on.
 * @param dir the run's folder; the page lists the folders beside it too
 */
export async function openLivePage(dir: string, { view, hint, withCode }: Watched): Promise<OpenedPage> {
  try {
    return await open(dir, { view, hint, withCode });
  } catch (error) {
    note(`The page cannot be shown: ${(error as Error).message}`);
    return { end: async () => {} };
  }
}

async function open(dir: string, { view, hint, withCode }: Watched): Promise<OpenedPage> {
  const [parent, folder] = [dirname(resolve(dir)), basename(resolve(dir))];
  const child = fork(MAIN, ["serve", parent, ...(withCode ? ["--with-code"] : [])], {
    stdio: ["ignore", "ignore", "pipe", "ipc"],
  });
  const ended = once(child, "exit");
  const server = await addressOf(child);
  const place = encodeURIComponent(view === "curve" ? `training of ${folder}` : folder);
  const address = `${server}#/${place}/${view}`;
  hint(`Watch it at ${address}`);
  openInBrowser(address);
  return {
    end: async () => {
      if (child.connected) child.disconnect();
      await ended;
      hint(
        `The page has ended with it. Look at all runs with:\n  agon serve ${parent} --open${withCode ? " --with-code" : ""}`,
      );
    },
  };
}

/** The server's address; rejects with the server's message if it did not start. */
async function addressOf(child: ChildProcess): Promise<string> {
  let said = "";
  child.stderr!.setEncoding("utf8").on("data", (text: string) => (said += text));
  return new Promise((resolveAddress, reject) => {
    child.once("message", (address) => resolveAddress(address as string));
    child.once("error", reject);
    child.once("close", () => reject(new Error(said.trim())));
  });
}
