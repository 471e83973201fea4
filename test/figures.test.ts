import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { agon, temporaryFolder } from "./support/agon.ts";
import { everyFew } from "./support/thorough.ts";
import { readXml } from "./support/xml.ts";

const root = fileURLToPath(new URL("../", import.meta.url));
const page = readFileSync(join(root, "docs/search-trees.md"), "utf8");
const FIGURES = [...page.matchAll(/\]\(figures\/(\S+)\)\\\s+`npx agon (.*)`\n/g)].map(
  ([, file, command]) => [file!, command!] as const,
);

test("every figure is on the page, and every picture of the page is a figure", () => {
  const files = readdirSync(join(root, "docs/figures")).filter((name) => name.endsWith(".svg"));
  expect(FIGURES.map(([file]) => file).toSorted()).toEqual(files.toSorted());
  expect(page.match(/!\[/g)).toHaveLength(files.length);
});

test.each(everyFew(FIGURES, 6))("%s is what its command draws", async (file, command) => {
  const drawn = join(temporaryFolder(), file);
  const { code, stderr } = await agon([...command.split(" "), "--svg", drawn], { cwd: root });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const text = readFileSync(drawn, "utf8");
  expect(readFileSync(join(root, "docs/figures", file), "utf8")).toBe(text);
  expect(readXml(text).name).toBe("svg");
});
