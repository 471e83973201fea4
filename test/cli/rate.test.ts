import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { agon, temporaryFolder, writeInto } from "../support/agon.ts";
import { slowTest } from "../support/thorough.ts";

test("rates files of results as it rates runs", async () => {
  const path = join(temporaryFolder(), "games.csv");
  const lines = Array.from({ length: 20 }, (_, at) => `A,B,${at % 4 === 0 ? "1/2-1/2" : "1-0"}\nB,A,1-0\n`);
  writeFileSync(path, `white,black,result\nA,B,*\n${lines.join("")}`);
  const { code, stdout } = await agon(["rate", path, "--anchor", "B=1000"]);
  expect(code).toBe(0);
  expect(stdout).toContain("games.csv: 40 games\n");
  // A scores 17.5 of 20 with White and 0 of 20 with Black: 43.75%, or -43.7 Elo.
  expect(stdout).toMatch(/^2 +A +956 +\d+ +40 +43\.8 +15 +5 +20$/m);
  expect(stdout).toContain("! left out: 1 unfinished game");
});

slowTest("a file may begin with a hyphen, behind --, and - is standard input", async () => {
  const dir = temporaryFolder();
  const text = "white,black,result\na,b,1-0\nb,a,1/2-1/2\n";
  writeInto(dir, "-mine.csv", text);
  const named = await agon(["rate", "--format", "csv", "--", "-mine.csv"], { cwd: dir });
  const piped = await agon(["rate", "-", "--format", "csv"], { input: text });
  expect([named.code, named.stdout]).toEqual([0, piped.stdout]);
  expect(named.stdout).toMatch(/\n1,a,/);
  expect(named.stderr).toContain("Warning: fewer than 10 blocks");
});

test("a file of another kind is told as one", async () => {
  const { code, stderr } = await agon(["rate", writeInto(temporaryFolder(), "games.txt", "")]);
  expect(code).toBe(2);
  expect(stderr).toMatch(
    /games\.txt: is no file of results; allowed: folders of runs alone, or files alone: \.pgn/,
  );
});

test("names what is wrong with a source", async () => {
  const dir = temporaryFolder();
  const path = join(dir, "wrong.csv");
  writeFileSync(path, "white,black,result\nA,B,x\n");
  expect(await agon(["rate", path])).toEqual({
    code: 2,
    stdout: "",
    stderr: `${path}: line 2: result is "x"; allowed: 1-0, 0-1, 1/2-1/2, *\n`,
  });
  expect((await agon(["rate", path, dir])).stderr).toContain(
    "allowed: folders of runs alone, or files alone: .pgn, .csv and .tsv",
  );
  expect((await agon(["rate", join(dir, "none.pgn")])).stderr).toContain("cannot be read");
});
