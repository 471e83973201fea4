import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import process from "node:process";
import { setTimeout } from "node:timers/promises";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import {
  findProgram,
  PlayerFault,
  PlayerProcess,
  type PlayerCommand,
} from "../../src/players/player-process.ts";
import { hasNamespaces } from "../../src/players/guard.ts";
import { temporaryFolder, writeInto } from "../support/agon.ts";
import { slowTest } from "../support/thorough.ts";

const NO_LIMIT = 60_000;
const isLinux = process.platform === "linux";

/** A process of a shell script. */
function shell(script: string, options: Partial<PlayerCommand> = {}): PlayerProcess {
  const player = new PlayerProcess({ command: ["/bin/sh", "-c", script], ...options });
  onTestFinished(() => player.kill());
  return player;
}

async function faultOf(player: PlayerProcess, limitMs = NO_LIMIT): Promise<Partial<PlayerFault>> {
  const hearing = player.within(limitMs, "no line", async () => {
    for (;;) await player.hear();
  });
  const error = await hearing.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(PlayerFault);
  const { ending, message, byForeignSignal } = error as PlayerFault;
  return { ending, message, byForeignSignal };
}

async function eventually(holds: () => boolean): Promise<void> {
  await expect.poll(holds, { timeout: 10_000 }).toBe(true);
}

/** True if a process with this argument runs. */
function runs(argument: string): boolean {
  return readdirSync("/proc").some((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").includes(argument);
    } catch {
      return false;
    }
  });
}

test("lines are said and heard in their order, with either end of line", async () => {
  const player = shell("while read -r line; do printf '%s\\r\\n' \"got $line\"; done");
  for (const line of ["one", "two", "drei ü"]) player.say(line);
  expect([await player.hear(), await player.hear(), await player.hear()]).toEqual([
    "got one",
    "got two",
    "got drei ü",
  ]);
});

describe("a fault tells what happened", () => {
  test.each<[string, string, Partial<PlayerFault>]>([
    ["an end", "exit 3", { ending: "worker died", message: "its process ended: exit code 3" }],
    ["an end with 0", "true", { ending: "worker died", message: "its process ended: exit code 0" }],
    ["a crash", "kill -SEGV $$", { ending: "worker died", message: "its process ended: SIGSEGV" }],
    ["a signal", "kill -9 $$", { message: "its process ended: SIGKILL", byForeignSignal: true }],
    [
      "no program",
      "exec /no/such/program",
      { ending: "worker died", message: "its process ended: exit code 127" },
    ],
    [
      "a line without end",
      "while :; do printf '%01000d' 0; done",
      { ending: "exception", message: "it said a line of more than 1000000 characters" },
    ],
  ])("%s", async (_, script, expected) => {
    expect(await faultOf(shell(script))).toMatchObject(expected);
  });

  test("silence", async () => {
    const player = shell("sleep 600");
    expect(await faultOf(player, 200)).toMatchObject({
      ending: "time-out",
      message: "no line within 200 ms",
      byForeignSignal: false,
    });
    expect(player.isAlive).toBe(false);
  });

  test.runIf(isLinux)("memory, that of its children too", async () => {
    const script = `${JSON.stringify(process.execPath)} -e 'const all = []; setInterval(() => all.push(Buffer.alloc(2 ** 24, 1)), 5)'; :`;
    expect(await faultOf(shell(script, { memoryMb: 200 }))).toMatchObject({
      ending: "out of memory",
      message: "it took more than 200 MB",
    });
  });
});

slowTest("who says much that nobody hears is not read any more, and loses nothing", async () => {
  const player = shell("read -r go; i=0; while [ $i -lt 40000 ]; do echo $i; i=$((i + 1)); done");
  player.say("go");
  await setTimeout(300);
  for (let line = 0; line < 40_000; line++) expect(await player.hear()).toBe(String(line));
});

test("it gets little of the environment", async () => {
  process.env["AGON_TEST_PASSWORD"] = "secret";
  onTestFinished(() => void delete process.env["AGON_TEST_PASSWORD"]);
  const player = shell("env; echo end", { env: { GIVEN: "yes" } });
  const lines: string[] = [];
  for (let line = ""; line !== "end"; line = await player.hear()) lines.push(line);
  expect(lines).toContain("GIVEN=yes");
  expect(lines.join("\n")).not.toContain("secret");
  const names = lines.map((line) => line.split("=")[0]!).filter((name) => /^[A-Z]/.test(name));
  const usual = ["GIVEN", "PATH", "HOME", "LANG", "LC_ALL", "TZ", "TMPDIR", "PWD", "OLDPWD", "SHLVL"];
  expect(usual).toEqual(expect.arrayContaining(names));
});

test.runIf(isLinux && hasNamespaces())("it sees no other process", async () => {
  const player = shell("ls /proc | grep -c '^[0-9]'; kill -9 $PPID 2>/dev/null; kill -9 -1; echo alive");
  // The shells, ls and grep.
  expect(Number(await player.hear())).toBeLessThan(6);
  // The first process of a namespace cannot be killed from within; all others can.
  await faultOf(player);
});

describe.runIf(isLinux)("no process is left", () => {
  test("that left the group, where there are namespaces, and none of the group elsewhere", async () => {
    const mark = `61.${process.pid}1`;
    const leave = hasNamespaces() ? "setsid " : "";
    const player = shell(`${leave}sleep ${mark} & echo begun; wait`);
    expect(await player.hear()).toBe("begun");
    await eventually(() => runs(mark));
    player.kill();
    await eventually(() => !runs(mark));
  });

  slowTest("after the program was killed", async () => {
    const mark = `61.${process.pid}2`;
    const module = new URL("../../build/players/player-process.js", import.meta.url).href;
    const main = writeInto(
      temporaryFolder(),
      "main.mjs",
      `const { PlayerProcess } = await import(${JSON.stringify(module)});
      const player = new PlayerProcess({ command: ["/bin/sh", "-c", "trap '' HUP TERM PIPE; echo begun; sleep ${mark}; :"] });
      console.log(await player.hear());
      setInterval(() => {}, 1000);`,
    );
    const program = spawn(process.execPath, [main], { stdio: ["ignore", "pipe", "ignore"] });
    onTestFinished(() => void program.kill("SIGKILL"));
    await once(program.stdout, "data");
    await eventually(() => runs(mark));
    program.kill("SIGKILL");
    await eventually(() => !runs(mark));
  });
});

test("a byte order mark before a line is left out", async () => {
  const player = shell("printf '\\357\\273\\277one\\r\\ntwo\\n'");
  expect([await player.hear(), await player.hear()]).toEqual(["one", "two"]);
});

test("a program is found by its path, on the PATH, or nowhere", () => {
  const dir = temporaryFolder();
  const path = writeInto(dir, "mine", "#!/bin/sh\n");
  expect(findProgram(path)).toBeUndefined();
  execFileSync("chmod", ["+x", path]);
  expect(findProgram(path)).toBe(path);
  expect(existsSync(findProgram("sh")!)).toBe(true);
  expect(findProgram("no-such-program-anywhere")).toBeUndefined();
  expect(findProgram(join(dir, "none"))).toBeUndefined();
  expect(findProgram(dir)).toBeUndefined();
});

test("on Windows a program is also found by the endings of PATHEXT", () => {
  const dir = temporaryFolder();
  const path = writeInto(dir, "mine.EXE", "");
  execFileSync("chmod", ["+x", path]);
  const platform = Object.getOwnPropertyDescriptor(process, "platform")!;
  vi.stubEnv("PATHEXT", [".COM", ".EXE"].join(delimiter));
  vi.stubEnv("PATH", dir);
  onTestFinished(() => {
    vi.unstubAllEnvs();
    Object.defineProperty(process, "platform", platform);
  });
  expect(findProgram("mine")).toBeUndefined();
  Object.defineProperty(process, "platform", { ...platform, value: "win32" });
  expect(findProgram("mine")).toBe(path);
  expect(findProgram(join(dir, "mine"))).toBe(path);
});
