import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { agon, temporaryFolder } from "./support/agon.ts";
import { slowTest } from "./support/thorough.ts";

/*
 * The figures of README and docs/results.md are read from the pages and measured again with the commands of the pages.
 * README's must be the same. Those of results.md must lie in the printed intervals.
 */

const root = fileURLToPath(new URL("../", import.meta.url));
const readme = readFileSync(join(root, "README.md"), "utf8");
const results = readFileSync(join(root, "docs/results.md"), "utf8");

/** Rows of results.md that take more than half a minute, or have a test of their own. */
const NOT_HERE: ReadonlySet<string> = new Set(["1", "4", "6", "7", "8", "12", "14", "15", "19"]);
const TESTED: ReadonlySet<string> = new Set(["14", "15"]);

/** The cells of a line of a table, without spaces around them. */
function cells(line: string): string[] {
  return line.split("|").map((cell) => cell.trim());
}

describe("README", () => {
  slowTest("its first table is what its config plays", async () => {
    const printed = /^#  Entrant.*\n(?:[-\d].+\n)+/m.exec(readme)![0].trim().split("\n");
    expect(printed).toHaveLength(5);
    const out = temporaryFolder();
    const config = "configs/tournaments/quick.yaml";
    const { stdout } = await agon(["run", config, "--quiet", "--out", join(out, "run")], { cwd: root });
    for (const line of printed) expect(stdout.split("\n").map((one) => one.trim())).toContain(line.trim());
  });

  slowTest("its learning curve is what its config learns", async () => {
    const rows = readme.split("\n").filter((line) => /^\| (\d+|perfect) .*\d/.test(line));
    expect(rows).toHaveLength(4);
    const [, command] = /^npx agon (train \S+) --out/m.exec(readme)!;
    const out = temporaryFolder();
    const { stdout } = await agon([...command!.split(" "), "--out", join(out, "run")], { cwd: root });
    const learned = stdout.split("\n").map(cells);
    for (const row of rows) expect(learned).toContainEqual(cells(row));
  });
});

/** A row of results.md: its number, and its figure. */
const ROWS = results
  .split("\n")
  .filter((line) => /^\| \d+ \|/.test(line))
  .map((line) => ({ number: cells(line)[1]!, reached: cells(line)[6]! }));

/** The last command after the number of a row. */
function commandOf(number: string): string {
  return new RegExp(`^# ${number}\\b.*\n((?:n.+\n)+)`, "m").exec(results)![1]!.trim().split("\n").at(-1)!;
}

/** The Elo of the first entrant: over the other one, or over the mean of more. */
async function eloOf(command: string): Promise<number> {
  const [, , ...args] = command.split(" ");
  const { stdout } = await agon([...args, "--json"], { cwd: root });
  const { entrants } = JSON.parse(stdout) as { entrants: { name: string; elo: number }[] };
  const first = entrants.find(({ name }) => name === args[2])!;
  const mean = entrants.reduce((sum, { elo }) => sum + elo, 0) / entrants.length;
  return (first.elo - mean) * (entrants.length === 2 ? 2 : 1);
}

/** The first percentage that a benchmark prints. */
function percentageOf(command: string): number {
  const { stdout } = spawnSync(command, { cwd: root, shell: true, encoding: "utf8" });
  return Number(/([\d.]+)%/.exec(stdout)![1]);
}

describe("docs/results.md", () => {
  test("rows and commands have the same numbers", () => {
    const numbers = [...results.matchAll(/^# (\d+)/gm)].map(([, number]) => number!);
    const withCommand = ROWS.map(({ number }) => number).filter((number) => !TESTED.has(number));
    expect(numbers).toEqual(withCommand);
    expect(ROWS.map(({ number }) => Number(number))).toEqual(ROWS.map((_, at) => at + 1));
  });

  for (const { number, reached } of ROWS) {
    if (NOT_HERE.has(number)) continue;
    slowTest(`row ${number}: ${reached}`, async () => {
      const command = commandOf(number);
      const elo = /^([+-]\d+) Elo \(\+\/- (\d+)\)$/.exec(reached);
      if (elo !== null) {
        expect(Math.abs((await eloOf(command)) - Number(elo[1]))).toBeLessThanOrEqual(Number(elo[2]));
        return;
      }
      const [, percentage, low = percentage, high = percentage] =
        /([\d.]+)%(?:.*\(([\d.]+)% to ([\d.]+)%\))?/.exec(reached)!;
      const measured = percentageOf(command);
      expect(measured).toBeGreaterThanOrEqual(Number(low) - 0.01);
      expect(measured).toBeLessThanOrEqual(Number(high) + 0.01);
    });
  }
});

slowTest("docs/alpha-beta.md has the values and nodes of its config", async () => {
  const page = readFileSync(join(root, "docs/alpha-beta.md"), "utf8");
  const [, command] = /`npx agon (analyze \S+)`/.exec(page)!;
  const { stdout } = await agon([...command!.split(" "), "--json"], { cwd: root });
  const found = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, string | number>);
  const measured = found.map(({ name, value, nodes }) => [
    name,
    Number(value).toFixed(4),
    nodes!.toLocaleString("en"),
  ]);
  const rows = page
    .split("\n")
    .filter((line) => /^\| .*\d \|$/.test(line))
    .map(cells);
  expect(rows.map(([, step, , value, nodes]) => [step, value, nodes])).toEqual(measured);
});
