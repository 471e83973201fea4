import { describe, expect, test } from "vitest";
import { z } from "zod";
import { check, formatPath } from "../../src/base/check.ts";
import { InputError } from "../../src/base/errors.ts";
import { didYouMean, unknownName } from "../../src/base/text.ts";
import { slowTest } from "../support/thorough.ts";

/** The lines of the error that the value is refused with. */
function refusal(schema: z.ZodType, value: unknown, source?: string): string[] {
  try {
    check(schema, value, source);
  } catch (error) {
    if (error instanceof InputError) return error.message.split("\n");
    throw error;
  }
  throw new Error("the value was not refused");
}

const entrant = z.union([
  z.string().min(2),
  z.strictObject({ agent: z.string(), depth: z.int().min(1).max(9).optional() }),
]);

const colour = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("grey").optional().default("grey"), shade: z.number() }),
  z.strictObject({ kind: z.literal("mixed"), parts: z.array(z.number()) }),
]);

test("gives what the schema makes of a good value", () => {
  expect(check(z.strictObject({ depth: z.int().default(3) }), {})).toEqual({ depth: 3 });
});

describe("says what is wrong and what is allowed", () => {
  const CASES: readonly (readonly [z.ZodType, unknown, string])[] = [
    [z.int(), 1.5, "must be a whole number, got 1.5"],
    [z.int().min(1).optional(), "six", 'must be a whole number, got "six"'],
    [z.number(), "six", 'must be a number, got "six"'],
    [z.number(), Number.NaN, "must be a number, got NaN"],
    [z.number(), Infinity, "must be a number, got Infinity"],
    [z.int().min(1), 0, "must be at least 1, got 0"],
    [z.int().max(9), 10, "must be at most 9, got 10"],
    [z.number().positive(), 0, "must be more than 0, got 0"],
    [z.number().lt(1), 1, "must be less than 1, got 1"],
    [z.string(), 7, "must be a text, got 7"],
    [z.string().min(2), "a", 'must have at least 2 characters, got "a"'],
    [z.string().regex(/^\w+$/, "must be one word"), "a b", 'must be one word, got "a b"'],
    [z.boolean(), "yes", 'must be true or false, got "yes"'],
    [z.array(z.int()), {}, "must be a list, got {}"],
    [z.array(z.int()).min(1), [], "must have at least 1 entry, got []"],
    [z.array(z.int()).max(1), [1, 2], "must have at most 1 entry, got [1,2]"],
    [z.strictObject({}), [], "must be a mapping of keys to values, got []"],
    [z.record(z.string(), z.int()), null, "must be a mapping of keys to values, got null"],
    [z.enum(["red", "green"]), "gren", 'must be one of red, green, got "gren" (did you mean "green"?)'],
    [z.enum(["red", "green"]), 3, "must be one of red, green, got 3"],
    [z.literal(1), 2, "must be 1, got 2"],
    [entrant, 3, "must be a text or a mapping of keys to values, got 3"],
    [entrant, "a", 'must have at least 2 characters, got "a"'],
    [z.union([z.enum(["a", "b"]), z.number()]), true, "must be one of a, b or a number, got true"],
    [colour, { kind: "mixd" }, 'kind: must be one of grey, mixed, got "mixd" (did you mean "mixed"?)'],
    [z.strictObject({ colour }), { colour: { kind: 3 } }, "colour.kind: must be one of grey, mixed, got 3"],
    [colour, { kind: "mixed" }, "parts: missing; must be a list"],
    [colour, {}, "shade: missing; must be a number"],
    [colour, { kind: "mixed", parts: [], shade: 1 }, 'shade: unknown key "shade"; allowed: kind, parts'],
    [colour, { shade: 1, part: [] }, 'part: unknown key "part"; allowed: kind, shade'],
    [
      z.strictObject({ colours: z.array(colour) }),
      { colours: [{ shade: 1, shape: 2 }] },
      'colours[0].shape: unknown key "shape" (did you mean "shade"?); allowed: kind, shade',
    ],
    [colour, "mixed", 'must be a mapping of keys to values, got "mixed"'],
    [z.string(), undefined, "missing; must be a text"],
    [z.enum(["a", "b"]), undefined, "missing; must be one of a, b"],
    [z.string(), { long: "x".repeat(200) }, `must be a text, got {"long":"${"x".repeat(71)}...`],
  ];

  test.each(CASES)("%#: %j", (schema, value, message) => {
    expect(refusal(schema, value)).toEqual([message]);
  });
});

describe("says where", () => {
  const config = z.strictObject({
    blocks: z.int().min(1),
    openings: z
      .union([z.strictObject({ randomPlies: z.int() }), z.strictObject({ lines: z.array(z.string()) })])
      .optional(),
    entrants: z.array(entrant),
    weights: z.record(z.string(), z.strictObject({ rate: z.number() })).optional(),
  });
  const good = { blocks: 1, entrants: [] };

  test("all problems at once, each with file and path", () => {
    const bad = {
      block: 3,
      entrants: ["ok", { agent: "x", depth: 0 }, { agent: 5 }],
      weights: { a: { rate: "" } },
    };
    expect(refusal(config, bad, "a.yaml")).toEqual([
      "a.yaml: blocks: missing; must be a whole number",
      "a.yaml: entrants[1].depth: must be at least 1, got 0",
      "a.yaml: entrants[2].agent: must be a text, got 5",
      'a.yaml: weights.a.rate: must be a number, got ""',
      'a.yaml: block: unknown key "block" (did you mean "blocks"?); allowed: blocks, openings, entrants, weights',
    ]);
  });

  test("an unknown key inside a list, a record and an alternative, with the keys of that place", () => {
    const bad = { ...good, entrants: [{ agent: "x", dept: 3 }], weights: { a: { rate: 1, rat: 2 } } };
    expect(refusal(config, bad)).toEqual([
      'entrants[0].dept: unknown key "dept" (did you mean "depth"?); allowed: agent, depth',
      'weights.a.rat: unknown key "rat" (did you mean "rate"?); allowed: rate',
    ]);
  });

  test.each<[string, (inner: z.ZodType) => z.ZodType]>([
    ["optional", (inner) => inner.optional()],
    ["default", (inner) => inner.default(null)],
    ["nullable", (inner) => inner.nullable()],
    ["readonly", (inner) => inner.readonly()],
    ["lazy", (inner) => z.lazy(() => inner)],
    ["nested", (inner) => z.lazy(() => inner.nullable().optional()).readonly()],
  ])("an unknown key under a wrapper: %s", (_, wrap) => {
    const schema = z.strictObject({ search: wrap(z.strictObject({ depth: z.int().optional() })) });
    expect(refusal(schema, { search: { dept: 3 } })).toEqual([
      'search.dept: unknown key "dept" (did you mean "depth"?); allowed: depth',
    ]);
  });

  test("where no alternative is meant, the keys of all of them", () => {
    const alternatives = z.union([
      z.strictObject({ kind: z.literal("a"), size: z.int() }),
      z.strictObject({ kind: z.literal("b"), length: z.int() }),
    ]);
    const told = refusal(z.strictObject({ shape: alternatives }), {
      shape: { kind: "c", size: 1, wrong: 2 },
    });
    expect(told.at(-1)).toBe('shape.wrong: unknown key "wrong"; allowed: kind, size, length');
  });

  test("of several alternatives, the one that was nearest", () => {
    expect(refusal(config, { ...good, openings: { lines: ["1", 2] } })).toEqual([
      "openings.lines[1]: must be a text, got 2",
    ]);
    expect(refusal(config, { ...good, openings: { lines: 2 } })).toEqual([
      "openings.lines: must be a list, got 2",
    ]);
    expect(refusal(config, { ...good, openings: { line: ["1"] } })).toEqual([
      'openings.line: unknown key "line" (did you mean "lines"?); allowed: randomPlies, lines',
    ]);
    const withDefault = z.union([
      z.strictObject({ plies: z.int().default(0) }),
      z.strictObject({ mix: z.array(z.int()).min(1) }),
    ]);
    expect(refusal(withDefault, { mix: [] })).toEqual(["mix: must have at least 1 entry, got []"]);
  });

  test("a path is written as in the document", () => {
    expect(formatPath(["entrants", 2, "depth"])).toBe("entrants[2].depth");
    expect(formatPath([0, "a"])).toBe("[0].a");
    expect(formatPath([])).toBe("");
  });
});

describe("did you mean", () => {
  test.each([
    ["conect-four", ["connect-four", "pig"], ' (did you mean "connect-four"?)'],
    ["PIG", ["connect-four", "pig"], ' (did you mean "pig"?)'],
    ["minmax", ["max-n", "minimax"], ' (did you mean "minimax"?)'],
    ["backgammon", ["connect-four", "pig"], ""],
    ["x", ["n", "id"], ""],
    ["depth", [], ""],
  ])("%s", (given, allowed, answer) => {
    expect(didYouMean(given, allowed)).toBe(answer);
  });

  test("an unknown name comes with those allowed", () => {
    expect(unknownName("agent", "rando", ["random", "mcts"])).toBe(
      'unknown agent "rando" (did you mean "random"?); allowed: random, mcts',
    );
    expect(unknownName("heuristic", "x", [])).toBe('unknown heuristic "x"; allowed: none here');
  });
});

test("an InputError keeps its problems apart and writes one line for each", () => {
  const error = new InputError(
    [
      { path: "a", message: "is wrong" },
      { path: "", message: "all is lost" },
    ],
    "f.yaml",
  );
  expect(error.problems).toHaveLength(2);
  expect(error.message).toBe("f.yaml: a: is wrong\nf.yaml: all is lost");
  expect(new InputError("no").message).toBe("no");
});

slowTest("of many thousand problems the first are described, and all are counted", () => {
  const list = z.union([z.strictObject({ list: z.array(z.union([z.number(), z.boolean()])) }), z.number()]);
  let problems: readonly { path: string; message: string }[] = [];
  try {
    check(list, { list: Array.from({ length: 5000 }, () => "a") });
  } catch (error) {
    ({ problems } = error as InputError);
  }
  expect(problems).toHaveLength(5000);
  expect(problems[0]).toEqual({ path: "list[0]", message: expect.stringContaining('got "a"') as string });
  expect(problems[4999]).toEqual({ path: "list[4999]", message: "Invalid input" });
});
