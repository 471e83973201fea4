import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, posix } from "node:path";
import process from "node:process";
import { afterAll, describe, expect, test } from "vitest";
import { buildIn } from "../../src/queue/build.ts";
import { copyOfAgon } from "../support/copy.ts";
import { slowTest } from "../support/thorough.ts";

const NODE = "20.19.0";

/** A copy of the program, which is changed and bundled again. */
const copy = copyOfAgon({ also: ["build", "src/bundle.mjs"], dir: mkdtempSync(join(tmpdir(), "agon-")) });
afterAll(() => rmSync(copy, { recursive: true }));
const at = (...path: readonly string[]) => join(copy, ...path);
const code = (node = NODE) => buildIn(at("dist"), node).code;

/** Bundles the copy with one file changed by each function. */
function bundleWith(changes: Readonly<Record<string, (text: string) => string>>): void {
  const texts = Object.keys(changes).map((file) => [file, readFileSync(at(file), "utf8")] as const);
  for (const [file, text] of texts) {
    expect(changes[file]!(text)).not.toBe(text);
    writeFileSync(at(file), changes[file]!(text));
  }
  execFileSync(process.execPath, [at("src/bundle.mjs")], { cwd: at("build") });
  for (const [file, text] of texts) if (file.startsWith("build/")) writeFileSync(at(file), text);
}

bundleWith({});
const bundled = code();

describe("the hash of a build", () => {
  slowTest.each([
    ["games/endgames/endgame-tables.js", "UNKNOWN = 0x7fff", "UNKNOWN = 0x7ffd"],
    ["base/plain.js", "MOST_NESTED = 50", "MOST_NESTED = 51"],
    ["games/contract/simple-game.js", "MAX_PLIES = 1000", "MAX_PLIES = 1001"],
    ["agents/game-in-progress.js", "MAX_CHANCE_EVENTS = 100_000", "MAX_CHANCE_EVENTS = 100_001"],
    ["agents/alpha-beta/alpha-beta.js", "FIRST_REDUCED = 3", "FIRST_REDUCED = 4"],
    ["evaluators/n-tuple.js", "MAX_ENTRIES = 2 ** 30", "MAX_ENTRIES = 2 ** 29"],
    ["specs/files/tables-file.js", "MOST_ENTRIES = 2 ** 28", "MOST_ENTRIES = 2 ** 27"],
    ["games/backgammon/position.js", "MEN = 15", "MEN = 14"],
    ["players/helper-threads.js", "GRACE_MS = 5000", "GRACE_MS = 5001"],
    ["specs/plugins/portable-code.js", '".mjs"', '".mjsx"'],
    ["specs/references.js", "AGENT_KEYS", "AGENT_WORDS"],
    ["ratings/elo/fit.js", "MAX_STEPS = 200", "MAX_STEPS = 201"],
    ["training/learn/credit.js", "TINY = 1e-6", "TINY = 1e-5"],
    ["queue/jobs.js", "MAX_OPENING = 100_000", "MAX_OPENING = 100_001"],
  ] as const)("changes with %s: %s", (module, is, becomes) => {
    bundleWith({ [`build/${module}`]: (text) => text.replaceAll(is, becomes) });
    expect(code()).not.toBe(bundled);
  });

  slowTest("stays when the command line, reports, the viewer or the page change", () => {
    const more = (text: string) => `${text}\nglobalThis.more = 1;\n`;
    bundleWith({
      "build/cli/shared/terminal.js": (text) => text.replace("USUAL_WIDTH = 80", "USUAL_WIDTH = 81"),
      "build/report/collect.js": more,
      "build/report/live/live-runs.js": more,
      "dist/report/page/page.js": more,
    });
    const bundles = readdirSync(at("dist/cli")).filter((name) => name.endsWith(".js"));
    const changed = bundles.filter((name) =>
      readFileSync(at(`dist/cli/${name}`), "utf8").includes("USUAL_WIDTH = 81"),
    );
    expect(changed).toHaveLength(1);
    expect(code()).toBe(bundled);
  });

  slowTest("covers every other file, which import none that it leaves out", () => {
    const before = code();
    const isLeftOut = (file: string) => /^(cli|report)\//.test(file);
    const files = readdirSync(at("dist"), { recursive: true, encoding: "utf8" })
      .map((file) => file.replaceAll("\\", "/"))
      .filter((file) => file.endsWith(".js") && !isLeftOut(file));
    expect(files).toContain("arena/play/worker-thread.js");
    for (const file of files) {
      const text = readFileSync(at("dist", file));
      appendFileSync(at("dist", file), "\n");
      expect(code(), file).not.toBe(before);
      writeFileSync(at("dist", file), text);
    }
    expect(code()).toBe(before);
    // The library has functions that show results.
    const playing = files.filter((file) => file !== "index.js");
    const imported = playing.flatMap((file) =>
      Array.from(
        readFileSync(at("dist", file), "utf8").matchAll(/["'](\.{1,2}\/[^"'\s]+\.js)["']/g),
        ([, path]) => posix.join(posix.dirname(file), path!),
      ),
    );
    expect(imported.length).toBeGreaterThan(100);
    expect(imported.filter(isLeftOut)).toEqual([]);
  });

  test("changes with the version of Node, and of a package that plays", () => {
    const before = code();
    expect(code("20.19.1")).not.toBe(before);
    const { dependencies } = JSON.parse(readFileSync(at("package.json"), "utf8")) as {
      dependencies: Record<string, string>;
    };
    const withOther = (name: string, version: string) => {
      const place = at("dist/node_modules", name);
      mkdirSync(place, { recursive: true });
      writeFileSync(join(place, "package.json"), JSON.stringify({ version }));
      const other = code();
      rmSync(at("dist/node_modules"), { recursive: true });
      return other;
    };
    for (const [name, version] of Object.entries(dependencies)) {
      expect(withOther(name, version)).toBe(before);
      expect(withOther(name, `${version}1`), name).not.toBe(before);
    }
  });

  test("is the same where a package is missing that no worker loads", () => {
    const before = code();
    rmSync(at("node_modules/@tensorflow"), { recursive: true });
    expect(code()).toBe(before);
  });
});
