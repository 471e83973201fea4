import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { builtinModules } from "node:module";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { init, parse } from "es-module-lexer";
import stringWidth from "string-width";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { agon, temporaryFolder, writeInto } from "./support/agon.ts";
import { slowTest } from "./support/thorough.ts";

/*
 * The package as npm packs it, installed in an empty folder, does what README says, and on every version of Node that people
 * have. npm asks its registry for the dependencies, and for Node.
 */

const root = fileURLToPath(new URL("../", import.meta.url));
const readme = readFileSync(join(root, "README.md"), "utf8");
const OWN = "node_modules/agon-arena";

/** The lines of a text that match, without the widths of their columns. */
function rowsOf(text: string, row: RegExp): string[] {
  return (text.match(row) ?? []).map((line) => line.replaceAll(/ +/g, " "));
}

/** The lexer's number for `import.meta`, which is no import. */
const IMPORT_META = -2;
/** The rows of the first three entrants in a table of ratings; a table of scores has no such rows. */
const LEADERS = /^[123]  \S.* \d+ +\d+ +[\d.]+ +\d+ +\d+ +\d+ +[\d.,]+$/gm;
/** The rows that README shows of a learning curve; the table of returns against each agent has fewer columns. */
const CURVE = /^\| (?:0|2500|20000|perfect) [^|\n]*(?:\|[^|\n]*){6}\|$/gm;

describe("the program in dist", () => {
  const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as Readonly<
    Record<"dependencies" | "peerDependencies" | "scripts", Readonly<Record<string, string>>>
  >;
  const files = readdirSync(join(root, "dist"), { recursive: true, encoding: "utf8" });
  /** The packages that files with an ending import. */
  const imported = (ending: RegExp) =>
    files
      .filter((file) => ending.test(file) && !file.endsWith("page.js"))
      .flatMap((file) => {
        const text = readFileSync(join(root, "dist", file), "utf8");
        const names = text.matchAll(/(?:\bfrom |^import |\bimport\(|\bload\()"((?:@[\w-]+\/)?[\w-]+)["/]/gm);
        return Array.from(names, ([, name]) => name!).filter((name) => !builtinModules.includes(name));
      });

  test("depends on what it loads, and on nothing that it contains", () => {
    const { dependencies, peerDependencies } = manifest;
    const licences = readFileSync(join(root, "dist/LICENSES.txt"), "utf8");
    const contained = Array.from(licences.matchAll(/^(\S+) \d\S+, \S+$/gm), ([, name]) => name!);
    expect(contained).toContain("yaml");
    expect(contained.filter((name) => name in dependencies)).toEqual([]);
    const loaded = new Set(imported(/\.js$/));
    expect([...loaded].filter((name) => !(name in { ...dependencies, ...peerDependencies }))).toEqual([]);
    expect([...loaded]).toEqual(expect.arrayContaining(Object.keys(dependencies)));
  });

  test("is built when it is packed, and by no install", () => {
    const { prepack, build, ...others } = manifest.scripts;
    expect(prepack).toBe("npm run --silent build");
    expect(build).toContain("src/bundle.mjs");
    expect(Object.keys(others).filter((name) => /^(pre|post)?(install|prepare)$/.test(name))).toEqual([]);
  });

  slowTest("has a part for browsers, which imports nothing and plays without Node", async () => {
    const file = join(root, "dist/browser.js");
    await init;
    const imports = parse(readFileSync(file, "utf8"))[0];
    expect(imports.filter(({ d }) => d !== IMPORT_META)).toEqual([]);
    const [, example = ""] = /```js\n([^`]+)```/.exec(readFileSync(join(root, "docs/library.md"), "utf8"))!;
    // A context has the language alone, and what is given to it.
    const program = `
      const { createContext, SourceTextModule } = require("node:vm");
      const context = createContext({ performance, console });
      const library = new SourceTextModule(require("node:fs").readFileSync(${JSON.stringify(file)}, "utf8"), { context });
      const example = new SourceTextModule(${JSON.stringify(example)}, { context });
      void example.link(() => library).then(() => example.evaluate());`;
    const { stdout } = await promisify(execFile)(process.execPath, [
      "--experimental-vm-modules",
      "-e",
      program,
    ]);
    expect(stdout).toMatch(/^([1-7]\n){7,42}$/);
  });

  test("measures characters that take two columns, or none", async () => {
    const dir = temporaryFolder();
    const games = "white,black,result\n東京👍🏽,two,1-0\ncafe\u0301,two,1-0\n";
    const { stdout } = await agon(["rate", writeInto(dir, "games.csv", games)]);
    const lines = stdout.match(/^(?:#|[123]) {2}.*(?=\n(?:.*\n)*\nFirst seat)/gm)!;
    expect(lines.map((line) => stringWidth(line))).toEqual(Array(4).fill(stringWidth(lines[0]!)));
  });

  slowTest("loads a game when it is asked for", async () => {
    const program = `
      const { createGame, games } = require(${JSON.stringify(join(root, "dist/index.js"))});
      const loaded = () => Object.keys(require.cache).filter((file) => /dist.games/.test(file)).length;
      const before = loaded();
      createGame("nim");
      const one = loaded();
      console.log(before, one, Object.values(games).length === loaded());`;
    const { stdout } = await promisify(execFile)(process.execPath, ["-e", program]);
    expect(stdout).toBe("0 1 true\n");
  });

  test("has types that need no package", () => {
    expect(files).toContain("zod/index.d.ts");
    expect(imported(/\.d\.ts$/)).toEqual([]);
  });
});

describe("the packed program, installed in an empty folder", () => {
  let dir: string;
  /** Runs a program there; what it prints. */
  const run = async (program: string, ...args: string[]): Promise<string> => {
    const { stdout } = await promisify(execFile)(program, args, { cwd: dir });
    return stdout;
  };
  const installed = (...args: string[]) => run("npx", "agon", ...args);

  beforeAll(async () => {
    dir = mkdtempSync(join(tmpdir(), "agon-package-"));
    // The scripts would build dist, which other tests run at this time.
    await promisify(execFile)("npm", ["pack", "--ignore-scripts", "--pack-destination", dir], { cwd: root });
    // npm makes a package of CommonJS.
    await run("npm", "init", "-y");
    await run("npm", "install", "--no-audit", "--no-fund", "./agon-arena-0.1.0.tgz");
  });
  afterAll(() => rmSync(dir, { recursive: true, force: true }));

  slowTest("is sound, takes less than 50 MB, and has no TensorFlow.js", async () => {
    const found = await installed("doctor");
    expect(found).not.toMatch(/^fault/m);
    expect(found).toMatch(/TensorFlow\.js .* is not installed; say: npm install/);
    expect(Number.parseInt(await run("du", "-sm", "node_modules"), 10)).toBeLessThan(50);
  });

  slowTest("plays the tournament that README shows, with the same table", async () => {
    const shown = rowsOf(readme, LEADERS);
    expect(shown.length).toBe(3);
    expect(rowsOf(await installed("run", `${OWN}/configs/tournaments/quick.yaml`, "-q"), LEADERS)).toEqual(
      shown,
    );
  });

  slowTest("trains as README shows, with the same curve", async () => {
    const shown = rowsOf(readme, CURVE);
    expect(shown.length).toBe(4);
    const config = `${OWN}/configs/training/tic-tac-toe-linear.yaml`;
    expect(rowsOf(await installed("train", config, "--out", "trained", "-q"), CURVE)).toEqual(shown);
    const weights = "greedy:evaluator=trained/weights.json";
    expect(await installed("match", "tic-tac-toe", weights, "random", "--blocks", "4")).toContain("8 games");
  });

  slowTest("makes an agent with a tournament, and plays it", async () => {
    expect(await installed("init", "agent", "mine")).toContain("agon run mine/tournament.yaml");
    expect(await installed("run", "mine/tournament.yaml", "-q")).toContain("one-move");
  });

  slowTest("has types for a program in TypeScript", async () => {
    writeInto(dir, "typed.ts", `import { createGame, z } from "agon-arena"; createGame(z.int().parse(3));`);
    const options = ["--noEmit", "--module", "nodenext", "--target", "es2023", "--strict", "--types", ""];
    const failed = await run(join(root, "node_modules/.bin/tsc"), ...options, "typed.ts").catch(
      ({ stdout }: { readonly stdout: string }) => stdout,
    );
    expect(failed).toMatch(
      /^typed\.ts\(1,56\): error TS2345: Argument of type 'number' is not assignable to parameter of type 'GameSpec'[^\n]*\n$/,
    );
  });

  /** What a user does on each version of Node: the oldest that agon takes, and those that people have. */
  describe.each(["20", "22", "24", "26"])("on Node %s", (version) => {
    let path: string;
    const at = async (program: string, ...args: string[]): Promise<string> => {
      const options = { cwd: dir, env: { ...process.env, PATH: path } };
      return (await promisify(execFile)(program, args, options)).stdout;
    };
    const command = (...args: string[]) => at("node_modules/.bin/agon", ...args);

    beforeAll(async () => {
      const found = await run("npx", "-y", "-p", `node@${version}`, "node", "-p", "process.execPath");
      path = [dirname(found.trim()), process.env["PATH"]].join(delimiter);
    });

    slowTest("plays with workers, rates, verifies and reports", async () => {
      expect(await at("node", "--version")).toMatch(new RegExp(`^v${version}\\.`));
      expect(await command("--version")).toBe("0.1.0\n");
      const entrants = ["random", "minimax:depth=2,evaluator=open-lines"];
      writeInto(dir, "small.json", { name: "small", game: "tic-tac-toe", blocks: 4, entrants });
      const out = `run-${version}`;
      const table = await command("run", "small.json", "--workers", "2", "--out", out, "-q");
      expect(table).toMatch(/^1 {2}minimax:depth=2/m);
      expect(await command("rate", out)).toBe(table);
      expect(await command("verify", out)).toContain("8 games");
      await command("report", out);
      expect(readFileSync(join(dir, out, "report.html"), "utf8")).toContain("<title>small");
    });

    slowTest("trains a network without TensorFlow.js", async () => {
      writeInto(dir, "training.json", {
        name: "training",
        game: { id: "pig", target: 40 },
        games: 20,
        evaluator: { kind: "network", features: "race", hidden: [4] },
        learner: { rule: "lambda-returns", lambda: 0.7, stepSize: 0.01 },
        exploration: { epsilon: 0.1 },
        checkpoints: 1,
        rating: { player: "greedy", pool: ["random"], blocks: 1 },
      });
      const out = `trained-${version}`;
      expect(await command("train", "training.json", "--workers", "1", "--out", out, "-q")).toMatch(
        /^\| 20 /m,
      );
      expect(await command("inspect", join(out, "weights.json"))).toContain("network");
    });

    slowTest("runs TypeScript in the folder and below node_modules", async () => {
      const page = readFileSync(join(root, "docs/add-an-agent.md"), "utf8");
      writeInto(dir, "my-agent.ts", /```ts\n([^`]+)```/.exec(page)![1]!);
      const example = ["twenty-one", "counter"].map((name) => `${OWN}/examples/twenty-one/${name}.ts`);
      for (const [game, agent] of [["tic-tac-toe", "./my-agent.ts"], example])
        expect(await command("match", game!, agent!, "random", "--blocks", "1", "-q")).toContain("2 games");
    });

    slowTest("is a library for import and require", async () => {
      const use = `console.log(createGame("nim").id);`;
      writeInto(dir, "program.mjs", `import { createGame } from "agon-arena"; ${use}`);
      writeInto(dir, "program.js", `const { createGame } = require("agon-arena/browser"); ${use}`);
      writeInto(dir, "whole.js", `const { createGame } = require("agon-arena"); ${use}`);
      const files = ["package", "schema/training"].map((name) => `"agon-arena/${name}.json"`);
      expect(await at("node", "-p", `require(${files[0]}).version + require(${files[1]}).$id`)).toBe(
        "0.1.0urn:agon:schema:training\n",
      );
      for (const program of ["program.mjs", "program.js", "whole.js"])
        expect(await at("node", program)).toBe("nim\n");
    });
  });
});
