import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { agon, startAgon, temporaryFolder } from "../support/agon.ts";
import { slowTest } from "../support/thorough.ts";

describe("agon tables", () => {
  slowTest("solves classes and those that they lead to; again it has nothing to do", async () => {
    const out = join(temporaryFolder(), "pawn.agon");
    const first = await agon(["tables", "chess", "KPK", "--out", out, "--quiet"]);
    expect(first).toMatchObject({ code: 0, stderr: "" });
    expect(first.stdout).toMatch(/^class +wins +draws +losses +longest +bytes$/m);
    expect(first.stdout).toMatch(/^KPK +62480 +54383 +48802 +56 +\d+$/m);
    const again = await agon(["tables", "chess", "KPK", "--out", out, "--json"]);
    expect(again).toMatchObject({ code: 0, stderr: "" });
    const { tables } = JSON.parse(again.stdout) as { tables: { name: string }[] };
    expect(tables.map(({ name }) => name).toSorted()).toEqual(["KBK", "KK", "KNK", "KPK", "KQK", "KRK"]);
  });

  slowTest("keeps the classes that are solved when it is stopped, and goes on from there", async () => {
    const out = join(temporaryFolder(), "knight.agon");
    const running = startAgon(["tables", "chess", "KBNK", "--out", out]);
    // The smaller classes come first; bishop and knight take many seconds.
    await vi.waitUntil(() => existsSync(out) && readFileSync(out, "latin1").includes('"name":"KBK"'), 60_000);
    running.child.kill("SIGINT");
    const { code, stdout, stderr } = await running.outcome;
    expect({ code, stderr }).toMatchObject({ code: 130 });
    expect(stderr).toMatch(/Stopping; the classes that are solved are kept\./);
    expect(stdout).toMatch(/^KBK /m);
    expect(stdout).not.toMatch(/^KBNK /m);
    const again = await agon(["tables", "chess", "KBK", "--out", out, "--quiet"]);
    expect(again).toMatchObject({ code: 0, stderr: "" });
  });

  slowTest("solves a small game", async () => {
    const out = join(temporaryFolder(), "nim.agon");
    const { code, stdout } = await agon(["tables", "nim:piles=[1,2]", "--out", out, "--quiet"]);
    expect(code).toBe(0);
    // All piles, and who moves, but for the empty ones: 5 positions, all but one and one won.
    expect(stdout).toMatch(/^all positions +\d+ +0 +\d+ +\d+ +\d+$/m);
  });

  test.each([
    ["chess without a class", ["chess"], /name the endgames of chess: .*such as KQK/],
    ["a wrong class", ["chess", "KXK"], /"KXK" names no endgame; allowed/],
    ["a game of dice", ["pig"], /pig has chance; tables are for two players/],
    ["classes of a game without", ["nim", "KQK"], /nim numbers no endgames/],
    ["too large a game", ["connect-four", "--most", "1000"], /more than 1000 positions/],
  ])("%s is refused, no file is left", async (_, args, message) => {
    const out = join(temporaryFolder(), "none.agon");
    const { code, stderr } = await agon(["tables", ...args, "--out", out, "--quiet"]);
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
    expect(existsSync(out)).toBe(false);
  });
});
