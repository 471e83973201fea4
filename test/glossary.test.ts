import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const page = readFileSync(new URL("../docs/glossary.md", import.meta.url), "utf8");
const entries = page.split(/^- /m).slice(1);

test("the glossary has each word once, in order, with a meaning of two lines at most", () => {
  const words = entries.map((entry) => /^\*\*(.+)\*\*: \S/.exec(entry)?.[1] ?? "");
  expect(words.length).toBeGreaterThan(30);
  expect(words).toEqual([...new Set(words)].toSorted());
  for (const entry of entries) expect(entry.trimEnd().split("\n").length, entry).toBeLessThanOrEqual(2);
});
