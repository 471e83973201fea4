import fc from "fast-check";
import stringWidth from "string-width";
import { expect, test } from "vitest";
import { shortenNames } from "../../../src/ratings/sections/short-names.ts";
import { slowTest } from "../../support/thorough.ts";

const ATOMS = ["a", "b", "alpha-beta:", "depth=6", "depth=8", ",", "...", "~2", "🙂", "深さ", "e\u0301"];
/** Names that have much in common. */
const alike = fc.array(fc.constantFrom(...ATOMS), { maxLength: 12 }).map((atoms) => atoms.join(""));

slowTest("different names stay different, equal ones equal, short ones whole; all fit", () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(alike, fc.string({ maxLength: 60 })), { maxLength: 30 }),
      fc.integer({ min: 6, max: 45 }),
      (names, longest) => {
        const short = shortenNames(names, longest);
        expect(new Set(short).size).toBe(new Set(names).size);
        for (const [at, name] of names.entries()) {
          expect(stringWidth(short[at]!)).toBeLessThanOrEqual(longest);
          expect(short[at]).toBe(short[names.indexOf(name)]);
          if (stringWidth(name) <= longest) expect(short[at]).toBe(name);
        }
      },
    ),
    { numRuns: 2000 },
  );
});

test("a cut never takes the option in which names differ", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "grapheme-ascii", minLength: 5, maxLength: 30 }),
      fc.string({ unit: "grapheme-ascii", minLength: 5, maxLength: 30 }),
      fc.uniqueArray(fc.integer({ min: 10, max: 99 }), { minLength: 2, maxLength: 8 }),
      (before, after, options) => {
        const names = options.map((option) => `${before} depth=${option} ${after}`);
        const short = shortenNames(names, 24);
        // The digits in which two options differ, and no number in place of them.
        for (const [at, option] of options.entries()) {
          const alike = options.filter((other) => other !== option && String(other)[0] === String(option)[0]);
          const shown = alike.length > 0 ? String(option)[1]! : String(option)[0]!;
          expect(short[at]!.slice(1, -1)).toContain(shown);
          expect(short[at]).not.toMatch(/\.\.\.~\d+$/);
        }
      },
    ),
  );
});

test.each<[string, number, string[], string[]]>([
  [
    "in the middle",
    32,
    [
      "alpha-beta:depth=6,evaluator=weights/connect-four/linear.json",
      "alpha-beta:depth=8,evaluator=weights/connect-four/linear.json",
    ],
    ["alpha-beta:depth=6...", "alpha-beta:depth=8..."],
  ],
  [
    "near their ends",
    24,
    ["alpha-beta:depth=6,evaluator=a/linear.json", "alpha-beta:depth=6,evaluator=b/linear.json"],
    ["alpha...or=a/lin....json", "alpha...or=b/lin....json"],
  ],
  [
    "in a word",
    17,
    ["Student number 7 with a long team name", "Student number 12 with a long team name"],
    ["Student...7...", "Student...12..."],
  ],
  [
    "in several options",
    24,
    [
      "alpha-beta:depth=6,ordering=none",
      "alpha-beta:depth=6,ordering=none,table=0",
      "alpha-beta:depth=6,ordering=none,table=0,scout=false",
    ],
    ["alpha-beta:depth=6...", "alpha-beta...table=0", "...table=0,scout=false"],
  ],
  ["in no other name", 20, ["a single entrant with a long name"], ["a single entrant..."]],
])("names that differ %s", (_, longest, names, expected) => {
  expect(shortenNames(names, longest)).toEqual(expected);
});
