import { describe, expect, test } from "vitest";
import {
  decorate,
  fitted,
  isScreen,
  styled,
  wantsColour,
  widthOf,
} from "../../../src/cli/shared/terminal.ts";

test("a terminal that does not know its width is taken for one of 80 columns", () => {
  expect([widthOf({ columns: 132 }), widthOf({ columns: 0 })]).toEqual([132, 80]);
});

describe("colours", () => {
  const terminal = { isTTY: true };
  const pipe = { isTTY: false };

  test.each([
    [terminal, {}, true],
    [pipe, {}, false],
    [terminal, { TERM: "dumb" }, false],
    [terminal, { NO_COLOR: "1" }, false],
    [terminal, { NO_COLOR: "" }, true],
    [pipe, { FORCE_COLOR: "1" }, true],
    [pipe, { FORCE_COLOR: "1", NO_COLOR: "1" }, true],
    [terminal, { FORCE_COLOR: "0" }, false],
  ])("%j with %j: %s", (output, environment, expected) => {
    expect(wantsColour(output, environment)).toBe(expected);
  });

  test("lines are written over only on a screen", () => {
    expect([isScreen(terminal, {}), isScreen(terminal, { TERM: "dumb" }), isScreen(pipe, {})]).toEqual([
      true,
      false,
      false,
    ]);
  });
});

test("titles, heads and warnings are bold and rules dim; all else stays as it is", () => {
  const text = "nim: 4 games\n\n#  Entrant\n-  -------\n1  random\n\nWarnings\n! it is short\n";
  const lines = decorate(text).split("\n");
  expect(lines).toEqual([
    styled("nim: 4 games", "bold"),
    "",
    styled("#  Entrant", "bold"),
    styled("-  -------", "dim"),
    "1  random",
    "",
    "Warnings",
    styled("! it is short", "bold"),
    "",
  ]);
});

test("the head of a Markdown table is bold and its rule dim", () => {
  expect(decorate("| Games |\n| ----: |\n| 0 |").split("\n")).toEqual([
    styled("| Games |", "bold"),
    styled("| ----: |", "dim"),
    "| 0 |",
  ]);
});

test("a title above indented lines is bold; a line with two columns is no title", () => {
  expect(decorate("nim  a game\n  options\n    piles  counters").split("\n")).toEqual([
    "nim  a game",
    styled("  options", "bold"),
    "    piles  counters",
  ]);
});

describe("lines that fit a terminal", () => {
  test("are continued under their second column", () => {
    expect(fitted("    piles    counters in each pile at first\nshort", 30)).toBe(
      "    piles    counters in each\n             pile at first\nshort",
    );
  });

  test("are measured in columns, of which a character may take two", () => {
    expect(fitted("  東京 大阪 two three", 12)).toBe("  東京 大阪\n  two three");
    expect(fitted("    東京    counters in each", 26)).toBe("    東京    counters in\n            each");
  });

  test("are continued under their first word where there is one column", () => {
    expect(fitted("  one two three four five", 12)).toBe("  one two\n  three four\n  five");
  });

  test("a word longer than the line stays whole, and so does a row of a table", () => {
    expect(fitted("see /a/very/long/path here", 10)).toBe("see\n/a/very/long/path\nhere");
    expect(fitted("| a row of a table |", 10)).toBe("| a row of a table |");
  });
});
