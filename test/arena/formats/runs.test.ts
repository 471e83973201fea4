import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect } from "vitest";
import { agon, startAgon, temporaryFolder } from "../../support/agon.ts";
import { ROUNDS_CONFIG } from "../../support/rounds.ts";
import { countStored, until } from "../../support/servers/queue.ts";
import { storedGames } from "../../support/stored-games.ts";
import { slowTest } from "../../support/thorough.ts";

const FORMATS = {
  gauntlet: { type: "gauntlet", challengers: ["alpha-beta:depth=4", "minimax:depth=1"] },
  swiss: { type: "swiss", rounds: 4 },
  knockout: { type: "knockout", thirdPlace: true },
};
const KINDS: (keyof typeof FORMATS)[] = ["gauntlet", "swiss", "knockout"];

/** Writes a config of seven entrants in one of the formats; returns its path. */
function writeConfig(path: string, format: object): string {
  writeFileSync(path, JSON.stringify({ ...ROUNDS_CONFIG, format, blocks: 40 }));
  return path;
}

/** The results of the format in a report as JSON. */
function formatIn({ stdout }: { readonly stdout: string }): unknown {
  return (JSON.parse(stdout) as { format: unknown }).format;
}

describe.each(KINDS)("a run of a %s", (kind) => {
  slowTest(
    "plays the same games with 1 worker, with 2, and after a kill; all are verified and exported",
    async () => {
      const dir = temporaryFolder();
      const config = writeConfig(join(dir, "config.json"), FORMATS[kind]);
      const [one, two, killed] = ["one", "two", "killed"].map((name) => join(dir, name)) as [
        string,
        string,
        string,
      ];
      const run = ["run", config, "--quiet", "--json"];
      const first = await agon([...run, "--out", one, "--workers", "1"]);
      expect(first).toMatchObject({ code: 0, stderr: "" });
      const expected = storedGames(one);
      expect((await agon([...run, "--out", two, "--workers", "2"])).code).toBe(0);
      expect(storedGames(two)).toEqual(expected);

      const { child, outcome } = startAgon([...run, "--out", killed, "--workers", "2"]);
      await until(() => countStored(killed) > 5);
      child.kill("SIGKILL");
      await outcome;
      expect(formatIn(await agon(["rate", killed, "--json"]))).toMatchObject({ type: kind });
      const changed = { type: "swiss", rounds: kind === "swiss" ? 3 : 4 };
      const other = writeConfig(join(dir, "other.json"), changed);
      const refused = await agon(["run", other, "--quiet", "--out", killed, "--resume"]);
      expect(refused).toMatchObject({ code: 2, stdout: "" });
      expect(refused.stderr).toContain("the run was begun with another config");
      expect((await agon([...run, "--out", killed, "--workers", "2", "--resume"])).code).toBe(0);
      expect(storedGames(killed)).toEqual(expected);

      expect(formatIn(first)).toMatchObject({ type: kind });
      expect(formatIn(await agon(["rate", two, "--json"]))).toEqual(formatIn(first));
      const verified = await agon(["verify", two, "--sample", "100000"]);
      expect(verified.stdout).toContain(`${expected.length} of ${expected.length} games verified, 0 differ`);
      const exported = await agon(["export", two, "--format", "jsonl"]);
      expect(exported.stdout.trim().split("\n")).toHaveLength(expected.length);
    },
  );
});
