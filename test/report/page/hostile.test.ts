import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { Store } from "../../../src/arena/store/store.ts";
import { overflowOf, violationsIn } from "../../support/page/inspect-page.ts";
import { hasBrowserForAll, openPage } from "../../support/page/browser.ts";
import { temporaryFolder, writeInto } from "../../support/agon.ts";
import { playedRun, reportWithCode, ROOT, writtenReport } from "../../support/reports.ts";

/** Names that would run, end an element, turn the line around, or push things aside. */
const NAMES = [
  "<script>alert(1)</script>",
  "<img src=x onerror=alert(2)>",
  "</script></style><svg onload=alert(3)>",
  `"quotes' \`and\` &amp; &lt;`,
  "turned \u202Eround",
  "m".repeat(300),
  "\u{1F419}\u{1F1E9}\u{1F1EA}\u{1F469}\u200D\u{1F4BB}",
  "constructor",
  "__proto__",
  "case",
  "CASE",
  "a/b?c=d#e%20",
];

const VIEWS = ["standings", "origins", "games", "games?entrant=__proto__", "play"];

describe.runIf(hasBrowserForAll)("a report made of hostile names", () => {
  test("runs nothing, loads nothing and breaks no layout", async () => {
    const folder = `<img src=x onerror=alert(4)> "'#?%20 \u202E __proto__`.replaceAll("/", "");
    const weights = join(ROOT, "weights/tic-tac-toe/linear.json");
    const dir = await playedRun(
      {
        name: "plain",
        game: "tic-tac-toe",
        blocks: 1,
        entrants: [
          ...NAMES.map((name) => ({ name, agent: "random" })),
          { name: "weights", agent: "greedy", evaluator: weights },
        ],
      },
      { name: folder },
    );
    // A store may hold names that configs do not allow.
    const store = Store.open(dir);
    const plan = store.loadPlan()!;
    const entrants = plan.entrants.map((entrant) =>
      entrant.name === "weights"
        ? { ...entrant, spec: { ...entrant.spec, evaluator: "weights/<img src=x onerror=alert(5)>.json" } }
        : entrant,
    );
    store.savePlan({ ...plan, name: `</title><script>alert(6)</script>${"n".repeat(300)}`, entrants });
    const record = store.records()[0]!;
    const detail = `</pre><script>alert(7)</script>\n${"d".repeat(300)}`;
    store.add([
      { ...record, id: `x"'><script>alert(8)</script>`, ending: "exception", forfeitSeat: 0, detail },
    ]);
    store.close();

    const file = await writtenReport(dir);
    const text = readFileSync(file, "utf8");
    for (const name of NAMES.slice(0, 3)) expect(text).not.toContain(name);
    const run = encodeURIComponent(folder.replace("\u202E", "\\u202e"));
    for (const { width, dark } of [
      { width: 1280, dark: false },
      { width: 320, dark: true },
    ]) {
      for (const view of VIEWS) {
        const { page, wrong } = await openPage(file, { place: `#/${run}/${view}`, width, dark });
        const current = await page.locator("[aria-current=page]").getAttribute("href");
        expect(current).toBe(`#/${run}/${view.split("?")[0]}`);
        const found = { overflow: await overflowOf(page), violations: await violationsIn(page), wrong };
        expect({ view, ...found }).toEqual({ view, overflow: 0, violations: [], wrong: [] });
        await page.close();
      }
    }
  });

  test("names of every kind can be chosen", async () => {
    const dir = await playedRun({
      name: "names",
      game: "tic-tac-toe",
      blocks: 1,
      entrants: NAMES.map((name) => ({ name, agent: "random" })),
    });
    const { page, wrong } = await openPage(await writtenReport(dir), { place: "#/run/standings" });
    const links = page.getByRole("region", { name: "Table of ratings" }).getByRole("link");
    const shown = NAMES.map((name) => name.replace("\u202E", "\\u202e"));
    expect((await links.allTextContents()).toSorted()).toEqual(shown.toSorted());
    for (const name of shown) {
      await page.goto(page.url().replace(/#.*/, "#/run/standings"));
      await links.filter({ hasText: name }).getByText(name, { exact: true }).click();
      await page.getByText(`${2 * (NAMES.length - 1)} games`, { exact: true }).waitFor();
    }
    expect(wrong).toEqual([]);
    rmSync(dir, { recursive: true });
  });

  test("carries hostile code under hostile names: it runs in the thread alone, and plays", async () => {
    const folder = temporaryFolder();
    const name = `<img src=x onerror=alert(1)>"'\`\${alert(2)}\u202E`;
    const source = readFileSync(join(ROOT, "examples/twenty-one/twenty-one.ts"), "utf8");
    const hostile = `</script><script>alert(3)</script><!-- ]]> \u2028 ${"m".repeat(300)}`;
    const text = JSON.stringify(hostile);
    const changed = source
      .replace("`+${step}`", () => `\`+\${step}\` + ${text}`)
      .replace("render: (state) =>", () => `render: (state) => ${text} +`);
    expect(changed).not.toBe(source);
    const game = writeInto(
      folder,
      `${name}.ts`,
      `/* ${hostile} */\n${changed}\nconst __proto__ = ${text};\n`,
    );
    const agent = writeInto(folder, `__proto__.ts`, `export default ${RANDOM_FIRST};`);
    const entrants = ["random", { name: hostile, agent }];
    const dir = await playedRun({ name: "hostile", game, blocks: 1, entrants });
    const file = await reportWithCode(dir);
    expect(readFileSync(file, "utf8")).not.toContain("alert(");
    for (const view of VIEWS) {
      const { page, wrong } = await openPage(file, { place: `#/run/${view}`, width: 320 });
      if (view === "play") {
        await page.locator("[data-action]").first().click();
        await page.locator(".moves li").nth(1).waitFor();
        expect(await page.locator(".moves li").first().textContent()).toBe(`+1${hostile}`);
      }
      const found = { overflow: await overflowOf(page), violations: await violationsIn(page), wrong };
      expect({ view, ...found }).toEqual({ view, overflow: 0, violations: [], wrong: [] });
      await page.close();
    }
  });
});

/** An agent in CommonJS, whose code ends its function, and its script, in texts alone. */
const RANDOM_FIRST = `{
  id: "first", summary: "}]}}; alert(4); /*", options: require("agon-arena").z.strictObject({}), budgets: [],
  unsupported: () => undefined,
  create: ({ game }) => ({
    choose(state) {
      const legal = new Int32Array(game.maxActions);
      state.legalActions(legal, 0);
      return { action: legal[0], nodes: 0, line: [legal[0]] };
    },
  }),
}`;
