import { expect, test } from "vitest";
import { escapeControls, InputError } from "../../src/base/errors.ts";
import { didYouMean } from "../../src/base/text.ts";

test.each([
  // Up to three letters: one of them may be wrong.
  ["pog", ["nim", "pig"], "pig"],
  ["gip", ["nim", "pig"], undefined],
  // Up to eight: two.
  ["mtcs", ["random", "mcts"], "mcts"],
  ["mabc", ["random", "mcts"], undefined],
  ["expctmax", ["expectimax", "max-n"], "expectimax"],
  // Beyond that a third of the letters.
  ["kon-ect-fur", ["chess", "connect-four"], "connect-four"],
  ["kan-ect-f", ["chess", "connect-four"], undefined],
  // Beyond that the only one that begins alike, with five letters.
  ["legalMoves", ["legalActions", "random"], "legalActions"],
  ["lega", ["legalActions", "random"], undefined],
  ["legalMoves", ["legalActions", "legalPositions"], undefined],
  // The nearest one, in whatever case it is written.
  ["NIM", ["nil", "nim"], "nim"],
  // A name with nothing in common is no suggestion, however short.
  ["x", ["a", "go"], undefined],
])("%s among %j: %s", (given, allowed, wanted) => {
  expect(didYouMean(given, allowed)).toBe(wanted === undefined ? "" : ` (did you mean "${wanted}"?)`);
});

test("of many problems the first twenty are told and the others counted", () => {
  const problems = Array.from({ length: 500 }, (_, at) => ({ path: `entrants[${at}]`, message: "is wrong" }));
  const error = new InputError(problems, "file");
  const lines = error.message.split("\n");
  expect(lines).toHaveLength(21);
  expect(lines[19]).toBe("file: entrants[19]: is wrong");
  expect(lines[20]).toBe("and 480 more");
  expect(error.problems).toHaveLength(500);
  expect(new InputError(problems.slice(0, 20)).message.split("\n")).toHaveLength(20);
});

test("of a long problem the begin and the end are told", () => {
  const { message, problems } = new InputError(`unknown agent "${"x".repeat(1e6)}"; allowed: random`, "file");
  expect(message).toMatch(/^file: unknown agent "x+\.\.\.x+"; allowed: random$/);
  expect(message.length).toBeLessThanOrEqual(4000);
  expect(problems[0]!.message.length).toBeGreaterThan(1e6);
});

test("control characters are shown, not sent to the terminal", () => {
  expect(escapeControls("a\tb\r\n\u0000\u001b[31m\u007f\u009b\u202e\u2028")).toBe(
    "a\\tb\\r\\n\\u0000\\u001b[31m\\u007f\\u009b\\u202e\\u2028",
  );
  const plain = "Zoë, 象棋, -3.5 \\ ♞🎲";
  expect(escapeControls(plain)).toBe(plain);
});
