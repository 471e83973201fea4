/*
 * Sums up the runs of the tests: node .ci/summary.mjs FAILED-STEPS FULL-RUN OTHER-RUN... (JSON reports of vitest).
 * It says what no run has tested, which tests were the slowest and which failed, and ends with the line
 * "N passed, N failed".
 */
import { readFileSync } from "node:fs";
import process from "node:process";
import { stripVTControlCharacters } from "node:util";

const [steps, ...paths] = process.argv.slice(2);
const counts = { passed: 0, failed: Number(steps) };
const passedOnce = new Set();
const leftOut = new Map();
const failures = [];
const times = [];
/** The number of the slowest tests that are listed, and of the lines that are shown of a failure. */
const SLOWEST = 10;
const LINES = 12;
for (const path of paths) {
  const run = path.replace(/^.*\/|\.json$/g, "");
  let tests = [];
  try {
    const { testResults } = JSON.parse(readFileSync(path, "utf8"));
    // A file can fail outside its tests: while it is imported, or in a hook, which leaves the tests behind it out.
    for (const { name, message } of testResults.filter(
      ({ status, assertionResults }) =>
        status === "failed" && assertionResults.every((one) => one.status !== "failed"),
    ))
      failures.push(`== failed in the run ${run}: ${name.split("/test/").at(-1)}, outside its tests ${message}`.trimEnd());
    tests = testResults.flatMap(({ name, assertionResults }) =>
      assertionResults.map(({ fullName, status, duration = 0, failureMessages = [] }) => ({
        // A test that is left out says why behind its name.
        name: `${name.split("/test/").at(-1)}: ${fullName.replace(/ \(left out: .*\)$/, "")}`,
        status,
        seconds: duration / 1000,
        why: stripVTControlCharacters(failureMessages.join("\n")).split("\n").slice(0, LINES),
      })),
    );
  } catch {
    console.log(`== the run ${run} has no report`);
  }
  if (tests.length === 0) counts.failed++;
  for (const { name, status, seconds, why } of tests) {
    times.push({ seconds, text: `${seconds.toFixed(1)} s in the run ${run}: ${name}` });
    if (status === "passed") passedOnce.add(name);
    if (status === "failed") failures.push([`== failed in the run ${run}: ${name}`, ...why].join("\n   "));
    if (status in counts) counts[status]++;
    else leftOut.set(name, [...(leftOut.get(name) ?? []), run]);
  }
}
const runs = [...leftOut].filter(([name]) => passedOnce.has(name)).flatMap(([, list]) => list);
for (const run of new Set(runs))
  console.log(`== the run ${run} left out ${runs.filter((one) => one === run).length} tests that another run has passed`);
for (const [name] of [...leftOut].filter(([one]) => !passedOnce.has(one))) console.log(`== tested nowhere: ${name}`);
console.log(`== the ${SLOWEST} slowest tests`);
for (const { text } of times.toSorted((a, b) => b.seconds - a.seconds).slice(0, SLOWEST)) console.log(text);
for (const failure of failures) console.log(failure);
console.log(`${counts.passed} passed, ${counts.failed} failed`);
process.exitCode = counts.failed === 0 && counts.passed > 0 ? 0 : 1;
