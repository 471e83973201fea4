import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { basename, dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { openInBrowser } from "./browser.ts";
import { note } from "./command.ts";

const MAIN = fileURLToPath(new URL("main.js", import.meta.url));

/** The page of a run that goes on. */
export interface OpenedPage {
  /** Ends the server, once the pages that are open have got the last of it; says where the run can be seen from then on. */
  end(): Promise<void>;
}

/**
 * Shows a run or a training in the browser while it goes on. `agon serve` does so in a process of its own, which takes no
 * time from the games and ends with this one, however that ends. Where it cannot begin, a line says so, and the run goes on.
 * @param dir the run's folder; those beside it are in the list too
 * @param view what is shown first
 * @param hint is told where the page is, and what can be done when it has ended
 */
export async function openLivePage(
  dir: string,
  view: "standings" | "curve",
  hint: (text: string) => void,
): Promise<OpenedPage> {
  try {
    return await open(dir, view, hint);
  } catch (error) {
    note(`The page cannot be shown: ${(error as Error).message}`);
    return { end: async () => {} };
  }
}

async function open(
  dir: string,
  view: "standings" | "curve",
  hint: (text: string) => void,
): Promise<OpenedPage> {
  const [parent, folder] = [dirname(resolve(dir)), basename(resolve(dir))];
  const child = fork(MAIN, ["serve", parent], { stdio: ["ignore", "ignore", "pipe", "ipc"] });
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
      hint(`The page has ended with it. Look at all runs with:\n  agon serve ${parent} --open`);
    },
  };
}

/** Where the server is; rejects with what it said where there is none. */
async function addressOf(child: ChildProcess): Promise<string> {
  let said = "";
  child.stderr!.setEncoding("utf8").on("data", (text: string) => (said += text));
  return new Promise((resolveAddress, reject) => {
    child.once("message", (address) => resolveAddress(address as string));
    child.once("error", reject);
    child.once("close", () => reject(new Error(said.trim())));
  });
}
