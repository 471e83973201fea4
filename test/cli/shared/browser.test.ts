import { chmodSync, existsSync, readFileSync } from "node:fs";
import { get } from "node:http";
import { join } from "node:path";
import process from "node:process";
import { expect, onTestFinished } from "vitest";
import type { RunEntry } from "../../../src/report/page/data.ts";
import { startAgon, temporaryFolder, writeInto } from "../../support/agon.ts";
import { ask } from "../../support/servers/agon-serve.ts";
import { slowTest } from "../../support/thorough.ts";

/** A folder with a program that stands for the browser's opener: it writes down what it is to open. */
function fakeBrowser(dir: string): { env: { PATH: string }; opened: () => string } {
  const file = join(dir, "opened");
  for (const name of ["xdg-open", "open"])
    chmodSync(
      writeInto(dir, name, `#!/bin/sh\necho "$1" > ${file}.part && mv ${file}.part ${file}\n`),
      0o755,
    );
  return {
    env: { PATH: `${dir}:${process.env["PATH"]}` },
    opened: () => (existsSync(file) ? readFileSync(file, "utf8").trim() : ""),
  };
}

/** True if somebody answers at an address. */
async function isThere(address: string): Promise<boolean> {
  return new Promise((resolve) => {
    get(address, { agent: false }, (response) => {
      response.resume();
      resolve(true);
    }).on("error", () => resolve(false));
  });
}

const endless = {
  name: "endless",
  game: "tic-tac-toe",
  blocks: 100_000,
  openings: { randomPlies: 1 },
  entrants: ["random", "mcts:timeMs=5"],
};

const training = {
  name: "learner",
  game: { id: "pig", target: 20 },
  games: 200,
  evaluator: { kind: "linear", features: "race", output: "identity" },
  learner: { rule: "td", lambda: 0.7, stepSize: 0.1 },
  exploration: { kind: "epsilon-greedy", epsilon: 0.2 },
  checkpoints: 2,
  rating: { player: { agent: "greedy" }, pool: ["random"], blocks: 2 },
};

slowTest.runIf(process.platform !== "win32")(
  "agon run --open shows the run as long as it goes on, also where it is killed",
  async () => {
    const dir = temporaryFolder();
    const { env, opened } = fakeBrowser(dir);
    const out = join(dir, "runs", "it's mine");
    const config = writeInto(dir, "t.json", endless);
    const { child, outcome } = startAgon(["run", config, "--out", out, "--workers", "1", "--open"], { env });
    onTestFinished(() => void child.kill("SIGKILL"));
    await expect.poll(opened, { timeout: 30_000 }).toMatch(/^http:/);
    expect(opened()).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#\/it's%20mine\/standings$/);
    const address = new URL(opened()).origin;
    const [entry] = JSON.parse((await ask(address, "/runs")).body) as RunEntry[];
    expect(entry).toMatchObject({ folder: "it's mine", state: "going on", planned: 200_000 });
    child.kill("SIGKILL");
    await outcome;
    await expect.poll(() => isThere(address), { timeout: 10_000 }).toBe(false);
  },
);

slowTest("agon train --open; at its end it says where the training can be seen", async () => {
  const dir = temporaryFolder();
  const { env, opened } = fakeBrowser(dir);
  const out = join(dir, "runs", "a");
  const args = ["train", writeInto(dir, "t.json", training), "--out", out, "--open", "--workers", "1"];
  const { code, stderr } = await startAgon(args, { env }).outcome;
  expect(stderr).toMatch(
    /^Watch it at http:\S+$[^]*^The page has ended with it\. .*:\n {2}agon serve .*runs --open$/m,
  );
  expect(opened()).toMatch(/#\/training%20of%20a\/curve$/);
  expect(code).toBe(0);
  expect(await isThere(new URL(opened()).origin)).toBe(false);
});
