import { existsSync } from "node:fs";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { chromium, type Browser, type Page } from "playwright-core";
import { onTestFinished } from "vitest";
import { thorough } from "../thorough.ts";

/** The places where systems have Chromium; CHROMIUM names another one. */
const EXECUTABLES = [
  process.env["CHROMIUM"],
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];
const executable = EXECUTABLES.find((path) => path !== undefined && existsSync(path));

/** True if the page is tested here; with AGON_BROWSER=1 it must be. */
export const hasBrowser = executable !== undefined || process.env["AGON_BROWSER"] === "1";

/** True if the page's long tests run too, which `npm test` leaves to `npm run test:all`. */
export const hasBrowserForAll = hasBrowser && thorough(true, false);

/** Prints once, before all tests, which tests are left out (vitest's `globalSetup`). */
export function setup(): void {
  if (!hasBrowser) process.stderr.write("No Chromium here: the tests of the page are left out.\n");
}

let browser: Promise<Browser> | undefined;

/** The browser that all tests of this process share; it ends with the process. */
async function sharedBrowser(): Promise<Browser> {
  if (executable === undefined)
    throw new Error("AGON_BROWSER=1, but there is no Chromium: install it, or name its path in CHROMIUM");
  // In containers, where tests run as root, Chromium has no sandbox of its own.
  return (browser ??= chromium.launch({ executablePath: executable, args: ["--no-sandbox"] }));
}

/** A page of a file or an address, and what went wrong in it: errors, messages on the console, requests to elsewhere. */
export async function openPage(
  target: string,
  {
    width = 1280,
    dark = false,
    hasTouch = false,
    place = "",
  }: { width?: number; dark?: boolean; hasTouch?: boolean; place?: string } = {},
): Promise<{ page: Page; wrong: string[] }> {
  const page = await (
    await sharedBrowser()
  ).newPage({
    hasTouch,
    viewport: { width, height: 900 },
    colorScheme: dark ? "dark" : "light",
  });
  onTestFinished(() => page.close());
  const wrong: string[] = [];
  const address = target.startsWith("http") ? target : pathToFileURL(target).href;
  page.on("console", (message) => void wrong.push(`console: ${message.text()}`));
  page.on("pageerror", (error) => void wrong.push(`error: ${error.message}`));
  page.on("dialog", (dialog) => {
    wrong.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("request", (request) => {
    const isOwn = request.url().startsWith(address.split("#")[0]!) || /^(blob|data):/.test(request.url());
    if (!isOwn) wrong.push(`request: ${request.url()}`);
  });
  await page.goto(address + place);
  await page.waitForSelector("footer");
  return { page, wrong };
}
