import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import process from "node:process";
import { expect, test } from "vitest";
import { measureProcesses, waitedMs } from "../../src/players/processor-time.ts";

const counts = existsSync("/proc/thread-self/schedstat");

test("the time that this thread waited never shrinks", () => {
  const before = waitedMs();
  expect(before).toBeGreaterThanOrEqual(0);
  expect(waitedMs()).toBeGreaterThanOrEqual(before);
});

test.runIf(counts)("the work of a process and its children is counted, that of others is not", async () => {
  // The shell starts a program that works when it is told to.
  const work = "process.stdin.once('data', () => { for (let i = 0; i < 5e7; i++); console.log('done'); })";
  const child = spawn("sh", ["-c", `"${process.execPath}" -e "$0"; :`, `${work}; console.log('ready')`], {
    detached: true,
  });
  const said = async () =>
    new Promise<string>((resolve) => child.stdout.once("data", (text) => resolve(String(text))));
  await said();
  const effort = measureProcesses(child.pid!);
  const other = measureProcesses(2 ** 30);
  child.stdin.write("work\n");
  await said();
  const { ranMs, waitedMs: waited } = effort();
  expect(ranMs).toBeGreaterThan(1);
  expect(waited).toBeGreaterThanOrEqual(0);
  expect(other()).toEqual({ ranMs: 0, waitedMs: 0 });
  process.kill(-child.pid!, "SIGKILL");
});
