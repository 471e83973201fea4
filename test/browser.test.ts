import { readdirSync } from "node:fs";
import { isBuiltin } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createContext, runInContext } from "node:vm";
import { rolldown } from "rolldown";
import { expect, test } from "vitest";
import { playShortGame } from "./support/short-game.ts";

/** The rooms that run in a browser. */
const ROOMS = ["base", "games", "evaluators", "agents", "ratings"];

const root = fileURLToPath(new URL("../", import.meta.url));

/** All modules of the rooms and the short game, in one script that sets the global `shortGame`. */
async function bundle(): Promise<{ code: string; builtins: string[] }> {
  const modules = ROOMS.flatMap((room) =>
    readdirSync(join(root, "src", room), { recursive: true, encoding: "utf8" })
      .map((file) => `${room}/${file}`)
      .filter((file) => file.endsWith(".ts")),
  );
  const entry = [
    ...modules.map((file) => `import ${JSON.stringify(join(root, "src", file))};`),
    `export { playShortGame } from ${JSON.stringify(join(root, "test/support/short-game.ts"))};`,
  ].join("\n");
  const builtins: string[] = [];
  const build = await rolldown({
    input: "entry",
    platform: "browser",
    // Nothing is left out, used or not.
    treeshake: false,
    plugins: [
      {
        name: "entry",
        resolveId(id, importer) {
          if (id === "entry") return "\0entry";
          // seedrandom asks for `crypto` only where it is not given a seed; its package says that browsers do without.
          if (isBuiltin(id) && !(id === "crypto" && importer?.includes("/seedrandom/"))) builtins.push(id);
          return null;
        },
        load: (id) => (id === "\0entry" ? entry : null),
      },
    ],
  });
  try {
    const { output } = await build.generate({ format: "iife", name: "shortGame" });
    expect(output).toHaveLength(1);
    expect(output[0].imports).toEqual([]);
    return { code: output[0].code, builtins };
  } finally {
    await build.close();
  }
}

test("base, games, evaluators, agents and ratings run where there is no Node, and play the same game", async () => {
  const { code, builtins } = await bundle();
  expect(builtins).toEqual([]);
  expect(code).not.toMatch(/\brequire\(["']|["']node:/);
  // A context has JavaScript and WebAssembly, and nothing else: no process, no require, no console.
  const context = createContext({});
  expect(runInContext("typeof process + typeof require + typeof Buffer", context)).toBe(
    "undefinedundefinedundefined",
  );
  const played: unknown = await runInContext(`${code}\nshortGame.playShortGame();`, context);
  const expected = await playShortGame();
  // Objects of another context have other prototypes.
  expect(JSON.parse(JSON.stringify(played))).toEqual(JSON.parse(JSON.stringify(expected)));
  expect(expected.moves.length).toBeGreaterThan(7);
}, 60_000);
