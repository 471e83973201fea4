import { describe, expect, test } from "vitest";
import { z } from "zod";
import { InputError } from "../../src/base/errors.ts";
import { checkParts, Problems } from "../../src/base/check.ts";

/** The messages of the problems, one line each. */
function said(problems: Problems, source?: string): string[] {
  try {
    problems.throwIfAny(source);
  } catch (error) {
    if (error instanceof InputError) return error.message.split("\n");
    throw error;
  }
  return [];
}

/** Fails with problems at these paths. */
const failing = (...paths: string[]) => {
  throw new InputError(paths.map((path) => ({ path, message: "is wrong" })));
};

describe("problems", () => {
  test("are told all at once, in their order, each with the source and its path; none is no error", () => {
    const problems = new Problems();
    expect(said(problems)).toEqual([]);
    problems.add(["entrants", 2, "depth"], "is odd");
    expect(said(problems)).toEqual(["entrants[2].depth: is odd"]);
    problems.add([], "is bad");
    expect(said(problems, "a.yaml")).toEqual(["a.yaml: entrants[2].depth: is odd", "a.yaml: is bad"]);
  });

  test.each([
    [["a", 0], "depth", "a[0].depth"],
    [["a", 0], "", "a[0]"],
    [["a"], "[1].b", "a[1].b"],
    [[], "depth", "depth"],
    [[], "[1]", "[1]"],
  ])("found inside %j at %j stand at %j", (outer, inner, path) => {
    const problems = new Problems();
    expect(problems.at(outer, () => failing(inner))).toBeUndefined();
    expect(said(problems)).toEqual([`${path}: is wrong`]);
  });

  test("several at once keep their paths, and what goes well is given back", () => {
    const problems = new Problems();
    expect(problems.at(["x"], () => 7)).toBe(7);
    expect(said(problems)).toEqual([]);
    problems.at(["x"], () => failing("a", "b"));
    expect(said(problems)).toEqual(["x.a: is wrong", "x.b: is wrong"]);
  });

  test("are those of promises too", async () => {
    const problems = new Problems();
    expect(await problems.atAsync(["x"], async () => 7)).toBe(7);
    expect(await problems.atAsync(["x"], async () => failing("a"))).toBeUndefined();
    expect(said(problems)).toEqual(["x.a: is wrong"]);
  });

  test("are never mistakes of the program", async () => {
    const problems = new Problems();
    const mistake = () => {
      throw new TypeError("a mistake");
    };
    expect(() => problems.at(["x"], mistake)).toThrow(TypeError);
    await expect(problems.atAsync(["x"], async () => mistake())).rejects.toThrow(TypeError);
    expect(said(problems)).toEqual([]);
  });
});

describe("the right parts of a document", () => {
  const schema = z.strictObject({
    name: z.string(),
    depth: z.int().default(3),
    list: z.array(z.strictObject({ id: z.int() })),
    inner: z.strictObject({ a: z.int(), b: z.int().optional() }).optional(),
  });
  const parts = (given: unknown) => {
    const problems = new Problems();
    return { parts: checkParts(schema, given, problems), said: said(problems) };
  };

  test("are all of it where it is right, with defaults filled in", () => {
    const good = { name: "n", list: [{ id: 1 }], inner: { a: 1 } };
    expect(parts(good)).toEqual({ parts: { ...good, depth: 3 }, said: [] });
  });

  test("are key by key and entry by entry what is right", () => {
    const found = parts({ name: 7, list: [{ id: 1 }, { id: "x" }, { id: 3 }], inner: { a: "x", b: 2 } });
    expect(found.parts).toEqual({
      name: undefined,
      depth: 3,
      list: [{ id: 1 }, { id: undefined }, { id: 3 }],
      inner: undefined,
    });
    expect(found.said).toEqual([
      "name: must be a text, got 7",
      'list[1].id: must be a whole number, got "x"',
      'inner.a: must be a whole number, got "x"',
    ]);
  });

  test.each([null, 3, "text", undefined])("are none in %j", (given) => {
    const found = parts(given);
    expect(found.parts).toEqual({});
    expect(found.said).toHaveLength(1);
  });

  test("a list in place of a mapping has no right keys", () => {
    expect(parts([1]).parts).toEqual({ depth: 3 });
    expect(parts({ name: "n", list: 3 }).parts).toEqual({ name: "n", depth: 3 });
  });
});
