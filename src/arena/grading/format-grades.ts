import { counted, escapeText } from "../../base/text.ts";
import type { Grades, Mark } from "./grading.ts";

/** The forms in which marks are written. */
export const GRADE_FORMATS = ["text", "json", "junit", "gradescope"] as const;
type GradeFormat = (typeof GRADE_FORMATS)[number];

/** Formats marks, without a line feed at the end. */
export function formatGrades(grades: Grades, format: GradeFormat): string {
  return FORMATS[format](grades);
}

const FORMATS: Readonly<Record<GradeFormat, (grades: Grades) => string>> = {
  text: ({ name, tests, points, maxPoints }) =>
    [
      `${name}: ${points} of ${counted(maxPoints, "point")}`,
      ...tests.map((mark) => {
        const head = `${mark.passed ? "passed" : "FAILED"}  ${mark.name}: ${mark.points} of ${counted(mark.maxPoints, "point")}`;
        return [head, ...linesOf(mark).map((line) => `  ${line}`)].join("\n");
      }),
    ].join("\n\n"),
  json: (grades) => JSON.stringify(grades, null, 2),
  junit,
  gradescope,
};

/** Lines for the student about a test: the reason of the mark, the games, the forfeits. */
function linesOf({ reason, score, games, wins, draws, losses, forfeits }: Mark): string[] {
  const result = `${counted(games, "game")}: ${wins} won, ${draws} drawn, ${losses} lost, ${score?.toFixed(1)}% of the points.`;
  return [
    reason,
    ...(score === null ? [] : [result]),
    ...forfeits.map(
      ({ ending, games: lost, detail }) => `Forfeited ${counted(lost, "game")} by ${ending}: ${detail}`,
    ),
  ];
}

/** JUnit's XML, as continuous integration reads it: a test that was not passed is a failure. */
function junit({ name, tests }: Grades): string {
  const failures = tests.filter(({ passed }) => !passed).length;
  const counts = `name="${escapeText(name)}" tests="${tests.length}" failures="${failures}" errors="0"`;
  const cases = tests.map((mark) => {
    const [head = "", ...rest] = linesOf(mark);
    const open = `    <testcase classname="${escapeText(name)}" name="${escapeText(mark.name)}">`;
    const out = `      <system-out>${escapeText([head, ...rest].join("\n"))}</system-out>`;
    const failure = `      <failure message="${escapeText(head)}">${escapeText(rest.join("\n"))}</failure>`;
    return [open, mark.passed ? out : failure, "    </testcase>"].join("\n");
  });
  return ["<testsuites>", `  <testsuite ${counts}>`, ...cases, "  </testsuite>", "</testsuites>"].join("\n");
}

/** The `results.json` of a Gradescope autograder. */
function gradescope({ tests }: Grades): string {
  const listed = tests.map((mark) => ({
    name: mark.name,
    score: mark.points,
    max_score: mark.maxPoints,
    status: mark.passed ? "passed" : "failed",
    output: linesOf(mark).join("\n"),
    output_format: "text",
    visibility: "visible",
  }));
  return JSON.stringify({ tests: listed }, null, 2);
}
