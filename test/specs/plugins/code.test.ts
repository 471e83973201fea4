import { expect, test } from "vitest";
import { planTournament } from "../../../src/arena/plan/config.ts";
import { checkCode, codeFiles, hashCode } from "../../../src/specs/plugins/portable-code.ts";
import { entrantKey, gameKey } from "../../../src/arena/plan/plan.ts";
import { fixture, temporaryFolder, writeInto } from "../../support/agon.ts";
import { slowTest } from "../../support/thorough.ts";

test("code is what stands in a file and in what it imports relatively, in a circle too", () => {
  const dir = temporaryFolder();
  const main = writeInto(dir, "main.ts", 'import { a } from "./helper.ts";\nimport "yaml";\n');
  writeInto(dir, "helper.ts", 'export { b } from "./deep";\nconst main = import("./main.ts");\n');
  writeInto(dir, "deep.js", "export const b = 1;\n");
  const before = hashCode([main])!;
  expect(before).toMatch(/^[0-9a-f]{24}$/);
  const copy = temporaryFolder();
  writeInto(copy, "helper.ts", 'export { b } from "./deep";\nconst main = import("./main.ts");\n');
  writeInto(copy, "deep.js", "export const b = 1;\n");
  const elsewhere = writeInto(copy, "main.ts", 'import { a } from "./helper.ts";\nimport "yaml";\n');
  expect(hashCode([elsewhere])).toBe(before);
  expect(() => checkCode([main], before)).not.toThrow();
  writeInto(dir, "deep.js", "export const b = 2;\n");
  expect(hashCode([main])).not.toBe(before);
  expect(() => checkCode([main], before)).toThrow(/main\.ts, or a file that it imports, has changed since/);
  expect(hashCode([])).toBeUndefined();
});

test("a file may be imported by the name that it has when it is compiled", () => {
  const dir = temporaryFolder();
  const main = writeInto(dir, "main.ts", 'import { a } from "./helper.js";\n');
  const helper = writeInto(dir, "helper.ts", "export const a = 1;\n");
  expect(codeFiles([main])).toEqual([main, helper]);
});

test.each([
  'import { a } from /* a * remark */ "./helper.ts";',
  "import { a } from // a remark\n  './helper.ts';",
  'import"./helper.ts";',
  "const a = import(`./helper.ts`);",
  'const a = await import(/* a remark */ /**/ "./helper.ts");',
  'const half = whole! / 2; import { a } from "./helper.ts";',
])("%s is an import", (code) => {
  const dir = temporaryFolder();
  const helper = writeInto(dir, "helper.ts", "export const a = 1;\n");
  const main = writeInto(dir, "main.ts", code);
  expect(codeFiles([main])).toEqual([main, helper]);
});

slowTest("the user's code is a part of an entrant's identity; what ships has none", async () => {
  const agent = fixture("agents/throws.ts");
  const plan = await planTournament({ name: "n", game: "nim", blocks: 1, entrants: ["random", { agent }] });
  const [ours, theirs] = plan.entrants;
  expect(ours!.code).toBeUndefined();
  expect(theirs!.code).toBe(hashCode([agent]));
  expect(entrantKey(theirs!)).not.toBe(entrantKey({ ...theirs!, code: "changed" }));
  expect(plan.gameCode).toBeUndefined();
  expect(gameKey(plan)).not.toBe(gameKey({ ...plan, gameCode: "changed" }));
});
