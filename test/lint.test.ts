import { execFile } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect } from "vitest";
import { readRooms } from "./support/rooms.ts";
import { slowTest } from "./support/thorough.ts";

const root = fileURLToPath(new URL("../", import.meta.url));
const run = promisify(execFile);

/** A file that does what a rule forbids, where the rule forbids it. The test removes it at its end. */
interface Canary {
  readonly path: string;
  readonly text: string;
  readonly rule: string;
}

const rooms = readRooms();
const withoutNode = rooms.filter(({ node }) => !node);
const withoutProcess = rooms.filter(({ name }) => name !== "cli");

/** The path of a file in the room `other`, from a canary in `room`. */
function pathTo(room: string, other: string): string {
  return relative(`src/${room}/canary`, `src/${other}/any.ts`);
}

/** A canary named `name` in `room` that imports `from`. */
function importing(room: string, name: string, from: string): Canary {
  return {
    path: `src/${room}/canary/import-${name}.ts`,
    text: `import "${from}";\n`,
    rule: "no-restricted-imports",
  };
}

const CANARIES: readonly Canary[] = [
  ...rooms.flatMap(({ name, imports }) =>
    rooms
      .filter((other) => other.name !== name && !imports.includes(other.name))
      .map((other) => importing(name, other.name.replace("/", "-"), pathTo(name, other.name))),
  ),
  ...rooms.map(({ name }) => importing(name, "package", "agon-arena")),
  ...withoutNode.map(({ name }) => importing(name, "node-fs", "node:fs")),
  ...withoutNode.map(({ name }) => importing(name, "node-promises", "node:fs/promises")),
  ...withoutProcess.map(({ name }) => importing(name, "node-process", "node:process")),
  ...withoutProcess.map(({ name }) => importing(name, "yargs", "yargs")),
  ...withoutProcess.map(({ name }) => importing(name, "yargs-helpers", "yargs/helpers")),
  ...withoutProcess.flatMap(({ name }) => [
    { path: `src/${name}/canary/console.ts`, text: 'console.log("x");\n', rule: "no-console" },
    {
      path: `src/${name}/canary/process.ts`,
      text: "export const x = process.pid;\n",
      rule: "no-restricted-globals",
    },
    {
      path: `src/${name}/canary/math-random.ts`,
      text: "export const x = Math.random();\n",
      rule: "no-restricted-properties",
    },
    {
      path: `src/${name}/canary/date-now.ts`,
      text: "export const x = Date.now();\n",
      rule: "no-restricted-properties",
    },
  ]),
  { path: "src/base/canary/bare-fs.ts", text: 'import "fs";\n', rule: "prefer-node-protocol" },
  {
    path: "src/arena/canary/floating.ts",
    text: "export function f(): void {\n  Promise.resolve(1);\n}\n",
    rule: "no-floating-promises",
  },
  {
    path: "src/games/canary/cycle-a.ts",
    text: 'import { b } from "./cycle-b.ts";\nexport const a = () => b;\n',
    rule: "no-cycle",
  },
  {
    path: "src/games/canary/cycle-b.ts",
    text: 'import { a } from "./cycle-a.ts";\nexport const b = () => a;\n',
    rule: "no-cycle",
  },
];

const folders = rooms.map(({ name }) => `src/${name}/canary`);

beforeAll(() => {
  for (const folder of folders) mkdirSync(root + folder, { recursive: true });
  for (const { path, text } of CANARIES) writeFileSync(root + path, text);
});

afterAll(() => {
  for (const folder of folders) rmSync(root + folder, { recursive: true, force: true });
});

slowTest("the linter finds every forbidden thing where it stands", async () => {
  const linter = fileURLToPath(new URL("../node_modules/.bin/oxlint", import.meta.url));
  const failure = await run(linter, ["--type-aware", "--format=unix", ...folders], {
    cwd: root,
    maxBuffer: 10_000_000,
  }).then(
    () => ({ stdout: "" }),
    (error: { stdout: string }) => error,
  );
  const lines = failure.stdout.split("\n");
  const missed = CANARIES.filter(
    ({ path, rule }) => !lines.some((line) => line.includes(`${path}:`) && line.includes(rule)),
  );
  expect(missed).toEqual([]);
});
