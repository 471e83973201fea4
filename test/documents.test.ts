import { spawnSync } from "node:child_process";
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { createRandom } from "../src/base/random.ts";
import { createNetwork, type Network } from "../src/evaluators/network/network.ts";
import { createGame } from "../src/games/index.ts";
import { saveLayersModel } from "../src/specs/files/layers-model-file.ts";
import { findProgram } from "../src/players/player-process.ts";
import { agon, fixture, temporaryFolder, type Outcome } from "./support/agon.ts";
import { startWorker } from "./support/servers/queue.ts";
import { hasRedis, startRedis } from "./support/servers/redis.ts";
import { slowTest } from "./support/thorough.ts";

/*
 * Every command that README and docs print is run, with small budgets and few games, in a folder that looks like a
 * clone. Names in capitals (GAME, DIR) stand for what the reader puts there; such commands are left out.
 */

const root = fileURLToPath(new URL("../", import.meta.url));
const DOCUMENTS = ["README.md", "CONTRIBUTING.md", "bench/README.md"].concat(
  readdirSync(join(root, "docs"))
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`),
);
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  scripts: Record<string, string>;
  files: string[];
};

/** Its tables of 67 million weights would take a minute. */
const TOO_LARGE = /2048-tc/;

/** The fenced blocks of a document in one language. */
function blocks(text: string, language: string): string[] {
  return [...text.matchAll(/^ *```(\w*)\n([\s\S]*?)^ *```$/gm)]
    .filter(([, of]) => of === language)
    .map(([, , block]) => block!);
}

/** The commands of a document, those in its text as well; without comments. */
function commandsOf(text: string): string[] {
  const lines = blocks(text, "sh").flatMap((block) => block.split("\n"));
  const inText = [...text.replace(/^ *```[\s\S]*?^ *```$/gm, "").matchAll(/`([^`\n]+)`/g)].map(
    ([, code]) => code!,
  );
  return [...lines, ...inText.filter((code) => /^(npm run|(npx )?agon [a-z-]+ [^-])/.test(code))]
    .flatMap((line) => line.replace(/\s+#.*$|^#.*$/, "").split("&&"))
    .map((command) => command.trim())
    .filter((command) => command !== "" && !/\b[A-Z]{2,}\b|\bN$|\.\.\./.test(command));
}

/** Budgets and counts of a command, or of a config, made small. */
function tiny(text: string): string {
  const counts = {
    depth: 2,
    simulations: 5,
    nodes: 50,
    timeMs: 4,
    games: 20,
    seeds: 1,
    epochs: 2,
    blocks: 1,
    checkpoints: 1,
    rounds: 2,
    round: 10,
    pairs: 2,
    sample: 5,
    worlds: 2,
    iterations: 20,
  };
  let small = text;
  for (const [key, most] of Object.entries(counts))
    small = small.replace(
      new RegExp(`\\b(${key}(?:=|: *| +))(\\d+)`, "g"),
      (_, before: string, count: string) => before + String(Math.min(Number(count), most)),
    );
  // Two values of each setting in a sweep.
  small = small.replace(/(\blearner\.\w+: \[[^,\]]+, [^,\]]+)[^\]]*/g, "$1");
  small = small.replace(/(\n {4}[\w.]+:(?:\n {6}- .*){2})(?:\n {6}- .*)+/g, "$1");
  // A board on which a game of go is short.
  small = small.replace("{ id: go, ko:", "{ id: go, size: 5, ko:");
  // A share of so few games is none.
  small = small.replace(/\b(validation: )[\d.]+/g, "$10");
  // The level of GNU Go.
  small = small.replace(/(--level, ")\d+/g, "$11");
  return small.replace(/\b(count: )\d+, length: \d+/, "$14, length: 3").replace(/(perft \S+) \d+/, "$1 2");
}

/** A network that reads the features of connect four. */
function connectFourNetwork(): Network {
  const inputs = createGame("connect-four").featureSets["lines"]!.size;
  return createNetwork(
    { inputs, hidden: [4], hiddenActivation: "relu", outputs: 1, outputActivation: "tanh" },
    createRandom("documents"),
  );
}

/** A folder with what a clone has, its configs made small, and the configs that the document prints. */
function clone(text: string): string {
  const dir = temporaryFolder();
  mkdirSync(join(dir, "node_modules"));
  symlinkSync(root, join(dir, "node_modules/agon-arena"));
  symlinkSync(join(root, "weights"), join(dir, "weights"));
  for (const folder of ["configs", "examples"]) {
    cpSync(join(root, folder), join(dir, folder), { recursive: true });
    for (const file of readdirSync(join(dir, folder), { recursive: true, encoding: "utf8" })) {
      const path = join(dir, folder, file);
      if (file.endsWith(".yaml")) writeFileSync(path, tiny(readFileSync(path, "utf8")));
    }
  }
  for (const block of blocks(text, "yaml")) {
    // The file's name in the text before it, or else the name in the block.
    const named = /([\w-]+)\.yaml`[^`]*$/.exec(text.slice(0, text.indexOf(block) - 8))?.[1];
    const name = named ?? /^name: (\S+)$/m.exec(block)?.[1];
    if (name !== undefined) writeFileSync(join(dir, `${name}.yaml`), tiny(block));
  }
  writeFileSync(join(dir, "games.pgn"), `[White "a"]\n[Black "b"]\n[Result "1-0"]\n\n1. e4 1-0\n`);
  writeFileSync(join(dir, "results.csv"), "white,black,result\nb,a,1/2-1/2\n");
  saveLayersModel(join(dir, "model.json"), connectFourNetwork());
  copyFileSync(fixture("onnx/residual.onnx"), join(dir, "model.onnx"));
  for (const block of blocks(text, "ts")) {
    const kind = /^export const (game|agent) = (?:define|simple)/m.exec(block)?.[1];
    if (kind !== undefined) writeFileSync(join(dir, `my-${kind}.ts`), block);
  }
  return dir;
}

/** Programs that documents name, and that are not here. Commands with them are left out. */
const MISSING = ["stockfish", "gnugo", "gnubg"].filter((program) => findProgram(program) === undefined);

/** A queue where documents name one. */
const QUEUE = /rediss?:\/\/[a-z.]+\/0/;

/** The input of commands that read one. The person who plays leaves the game. */
const INPUTS: Readonly<Record<string, string>> = { play: "quit\n", gtp: "name\nquit\n" };

/** Runs a command of agon, its few games in one process. A pattern of files is expanded, as the shell does it. */
async function run(command: string, dir: string): Promise<Outcome> {
  const words = tiny(command.replace(/^(npx )?agon /, "")).matchAll(/'([^']*)'|"([^"]*)"|\S+/g);
  const args = Array.from(words, ([word, single, double]) => single ?? double ?? word).flatMap((arg) =>
    arg.endsWith("*") ? expand(arg, dir) : [arg],
  );
  const option = {
    run: "--workers",
    match: "--workers",
    tune: "--workers",
    ablate: "--workers",
    train: "--workers",
  }[args[0]!];
  if (option !== undefined && !/--(workers|queue)/.test(command)) args.push(option, "1");
  return agon(args, { cwd: dir, input: INPUTS[args[0]!] ?? "" });
}

function expand(pattern: string, dir: string): string[] {
  const folder = dirname(pattern);
  return readdirSync(join(dir, folder))
    .filter((name) => name.startsWith(basename(pattern, "*")))
    .map((name) => join(folder, name));
}

/** Runs the commands of agon one after the other, so that later ones find what earlier ones made. */
async function runAll(all: readonly string[], dir: string): Promise<void> {
  const isPlayable = (one: string) =>
    !TOO_LARGE.test(one) && !MISSING.some((program) => one.includes(program));
  const ours = all.filter((one) => /^(npx )?agon /.test(one) && isPlayable(one));
  const redis = hasRedis && ours.some((one) => QUEUE.test(one)) ? await startRedis() : undefined;
  for (const written of ours.filter((one) => redis !== undefined || !QUEUE.test(one))) {
    const command = written.replace(QUEUE, redis?.url ?? "");
    const [, worker] = /^(?:npx )?agon worker (.*?) ?&?$/.exec(command) ?? [];
    if (worker !== undefined) {
      // It is there for the commands after it.
      startWorker(redis!.url, [...worker.split(" ").slice(1), "--workers", "1"]);
      continue;
    }
    const { code, stdout, stderr } = await run(command, dir);
    expect({ command, code, stderr: code === 0 ? "" : stderr }).toEqual({ command, code: 0, stderr: "" });
    expect(stdout + stderr).not.toBe("");
  }
}

/** Its commands are run by test/figures.test.ts. */
const DRAWN = "docs/search-trees.md";

const withCommands = DOCUMENTS.map((document) => {
  const text = readFileSync(join(root, document), "utf8");
  return { document, text, all: commandsOf(text) };
}).filter(({ all }) => all.length > 0);

test("the documents print commands", () => {
  expect(withCommands.flatMap(({ all }) => all).length).toBeGreaterThan(40);
});

/** `npm run bench` without a name lists them. */
const started = spawnSync(process.execPath, [join(root, "bench/start.mjs")], { encoding: "utf8" });
const benchmarks = started.stderr.split(/\s+/);

test("without a name npm run bench says which benchmarks there are", () => {
  expect(started).toMatchObject({ status: 2, stdout: "" });
  expect(started.stderr).toMatch(
    /^npm run bench -- NAME \[ARG ...\]: NAME is missing\. NAME is one of\n  actors\n/,
  );
  // A part of another one.
  expect(benchmarks).not.toContain("fake-workers");
});

describe.each(withCommands)("$document", ({ document, text, all }) => {
  test("its scripts and files are there", () => {
    for (const command of all) {
      const script = /^npm run ([\w:]+)/.exec(command)?.[1];
      if (script !== undefined) expect(Object.keys(manifest.scripts)).toContain(script);
      const bench = /^npm run bench -- (\S+)/.exec(command)?.[1];
      if (bench !== undefined) expect(benchmarks).toContain(bench);
    }
  });

  // Some pages have thirty commands.
  if (document !== DRAWN) slowTest("its commands work", () => runAll(all, clone(text)), 300_000);
});

/** The anchors of a page's headings, as sites that show Markdown make them. */
function anchorsOf(text: string): string[] {
  const headings = text.replace(/^ *```[\s\S]*?^ *```$/gm, "").matchAll(/^#+ (.*)$/gm);
  return Array.from(headings, ([, heading]) =>
    heading!
      .toLowerCase()
      .replace(/[^\w -]/g, "")
      .replaceAll(" ", "-"),
  );
}

test.each(DOCUMENTS)("%s links to what is there, and in the package too", (document) => {
  const text = readFileSync(join(root, document), "utf8");
  for (const [, path, anchor] of text.matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g)) {
    const link = path === "" ? document : join(dirname(document), path!);
    expect(existsSync(join(root, link)), link).toBe(true);
    const ships =
      manifest.files.some((file) => link === file || link.startsWith(`${file}/`)) || link === "LICENSE";
    expect(ships, link).toBe(true);
    if (anchor !== undefined) expect(anchorsOf(readFileSync(join(root, link), "utf8"))).toContain(anchor);
  }
});

slowTest("the JSON examples of docs/formats.md have the keys that programs get", async () => {
  const sections = readFileSync(join(root, "docs/formats.md"), "utf8").split(/^## /m);
  const exampleOf = (title: string) => {
    const section = sections.find((one) => one.startsWith(title))!;
    return JSON.parse(blocks(section, "json")[0]!) as Record<string, unknown>;
  };
  const outputOf = async (...args: string[]) =>
    JSON.parse((await agon(args, { cwd: root })).stdout) as Record<string, unknown>;
  const same = (example: Record<string, unknown>, real: Record<string, unknown>) =>
    expect(Object.keys(real).toSorted()).toEqual(Object.keys(example).toSorted());

  const match = ["tic-tac-toe", "random", "minimax:depth=1", "minimax:depth=2", "--blocks", "1", "--json"];
  const [report, real] = [exampleOf("`agon rate --format json`"), await outputOf("match", ...match)];
  same(report, real);
  const first = ({ entrants }: Record<string, unknown>) => (entrants as Record<string, unknown>[])[0]!;
  same(first(report), first(real));
  const linear = "weights/connect-four/linear.json";
  same(exampleOf("`agon inspect --json`"), await outputOf("inspect", linear, "--json"));
});

test("the tests that docs/reliability.md names are there", () => {
  const files = readFileSync(join(root, "docs/reliability.md"), "utf8").match(/test\/[\w/-]+\.test\.ts/g)!;
  expect(files.length).toBeGreaterThan(10);
  for (const file of files) expect(existsSync(join(root, file)), file).toBe(true);
});
