import process from "node:process";
import { fileURLToPath } from "node:url";
import { test } from "vitest";
import { findProgram } from "../../src/players/player-process.ts";

/** An engine that does one thing wrong, or nothing; see test/fixtures/engines. */
export function scriptedEngine(name: string, ...args: string[]): string[] {
  return [
    process.execPath,
    fileURLToPath(new URL(`../fixtures/engines/${name}.mjs`, import.meta.url)),
    ...args,
  ];
}

type EngineTest = (name: string, run: () => Promise<void> | void, timeoutMs?: number) => void;

/** A test that needs a program. Where it is missing, the test's name says so; with AGON_SERVICES=1 it fails. */
export function engineTest(program: string): EngineTest {
  if (findProgram(program) !== undefined || process.env["AGON_SERVICES"] === "1") return test;
  return (name, run) => test.skip(`${name} (left out: there is no ${program} here)`, run);
}
