import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { agon, temporaryFolder } from "../../support/agon.ts";
import { violationsIn } from "../../support/page/inspect-page.ts";
import { hasBrowserForAll, openPage } from "../../support/page/browser.ts";

const textbook = fileURLToPath(new URL("../../../configs/tournaments/textbook/", import.meta.url));

const PLAIN = "deepening=false,ordering=none,table=0";

/** The text at each cut branch of the published trees: the value that MAX or MIN has, and the value that comes up. */
const CUTS = [
  [
    "t02-binary-depth-4.yaml",
    4,
    [
      "3 here, MAX already has 7",
      "8 here, MIN already has 7",
      "1 here, MAX already has 7",
      "9 here, MIN already has 8",
    ],
  ],
  ["t03-cut-after-ten.yaml", 2, ["10 here, MAX already has 20"]],
] as const;

describe.runIf(hasBrowserForAll)("a search step by step", () => {
  test.each(CUTS)(
    "%s: the published cut-offs come up, and values only when they are known",
    async (file, depth, cuts) => {
      const out = join(temporaryFolder(), "tree.html");
      const made = await agon([
        "tree",
        join(textbook, file),
        "--agent",
        `alpha-beta:depth=${depth},${PLAIN}`,
        "--html",
        out,
      ]);
      expect(made).toEqual({ code: 0, stdout: `${out}\n`, stderr: "" });
      const { page, wrong } = await openPage(out);
      const said: string[] = [];
      const valuesAt: number[] = [];
      const steps = Number(await page.getAttribute("input[type=range]", "max")) + 1;
      for (let step = 0; step < steps; step++) {
        await page.waitForSelector(`[data-step="${step}"]`);
        said.push(await page.innerText("[data-step]"));
        valuesAt.push(await page.locator(".node:not(.ahead) .value:not(:empty)").count());
        await page.keyboard.press("ArrowRight");
      }
      const found = said
        .filter((text) => text.includes("cut"))
        .map((text) => / (?:worth|have) (-?\d+ here, M\w+ already has -?\d+)/.exec(text)?.[1]);
      expect(found).toEqual(cuts);
      expect(valuesAt[0]).toBe(0);
      expect(valuesAt.at(-1)).toBe(await page.locator(".node").count());
      expect(await page.locator(".ahead").count()).toBe(0);
      await page.keyboard.press("Home");
      await page.waitForSelector('[data-step="0"]');
      expect(await page.locator(".node:not(.ahead)").count()).toBe(1);
      expect(await violationsIn(page)).toEqual([]);
      expect(wrong).toEqual([]);
    },
  );

  test("a wide drawing scrolls to the node of each step", async () => {
    const out = join(temporaryFolder(), "tree.html");
    await agon([
      "tree",
      "tic-tac-toe",
      "--agent",
      "alpha-beta:preset=textbook,depth=3,evaluator=open-lines",
      "--html",
      out,
    ]);
    const { page } = await openPage(out, { width: 900 });
    const drawing = page.getByRole("region", { name: "The search tree" });
    for (let step = 1; step <= 60; step++) {
      await page.keyboard.press("ArrowRight");
      await page.waitForSelector(`[data-step="${step}"]`);
      const [outer, inner] = [await drawing.boundingBox(), await drawing.locator(".current").boundingBox()];
      expect(inner!.x).toBeGreaterThanOrEqual(outer!.x);
      expect(inner!.x + inner!.width).toBeLessThanOrEqual(outer!.x + outer!.width);
    }
    // Made to fit, the whole drawing is in sight, and so is every node.
    await page.getByRole("button", { name: "fit the window" }).click();
    const [outer, inner] = [await drawing.boundingBox(), await drawing.locator("svg").boundingBox()];
    expect(inner!.width).toBeLessThanOrEqual(outer!.width);
    expect(inner!.height).toBeLessThanOrEqual(outer!.height);
    await page.getByRole("button", { name: "fit the window" }).click();
    expect((await drawing.locator("svg").boundingBox())!.width).toBeGreaterThan(outer!.width);
  });
});
