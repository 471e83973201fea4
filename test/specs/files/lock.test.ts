import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { setTimeout } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import { isAbandoned, isLocked, lockFolder } from "../../../src/specs/files/lock.ts";
import { agon, startAgon, temporaryFolder, writeInto } from "../../support/agon.ts";
import { slowTest } from "../../support/thorough.ts";

const FILE = "agon.lock";

/** The process number of a program that has ended. */
function goneProcess(): number {
  return spawnSync(process.execPath, ["--version"]).pid;
}

/** A lock file as another process would have left it. */
function leaveLock(dir: string, change: object): void {
  const holder = { id: "a", pid: goneProcess(), host: hostname(), since: "2026-01-01T00:00:00.000Z" };
  writeInto(dir, FILE, { ...holder, begun: "1", ...change });
}

describe("a lock", () => {
  test("keeps others out until it is released, and leaves nothing", () => {
    const dir = temporaryFolder();
    const lock = lockFolder(dir);
    expect(() => lockFolder(dir)).toThrow(
      `${dir}: process ${process.pid} on ${hostname()} has been writing here since 20`,
    );
    lock.release();
    lock.release();
    expect(readdirSync(dir)).toEqual([]);
    lockFolder(dir).release();
  });

  test("is seen from outside as long as its process holds it", () => {
    const dir = temporaryFolder();
    const isSeenAs = (locked: boolean, abandoned: boolean) =>
      expect([isLocked(dir), isAbandoned(dir)]).toEqual([locked, abandoned]);
    isSeenAs(false, false);
    const lock = lockFolder(dir);
    isSeenAs(true, false);
    lock.release();
    leaveLock(dir, {});
    isSeenAs(false, true);
    leaveLock(dir, { host: "another" });
    isSeenAs(true, false);
    writeInto(dir, FILE, "half of a lo");
    isSeenAs(false, false);
    expect(readdirSync(dir)).toEqual([FILE]);
  });

  test("of a process that is gone is taken over", () => {
    const dir = temporaryFolder();
    leaveLock(dir, {});
    const lock = lockFolder(dir);
    expect(readFileSync(join(dir, FILE), "utf8")).toContain(`"pid":${process.pid},`);
    expect(readdirSync(dir)).toEqual([FILE]);
    lock.release();
  });

  test("is taken over from a process that was killed while it took it over from another one", () => {
    const dir = temporaryFolder();
    leaveLock(dir, {});
    const left = readFileSync(join(dir, FILE), "utf8");
    const claim = `${FILE}.${createHash("sha256").update(left).digest("hex").slice(0, 16)}`;
    writeInto(dir, claim, { ...(JSON.parse(left) as object), id: "b" });
    const lock = lockFolder(dir);
    expect(readdirSync(dir)).toEqual([FILE]);
    lock.release();
    expect(readdirSync(dir)).toEqual([]);
  });

  test.runIf(process.platform === "linux")(
    "of a process whose number another one has got is taken over",
    () => {
      const dir = temporaryFolder();
      leaveLock(dir, { pid: process.pid });
      lockFolder(dir).release();
      expect(readdirSync(dir)).toEqual([]);
    },
  );

  test("whose begin is unknown is held as long as a process has that number", () => {
    const dir = temporaryFolder();
    leaveLock(dir, { pid: process.pid, begun: null });
    expect(() => lockFolder(dir)).toThrow(
      `wait for its end, or stop it. If process ${process.pid} is another program, ` +
        `remove the file ${join(dir, FILE)}`,
    );
  });

  slowTest.each(["", "{", "null", "[]"])(
    "that names nobody, such as %j, is taken over after a while",
    (text) => {
      const dir = temporaryFolder();
      writeInto(dir, FILE, text);
      lockFolder(dir).release();
      expect(readdirSync(dir)).toEqual([]);
    },
  );

  test("of another machine is named, with the file to remove", () => {
    const dir = temporaryFolder();
    leaveLock(dir, { host: "elsewhere", pid: 7 });
    expect(() => lockFolder(dir)).toThrow(
      `${dir}: process 7 on elsewhere has been writing here since 2026-01-01T00:00:00.000Z; wait for its end. ` +
        `If that process is gone, remove the file ${join(dir, FILE)}`,
    );
  });

  test("that is gone is missed", () => {
    const dir = join(temporaryFolder(), "run");
    mkdirSync(dir);
    const lock = lockFolder(dir);
    lock.check();
    rmSync(dir, { recursive: true });
    expect(() => lock.check()).toThrow(`ENOENT: the lock of this process is gone, '${join(dir, FILE)}'`);
    writeInto(join(dir, ".."), "run", "no folder");
    expect(() => lock.check()).toThrow("ENOENT");
  });

  test("is not released by a process that has lost it", () => {
    const dir = temporaryFolder();
    const lock = lockFolder(dir);
    leaveLock(dir, { host: "elsewhere" });
    lock.release();
    expect(readdirSync(dir)).toEqual([FILE]);
  });

  slowTest("that is stale goes to one of many processes that find it at the same moment", async () => {
    const dir = temporaryFolder();
    const module = new URL("../../../build/specs/files/lock.js", import.meta.url).href;
    const script = writeInto(
      temporaryFolder(),
      "take.mjs",
      `import { isAbandoned, isLocked, lockFolder } from ${JSON.stringify(module)};
       const at = Number(process.argv[2]);
       while (Date.now() < at);
       try { lockFolder(${JSON.stringify(dir)}); console.log("won"); setTimeout(() => {}, 60_000); }
       catch (error) { console.log(error.message); }`,
    );
    for (let round = 0; round < 3; round++) {
      leaveLock(dir, {});
      const at = Date.now() + 1500;
      const takers = Array.from({ length: 8 }, () => spawn(process.execPath, [script, `${at}`]));
      const said = await Promise.all(
        takers.map(
          (taker) =>
            new Promise<string>((resolve) => taker.stdout.once("data", (text) => resolve(String(text)))),
        ),
      );
      for (const taker of takers) taker.kill("SIGKILL");
      expect(said.filter((text) => text === "won\n")).toHaveLength(1);
      const winner = takers[said.indexOf("won\n")]!.pid;
      for (const text of said)
        if (text !== "won\n") expect(text).toContain(`process ${winner} on ${hostname()} has been`);
    }
  });
});

/** Waits until the file is there. */
async function untilThere(path: string): Promise<void> {
  while (!existsSync(path)) await setTimeout(20);
}

describe("one folder and two processes", () => {
  const slow = { agent: "mcts", simulations: 20_000 };
  const tournament = {
    name: "t",
    game: "connect-four",
    blocks: 500,
    entrants: [
      { ...slow, name: "a" },
      { ...slow, name: "b" },
    ],
  };
  const training = {
    name: "t",
    game: "tic-tac-toe",
    games: 50_000_000,
    evaluator: { kind: "linear", features: "lines" },
    learner: { rule: "td", lambda: 0.7, stepSize: 0.01 },
    exploration: { kind: "epsilon-greedy", epsilon: 0.1 },
    rating: { player: "greedy", pool: ["random"], blocks: 1 },
  };

  const both = [
    ["run", tournament, ["--workers", "1"]],
    ["train", training, ["--workers", "1"]],
  ] as const;
  slowTest.each(both)(
    "agon %s: the second is refused, readers are not; after a kill --resume goes on at once",
    async (command, config, more) => {
      const dir = temporaryFolder();
      const out = join(dir, "out");
      const args = [command, writeInto(dir, "config.json", config), "--out", out, ...more];
      const first = startAgon(args);
      onTestFinished(() => void first.child.kill("SIGKILL"));
      await untilThere(join(out, command === "run" ? "results.sqlite" : "checkpoints"));
      await setTimeout(1500);
      for (const resume of [["--resume"], []]) {
        const second = await agon([...args, ...resume]);
        expect(second).toMatchObject({ code: 2, stdout: "" });
        expect(second.stderr).toMatch(
          new RegExp(
            `^${out}: process ${first.child.pid} on ${hostname()} has been writing here since 20.*\n$`,
          ),
        );
      }
      expect(existsSync(join(out, FILE))).toBe(true);
      expect(await agon(["rate", out])).toMatchObject({ code: 0 });
      expect(await agon(["verify", out, "--sample", "2"])).toMatchObject({ code: 0 });
      expect(await agon(["export", out, "--out", join(dir, "games.jsonl")])).toMatchObject({ code: 0 });

      first.child.kill("SIGKILL");
      await first.outcome;
      expect(existsSync(join(out, FILE))).toBe(true);
      const again = startAgon([...args, "--resume"]);
      onTestFinished(() => void again.child.kill("SIGKILL"));
      // Between the old lock and the new one there is none.
      const lock = () => (existsSync(join(out, FILE)) ? readFileSync(join(out, FILE), "utf8") : "");
      while (!lock().includes(`"pid":${again.child.pid},`)) await setTimeout(20);
      await setTimeout(1500);
      again.child.kill("SIGINT");
      expect((await again.outcome).code).toBe(130);
      expect(existsSync(join(out, FILE))).toBe(false);
    },
  );

  slowTest("a run that is refused leaves no lock", async () => {
    const dir = temporaryFolder();
    const entrants = ["random", { agent: "random", name: "b" }];
    const config = writeInto(dir, "t.json", { ...tournament, blocks: 1, entrants });
    const out = join(dir, "out");
    expect(await agon(["run", config, "--out", out])).toMatchObject({ code: 0 });
    const files = readdirSync(out);
    expect(await agon(["run", config, "--out", out])).toMatchObject({ code: 2 });
    expect(await agon(["run", config, "--out", out, "--seed", "b", "--resume"])).toMatchObject({ code: 2 });
    expect(readdirSync(out)).toEqual(files);
    expect(files).not.toContain(FILE);
  });
});
