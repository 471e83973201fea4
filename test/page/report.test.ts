import { join } from "node:path";
import { fileURLToPath } from "node:url";
import axe from "axe-core";
import type { Browser } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { agon, temporaryFolder, writeInto } from "../support/agon.ts";
import { hasBrowser, openPage, startBrowser } from "../support/browser.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** The part of axe that is used. */
interface Axe {
  run(): Promise<{ violations: { id: string; nodes: { target: string; html: string }[] }[] }>;
}

let browser: Browser;
beforeAll(async () => {
  if (hasBrowser) browser = await startBrowser();
  return () => browser?.close();
});

/** A finished run and its report. */
async function reported(config: object): Promise<{ dir: string; file: string }> {
  const dir = temporaryFolder();
  const out = join(dir, "run");
  const run = await agon(["run", writeInto(dir, "t.json", config), "--out", out, "--workers", "1", "-q"], {
    cwd: root,
  });
  expect(run).toMatchObject({ code: 0 });
  const report = await agon(["report", out]);
  expect(report).toMatchObject({ code: 0, stdout: "" });
  expect(report.stderr).toMatch(/^Written to .*run\/report\.html, \d+\.\d MB; it opens in any browser\.\n$/);
  return { dir, file: join(out, "report.html") };
}

const small = {
  name: "small",
  game: "tic-tac-toe",
  blocks: 4,
  openings: { randomPlies: 1 },
  entrants: ["random", "alpha-beta:depth=3", "mcts:simulations=50"],
};

describe.runIf(hasBrowser)("the report in a browser", () => {
  test("every view shows what is stored; nothing goes wrong, nothing is loaded, nobody is shut out", async () => {
    const { file } = await reported(small);
    const places = ["", "#/run/origins", "#/run/games", "#/run/play"];
    for (const place of places) {
      for (const dark of [false, true]) {
        const { page, wrong } = await openPage(browser, file, { place, dark, width: dark ? 320 : 1280 });
        await page.evaluate(axe.source);
        const violations = await page.evaluate(async () => {
          const { axe: checker } = globalThis as unknown as { axe: Axe };
          const found = (await checker.run()).violations;
          return found.flatMap(({ id, nodes }) =>
            nodes.map(({ target, html }) => `${id}: ${target} ${html}`),
          );
        });
        expect({ place, dark, violations }).toEqual({ place, dark, violations: [] });
        const overflow = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
        expect({ place, overflow }).toEqual({ place, overflow: 0 });
        expect({ place, wrong }).toEqual({ place, wrong: [] });
      }
    }
  });
});
