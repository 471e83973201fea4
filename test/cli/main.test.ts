import { execFileSync, spawn, spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { startAgon, temporaryFolder, writeInto, type Outcome } from "../support/agon.ts";
import { storedGames } from "../support/stored-games.ts";
import { slowTest, thorough } from "../support/thorough.ts";

const MAIN = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));
const isUnix = process.platform !== "win32";
const isRoot = process.getuid?.() === 0;
/** The command before a program that takes root's right to write anywhere away from it; others have no such right. */
const WITHOUT_RIGHTS = isRoot ? ["setpriv", "--bounding-set=-all", "--inh-caps=-all"] : [];
/** True if permissions of files hold for programs that are started here. */
const areRefused =
  isUnix && (!isRoot || spawnSync("setpriv", [...WITHOUT_RIGHTS.slice(1), "true"]).status === 0);

const tournament = {
  name: "t",
  game: "connect-four",
  blocks: 100_000,
  entrants: ["random", { agent: "random", name: "b" }],
};
const training = {
  name: "t",
  game: "tic-tac-toe",
  games: 30_000_000,
  checkpoints: 2000,
  evaluator: { kind: "linear", features: "lines" },
  learner: { rule: "td", lambda: 0.7, stepSize: 0.01 },
  exploration: { kind: "epsilon-greedy", epsilon: 0.1 },
  rating: { player: "greedy", pool: ["random"], blocks: 20 },
};
const LONG = [
  ["run", tournament, "--workers"],
  ["train", training, "--workers"],
] as const;

slowTest.skipIf(!isUnix)("SIGQUIT, as by Ctrl-\\, stops a run as SIGTERM does", async () => {
  const dir = temporaryFolder();
  const out = join(dir, "out");
  const args = ["run", writeInto(dir, "c.json", tournament), "--workers", "2", "-q", "--out", out];
  const { child, outcome } = startAgon(args, { detached: true });
  onTestFinished(() => void child.kill("SIGKILL"));
  while (!existsSync(join(out, "results.sqlite")) || storedGames(out).length === 0) await setTimeout(20);
  // The terminal sends it to the workers too.
  process.kill(-child.pid!, "SIGQUIT");
  const { code, stderr } = await outcome;
  expect({ code, stderr }).toMatchObject({ code: 130, stderr: expect.stringContaining("nothing is lost") });
  expect(storedGames(out).every(({ ending }) => ending === "finished")).toBe(true);
  expect(readdirSync(out)).not.toContain("agon.lock");
});

/** The message of a command that ended with one line and exit code 1. */
function told({ code, stderr }: Outcome): string {
  expect(stderr).not.toMatch(/^ +at |rollback|Unexpected message/m);
  expect({ code, lines: stderr.trimEnd().split("\n").length }).toEqual({ code: 1, lines: 1 });
  return stderr;
}

/** Runs agon with what the shell does before it. */
function shell(before: string, args: readonly string[], program: readonly string[] = []): Outcome {
  const command = ["-c", `${before}; exec "$0" "$@"`, ...program, process.execPath, MAIN, ...args];
  const { status, stdout, stderr } = spawnSync("sh", command, { encoding: "utf8" });
  return { code: status, stdout, stderr };
}

/** A disk of that size in the folder; false where none can be made. */
function mountDisk(dir: string, kilobytes: number): boolean {
  if (process.platform !== "linux" || !isRoot) return false;
  mkdirSync(dir);
  if (spawnSync("mount", ["-t", "tmpfs", "-o", `size=${kilobytes}k`, "tmpfs", dir]).status !== 0)
    return false;
  onTestFinished(() => void execFileSync("umount", ["-l", dir]));
  return true;
}

function kilobytesIn(dir: string): number {
  const sizes = readdirSync(dir).map(
    (name) => statSync(join(dir, name), { throwIfNoEntry: false })?.size ?? 0,
  );
  return sizes.reduce((sum, size) => sum + size, 0) / 1024;
}

slowTest.runIf(isUnix)("the built command can be run as a program, as npx does it", () => {
  expect(spawnSync(MAIN, ["--version"], { encoding: "utf8" })).toMatchObject({ status: 0, stderr: "" });
});

slowTest.skipIf(process.platform !== "linux")(
  "a shell that allows few open files is told so, by every command",
  () => {
    for (const args of [["games"], ["run", "none.yaml"]])
      expect(told(shell("ulimit -n 30", args))).toBe(
        "agon needs at least 64 open files, and this shell allows 30; raise the limit: ulimit -n 256\n",
      );
    expect(shell("ulimit -n 64", ["games"])).toMatchObject({ code: 0, stderr: "" });
  },
);

describe("what the system refuses while something is going on is told in one line", () => {
  slowTest.skipIf(!isUnix).each(LONG)("agon %s: a file that may not grow", (command, config, workers) => {
    const dir = temporaryFolder();
    const args = [command, writeInto(dir, "c.json", config), workers, "1", "-q", "--out", join(dir, "out")];
    expect(told(shell("ulimit -f 600", args))).toMatch(
      /results\.sqlite: the disk refused it: .*\(SQLITE_IOERR_WRITE\)\. What was stored is kept: go on with the same command and --resume\n$/,
    );
    expect(readdirSync(join(dir, "out"))).not.toContain("agon.lock");
  });

  slowTest.for(LONG)("agon %s: a full disk", async ([command, config, workers], { skip }) => {
    const dir = temporaryFolder();
    const disk = join(dir, "disk");
    skip(!mountDisk(disk, 600), "no disk can be mounted here");
    const args = [command, writeInto(dir, "c.json", config), workers, "1", "-q", "--out", join(disk, "out")];
    expect(told(shell(":", args))).toMatch(
      /disk\/out\/\S+: the disk is full; make room on it \(\w+\)\. What was stored is kept: go on with the same command and --resume\n$/,
    );
    expect(readdirSync(join(disk, "out"))).not.toContain("agon.lock");
    // With room it goes on.
    execFileSync("mount", ["-o", "remount,size=100m", disk]);
    const { child, outcome } = startAgon([...args, "--resume"]);
    onTestFinished(() => void child.kill("SIGKILL"));
    while (child.exitCode === null && kilobytesIn(join(disk, "out")) < 700) await setTimeout(20);
    child.kill("SIGINT");
    expect((await outcome).stderr).toContain("Stopped; nothing is lost.");
  });

  slowTest.each(isUnix ? LONG : [])("agon %s: a folder that is removed", async (command, config, workers) => {
    const dir = temporaryFolder();
    const out = join(dir, "out");
    const args = [command, writeInto(dir, "c.json", config), workers, "1", "-q", "--out", out];
    const { child, outcome } = startAgon(args);
    onTestFinished(() => void child.kill("SIGKILL"));
    while (!existsSync(join(out, "results.sqlite"))) await setTimeout(20);
    await setTimeout(1500);
    // It may write a file between the removal of its files and that of the folder.
    while (existsSync(out)) {
      try {
        rmSync(out, { recursive: true, force: true });
      } catch {
        await setTimeout(20);
      }
    }
    expect(told(await outcome)).toMatch(
      /^\S+\/agon\.lock: it is gone: somebody has removed or moved it or its folder \(ENOENT\)\n$/,
    );
  });

  slowTest.runIf(areRefused)("agon run: a folder that may not be written into", () => {
    const dir = temporaryFolder();
    const config = writeInto(dir, "c.json", { ...tournament, blocks: 1 });
    chmodSync(dir, 0o555);
    const denied = shell(":", ["run", config, "--out", join(dir, "out")], WITHOUT_RIGHTS);
    chmodSync(dir, 0o755);
    expect(denied.code).toBe(2);
    expect(denied.stderr).toMatch(/out: cannot be written into: EACCES: .*; name another folder\n$/);
  });

  test.runIf(thorough(areRefused, false))("agon run: a folder whose permissions are taken away", async () => {
    const dir = temporaryFolder();
    const config = writeInto(dir, "c.json", { ...tournament, blocks: 4000 });
    const out = join(dir, "out");
    mkdirSync(out);
    const args = [process.execPath, MAIN, "run", config, "--workers", "1", "-q", "--out", out];
    const [program, ...rest] = [...WITHOUT_RIGHTS, ...args];
    const child = spawn(program!, rest);
    let stderr = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
    const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
    while (!readdirSync(out).includes("results.sqlite-wal")) await setTimeout(10);
    await setTimeout(300);
    chmodSync(out, 0o555);
    const code = await ended;
    expect(told({ code, stdout: "", stderr })).toMatch(
      /^\S+: (permission denied|it can no longer be written to|it cannot be opened)[^\n]*--resume\n$/,
    );
    chmodSync(out, 0o755);
    const goOn = ["run", config, "-q", "--out", out, "--resume"];
    expect(shell(":", goOn, WITHOUT_RIGHTS)).toMatchObject({ code: 0 });
  });

  slowTest.runIf(process.platform === "linux")("standard output on a full disk", () => {
    const dir = temporaryFolder();
    const { status, stderr } = spawnSync(
      "sh",
      ["-c", '"$0" "$1" games --json > /dev/full', process.execPath, MAIN],
      {
        encoding: "utf8",
        cwd: dir,
      },
    );
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: "standard output: the disk is full; make room on it (ENOSPC)\n",
    });
  });
});

test.runIf(process.platform === "linux")("a working folder that is gone is told in a sentence", () => {
  const dir = join(temporaryFolder(), "gone");
  const line = 'mkdir "$0" && cd "$0" && rmdir "$0" && exec "$1" "$2" games';
  const { status, stdout, stderr } = spawnSync("sh", ["-c", line, dir, process.execPath, MAIN], {
    encoding: "utf8",
  });
  expect({ status, stdout, stderr }).toEqual({
    status: 1,
    stdout: "",
    stderr: "the working folder is gone: somebody has removed it; change to another one\n",
  });
});

test.runIf(process.platform === "linux")("the command line shows no password of a queue", async () => {
  // Nobody answers at this address, so the program waits a while.
  const { child, outcome } = startAgon(["worker", "redis://:secret@127.0.0.1:1/0"]);
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await outcome;
  });
  const shown = () => readFileSync(`/proc/${child.pid}/cmdline`, "utf8").split("\0")[0];
  await expect.poll(shown, { timeout: 20_000 }).toBe("agon");
  expect(readFileSync(`/proc/${child.pid}/cmdline`, "utf8")).not.toContain("secret");
});
