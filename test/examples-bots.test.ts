import { execFileSync } from "node:child_process";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect } from "vitest";
import type { Report } from "../src/ratings/report.ts";
import { agon, temporaryFolder, writeInto } from "./support/agon.ts";
import { engineTest } from "./support/engines.ts";
import { slow, slowTest } from "./support/thorough.ts";

const bots = fileURLToPath(new URL("../examples/bots", import.meta.url));

/** Plays the config of a bot in a copy of its folder, and verifies it. The scores of its entrants. */
async function play(config: string, prepare: (dir: string) => void = () => {}) {
  const dir = temporaryFolder();
  cpSync(bots, dir, { recursive: true });
  prepare(dir);
  const path = join(dir, config);
  writeFileSync(path, readFileSync(path, "utf8").replace("blocks: 10", "blocks: 3"));
  const args = ["run", path, "--out", join(dir, "run"), "--workers", "1", "--json", "--quiet"];
  const { code, stdout, stderr } = await agon(args);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const { entrants } = JSON.parse(stdout) as Report;
  expect(entrants.map(({ forfeits }) => forfeits)).toEqual([0, 0, 0]);
  expect((await agon(["verify", join(dir, "run")])).stdout).toContain("18 of 18 games verified, 0 differ");
  return Object.fromEntries(entrants.map(({ name, score }) => [name, score]));
}

describe("the bots in examples", () => {
  slowTest("JavaScript: captures plays the same games again, and is no better than a search", async () => {
    const { captures, "alpha-beta": search } = await play("javascript.yaml");
    expect(captures!).toBeLessThan(search!);
  });

  slowTest("JavaScript: blind plays by its view, better than at random", async () => {
    const { blind, random } = await play("blind.yaml");
    expect(blind!).toBeGreaterThan(random!);
  });

  slow(engineTest("python3"))(
    "Python: playouts plays the same games again, better than at random",
    async () => {
      const { playouts, random } = await play("python.yaml");
      expect(playouts!).toBeGreaterThan(random!);
    },
  );

  engineTest("python3")("Python: playouts refuses another game before the first move", async () => {
    const path = writeInto(temporaryFolder(), "other.json", {
      name: "other",
      game: "tic-tac-toe",
      blocks: 1,
      entrants: [
        { name: "bot", agent: "program", command: ["python3", join(bots, "playouts.py")] },
        "random",
      ],
    });
    const { code, stderr } = await agon(["run", path]);
    expect(code).toBe(2);
    expect(stderr).toContain("it knows connect four alone");
  });

  slow(engineTest("cc"))("C: threes plays the same games again, better than at random", async () => {
    const { threes, random } = await play("c.yaml", (dir) => {
      const source = join(dir, "threes.c");
      execFileSync("cc", ["-O2", "-Wall", "-Wextra", "-Werror", "-o", join(dir, "threes"), source]);
    });
    expect(threes!).toBeGreaterThan(random!);
  });
});
