import fc from "fast-check";
import { expect, test } from "vitest";
import { formatJson } from "../../src/base/plain.ts";

test("lists of numbers are on one line, all else as JSON.stringify puts it", () => {
  const header = {
    name: "x",
    tuples: [
      [0, 1, 2],
      [4, -5e-7],
    ],
    none: [],
    empty: {},
    words: ["a", "b"],
    left: undefined,
  };
  expect(formatJson(header)).toBe(
    [
      "{",
      '  "name": "x",',
      '  "tuples": [',
      "    [0, 1, 2],",
      "    [4, -5e-7]",
      "  ],",
      '  "none": [],',
      '  "empty": {},',
      '  "words": [',
      '    "a",',
      '    "b"',
      "  ]",
      "}",
    ].join("\n"),
  );
});

test("any value comes back as from JSON.stringify", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(JSON.parse(formatJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
    }),
    { seed: 1 },
  );
});

test("without lists of numbers the text is that of JSON.stringify", () => {
  const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
    tree: fc.oneof(
      { depthSize: "small" },
      fc.string(),
      fc.integer(),
      fc.constant(null),
      fc.boolean(),
      fc.dictionary(fc.string(), tie("tree")),
      fc.array(fc.oneof(fc.string(), fc.dictionary(fc.string(), tie("tree")))),
    ),
  }));
  fc.assert(
    fc.property(tree, (value) => {
      expect(formatJson(value)).toBe(JSON.stringify(value, null, 2));
    }),
    { seed: 1 },
  );
});

test("what has a JSON form of its own takes it", () => {
  expect(formatJson({ date: new Date(0), list: Float32Array.of(1) })).toBe(
    JSON.stringify({ date: new Date(0), list: Float32Array.of(1) }, null, 2),
  );
});
