import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { examineSystem } from "../../src/cli/shared/examination.ts";
import { agon } from "../support/agon.ts";
import { copyOfAgon, mainOf } from "../support/copy.ts";
import { ROOT } from "../support/reports.ts";
import { slowTest } from "../support/thorough.ts";

const SUBJECTS = [
  "Node.js",
  "system",
  "cores",
  "TensorFlow.js",
  "WebAssembly",
  "onnxruntime",
  "SQLite",
  "weights",
  "sandbox",
  "affinity",
];

slowTest("agon doctor says on one line each what there is to work with", async () => {
  const { code, stdout, stderr } = await agon(["doctor"]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const lines = stdout.trimEnd().split("\n");
  expect(lines.map((line) => line.slice(6, 20).trim())).toEqual(SUBJECTS);
  expect(lines[0]).toBe(`ok    Node.js       ${process.versions.node}; needed is 20.19, or 22.12 or later`);
  // Either the native backend is in use, or a note says why it is not.
  expect(lines[3]).toMatch(
    /^ok .* backend node \(native library\)$|^note .* backend wasm \(WebAssembly\); node: .+$/,
  );
  expect(lines[5]).toMatch(
    /^ok .* 1\.\d+\.\d+, for ONNX networks with operators that agon lacks$|^note .* `npm install --ignore-scripts onnxruntime-node` makes .+$/,
  );
  expect(lines[7]).toMatch(/^ok    weights       all [1-9]\d* files that ship load$/);
  expect(lines[8]).toMatch(/^ok .* programs may have `sandbox: true`$|^note .* no program can have one: .+$/);
  expect(lines[9]).toMatch(
    /^ok .* taskset works, and up to [1-9]\d* workers? have a core each$|^note .* no worker can have a core of its own: .+$/,
  );
});

test("a system on which agon is not tested is noted", () => {
  expect(examineSystem("linux", "x64")).toEqual(["ok", "linux, x64"]);
  expect(examineSystem("win32", "arm64")[0]).toBe("note");
});

slowTest("and the same as JSON; only it loads TensorFlow.js", () => {
  const { stdout, tensorFlow } = spyOn(["doctor", "--json"]);
  expect(tensorFlow).not.toEqual([]);
  expect(JSON.parse(stdout)).toEqual(
    SUBJECTS.map((subject) => ({
      subject,
      verdict: expect.stringMatching(/^(ok|note)$/),
      text: expect.stringMatching(/^.+$/),
    })),
  );
});

slowTest(
  "where npm left out the native library of SQLite, commands say which command installs it",
  async () => {
    const copy = copyOfAgon({ without: ["@libsql", "libsql"] });
    cpSync(join(ROOT, "node_modules/libsql"), join(copy, "node_modules/libsql"), { recursive: true });
    const run = async (...args: string[]) => agon(args, { main: mainOf(copy) });
    const missing =
      /games are kept by SQLite, whose native library (@libsql\/[\w-]+) is not installed; say: npm install \1@\d+\.\d+\.\d+\n/;
    const { code, stderr } = await run("match", "nim", "random", "mcts:simulations=2", "--blocks", "1");
    expect(code).toBe(2);
    expect(stderr).toMatch(new RegExp(`^${missing.source}$`));
    expect(await run("games", "nim")).toMatchObject({ code: 0 });
    expect((await run("doctor")).stdout).toMatch(new RegExp(`^fault SQLite +${missing.source}`, "m"));
  },
);

/** The output of a command, and the files of TensorFlow.js that it has loaded. */
function spyOn(args: readonly string[]): { stdout: string; tensorFlow: string[] } {
  const dir = mkdtempSync(join(tmpdir(), "agon-loaded-"));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  const [spy, list] = [join(dir, "spy.cjs"), join(dir, "loaded.json")];
  writeFileSync(
    spy,
    `process.on("exit", () =>
      require("node:fs").writeFileSync(${JSON.stringify(list)}, JSON.stringify(Object.keys(require.cache))));`,
  );
  const main = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));
  const { status, stdout } = spawnSync(process.execPath, ["--require", spy, main, ...args], {
    cwd: dir,
    encoding: "utf8",
  });
  expect(status).toBe(0);
  const loaded = JSON.parse(readFileSync(list, "utf8")) as string[];
  return { stdout, tensorFlow: loaded.filter((path) => path.includes("@tensorflow")) };
}

slowTest("nothing of TensorFlow.js is loaded where it is not asked for", () => {
  for (const args of [["--help"], ["games"], ["analyze", "tic-tac-toe", "--agent", "minimax:depth=2"]])
    expect(spyOn(args).tensorFlow).toEqual([]);
});
