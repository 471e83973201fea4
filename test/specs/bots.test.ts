import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { planTournament } from "../../src/arena/plan/config.ts";
import { enterBots } from "../../src/specs/bots.ts";
import { temporaryFolder } from "../support/agon.ts";

function classOf(files: readonly string[]): string {
  const dir = temporaryFolder();
  for (const file of files) {
    mkdirSync(join(dir, file, ".."), { recursive: true });
    writeFileSync(join(dir, file), "", { mode: file.endsWith("/bot") ? 0o755 : 0o644 });
  }
  return dir;
}

test("a pattern enters folders of bots, or files, under their names, in order", () => {
  const dir = classOf([
    "bots/cid/agent.ts",
    "bots/bob/bot.mjs",
    "bots/bob/notes.txt",
    "bots/ann/bot.py",
    "bots/dan/bot",
    "bots/.git/bot.py",
    "solo/x.py",
    "solo/y.py",
  ]);
  const folders = [
    { name: "ann", agent: "program", command: ["python3", "./bots/ann/bot.py"] },
    { name: "bob", agent: "program", command: ["node", "./bots/bob/bot.mjs"] },
    { name: "cid", agent: "./bots/cid/agent.ts" },
    { name: "dan", agent: "program", command: ["./bots/dan/bot"] },
  ];
  expect(enterBots("./bots/*/", dir)).toEqual(folders);
  expect(enterBots(["random", "./bots/*/"], dir)).toEqual(["random", ...folders]);
  expect(enterBots("./solo/*.py", dir)).toEqual(
    ["x", "y"].map((name) => ({ name, agent: "program", command: ["python3", `./solo/${name}.py`] })),
  );
});

test("a pattern as an agent gives each bot the other options; in a sandbox a bot sees its own folder", () => {
  const dir = classOf(["bots/ann/bot.py", "bots/bob/bot.mjs", "solo/x.py"]);
  const given = [
    { agent: "./bots/*/", sandbox: true },
    { agent: "./solo/*.py", log: true },
  ];
  const ann = { name: "ann", agent: "program", command: ["python3", "./bots/ann/bot.py"] };
  const bob = { name: "bob", agent: "program", command: ["node", "./bots/bob/bot.mjs"] };
  expect(enterBots(given, dir)).toEqual([
    { ...ann, files: ["./bots/ann"], sandbox: true },
    { ...bob, files: ["./bots/bob"], sandbox: true },
    { name: "x", agent: "program", command: ["python3", "./solo/x.py"], log: true },
  ]);
});

test("an agent in a file sees its code alone in a sandbox", () => {
  const dir = classOf(["bots/cid/agent.ts"]);
  expect(enterBots([{ agent: "./bots/*/", sandbox: true }], dir)).toEqual([
    { name: "cid", agent: "./bots/cid/agent.ts", sandbox: true },
  ]);
});

test.each([
  ["./none/*/", 'entrants: no folder is named like "./none/*/"'],
  ["./bots/*/", "entrants: ./bots/eve has no bot; allowed: bot.py"],
  ["./bots/eve/*", "entrants: ./bots/eve/notes.txt is no bot"],
])("the pattern %s without bots is refused", async (entrants, message) => {
  const config = { name: "class", game: "tic-tac-toe", blocks: 1, entrants };
  await expect(planTournament(config, { baseDir: classOf(["bots/eve/notes.txt"]) })).rejects.toThrow(message);
});
