import { spawn, type ChildProcess } from "node:child_process";
import process from "node:process";
import { onTestFinished } from "vitest";
import type { Format } from "../../src/arena/formats/format.ts";
import { formats } from "../../src/arena/formats/index.ts";
import type { RunOutcome } from "../../src/arena/play/run.ts";
import { fixture } from "./agon.ts";

/** Adds formats that only the tests know to those that plans may name. */
export const addFormats = (own: Readonly<Record<string, Format>>) => Object.assign(formats, own);

/** Formats of several rounds, by name: `winners-meet` has lag 1, `leader-plays` lag 2. */
export async function roundFormats(): Promise<Readonly<Record<string, Format>>> {
  return ((await import(fixture("rounds/formats.mjs"))) as { formats: Readonly<Record<string, Format>> })
    .formats;
}

/** A config for them: agents of different strength, with draws among equals. */
export const ROUNDS_CONFIG = {
  name: "rounds",
  game: "tic-tac-toe",
  seed: "rounds",
  blocks: 6,
  openings: { randomPlies: 2 },
  entrants: [
    "random",
    "mcts:simulations=3",
    "minimax:depth=1",
    "minimax:depth=2",
    "alpha-beta:depth=4",
    "minimax:depth=4",
    "alpha-beta:depth=2",
  ],
};

/** Plays a run in one of the formats in a process of its own, which ends with the test. */
export function startRounds(request: {
  readonly config: object;
  readonly type: string;
  readonly dir: string;
  readonly workers?: number;
  readonly queue?: string;
}): { child: ChildProcess; outcome: Promise<RunOutcome> } {
  const child = spawn(process.execPath, [fixture("rounds/play.mjs"), JSON.stringify(request)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let stdout = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  const outcome = new Promise<RunOutcome>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => {
      if (code === 0) resolve(JSON.parse(stdout) as RunOutcome);
      else reject(new Error(`ended with ${code ?? signal}`));
    });
  });
  outcome.catch(() => {});
  return { child, outcome };
}
