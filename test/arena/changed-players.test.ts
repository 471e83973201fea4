import { cpSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import Database from "libsql";
import { describe, expect, test } from "vitest";
import { playTournament, type TournamentResult } from "../../src/arena/tournament.ts";
import { planOfRun } from "../../src/arena/store/run-folder.ts";
import { verifyRun } from "../../src/arena/play/verify.ts";
import { Store } from "../../src/arena/store/store.ts";
import { temporaryFolder, writeInto } from "../support/agon.ts";
import { slowTest } from "../support/thorough.ts";

/** A bot that takes the legal action at `index` of the list in another file. */
const BOT = `import { createInterface } from "node:readline";
import { readFileSync } from "node:fs";
const index = Number(readFileSync(new URL("index.txt", import.meta.url), "utf8"));
const say = (message) => process.stdout.write(JSON.stringify(message) + "\\n");
createInterface({ input: process.stdin }).on("line", (line) => {
  const { type, legal } = JSON.parse(line);
  if (type === "hello") say({ type, protocol: 1, name: "bot", wants: "texts" });
  if (type === "decide") say({ type: "decision", action: legal.at(index) });
});
`;

/** A folder with a bot in it, and its tournament. */
function withBot(): { dir: string; readonly play: (request: object) => Promise<TournamentResult> } {
  const dir = temporaryFolder();
  writeInto(dir, "bot.mjs", BOT);
  writeInto(dir, "index.txt", "0");
  const bot = {
    name: "bot",
    agent: "program",
    command: [process.execPath, "./bot.mjs"],
    files: ["index.txt"],
  };
  const config = { name: "t", game: "tic-tac-toe", seed: "s", blocks: 1, entrants: ["random", bot] };
  return {
    dir,
    play: async (request) =>
      playTournament(config, { baseDir: dir, outDir: join(dir, "run"), workers: 0, ...request }),
  };
}

const REFUSED =
  /has changed since the run was begun: [0-9a-f]{12} there, [0-9a-f]{12} now; enter it as a new version with --as NAME/;

describe("a bot that has changed", () => {
  slowTest.each([
    ["its program", "bot.mjs", `${BOT}// changed\n`],
    ["a file that it needs", "index.txt", "1"],
  ])("is refused, or entered as a new version: %s", async (_, file, text) => {
    const { dir, play } = withBot();
    const before = await play({});
    expect(before.records.map(({ ending }) => ending)).toEqual(["finished", "finished"]);
    expect((await play({ resume: true })).played).toBe(0);
    writeInto(dir, file, text);
    await expect(play({ resume: true })).rejects.toThrow(REFUSED);
    await expect(play({ grow: true })).rejects.toThrow(REFUSED);
    await expect(play({ grow: true, as: "random" })).rejects.toThrow('has an entrant "random" already');
    const grown = await play({ grow: true, as: "bot 2" });
    expect(grown.plan.entrants.map(({ name }) => name)).toEqual(["random", "bot", "bot 2"]);
    expect(grown.played).toBe(4);
    await expect(play({ resume: true })).rejects.toThrow(
      /"bot 2" entered the run later, and is not in the config; to go on with all of them: agon run .*run --resume/,
    );
    await expect(play({ grow: true, as: "bot 3" })).rejects.toThrow("none of those in the run has changed");
  });

  slowTest("is played again from the copy in the run's folder, wherever that is", async () => {
    const { dir, play } = withBot();
    await play({});
    const moved = join(temporaryFolder(), "moved");
    cpSync(join(dir, "run"), moved, { recursive: true });
    writeInto(dir, "index.txt", "1");
    rmSync(join(dir, "bot.mjs"));
    for (const run of [join(dir, "run"), moved]) {
      const store = Store.openExisting(run);
      expect(await verifyRun(store, run, { workers: 0 })).toMatchObject({
        verified: 2,
        differences: [],
        skipped: [],
      });
      store.close();
    }
    expect(() => Store.openExisting(moved, { files: dir }).loadPlan()).toThrow("has changed since");
    expect(readFileSync(join(moved, "results.sqlite"), "latin1")).not.toContain(dir);
  });

  test("goes on from the copy where the run is now, but with no other program", async () => {
    const { dir, play } = withBot();
    const { records } = await play({});
    const moved = join(temporaryFolder(), "moved");
    cpSync(join(dir, "run"), moved, { recursive: true });
    rmSync(dir, { recursive: true });
    const first = records[0]!;
    const database = new Database(join(moved, "results.sqlite"));
    database.prepare("delete from games where id = ?").run(first.id);
    database.close();
    const request = { outDir: moved, resume: true, stored: true, workers: 0 };
    const plan = planOfRun(moved);
    const result = await playTournament(plan, request);
    expect(result.played).toBe(1);
    expect(result.records.find(({ id }) => id === first.id)).toMatchObject({ actions: first.actions });
    const entrants = plan.entrants.map((one) => ({
      ...one,
      ...(one.program && { program: "0".repeat(24) }),
    }));
    await expect(playTournament({ ...plan, entrants }, request)).rejects.toThrow(
      "has changed since the run was begun",
    );
  });

  slowTest("has games of the same ids in every folder", async () => {
    const [one, other] = [await withBot().play({}), await withBot().play({})];
    expect(one.records.map(({ id }) => id)).toEqual(other.records.map(({ id }) => id));
  });
});
