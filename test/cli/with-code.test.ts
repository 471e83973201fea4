import { join } from "node:path";
import { expect } from "vitest";
import { agon, temporaryFolder, writeInto } from "../support/agon.ts";
import { dataOf } from "../support/page/inspect-page.ts";
import { ROOT } from "../support/reports.ts";
import { slowTest } from "../support/thorough.ts";

slowTest("--with-code puts the user's code into the page, and says what that means", async () => {
  const folder = temporaryFolder();
  const game = join(ROOT, "examples/twenty-one/twenty-one.ts");
  const runOf = async (name: string, config: object, ...args: readonly string[]) => {
    const file = writeInto(folder, `${name}.json`, { name, blocks: 1, ...config });
    const dir = join(folder, name);
    const outcome = await agon(["run", file, "--out", dir, "--workers", "1", "-q", ...args]);
    return { ...outcome, dir, page: join(dir, "report.html") };
  };
  const own = await runOf("own", { game, entrants: ["random", "mcts:simulations=3"] }, "--with-code");
  expect(own).toMatchObject({
    code: 0,
    stderr: "The source of your files is in the page: whoever gets it can read and run it.\n",
  });
  expect(dataOf(own.page).tournaments[0]!.code).toContain('"0/twenty-one.ts"');

  const without = await agon(["report", own.dir]);
  expect(without.stderr).not.toContain("source");
  expect(dataOf(own.page).tournaments[0]).not.toHaveProperty("code");

  const agent = writeInto(
    folder,
    "agent.mjs",
    `import { z } from "agon-arena";\nimport "node:fs";\nexport default ${AGENT};\n`,
  );
  const refused = await runOf("refused", { game, entrants: ["random", agent] }, "--with-code");
  expect(refused.stderr).toBe(
    "The source of your files is in the page: whoever gets it can read and run it.\n" +
      '! cannot play there: the agent is in a file of yours: agent.mjs: imports "node:fs"; ' +
      "in a page, code may import files by relative paths, and agon-arena\n",
  );

  const ours = await runOf(
    "ours",
    { game: "nim", entrants: ["random", "mcts:simulations=3"] },
    "--with-code",
  );
  expect(ours).toMatchObject({
    code: 0,
    stderr: "No source of yours is in the page.\n",
  });
  expect(dataOf(ours.page).tournaments[0]).not.toHaveProperty("code");
});

const AGENT = `{
  id: "first",
  summary: "the first action",
  options: z.strictObject({}),
  budgets: [],
  unsupported: () => undefined,
  create: () => ({ choose: () => ({ action: 1, nodes: 0, line: [1] }) }),
}`;
