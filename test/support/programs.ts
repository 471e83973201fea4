import { spawnSync } from "node:child_process";
import { test, type TestAPI } from "vitest";

/** True if a program is there. */
function has(program: string): boolean {
  return spawnSync(program, ["--version"], { stdio: "ignore", timeout: 20_000 }).status === 0;
}

/** A test that needs a program; where there is none, its name says that it is left out. */
function testWith(program: string): TestAPI {
  const isThere = has(program);
  const named = (name: string) => (isThere ? name : `${name} (left out: there is no ${program} here)`);
  return ((name: string, run: () => Promise<void>) => test.runIf(isThere)(named(name), run)) as TestAPI;
}

export const pythonTest: TestAPI = testWith("python3");
/** A test that needs a C compiler. */
export const compilerTest: TestAPI = testWith("cc");
