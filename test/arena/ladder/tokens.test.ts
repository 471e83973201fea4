import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { issueTokens, namesIn, ownerOf } from "../../../src/arena/ladder/tokens.ts";
import { agon, temporaryFolder, writeInto } from "../../support/agon.ts";

test("each name gets a token once; only its hash is kept", () => {
  const dir = temporaryFolder();
  const issued = issueTokens(dir, ["Zoë", "bob 2"]);
  expect([...issued.keys()]).toEqual(["Zoë", "bob 2"]);
  expect(new Set(issued.values()).size).toBe(2);
  for (const [name, token] of issued) {
    expect(ownerOf(dir, token)).toBe(name);
    expect(readFileSync(join(dir, "tokens.json"), "utf8")).not.toContain(token);
  }
  expect(ownerOf(dir, "")).toBeUndefined();
  expect(ownerOf(dir, `${issued.get("Zoë")!}x`)).toBeUndefined();
  expect([...issueTokens(dir, ["Zoë", "carl"]).keys()]).toEqual(["carl"]);
  expect(ownerOf(dir, issued.get("Zoë")!)).toBe("Zoë");
  for (const name of ["../x", "a@2", "", ".hidden", "a/b", "a.b"])
    expect(() => issueTokens(dir, [name])).toThrow(/is no name of a bot/);
});

test("names are the first column of a CSV file, with a head or without", () => {
  expect(namesIn('\uFEFFName;Group\r\nZoë;1\r\n"bob 2";2\r\n\r\nZoë;3\n')).toEqual(["Zoë", "bob 2"]);
  expect(namesIn("ann\nbob")).toEqual(["ann", "bob"]);
});

test("agon ladder --tokens prints them as CSV", async () => {
  const dir = temporaryFolder();
  const names = writeInto(dir, "names.csv", "name\nann\nbob\n");
  const first = await agon(["ladder", join(dir, "class"), "--tokens", names]);
  expect(first.stdout).toMatch(/^name,token\nann,[\w-]{24}\nbob,[\w-]{24}\n$/);
  const again = await agon(["ladder", join(dir, "class"), "--tokens", names]);
  expect(again).toMatchObject({
    code: 0,
    stdout: "name,token\n",
    stderr: "2 names had a token before, and kept it.\n",
  });
});
