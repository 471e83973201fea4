/*
 * Do the tests notice a fault? Plants small faults into source files, one at a time, and runs the tests of the file's
 * room that import it. A fault that no test notices is printed: it is a gap in the tests, or it changes nothing.
 *
 *   npm run mutate -- PATHS... [--count N] [--seconds N] [--seed S] [--tests FOLDER...] [--all]
 *
 * PATHS      source files, or folders of them
 * --count    how many faults, drawn at random from those of all the files together [25]
 * --seconds  a test file that needs so much longer than five times its time without a fault has noticed it [15]
 * --seed     of the draw [1]
 * --tests    test files or folders to choose from [test/ROOM, where ROOM is the file's folder in src]
 * --all      prints the faults that were noticed as well, with the test file that did
 *
 * A test that runs the built program looks for every fault: the fault is planted into `build` and `dist` too.
 * Tests that stand where the file stands come first (`test/` mirrors `src/`), then the quickest. The first failure ends
 * the fault if the test passes again without it: on a busy machine a test may fail by itself. It works on a copy of the
 * tree in the system's temporary folder, so an interrupt leaves nothing behind here.
 */
import { execFileSync, fork } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, extname, join, relative, resolve } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { parseAst } from "rolldown/parseAst";
import { transformSync } from "rolldown/utils";
import seedrandom from "seedrandom";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
/** Files that the copy does not need, or shares. */
const NOT_COPIED = new Set(["node_modules", ".git", "runs", "coverage"]);

/** The module that tests of the built program import. */
const BUILT = "test/support/agon.ts";

/** The operators that take the place of another one. */
const OPERATORS = {
  "<": ["<=", ">="],
  "<=": ["<", ">"],
  ">": [">=", "<="],
  ">=": [">", "<"],
  "===": ["!=="],
  "!==": ["==="],
  "+": ["-"],
  "-": ["+"],
  "*": ["/"],
  "/": ["*"],
  "%": ["*"],
  "&": ["|"],
  "|": ["&"],
  "<<": [">>"],
  ">>": ["<<"],
  ">>>": ["<<"],
  "&&": ["||"],
  "||": ["&&"],
  "??": ["&&"],
  "+=": ["-="],
  "-=": ["+="],
  "*=": ["/="],
  "/=": ["*="],
  "++": ["--"],
  "--": ["++"],
};

/** Types that hold an expression; all others are types alone. */
const TYPED_EXPRESSIONS = new Set(["TSAsExpression", "TSNonNullExpression", "TSSatisfiesExpression"]);

/**
 * Every fault that can be planted into a file: the place, and the text that takes its place. Types, imports, messages
 * of errors and calls of `describe` (texts for people) are left alone.
 */
function mutationsOf(file, text) {
  const found = [];
  const add = (start, end, replacement) => found.push({ start, end, replacement });
  const swapOperator = (from, to, operator) => {
    const at = text.indexOf(operator, from);
    if (at < 0 || at >= to) return;
    for (const other of OPERATORS[operator] ?? []) add(at, at + operator.length, other);
  };
  const visit = (node, parent) => {
    if (node.type.startsWith("TS") && !TYPED_EXPRESSIONS.has(node.type)) return;
    if (node.type === "ImportDeclaration" || node.type === "ThrowStatement") return;
    if (node.type === "NewExpression" && node.callee.name?.endsWith("Error")) return;
    if (node.type === "CallExpression" && node.callee.property?.name === "describe") return;
    switch (node.type) {
      case "BinaryExpression":
      case "LogicalExpression":
      case "AssignmentExpression":
        swapOperator(node.left.end, node.right.start, node.operator);
        break;
      case "UpdateExpression":
        swapOperator(node.start, node.end, node.operator);
        break;
      case "UnaryExpression":
        if (node.operator === "!" || node.operator === "-") add(node.start, node.start + 1, "");
        break;
      case "Literal":
        if (typeof node.value === "boolean") add(node.start, node.end, String(!node.value));
        else if (typeof node.value === "number") add(node.start, node.end, String(node.value + 1));
        break;
      case "IfStatement":
      case "ConditionalExpression":
        add(node.test.start, node.test.end, `!(${text.slice(node.test.start, node.test.end)})`);
        break;
      case "ReturnStatement":
        if (node.argument !== null && parent.type === "BlockStatement" && node !== parent.body.at(-1))
          add(node.start, node.end, ";");
        break;
      case "ExpressionStatement":
        if (!node.directive && node.expression.callee?.type !== "Super") add(node.start, node.end, ";");
        break;
      case "BreakStatement":
      case "ContinueStatement":
        add(node.start, node.end, ";");
    }
    for (const [name, child] of Object.entries(node)) {
      if (name === "typeAnnotation" || name === "typeArguments" || name === "typeParameters") continue;
      for (const inner of Array.isArray(child) ? child : [child])
        if (typeof inner?.type === "string") visit(inner, node);
    }
  };
  visit(parseAst(text, { lang: extname(file).slice(1) }), undefined);
  return found;
}

/** `count` of the items, drawn without replacement, in their order. */
function sample(items, count, random) {
  const keyed = items.map((item, at) => ({ item, at, key: random() }));
  const drawn = keyed.toSorted((a, b) => a.key - b.key).slice(0, count);
  return drawn.toSorted((a, b) => a.at - b.at).map(({ item }) => item);
}

/** Runs tests in a process of its own, which it starts when there is none. */
function createRunner(dir) {
  let child;
  let ready;
  const stop = () => {
    if (child === undefined) return;
    try {
      // A process group of its own, so that its workers end with it.
      process.kill(-child.pid, "SIGKILL");
    } catch {
      // It has ended by itself.
    }
    child = undefined;
  };
  const answer = (from) =>
    new Promise((done) => {
      const settle = (message) => {
        from.off("message", settle);
        from.off("exit", settle);
        done(typeof message === "object" && message !== null ? message : undefined);
      };
      from.on("message", settle);
      from.on("exit", settle);
    });
  const start = () => {
    if (child !== undefined) return;
    const runner = join(dir, "test", "mutation", "runner.mjs");
    child = fork(runner, { cwd: dir, detached: true, stdio: ["ignore", "ignore", "ignore", "ipc"] });
    ready = answer(child);
  };
  return {
    stop,
    async tests() {
      start();
      return (await ready).tests;
    },
    /** The runner's answer within `limitMs`; undefined if the runner is too late, or dies. */
    async run(request, limitMs) {
      start();
      await ready;
      const answered = answer(child);
      child.send(request);
      let timer;
      const late = new Promise((done) => (timer = setTimeout(done, limitMs)));
      const outcome = await Promise.race([answered, late]);
      clearTimeout(timer);
      if (outcome === undefined) stop();
      return outcome;
    },
  };
}

/** The files that each test imports, straight or through others; the files in their order from the test. */
function importsOf(tests) {
  const direct = new Map();
  const read = (file) => {
    if (!direct.has(file)) {
      const found = readFileSync(file, "utf8").matchAll(/(?:from|import)\s*\(?\s*"(\.[^"]+\.ts)"/g);
      direct.set(
        file,
        [...found]
          .map(([, path]) => resolve(dirname(file), path))
          .filter((path) => statSync(path, { throwIfNoEntry: false })),
      );
    }
    return direct.get(file);
  };
  return new Map(
    tests.map((test) => {
      const reached = new Set([test]);
      for (const file of reached) for (const next of read(file)) reached.add(next);
      return [test, reached];
    }),
  );
}

const isSource = (name) => /\.tsx?$/.test(name);

function sourcesIn(dir, folder) {
  const names = readdirSync(join(dir, folder), { recursive: true });
  return names
    .filter(isSource)
    .map((name) => join(folder, name))
    .toSorted();
}

function lineOf(text, at) {
  return text.slice(0, at).split("\n").length;
}

async function main() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      count: { type: "string", default: "25" },
      seconds: { type: "string", default: "15" },
      seed: { type: "string", default: "1" },
      tests: { type: "string", multiple: true },
      all: { type: "boolean", default: false },
    },
  });
  if (positionals.length === 0) throw new Error("which files? npm run mutate -- PATHS...");
  const seconds = Number(values.seconds);
  const dir = realpathSync(mkdtempSync(join(tmpdir(), "agon-mutate-")));
  const runner = createRunner(dir);
  const clean = () => {
    runner.stop();
    rmSync(dir, { recursive: true, force: true });
  };
  const interrupt = () => {
    clean();
    process.exit(130);
  };
  process.on("SIGINT", interrupt);
  process.on("SIGTERM", interrupt);
  try {
    cpSync(ROOT, dir, { recursive: true, filter: (path) => !NOT_COPIED.has(relative(ROOT, path)) });
    symlinkSync(join(ROOT, "node_modules"), join(dir, "node_modules"));
    const files = positionals
      .map((given) => relative(ROOT, resolve(given)))
      .flatMap((given) => (isSource(given) ? [given] : sourcesIn(dir, given)));
    const faults = files.flatMap((file) => {
      const text = readFileSync(join(dir, file), "utf8");
      return mutationsOf(file, text).map((fault) => ({ file, text, ...fault }));
    });
    const drawn = sample(faults, Number(values.count), seedrandom(values.seed));

    const imports = importsOf(await runner.tests());
    const testsOf = (file) => {
      const room = file.split("/")[1];
      const chosen = (values.tests ?? [`test/${room}`]).map((path) => join(dir, path));
      const isChosen = (test) => chosen.some((path) => test === path || test.startsWith(`${path}/`));
      const sees = (reached) => reached.has(join(dir, file)) || reached.has(join(dir, BUILT));
      return [...imports].filter(([test, reached]) => isChosen(test) && sees(reached)).map(([test]) => test);
    };
    const needed = new Set(drawn.flatMap(({ file }) => testsOf(file)));
    const soundMs = new Map();
    for (const test of needed) {
      const outcome = await runner.run({ test }, 3_600_000);
      if (!outcome?.isSound) throw new Error(`without a fault: ${relative(dir, test)} fails`);
      soundMs.set(test, outcome.timeMs);
    }

    /** The number of folders that the paths of the test and the file share; one more if their names agree. */
    const nearness = (file, test) => {
      const [a, b] = [file.slice("src".length), relative(dir, test).slice("test".length)];
      let shared = 0;
      while (shared < a.length && a[shared] === b[shared]) shared++;
      return a.slice(0, shared).split("/").length + (b === a.replace(/\.ts$/, ".test.ts") ? 1 : 0);
    };
    /** The scripts that make `dist` from the files as they are. */
    const left = new Set();
    /** Writes a source file, and what `build` has of it; the runner reads both anew. */
    const write = async (file, text) => {
      writeFileSync(join(dir, file), text);
      const built = file.replace(/^src/, "build").replace(/\.tsx?$/, ".js");
      if (existsSync(join(dir, built))) {
        const { code } = transformSync(file, text);
        const imported = /((?:from|import)\s*\(?\s*"\.[^"]*)\.ts"/g;
        writeFileSync(join(dir, built), code.replaceAll(imported, '$1.js"'));
        left.add("src/bundle.mjs");
      }
      if (file.startsWith("src/report/page/")) left.add("src/report/page/build.mjs");
      await runner.run({ changed: [join(dir, file), join(dir, built)] }, 60_000);
    };
    /** Makes `dist` anew for a test that runs the program. */
    const bundleFor = (test) => {
      if (!imports.get(test).has(join(dir, BUILT))) return;
      for (const script of left) execFileSync(process.execPath, [script], { cwd: dir });
      left.clear();
    };
    const tally = { killed: 0, slow: 0, unsound: 0 };
    for (const { file, text, start, end, replacement } of drawn) {
      const tests = testsOf(file).toSorted(
        (a, b) => nearness(file, b) - nearness(file, a) || soundMs.get(a) - soundMs.get(b),
      );
      const faulty = text.slice(0, start) + replacement + text.slice(end);
      await write(file, faulty);
      const place = `${file}:${lineOf(text, start)}  ${text.slice(start, end)}  ->  ${replacement}`;
      let noticed;
      let isSlow = false;
      for (const test of tests) {
        const limitMs = 5 * soundMs.get(test) + 1000 * seconds;
        const runIt = async () => {
          bundleFor(test);
          return runner.run({ test }, limitMs);
        };
        const outcome = await runIt();
        if (outcome?.isSound) continue;
        await write(file, text);
        if (!(await runIt())?.isSound) {
          tally.unsound++;
          runner.stop();
          await write(file, faulty);
          continue;
        }
        noticed = relative(dir, test);
        isSlow = outcome === undefined;
        break;
      }
      await write(file, text);
      if (noticed === undefined) console.log(place);
      else tally.killed++;
      if (isSlow) tally.slow++;
      if (values.all && noticed !== undefined)
        console.log(`  ${place}  noticed by ${noticed}${isSlow ? " (time)" : ""}`);
    }
    console.log(
      `killed ${tally.killed} of ${drawn.length} (${tally.slow} by time; ${tally.unsound} times a test failed by itself), drawn from ${faults.length} in ${files.length} files`,
    );
  } finally {
    clean();
  }
}

await main();
