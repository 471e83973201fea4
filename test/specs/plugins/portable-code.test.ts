import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { PortableCode } from "../../../src/specs/plugins/portable-code.ts";
import { temporaryFolder, writeInto } from "../../support/agon.ts";
import { ROOT } from "../../support/reports.ts";
import { slowTest } from "../../support/thorough.ts";

type Modules = Record<string, [Record<string, string>, (...args: unknown[]) => void]>;

/** The modules that a script defines, and those that were run: a plain CommonJS. */
function run(script: string, key: string): Record<string, unknown> {
  const self: { agonModules?: Modules } = {};
  runInNewContext(script, { self });
  const made = new Map<string, { exports: Record<string, unknown> }>();
  const load = (one: string): Record<string, unknown> => {
    const known = made.get(one);
    if (known !== undefined) return known.exports;
    const module = { exports: {} };
    made.set(one, module);
    const [imports, define] = self.agonModules![one]!;
    define(
      module.exports,
      (name: string) => (name === "agon-arena" ? { z: "agon's z" } : load(imports[name]!)),
      module,
    );
    return module.exports;
  };
  return load(key);
}

test("files run without a disk, with all that they import, whatever their names are", async () => {
  const dir = temporaryFolder();
  mkdirSync(join(dir, "deep"));
  const main = writeInto(
    dir,
    `ma"in <script>\u2028.ts`,
    `#!/usr/bin/env node
import { z, type Game } from "agon-arena"; // a remark
import { twice } from "./deep/twice.js";
import data from "./d\u00e4ta.json";
const plain = require('./deep/plain.cjs');
export const game: unknown = { z, six: twice(data.three), plain, own: import.meta.url } satisfies object;
`,
  );
  writeInto(dir, "d\u00e4ta.json", { three: 3 });
  writeInto(
    join(dir, "deep"),
    "twice.ts",
    "import './circle';\nexport const twice = (x: number) => 2 * x;\n",
  );
  writeInto(
    join(dir, "deep"),
    "circle.ts",
    "import { twice } from './twice.ts';\nexport const four = () => twice(2);\n",
  );
  writeInto(join(dir, "deep"), "plain.cjs", "module.exports = 'plain';\n");
  const code = new PortableCode();
  const key = await code.add(main);
  expect(key).toBe(`0/ma"in <script>\u2028.ts`);
  expect(await code.add(main)).toBe(key);
  const script = code.script!;
  expect(script).not.toContain(dir);
  expect(script).not.toContain("remark");
  const { game } = run(script, key) as { game: Record<string, unknown> };
  expect(game).toMatchObject({ z: "agon's z", six: 6, plain: "plain" });
  expect(game["own"]).toMatch(/^file:\/\/\/0\//);
});

slowTest("the examples are portable", async () => {
  const code = new PortableCode();
  for (const file of ["kalah/kalah.ts", "twenty-one/counter.ts", "twenty-one/twenty-one.ts"])
    await code.add(join(ROOT, "examples", file));
  expect(code.script).toContain(`"1/counter.ts":[{},function`);
});

test.each([
  [
    "a module of Node",
    'import fs from "node:fs"; fs.x();',
    'main.ts: imports "node:fs"; in a page, code may import',
  ],
  ["a package", 'export { x } from "left-pad";', 'main.ts: imports "left-pad"; in a page'],
  ["an absolute path", 'import "/etc/passwd";', 'main.ts: imports "/etc/passwd"; in a page'],
  ["a file that is not there", 'import "./none.ts";', 'main.ts: imports "./none.ts", which is not there'],
  ["a file that is too large", 'import "./large.ts";', "large.ts: has more than 2 MB, too much for a page"],
  ["what a file imports", 'import "./other.ts";', 'other.ts: imports "yaml"; in a page'],
  [
    "an import while it runs",
    'export const x = () => import("./other.ts");',
    "main.ts: imports while it runs",
  ],
  ["a wait at the top", "export const x = await 1;", "main.ts: cannot run in a page: await is only valid"],
  ["a fault in JSON", 'import "./fault.json";', "fault.json: is no JSON: "],
  ["a fault", "export const x = ;", "main.ts: cannot be read: Unexpected token, at line 1"],
])("%s is refused, and nothing of it stays", async (_, source, message) => {
  const dir = temporaryFolder();
  const main = writeInto(dir, "main.ts", source);
  writeInto(dir, "other.ts", 'import "yaml";\n');
  writeInto(dir, "fault.json", "{");
  writeInto(dir, "large.ts", "//".padEnd(2_000_001));
  const code = new PortableCode();
  await expect(code.add(main)).rejects.toThrow(message);
  expect(code.script).toBeUndefined();
});
