import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { agon } from "../support/agon.ts";
import { tournamentJsonSchema } from "../../src/arena/plan/tournament-schema.ts";
import { slowTest } from "../support/thorough.ts";

describe("the JSON Schema of tournaments", () => {
  const schema = z.fromJSONSchema(tournamentJsonSchema() as Parameters<typeof z.fromJSONSchema>[0]);
  const accepts = (change: object) =>
    schema.safeParse({ name: "a", game: "nim", blocks: 2, entrants: ["random", "greedy"], ...change })
      .success;

  slowTest(
    "is the file that configs name on their first line, and the tables of keys in docs (npm run schema)",
    () => {
      const write = fileURLToPath(new URL("../../schema/write.mjs", import.meta.url));
      const { stderr } = spawnSync(process.execPath, [write, "--check"], { encoding: "utf8" });
      expect(stderr).toBe("");
    },
  );

  slowTest.each(["tournament", "training", "tuning", "ablation"])(
    "agon schema %s prints the file",
    async (kind) => {
      const file = new URL(`../../schema/${kind}.json`, import.meta.url);
      expect(await agon(["schema", kind])).toMatchObject({ code: 0, stdout: readFileSync(file, "utf8") });
      expect(JSON.parse(readFileSync(file, "utf8"))).toHaveProperty("$id", `urn:agon:schema:${kind}`);
    },
  );

  test("knows the options of each game and each agent", () => {
    expect(accepts({})).toBe(true);
    expect(accepts({ game: { id: "nim", piles: [2, 3], misere: true } })).toBe(true);
    expect(accepts({ game: { id: "nim", pils: [2, 3] } })).toBe(false);
    expect([accepts({ game: 2048 }), accepts({ game: { id: 2048, height: 3 } })]).toEqual([true, true]);
    expect([accepts({ game: 2049 }), accepts({ game: { id: 2048, piles: [3] } })]).toEqual([false, false]);
    expect(accepts({ game: "./mine.ts", entrants: ["random", { agent: "./mine.ts", anything: 1 }] })).toBe(
      true,
    );
    expect(
      accepts({ game: { id: "tree", root: { player: 0, actions: [1, { player: 1, actions: { a: 3 } }] } } }),
    ).toBe(true);
    expect(accepts({ entrants: ["random", { agent: "mcts", simulations: 10, exploration: 0.5 }] })).toBe(
      true,
    );
    expect(accepts({ entrants: ["random", { agent: "mcts", depth: 10 }] })).toBe(false);
    expect(accepts({ blockz: 3 })).toBe(false);
  });

  test("knows several games in place of one", () => {
    const changed = {
      game: "connect-four",
      name: "four",
      blocks: 3,
      entrants: { greedy: { evaluator: "threats" } },
    };
    expect(accepts({ game: undefined, games: ["nim", { id: "nim", piles: [2, 3] }, changed] })).toBe(true);
    expect(accepts({ game: undefined, games: [] })).toBe(false);
    expect(accepts({ game: undefined, games: ["nom"] })).toBe(false);
  });
});
