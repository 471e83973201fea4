import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { readJson } from "../src/specs/files/documents.ts";

const root = fileURLToPath(new URL("../", import.meta.url));
const page = readFileSync(`${root}test/fixtures/README.md`, "utf8");

/** The rows of the list: file, what it is, source and licence. */
const rows = page
  .split("\n")
  .filter((line) => line.startsWith("| `"))
  .map((line) => line.split("|").map((cell) => cell.trim()))
  .map(([, file = "", what = "", source = "", licence = ""]) => ({
    file: file.replaceAll("`", ""),
    what,
    source,
    licence,
  }));

/** The files in a folder, below it too. */
function filesIn(folder: string): string[] {
  return readdirSync(`${root}${folder}`, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes("__pycache__"))
    .map(({ parentPath, name }) => `${parentPath}/${name}`.slice(`${root}${folder}/`.length))
    .toSorted();
}

test("the list of fixtures has every file, with its source and licence", () => {
  expect(rows.map(({ file }) => file).toSorted()).toEqual(filesIn("test/fixtures"));
  for (const { file, what, source, licence } of rows) {
    expect({ file, what }).toEqual({ file, what: expect.stringMatching(/\w/) });
    expect(licence).toMatch(/^(MIT|facts|output of a program: facts)$/);
    // Code is the project's own; data that is not has a source.
    expect(licence === "MIT").toBe(/\.(ts|mjs|py|c|md)$/.test(file));
    if (file !== "README.md") expect(source).toMatch(/\w/);
  }
});

test("the list says how many games, positions and lines there are", () => {
  const linesOf = (file: string) =>
    readFileSync(`${root}test/fixtures/${file}`, "utf8").trim().split("\n").length;
  const data = rows.filter(({ file }) => /\.(jsonl|epd|txt)$/.test(file));
  expect(data.length).toBeGreaterThan(10);
  for (const { file, what } of data)
    expect([file, what.split(" ")[0]]).toEqual([file, String(linesOf(file))]);
});

test("weights name the config that made them, which is there", () => {
  const weights = filesIn("weights").filter((name) => name.endsWith(".json"));
  expect(weights.length).toBeGreaterThan(5);
  for (const name of weights) {
    const { training, format } = readJson(`${root}weights/${name}`) as {
      format?: string;
      training?: { config: string; seed: string };
    };
    if (format !== "agon-weights") continue;
    expect(filesIn("configs/training")).toContain(`${training!.config}.yaml`);
    expect(training!.seed).toMatch(/\w/);
  }
});
