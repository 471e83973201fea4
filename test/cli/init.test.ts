import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { agon, agonProcess, temporaryFolder, writeInto } from "../support/agon.ts";
import { slowTest } from "../support/thorough.ts";

const FILES = {
  tournament: ["tic-tac-toe.yaml"],
  training: ["tic-tac-toe-linear.yaml"],
  game: ["kalah.ts", "tournament.yaml"],
  agent: ["one-move.ts", "tournament.yaml"],
  bot: ["bot.mjs", "javascript.yaml"],
};

describe.each(Object.entries(FILES))("agon init %s", (kind, files) => {
  slowTest("writes files that pass their check and play, by the commands that it prints", async () => {
    const dir = temporaryFolder();
    // As npm init -y writes it: the folder is one of CommonJS modules.
    writeInto(dir, "package.json", { name: "mine", type: "commonjs" });
    const { code, stdout } = await agon(["init", kind, "my folder"], { cwd: dir });
    expect(code).toBe(0);
    expect(readdirSync(join(dir, "my folder"))).toEqual(files);
    for (const file of files) {
      const path = join(dir, "my folder", file);
      const text = readFileSync(path, "utf8");
      writeFileSync(path, text.replace("games: 20000", "games: 200").replace(/blocks: \d+/, "blocks: 1"));
    }
    const commands = stdout.matchAll(/^ {2}agon (.*)$/gm);
    for (const [, command] of commands) {
      const words = Array.from(command!.matchAll(/'([^']*)'|\S+/g), ([word, inside]) => inside ?? word);
      const outcome = await agonProcess(words, { cwd: dir });
      expect({ command, ...outcome }).toMatchObject({ command, code: 0 });
    }
    expect(Array.from(stdout.matchAll(/^ {2}agon (\w+)/gm), ([, name]) => name)).toEqual(
      kind === "training" ? ["plan", "train"] : [kind === "tournament" ? "plan" : "check", "run"],
    );
  });

  test("never overwrites a file, nor writes the others then", async () => {
    const dir = temporaryFolder();
    writeInto(dir, files.at(-1)!, "mine");
    const { code, stderr } = await agon(["init", kind], { cwd: dir });
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: `${files.at(-1)}: is there already; name another folder\n`,
    });
    expect(readdirSync(dir)).toEqual(files.slice(-1));
    expect(readFileSync(join(dir, files.at(-1)!), "utf8")).toBe("mine");
  });
});
