import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import type { AgentSpec } from "../../src/agents/agent.ts";
import { hashOf, hashOfFile } from "../../src/specs/files/hashes.ts";
import { saveWeights } from "../../src/specs/files/weights-file.ts";
import { describeWeights } from "../../src/evaluators/stored-weights.ts";
import { createGame } from "../../src/games/index.ts";
import { hashCode } from "../../src/specs/plugins/portable-code.ts";
import { locateName, referTo, ResolvedAgent, type SpecKey } from "../../src/specs/references.ts";
import { temporaryFolder, writeInto } from "../support/agon.ts";

test.each<[SpecKey, string, string]>([
  ["game", "nim", "built-in"],
  ["game", "./nim.ts", "code"],
  ["game", "nim.json", "built-in"],
  ["agent", "mcts", "built-in"],
  ["agent", "a/b.mjs", "code"],
  ["agent", "a/b", "built-in"],
  ["evaluator", "threats", "built-in"],
  ["evaluator", "w.json", "weights"],
  ["evaluator", "weights/w", "weights"],
  ["evaluator", "weights/w.cts", "code"],
  ["features", "lines", "built-in"],
  ["features", "/a/lines.js", "code"],
  ["features", "/a/lines", "built-in"],
  ["tables", "kings.agon", "tables"],
  ["tables", "kings.json", "built-in"],
  ["book", "book.json", "book"],
  ["book", "book.agon", "built-in"],
])("%s: %s is %s", (key, name, kind) => {
  expect(referTo(key, name)).toMatchObject({ kind, key, name });
  expect(locateName(key, name, "/a")).toBe(kind === "built-in" ? name : resolve("/a", name));
});

test("an agent's files are found under the keys that may have files, and can be named anew", () => {
  const spec = {
    tables: "t.agon",
    agent: "./mine.ts",
    evaluator: "w.json",
    book: "b.json",
    opponent: "x.ts",
  };
  const agent = new ResolvedAgent(spec, "/a");
  expect(agent.files.map(({ key, path }) => [key, path])).toEqual(
    ["agent", "evaluator", "tables", "book"].map((key) => [key, resolve("/a", spec[key as "agent"])]),
  );
  const mapped = agent.renamed(({ kind, name }) => `${kind}!${name}`);
  expect(JSON.stringify(mapped)).toBe(
    '{"tables":"tables!t.agon","agent":"code!./mine.ts","evaluator":"weights!w.json","book":"book!b.json","opponent":"x.ts"}',
  );
  const plain = { agent: "alpha-beta", evaluator: "threats", tables: 3, depth: 2 };
  expect(new ResolvedAgent(plain, "/a")).toMatchObject({ files: [], located: plain, code: [] });
  expect(agent.located).toEqual({
    ...spec,
    ...Object.fromEntries(agent.files.map(({ key, path }) => [key, path])),
  });
});

test("the files of an agent among the options are an agent's, too", () => {
  const search = { agent: "alpha-beta", depth: 2, evaluator: "w.json" };
  const spec = { agent: "determinized", search, opponent: { agent: "greedy", evaluator: "./mine.ts" } };
  const agent = new ResolvedAgent(spec, "/a");
  expect(agent.code).toEqual([resolve("/a", "mine.ts")]);
  expect(agent.located).toEqual({
    agent: "determinized",
    search: { ...search, evaluator: resolve("/a", "w.json") },
    opponent: { agent: "greedy", evaluator: resolve("/a", "mine.ts") },
  });
});

describe("the content of a file", () => {
  const hashOfNamed = (key: SpecKey, path: string) => {
    const reference = referTo(key, path);
    return reference.kind === "built-in" ? undefined : reference.hash;
  };

  test("is hashed when it is first asked for, and only then", () => {
    const dir = temporaryFolder();
    const path = writeInto(dir, "kings.agon", "one");
    const reference = referTo("tables", path);
    if (reference.kind === "built-in") throw new Error("is a file");
    writeInto(dir, "kings.agon", "two");
    expect(reference.hash).toMatch(new RegExp(`^${hashOf("two")}`));
    writeInto(dir, "kings.agon", "three");
    expect(reference.hash).toMatch(new RegExp(`^${hashOf("two")}`));
  });

  test("is that of all files that belong to it", () => {
    const dir = temporaryFolder();
    const game = createGame("connect-four");
    const { version, size } = game.featureSets["lines"]!;
    const model = { kind: "linear", features: "lines", output: "tanh", stages: [] as number[] } as const;
    const header = describeWeights(
      game,
      { ...model, featuresVersion: version, size },
      { method: "none", seed: "", games: 0, date: "" },
    );
    const small = join(dir, "small.json");
    saveWeights(small, header, new Float32Array(size));
    expect(hashOfNamed("evaluator", small)).toBe(hashOf(hashOfFile(small)));
    const large = join(dir, "large.json");
    saveWeights(large, header, new Float32Array(200_000));
    const reference = new ResolvedAgent({ agent: "greedy", evaluator: large }).files[0]!;
    expect(reference.files).toEqual([large, join(dir, "large.f32.gz")]);
    expect(reference.hash).toBe(hashOf(...reference.files.map(hashOfFile)));
    const code = writeInto(dir, "main.ts", 'import "./helper.ts";');
    writeInto(dir, "helper.ts", "export {};");
    expect(hashOfNamed("game", code)).toBe(hashCode([code]));
  });
});

test("the code that agents need is theirs, that of their evaluators and of the features of their weights, each once", () => {
  const dir = temporaryFolder();
  mkdirSync(join(dir, "weights"));
  const eyes = writeInto(dir, "weights/eyes.ts", "");
  writeInto(dir, "weights/w.json", { evaluator: { features: "/elsewhere/eyes.ts" } });
  const codeOf = (spec: AgentSpec) => new ResolvedAgent(spec, dir).code;
  expect(codeOf({ agent: "/a/agent.ts", evaluator: "/a/eyes.mjs" })).toEqual(["/a/agent.ts", "/a/eyes.mjs"]);
  expect(codeOf({ agent: "/a/both.ts", evaluator: "/a/both.ts" })).toEqual(["/a/both.ts"]);
  expect(codeOf({ agent: "greedy", evaluator: "threats" })).toEqual([]);
  const learned = { agent: "greedy", evaluator: "weights/w.json" };
  expect(codeOf(learned)).toEqual([eyes]);
  writeInto(dir, "weights/w.json", { evaluator: { features: "/elsewhere/ears.ts" } });
  expect(() => codeOf(learned)).toThrow("the feature set of these weights, /elsewhere/ears.ts");
  expect(referTo("game", "/a/game.ts").code).toEqual(["/a/game.ts"]);
  expect(referTo("game", "nim").code).toEqual([]);
});
