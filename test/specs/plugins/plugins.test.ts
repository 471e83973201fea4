import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { InputError } from "../../../src/base/errors.ts";
import { loadGame } from "../../../src/specs/games.ts";
import { importPlugin } from "../../../src/specs/plugins/import-plugin.ts";
import { agentFamilies, gameFamilies } from "../../../src/specs/families.ts";
import { loadAgent } from "../../../src/specs/agents.ts";
import { createGame } from "../../../src/games/index.ts";
import { agon, agonProcess, fixture, temporaryFolder, writeInto } from "../../support/agon.ts";
import { slowTest } from "../../support/thorough.ts";

const twentyOne = fileURLToPath(new URL("../../../examples/twenty-one/twenty-one.ts", import.meta.url));

/** The game of test/fixtures/games/matches.ts, in a folder outside of any project; `changes` are pairs of old and new text. */
function matchesGame(...changes: readonly (readonly [string, string])[]): string {
  let code = readFileSync(fixture("games/matches.ts"), "utf8");
  for (const [from, to] of changes) {
    expect(code).toContain(from);
    code = code.replace(from, to);
  }
  return writeInto(temporaryFolder(), "matches.ts", code);
}

/** The message with which an agent's file is refused, without the file's name. */
async function refusal(path: string, load: Promise<unknown>): Promise<string> {
  const error = await load.then(
    () => undefined,
    (thrown: unknown) => thrown as Error,
  );
  expect(error).toBeInstanceOf(InputError);
  return error!.message.replaceAll(path, "FILE");
}

describe("a file outside of any project", () => {
  test("is given the agon that runs, and no second copy of it", async () => {
    const path = writeInto(
      temporaryFolder(),
      "probe.ts",
      `import { defineAgent, InputError, z } from "agon-arena";
       export { InputError };
       export const agent = defineAgent({ id: "probe", summary: "none", options: z.strictObject({}), budgets: [],
         unsupported: (): string | undefined => undefined,
         create: () => ({ choose() { throw new InputError("mine"); } }) });`,
    );
    const { probe } = Object.fromEntries(
      Object.entries(await agentFamilies(path)).map(([id, family]) => [id === path ? "probe" : id, family]),
    );
    const agent = probe!.create({ game: createGame("nim"), options: {}, evaluator: { evaluate: () => 0 } });
    expect(() => agent.choose(createGame("nim").start(), undefined as never)).toThrow(InputError);
  });

  slowTest.each(["mine.ts", "mine.mjs", "mine.js"])(
    "%s plays from the command line, in threads",
    async (name) => {
      const dir = temporaryFolder();
      writeInto(dir, name, readFileSync(fixture("agents/last.mjs"), "utf8"));
      const out = await agon(["match", "nim", `./${name}`, "random", "--blocks", "2", "--json"], {
        cwd: dir,
      });
      expect(out).toMatchObject({ code: 0, stderr: expect.not.stringContaining("Cannot find") });
      expect(JSON.parse(out.stdout)).toMatchObject({ games: 4 });
    },
  );

  slowTest("is an ES module in a package of CommonJS modules and below node_modules", async () => {
    const dir = temporaryFolder();
    const inner = join(dir, "node_modules", "theirs");
    mkdirSync(inner, { recursive: true });
    for (const folder of [dir, inner])
      writeInto(folder, "package.json", { name: "theirs", type: "commonjs" });
    const last = readFileSync(fixture("agents/last.mjs"), "utf8");
    writeInto(inner, "last.ts", `import { one } from "./one.js";\nconst two: number = one! / 2;\n${last}`);
    writeInto(inner, "one.ts", 'import given from "./given.json";\nexport const one: number = given.one;\n');
    writeInto(inner, "given.json", { one: 1 });
    writeInto(dir, "last.js", last);
    writeInto(dir, "enum.ts", `enum Way { Last }\n${last}`);
    const agents = ["./node_modules/theirs/last.ts", "./last.js", "./enum.ts"];
    const out = await agonProcess(["match", "nim", ...agents, "--blocks", "1", "--json"], { cwd: dir });
    expect(out).toMatchObject({ code: 0, stderr: expect.not.stringContaining("Warning") });
    expect(JSON.parse(out.stdout)).toMatchObject({ games: 6 });
  });

  test("a fault is named with its place", async () => {
    const path = writeInto(temporaryFolder(), "mine.ts", "\nexport const agent = ;\n");
    expect(await refusal(path, agentFamilies(path))).toMatch(
      /^FILE cannot be loaded: Unexpected token, at FILE:2:2\d/,
    );
  });

  test("a package that is not there is named", async () => {
    const path = writeInto(
      temporaryFolder(),
      "mine.ts",
      'import "no-such-package";\nexport const agent = 1;\n',
    );
    expect(await refusal(path, agentFamilies(path))).toMatch(
      /^FILE cannot be loaded: Cannot find (module|package) 'no-such-package'/,
    );
  });
});

describe("what a file exports", () => {
  const agent = (text: string) =>
    writeInto(temporaryFolder(), "mine.ts", `import { z } from "agon-arena";\n${text}`);
  const whole =
    'id: "mine", summary: "s", options: z.strictObject({}), unsupported: () => undefined, budgets: [], create: () => ({})';

  test("may be a default export", async () => {
    const path = agent(`export default { ${whole} };`);
    expect((await importPlugin(path, "agent")).id).toBe("mine");
  });

  test.each([
    ["", "FILE must export `agent`, or a default, made by defineAgent; it exports nothing"],
    [
      `export const agnet = { ${whole} };`,
      'FILE must export `agent`, or a default, made by defineAgent; it exports agnet (did you mean "agent"?)',
    ],
    [
      `export const agent = { ${whole.replace("budgets: [], ", "")} };`,
      "FILE: agent must be made by defineAgent: budgets: missing; must be a list",
    ],
    [
      `export const agent = { ${whole.replace("unsupported", "unsuported")} };`,
      [
        "FILE: agent must be made by defineAgent: unsupported: missing; must be a function",
        'FILE: agent must be made by defineAgent: unsuported: unknown key "unsuported" (did you mean "unsupported"?); allowed: id, summary, options, presets, budgets, unsupported, problems, create',
      ].join("\n"),
    ],
    [
      `export const agent = { ${whole.replace("budgets: []", 'budgets: ["dept"]')} };`,
      'FILE: agent must be made by defineAgent: budgets[0]: must be one of depth, nodes, simulations, timeMs, got "dept" (did you mean "depth"?)',
    ],
    [
      "export default 3;",
      "FILE: default must be made by defineAgent: must be a mapping of keys to values, got 3",
    ],
    [
      "export default () => 3;",
      /^FILE: default must be made by defineAgent: must be a mapping of keys to values, got/,
    ],
    ['throw new TypeError("at once");', /^FILE cannot be loaded: TypeError: at once, at FILE:2:7$/],
  ])("%s", async (text, message) => {
    const path = agent(text);
    const refused = await refusal(path, agentFamilies(path));
    if (typeof message === "string") expect(refused).toBe(message);
    else expect(refused).toMatch(message);
  });

  test("an agent that cannot choose", async () => {
    const path = agent(`export const agent = { ${whole} };`);
    const prepared = await loadAgent(createGame("nim"), { agent: path });
    expect(() => prepared.create()).toThrow(
      "the result of `create` must be an object with a function `choose`",
    );
  });
});

describe("a game in a file", () => {
  slowTest("that is right is loaded in a moment", async () => {
    await gameFamilies(twentyOne);
    const begun = performance.now();
    expect((await loadGame(twentyOne)).id).toBe("twenty-one");
    // Measured: 10 ms.
    expect(performance.now() - begun).toBeLessThan(1000);
    expect((await loadGame(matchesGame())).id).toBe("matches");
  });

  test.each<[string, readonly [string, string], RegExp]>([
    [
      "maxActions: 3,",
      ["    maxActions: 3,\n", ""],
      /^FILE: maxActions is undefined, not a whole number of at least 1; players, maxActions/,
    ],
    [
      "maxAction",
      ["maxActions: 3", "maxAction: 3"],
      /^FILE: the result of `rules` of matches has the unknown key "maxAction" \(did you mean "maxActions"\?\); allowed: maxActions, /,
    ],
    [
      "a key of the definition",
      ["  rules: (", "  facet: 1,\n  rules: ("],
      /^FILE cannot be loaded: the argument of defineGame has the unknown key "facet" \(did you mean "facets"\?\)/,
    ],
    [
      "toMove",
      ["this.toMove = this.left === 0 ? TERMINAL : this.turn;", "this.toMove = 7;"],
      /^FILE: toMove is 7 in a game with players = 2 after take-\d; toMove is a player from 0/,
    ],
    ["no action", ["return most;", "return 0;"], /^FILE: legalActions returns 0.*at least one/],
    [
      "never over",
      ["this.left -= taken;", ""],
      /^FILE: a random game has had \d+ decisions by players; maxPlies is 21/,
    ],
    [
      "no undo",
      ["  undo(): void {", "  undone(): void {"],
      /^FILE: the state that `start` returns: undo: missing; must be a function;/,
    ],
    [
      "no render",
      ["    render: (state)", "    renderUnicode: (state)"],
      /^FILE: render: missing; must be a function;/,
    ],
    [
      "an exception",
      ["this.left -= taken;", "this.left -= taken.x.y;"],
      /^FILE: an exception was thrown: TypeError: .* at FILE:\d+:\d+; /,
    ],
    [
      "an exception at the start",
      ["start: () =>", "start: () => undefined.x ??"],
      /^FILE: an exception was thrown: TypeError: .* at FILE:\d+:\d+;/,
    ],
    [
      "heuristic",
      ["  rules: (", "  facets: () => ({ heuristic: { a: 1 } }),\n  rules: ("],
      /^FILE: the result of `facets` of matches has the unknown key "heuristic" \(did you mean "heuristics"\?\)/,
    ],
    [
      "a heuristic without evaluate",
      ["  rules: (", '  facets: () => ({ heuristics: { a: { summary: "a" } } }),\n  rules: ('],
      /^FILE: heuristics\.a\.evaluate: missing; must be a function;/,
    ],
    [
      "features",
      ["  rules: (", '  facets: () => ({ featureSets: { a: { summary: "a" } } }),\n  rules: ('],
      /^FILE: featureSets\.a\.version: missing; must be/,
    ],
    [
      "options",
      ["z.strictObject({ matches:", "({ matches:"],
      /^FILE: game must be made by defineGame: options: must be a zod object/,
    ],
  ])("%s", async (_, change, message) => {
    const path = matchesGame(change);
    expect(await refusal(path, loadGame(path))).toMatch(message);
  });

  slowTest(
    "that is broken is refused by the command line in one sentence, but agon check looks at it",
    async () => {
      const path = matchesGame(["return most;", "return 0;"]);
      const { code, stderr } = await agon(["match", path, "random", "greedy:evaluator=none"]);
      expect(code).toBe(2);
      expect(stderr).toMatch(/^.*legalActions returns 0.*\n$/);
      expect((await agon(["check", path])).stdout).toContain("legal-actions: legalActions returns 0");
    },
  );
});
