/*
 * Runs test files for mutate.mjs, in a process of its own that can be ended. It keeps vitest and what vitest has
 * read, so that a test file costs less than a start of vitest.
 *
 * It first sends { tests: all test files }. Message in: { changed: files that are not as before, test: the test file
 * to run }; either may be missing. Message out: { isSound: whether the tests pass, timeMs: how long they took }.
 */
import process from "node:process";
import { createVitest } from "vitest/node";

const vitest = await createVitest(
  "test",
  {
    root: process.cwd(),
    watch: false,
    cache: false,
    bail: 1,
    maxWorkers: 1,
    reporters: [{}],
    silent: true,
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
  { cacheDir: "cache" },
);
await vitest.standalone();
const specifications = new Map();
for (const found of await vitest.globTestSpecifications()) specifications.set(found.moduleId, found);

async function run({ changed = [], test }) {
  for (const file of changed) vitest.invalidateFile(file);
  if (test === undefined) return { isSound: true, timeMs: 0 };
  const begin = performance.now();
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications([specifications.get(test)]);
  const isSound =
    unhandledErrors.length === 0 && testModules.length > 0 && testModules.every((module) => module.ok());
  return { isSound, timeMs: performance.now() - begin };
}

process.on("message", (message) => void run(message).then((outcome) => process.send(outcome)));
process.send({ tests: [...specifications.keys()] });
