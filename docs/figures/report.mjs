/*
 * Makes docs/figures/report.png, the picture at the top of README.md: two views of the report of configs/tournaments/quick.yaml.
 * `npm run figures:report` builds first. It needs Chromium; CHROMIUM names its program [/usr/bin/chromium].
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath, pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const root = fileURLToPath(new URL("../..", import.meta.url));
const out = join(root, "docs/figures/report.png");
const dir = mkdtempSync(join(tmpdir(), "agon-picture-"));
const run = join(dir, "quick");
execFileSync(
  process.execPath,
  ["dist/cli/main.js", "run", "configs/tournaments/quick.yaml", "--out", run, "-q"],
  { cwd: root },
);

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox"],
});
const address = pathToFileURL(join(run, "report.html")).href;

/** A view of the report as a PNG in base64. */
async function view(place, prepare) {
  const page = await browser.newPage({ viewport: { width: 800, height: 560 } });
  await page.goto(`${address}#/quick/${place}`);
  await page.waitForSelector("footer");
  await prepare?.(page);
  await page.waitForTimeout(500);
  const png = await page.screenshot();
  await page.close();
  return png.toString("base64");
}

const standings = await view("standings");
const replay = await view("games?entrant=alpha-beta-5+td&opponent=alpha-beta-5+threats", async (page) => {
  await page.click(".games a");
  await page.waitForSelector(".replay");
  for (let move = 0; move < 9; move++) await page.keyboard.press("ArrowLeft");
});
const both = await browser.newPage({ viewport: { width: 1600, height: 560 } });
const image = (data) => `<img width="800" src="data:image/png;base64,${data}">`;
await both.setContent(`<body style="margin:0;display:flex">${image(standings)}${image(replay)}</body>`);
await both.waitForTimeout(500);
await both.screenshot({ path: out });
await browser.close();
rmSync(dir, { recursive: true });
console.log(`${out}: ${(statSync(out).size / 1000).toFixed(0)} kB`);
