import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { agon, startAgon, temporaryFolder } from "../support/agon.ts";
import { slowTest } from "../support/thorough.ts";
import { countStored, until } from "../support/servers/queue.ts";
import { storedGames } from "../support/stored-games.ts";

const MATCH = ["match", "tic-tac-toe", "minimax:depth=2", "minimax:depth=1"];

describe("agon match --sprt", () => {
  slowTest("stops by itself, and says what it accepted", async () => {
    const test = "elo0=0,elo1=30,alpha=0.01,beta=0.1,round=20";
    const { code, stdout, stderr } = await agon([...MATCH, "--sprt", test, "--workers", "1"]);
    expect(code).toBe(0);
    expect(stderr).toMatch(/ of 80 to at most 200000 games, .*LLR -?[\d.]+ \(-2\.29 to 4\.50\)/);
    const text = stdout.replaceAll(/\s+/g, " ");
    // One sentence to cite comes first; all else is below.
    expect(text).toMatch(
      /SPRT: accepted H1: the Elo of minimax:depth=2 over minimax:depth=1 is above 0 \(wrong in at most 1% of tests\): [-+]\d+ Elo \(95% interval, valid whenever a test ends: [-+]\d+ to [-+]\d+\)\. What the test decided by, and figures that are not to be cited: LLR \d+\.\d\d of -2\.29 to 4\.50 after \d+ blocks; logistic Elo 0 to 30, alpha 0\.01, beta 0\.1 Ptnml: \d+ \d+ \d+ \d+ \d+ \(for other programs\) Rated, but played too late to decide: 20 blocks, \d+ \d+ \d+ \d+ \d+ As if the number of games had been fixed, which is biased, as are ratings and LOS: Elo difference: [-+]\d+ \+\/- \d+, LOS: /,
    );
    expect(text.match(/Elo difference/g)).toHaveLength(1);
  });

  slowTest("without a decision it says so", async () => {
    const { stdout } = await agon([
      ...MATCH,
      "--sprt",
      "elo0=0,elo1=1",
      "--blocks",
      "10",
      "--workers",
      "1",
      "-q",
    ]);
    expect(stdout).toContain("SPRT: no decision after 10 blocks: ");
    expect(stdout).not.toContain("too late");
  });

  slowTest("goes on with --resume after a kill, to the same games and the same report", async () => {
    const dir = temporaryFolder();
    const agents = ["mcts:simulations=4", "mcts:simulations=3"];
    const match = ["match", "tic-tac-toe", ...agents, "--workers", "1", "-q", "--json"];
    const rule = "elo0=0,elo1=30,model=normalised,round=10";
    const args = (name: string) => [...match, "--sprt", rule, "--out", join(dir, name)];
    const whole = await agon(args("whole"));
    const { child, outcome } = startAgon(args("killed"));
    await until(() => countStored(join(dir, "killed")) > 5);
    child.kill("SIGKILL");
    await outcome;
    expect((await agon(args("killed"))).stderr).toContain("holds a run already");
    const resumed = await agon([...args("killed"), "--resume"]);
    const sprtOf = (json: string) => (JSON.parse(json) as { sprt: object }).sprt;
    expect(sprtOf(resumed.stdout)).toEqual(sprtOf(whole.stdout));
    expect(sprtOf(whole.stdout)).toMatchObject({
      model: "normalised",
      decision: expect.any(String) as unknown,
    });
    expect(storedGames(join(dir, "killed"))).toEqual(storedGames(join(dir, "whole")));
    const rated = await agon(["rate", join(dir, "whole"), "--json"]);
    expect(sprtOf(rated.stdout)).toEqual(sprtOf(whole.stdout));
    const again = await agon([...args("whole"), "--resume"]);
    expect(sprtOf(again.stdout)).toEqual(sprtOf(whole.stdout));
  });

  test.each([
    ["nonsense", /^"nonsense" is not key=value; write --sprt elo0=0,elo1=5,alpha=0\.05,beta=0\.05/],
    ["elo0=0,elo0=2", /^"elo0" is given twice in "elo0=0,elo0=2"/],
    ["elo0=0", /format\.elo1: missing; must be a number/],
    [
      "elo0=0,elo1=5,alfa=0.1",
      /unknown key "alfa" \(did you mean "alpha"\?\); allowed: type, elo0, elo1, alpha, beta, model/,
    ],
    ["elo0=5,elo1=0", /format\.elo1: must be above elo0, which is 5; got 0/],
    ["elo0=0,elo1=5,round=x", /round: must be a whole number, got "x"/],
  ])("--sprt %s is answered with what is allowed", async (text, message) => {
    const { code, stderr } = await agon([...MATCH, "--sprt", text, "--workers", "1"]);
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
  });

  test("--resume needs a folder", async () => {
    const { code, stderr } = await agon([...MATCH, "--resume", "--workers", "1"]);
    expect(code).toBe(2);
    expect(stderr).toContain("--resume goes on with the match in --out DIR: name it");
  });
});
