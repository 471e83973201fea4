import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "libsql";
import { expect, onTestFinished, test } from "vitest";
import type { GamesPage } from "../../../src/report/page/game-list.ts";
import type { RunEntry } from "../../../src/report/page/data.ts";
import { InputError } from "../../../src/base/errors.ts";
import { reasonOf, withoutFolders } from "../../../src/report/reason.ts";
import { temporaryFolder } from "../../support/agon.ts";
import { fillRun } from "../../support/made-up-run.ts";
import { playedRun, ROOT, trainedRun } from "../../support/reports.ts";
import { ask, startServing } from "../../support/servers/agon-serve.ts";
import { slowTest } from "../../support/thorough.ts";

/** The words of Node, of the database and of JavaScript, which a reader of the page cannot use. */
const RAW =
  /SQLITE|malformed|libsql|Connection|\bE[A-Z]{3,}\b|errno|syscall|node:|\.js:\d|TypeError|\bat \w+ \(/;

const config = { name: "made-up", game: "tic-tac-toe", blocks: 2, openings: { randomPlies: 1 } };
const entrants = ["random", "alpha-beta:depth=2"];

slowTest(
  "no answer names a folder of this machine, or has a raw error",
  async () => {
    const dir = temporaryFolder();
    const runs = join(dir, "runs of mine");
    const files = join(dir, "files of mine");
    cpSync(join(ROOT, "examples/twenty-one"), files, { recursive: true });
    writeFileSync(
      join(files, "thrower.mjs"),
      `import { defineAgent, z } from "agon-arena";
     export const agent = defineAgent({
       id: "thrower",
       summary: "reads a file that is not there",
       options: z.strictObject({}),
       budgets: [],
       unsupported: () => undefined,
       create: () => ({ choose: () => { throw new Error("no file " + import.meta.dirname + "/x.json"); } }),
     });`,
    );
    const own = await playedRun({
      name: "own",
      game: join(files, "twenty-one.ts"),
      blocks: 2,
      entrants: [
        "random",
        { name: "counter", agent: join(files, "counter.ts") },
        { name: "thrower", agent: join(files, "thrower.mjs") },
      ],
    });
    const training = await trainedRun({
      name: "short",
      game: "tic-tac-toe",
      games: 60,
      evaluator: { features: "lines" },
      learner: { lambda: 0.5, stepSize: 0.01 },
      exploration: { epsilon: 0.1 },
      checkpoints: 2,
      rating: { pool: ["random"], player: "greedy", blocks: 2 },
    });
    mkdirSync(runs);
    const copy = (from: string, name: string, change: (dir: string) => void = () => {}) => {
      cpSync(from, join(runs, name), { recursive: true });
      change(join(runs, name));
    };
    await fillRun(join(runs, "whole"), { ...config, entrants });
    const store = (run: string) => join(run, "results.sqlite");
    copy(own, "own");
    copy(training, "training");
    copy(training, "training cut", (run) => {
      writeFileSync(join(run, "checkpoints/30.json"), "{");
      writeFileSync(join(run, "weights.json"), "{}");
    });
    copy(training, "training torn", (run) => writeFileSync(store(run), "no database, but a text"));
    copy(training, "training without weights", (run) => {
      rmSync(join(run, "weights.json"));
      rmSync(join(run, "checkpoints/60.json"));
    });
    copy(join(runs, "whole"), "cut", (run) =>
      writeFileSync(store(run), readFileSync(store(run)).subarray(0, 6000)),
    );
    copy(join(runs, "whole"), "torn", (run) => {
      const bytes = readFileSync(store(run));
      bytes.fill(7, 5000);
      writeFileSync(store(run), bytes);
    });
    copy(join(runs, "whole"), "a folder", (run) => {
      rmSync(store(run));
      mkdirSync(store(run));
    });
    copy(join(runs, "whole"), "locked");
    const writer = new Database(store(join(runs, "locked")));
    onTestFinished(() => void writer.close());
    writer.exec("pragma locking_mode = exclusive; begin exclusive");

    const { address } = await startServing(runs);
    const entries = JSON.parse((await ask(address, "/runs")).body) as RunEntry[];
    const answers = [JSON.stringify(entries)];
    for (const { folder } of entries) {
      const path = `/runs/${encodeURIComponent(folder)}`;
      const list = await ask(address, `${path}/games?sort=actions`);
      answers.push((await ask(address, path)).body, list.body, (await ask(address, `${path}/games/0`)).body);
      if (list.status !== 200) continue;
      for (const { id } of (JSON.parse(list.body) as GamesPage).games)
        answers.push((await ask(address, `${path}/games/${id}`)).body);
    }
    const secrets = [dir, own, training, ROOT, "of mine/"];
    expect(secrets.filter((secret) => answers.join().includes(secret))).toEqual([]);
    expect(answers.map((answer) => RAW.exec(answer)?.[0])).toEqual(answers.map(() => undefined));
    const notices = Object.fromEntries(entries.map(({ folder, notice }) => [folder, notice]));
    expect(notices).toEqual({
      whole: "",
      own: "",
      training: "",
      "training cut": "",
      "training torn": "",
      "training without weights": "",
      cut: "results.sqlite: is damaged",
      torn: "torn: has no plan: the run never began",
      "a folder": "results.sqlite: cannot be opened",
      locked: "another program has locked the store",
    });
    // The reasons stay, in words and with the names of files.
    const reasons = [
      "no file x.json",
      "the game's rules are in a file of yours",
      "A checkpoint cannot be read: 30.json: is not JSON",
      "The weights cannot be shown: weights.json: format: missing",
      "results.sqlite: is damaged",
    ];
    expect(reasons.filter((words) => !answers.join().includes(words))).toEqual([]);
  },
  120_000,
);

test.each([
  ["/home/me/runs/a.json: is not JSON", "a.json: is not JSON"],
  [
    "cannot be read: ENOENT: no such file or directory, open '/home/me/my runs/a.json'",
    "cannot be read: no such file or directory",
  ],
  ["two: (/home/me/a.ts) and file:///home/me/b.ts:3:4", "two: (a.ts) and b.ts:3:4"],
  ["/home/my name/a b.json: missing", "a b.json: missing"],
  ["weights/a.json has 1/2 of 3 / 4", "weights/a.json has 1/2 of 3 / 4"],
  ["C:\\Users\\me\\a.json: no", "a.json: no"],
])("%s is told as %s", (text, told) => expect(withoutFolders(text)).toBe(told));

test("a fault of the program is told without its words", () => {
  expect(reasonOf(new TypeError("x is not a function"))).toBe("a fault of the program or of your code");
  expect(reasonOf(Object.assign(new Error("EACCES: /x/y"), { code: "EACCES" }))).toBe(
    "the server may not read it",
  );
  expect(reasonOf(Object.assign(new Error("ENOENT: /x/y"), { code: "ENOENT" }))).toBe("a file is missing");
  expect(reasonOf(new InputError("is empty", "/home/me/results.sqlite"))).toBe("results.sqlite: is empty");
});
