import { describe, expect, test } from "vitest";
import { decorate, isScreen, styled, wantsColour, widthOf } from "../../src/cli/terminal.ts";

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

test("the rule of a Markdown table is dim", () => {
  expect(decorate("| a |  b |\n| - | -: |\n| -- | --: |").split("\n")[2]).toBe(styled("| -- | --: |", "dim"));
});
