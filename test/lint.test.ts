import { execFile } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";

const root = fileURLToPath(new URL("../", import.meta.url));
const run = promisify(execFile);

/** A file that does what the fences forbid, where they forbid it; gone after the test. */
const CANARIES: Readonly<Record<string, { text: string; rule: string }>> = {
  "src/games/canary/import-agents.ts": {
    text: 'import "../../agents/index.ts";\n',
    rule: "no-restricted-imports",
  },
  "src/agents/canary/import-arena.ts": {
    text: 'import "../../arena/run.ts";\n',
    rule: "no-restricted-imports",
  },
  "src/arena/canary/import-cli.ts": {
    text: 'import "../../cli/command.ts";\n',
    rule: "no-restricted-imports",
  },
  "src/checks/canary/import-arena.ts": {
    text: 'import "../../arena/run.ts";\n',
    rule: "no-restricted-imports",
  },
  "src/checks/canary/import-node.ts": { text: 'import "node:fs";\n', rule: "no-restricted-imports" },
  "src/agents/canary/import-checks.ts": {
    text: 'import "../../checks/check-agent.ts";\n',
    rule: "no-restricted-imports",
  },
  "src/games/canary/math-random.ts": {
    text: "export const x = Math.random();\n",
    rule: "no-restricted-properties",
  },
  "src/training/canary/date-now.ts": {
    text: "export const x = Date.now();\n",
    rule: "no-restricted-properties",
  },
  "src/arena/canary/console.ts": { text: 'console.log("x");\n', rule: "no-console" },
  "src/arena/canary/floating.ts": {
    text: "export function f(): void {\n  Promise.resolve(1);\n}\n",
    rule: "no-floating-promises",
  },
  "src/games/canary/cycle-a.ts": {
    text: 'import { b } from "./cycle-b.ts";\nexport const a = () => b;\n',
    rule: "no-cycle",
  },
  "src/games/canary/cycle-b.ts": {
    text: 'import { a } from "./cycle-a.ts";\nexport const b = () => a;\n',
    rule: "no-cycle",
  },
};

const folders = [...new Set(Object.keys(CANARIES).map((path) => path.slice(0, path.lastIndexOf("/"))))];

beforeAll(() => {
  for (const folder of folders) mkdirSync(root + folder, { recursive: true });
  for (const [path, { text }] of Object.entries(CANARIES)) writeFileSync(root + path, text);
});

afterAll(() => {
  for (const folder of folders) rmSync(root + folder, { recursive: true, force: true });
});

test("the fences bite: each forbidden thing is found where it stands", async () => {
  const linter = fileURLToPath(new URL("../node_modules/.bin/oxlint", import.meta.url));
  const failure = await run(linter, ["--type-aware", "--format=unix", ...folders], { cwd: root }).then(
    () => ({ stdout: "" }),
    (error: { stdout: string }) => error,
  );
  for (const [path, { rule }] of Object.entries(CANARIES)) {
    const found = failure.stdout.split("\n").filter((line) => line.includes(path));
    expect(found.join("\n"), path).toContain(rule);
  }
});
