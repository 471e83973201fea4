import { describe, expect, test } from "vitest";
import { parseDocumentText } from "../../../src/specs/files/document-text.ts";
import { everyFew } from "../../support/thorough.ts";

const read = (text: string) => () => parseDocumentText(text, "config.yaml").value;
const levels = (count: number) => Array.from({ length: count }, (_, at) => at);

describe("syntax", () => {
  test("YAML, JSON, and an empty text are read", () => {
    expect(read("a: 1 # one\nb:\n  - x\n  - 'y'\nc: { d: ~ }")()).toEqual({
      a: 1,
      b: ["x", "y"],
      c: { d: null },
    });
    expect(read('{"a": [1, -2.5e1, "\\u00e4", true, null], "__proto__": {}}')()).toEqual(
      JSON.parse('{"a": [1, -25, "\u00e4", true, null], "__proto__": {}}'),
    );
    expect(read("")()).toBe(null);
    expect(read("\uFEFFa: 1\r\nb: 2")()).toEqual({ a: 1, b: 2 });
  });

  test("each mistake is told with its place", () => {
    expect(read("a: 1\nb: [1\nc: ]\n")).toThrow(/^config\.yaml:3:1: Flow sequence in block /m);
    expect(read("a: 1\n  b: 2: 3")).toThrow(/^config\.yaml:\d+:\d+: /m);
  });

  test("a mapping takes the keys of others by <<, its own come first", () => {
    const text =
      "a: &a { x: 1, y: 2 }\nb: &b { <<: *a, y: 3 }\nc: { <<: [*a, *b], z: 4 }\nd: { z: 5, <<: *b }";
    expect(read(text)()).toEqual({
      a: { x: 1, y: 2 },
      b: { x: 1, y: 3 },
      c: { x: 1, y: 2, z: 4 },
      d: { x: 1, y: 3, z: 5 },
    });
    expect(read("a: { <<: 1 }")).toThrow(/^config\.yaml: /);
  });

  test("a key stands once in a mapping, as a number or a text", () => {
    const twice = "config.yaml:3:1: Map keys must be unique";
    expect(read("a: 1\nb: { a: 2 }\na: 3")).toThrow(twice);
    expect(read('1: x\nb: y\n"1": z')).toThrow(twice);
    expect(read("- { a: 1 }\n- { a: 1 }")()).toEqual([{ a: 1 }, { a: 1 }]);
    expect(read("? [1, 2]\n: x")).toThrow("config.yaml:1:3: A key must be a text");
  });

  test("several documents are no config", () => {
    expect(read("---\na: 1\n")()).toEqual({ a: 1 });
    expect(read("a: 1\n---\na: 2")).toThrow(
      "config.yaml: has several documents, parted by `---`; a config is one",
    );
  });

  test("values are those that JSON has, whatever version the text names", () => {
    for (const version of ["1.1", "1.2"])
      expect(read(`%YAML ${version}\n---\n{ a: 2020-01-01, b: !!set { c }, <<: { d: yes } }`)()).toEqual({
        a: "2020-01-01",
        b: { c: null },
        d: "yes",
      });
  });
});

describe("the place of a part of a document", () => {
  const yaml = `name: two
shared: &shared
  depth: 6
  table.size: 2
entrants: &all
  - agent: alpha-beta
    <<: *shared
  - agent: mcts
    depth: { from: 1 }
again: *all
empty:
bots: [./bots/*/, { agent: x }]
`;
  test.each([
    ["name", "1:7"],
    ["shared.depth", "3:10"],
    ["shared.table.size", "4:15"],
    // A list or a mapping on lines below its key has the place of the key.
    ["entrants", "5:1"],
    ["entrants[0]", "6:5"],
    ["entrants[0].agent", "6:12"],
    ["entrants[0].depth", "3:10"],
    ["entrants[1].depth", "9:12"],
    ["entrants[1].depth.from", "9:20"],
    ["again", "10:8"],
    ["again[1].agent", "8:12"],
    ["empty", "11:1"],
    // The nearest part around a key that is missing, or an item.
    ["entrants[1].agents", "8:5"],
    ["entrants[2].agent", "5:1"],
    ["empty.key", "11:1"],
    ["blocks", "1:1"],
    ["", "1:1"],
    // A pattern may enter several bots.
    ["bots[0].agent", "12:7"],
    ["bots[1].agent", "12:7"],
  ])("%s", (path, place) => {
    expect(parseDocumentText(yaml, "config.yaml").placeOf(path)).toBe(place);
  });

  test("in JSON", () => {
    const { placeOf } = parseDocumentText('{ "a": [\n  { "b": 1 },\n  { "b": [2] } ] }', "config.json");
    expect(["a", "a[0].b", "a[1].b[0]", "a[1].c", "c"].map(placeOf)).toEqual([
      "1:8",
      "2:10",
      "3:11",
      "3:3",
      "1:1",
    ]);
  });
});

describe("a text that would take any time or memory is refused with one message", () => {
  test("unknown aliases", () => {
    expect(read("a: *nowhere")).toThrow(/^config\.yaml: .*nowhere$/);
  });

  test("aliases inside what they name", () => {
    expect(read("a: &a [*a]")).toThrow(/^config\.yaml: an alias stands inside what it names$/);
    expect(read("&a\nb: { c: [1, *a] }")).toThrow("an alias stands inside what it names");
  });

  test("aliases that multiply", () => {
    const laughs = levels(20).map((at) => `a${at}: &a${at} [${at === 0 ? "1" : `*a${at - 1}, `.repeat(9)}]`);
    expect(read(laughs.join("\n"))).toThrow(
      /^config\.yaml: repeats too much by its aliases; write out what is meant$/,
    );
  });

  test("a long text, by aliases many times", () => {
    const text = (length: number) => `a: &a ${"x".repeat(length)}\nb: [${"*a, ".repeat(400)}]`;
    expect(read(text(5000))).not.toThrow();
    expect(read(text(6000))).toThrow(
      /^config\.yaml: repeats too much by its aliases; write out what is meant$/,
    );
  });

  test("aliases that make a chain", () => {
    const chain = (count: number) =>
      levels(count).map((at) => `a${at}: &a${at} [${at === 0 ? "1" : `*a${at - 1}`}]`);
    expect(read(chain(199).join("\n"))).not.toThrow();
    expect(read(chain(200).join("\n"))).toThrow(/^config\.yaml: is nested too deeply/);
  });

  test("more than 500 aliases", () => {
    expect(read(`a: &a 1\nb: [${"*a, ".repeat(500)}]`)).not.toThrow();
    expect(read(`a: &a 1\nb: [${"*a, ".repeat(501)}]`)).toThrow(
      /^config\.yaml: has more than 500 aliases; write them out$/,
    );
  });

  test("aliases that are used as they are meant are read", () => {
    expect(read("a: &a [1]\nb: *a\nc: [*a, *a]")()).toEqual({ a: [1], b: [1], c: [[1], [1]] });
  });

  test.each([201, 5000, 20_000, 200_000])("%i levels", (count) => {
    const message =
      /^config\.yaml: is (nested too deeply; at most 200 lists|too long for a config)|A key must be a text/;
    expect(read("[".repeat(count) + "]".repeat(count))).toThrow(message);
    for (const level of ["- ", "? ", "? - ", "- ? ", "? x : "])
      expect(read(level.repeat(count) + "1")).toThrow(message);
  });

  test("200 levels are read", () => {
    expect(read("[".repeat(200) + "]".repeat(200))).not.toThrow();
    expect(read("- ".repeat(200) + "1")).not.toThrow();
  });

  test("only brackets and dashes that open something count as levels", () => {
    const many = levels(300);
    expect(read(`a: "${"[{".repeat(300)}"\nb: x${"[".repeat(300)}`)()).toHaveProperty("a", "[{".repeat(300));
    expect(read(`[${many.join(", ")}]`)()).toEqual(many);
    expect(read(many.map((at) => `- ${at}`).join("\n"))()).toEqual(many);
    expect(read(many.map((at) => `- [${at}, {}]`).join("\n"))()).toEqual(many.map((at) => [at, {}]));
  });

  test.each(everyFew(["#\n", "- a\n", "[]\n", "\n", "? a\n", "%A\n", "a: b\n"], 3))(
    "%j many times",
    (piece) => {
      expect(read(piece.repeat(25_001))).toThrow(
        /^config\.yaml: is too long for a config: more than 25000 words, numbers and signs$/,
      );
    },
  );

  test("5,000 keys are read", () => {
    const keys = levels(5000).map((at) => `key-${at}: ${at}`);
    expect(Object.keys(read(keys.join("\n"))() as object)).toHaveLength(5000);
  });
});
