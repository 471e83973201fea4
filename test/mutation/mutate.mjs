/*
 * Do the tests notice a fault? Plants small faults into source files, one at a time, and runs the tests that import
 * the file. A fault that no test notices is printed: it is a gap in the tests, or it changes nothing.
 *
 *   npm run mutate -- FILES... [--count N] [--seconds N] [--seed S] [--tests FOLDER...]
 *
 * --count    how many faults of each file, drawn at random [20]
 * --seconds  how long the tests may take with one fault; a fault that needs longer counts as noticed [60]
 * --seed     of the draw [1]
 * --tests    the tests to choose from [test]
 *
 * It works on a copy of the tree in the system's temporary folder, so an interrupt leaves nothing behind here.
 */
import { spawn } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { parseAst } from "rolldown/parseAst";
import seedrandom from "seedrandom";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
/** What the copy does without, or shares. */
const NOT_COPIED = new Set(["node_modules", ".git", "runs", "coverage"]);

/** What becomes of an operator. */
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
function mutationsOf(text) {
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
  visit(parseAst(text, { lang: "ts" }), undefined);
  return found;
}

/** `count` of the items, drawn without replacement, in their order. */
function sample(items, count, random) {
  const keyed = items.map((item, at) => ({ item, at, key: random() }));
  const drawn = keyed.toSorted((a, b) => a.key - b.key).slice(0, count);
  return drawn.toSorted((a, b) => a.at - b.at).map(({ item }) => item);
}

/** Runs the tests in `dir` that import `file`: "passed", "failed" or "slow". */
async function runTests(dir, file, seconds) {
  const vitest = join(dir, "node_modules", "vitest", "vitest.mjs");
  const args = [
    vitest,
    "related",
    file,
    "--run",
    "--bail",
    "1",
    "--silent",
    "--reporter",
    "dot",
    "--passWithNoTests=false",
  ];
  // A process group of its own, so that its workers end with it.
  const child = spawn(process.execPath, args, {
    cwd: dir,
    detached: true,
    stdio: "ignore",
  });
  running = child;
  let isSlow = false;
  const timer = setTimeout(() => {
    isSlow = true;
    stop(child);
  }, 1000 * seconds);
  const code = await new Promise((done) => child.on("close", done));
  clearTimeout(timer);
  running = undefined;
  return isSlow ? "slow" : code === 0 ? "passed" : "failed";
}

let running;

function stop(child) {
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch {
    // It has ended by itself.
  }
}

function lineOf(text, at) {
  return text.slice(0, at).split("\n").length;
}

async function main() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      count: { type: "string", default: "20" },
      seconds: { type: "string", default: "60" },
      seed: { type: "string", default: "1" },
      tests: { type: "string", multiple: true, default: ["test"] },
    },
  });
  if (positionals.length === 0) throw new Error("which files? npm run mutate -- FILES...");
  const seconds = Number(values.seconds);
  const dir = mkdtempSync(join(tmpdir(), "agon-mutate-"));
  const clean = () => rmSync(dir, { recursive: true, force: true });
  const interrupt = () => {
    if (running !== undefined) stop(running);
    clean();
    process.exit(130);
  };
  process.on("SIGINT", interrupt);
  process.on("SIGTERM", interrupt);
  try {
    cpSync(ROOT, dir, { recursive: true, filter: (path) => !NOT_COPIED.has(relative(ROOT, path)) });
    symlinkSync(join(ROOT, "node_modules"), join(dir, "node_modules"));
    writeFileSync(
      join(dir, "vitest.config.ts"),
      `import config from "./vitest.base.ts";\n` +
        `const include = ${JSON.stringify(values.tests.map((path) => (path.endsWith(".ts") ? path : `${path}/**/*.test.ts`)))};\n` +
        `export default { ...config, test: { ...config.test, include } };\n`,
    );
    cpSync(join(ROOT, "vitest.config.ts"), join(dir, "vitest.base.ts"));
    let killed = 0;
    let all = 0;
    for (const given of positionals) {
      const file = relative(ROOT, resolve(given));
      const path = join(dir, file);
      const text = readFileSync(path, "utf8");
      const begin = performance.now();
      const sound = await runTests(dir, file, seconds);
      const took = (performance.now() - begin) / 1000;
      if (sound !== "passed")
        throw new Error(`${file}: its tests ${sound === "slow" ? "take too long" : "fail"}`);
      const drawn = sample(mutationsOf(text), Number(values.count), seedrandom(`${values.seed} ${file}`));
      let here = 0;
      let slow = 0;
      for (const { start, end, replacement } of drawn) {
        writeFileSync(path, text.slice(0, start) + replacement + text.slice(end));
        const outcome = await runTests(dir, file, seconds);
        if (outcome === "slow") slow++;
        if (outcome !== "passed") here++;
        else console.log(`${file}:${lineOf(text, start)}  ${text.slice(start, end)}  ->  ${replacement}`);
      }
      writeFileSync(path, text);
      console.log(
        `${file}: killed ${here} of ${drawn.length}${slow > 0 ? `, ${slow} by time` : ""} (${took.toFixed(1)} s a run)`,
      );
      killed += here;
      all += drawn.length;
    }
    console.log(`killed ${killed} of ${all}`);
  } finally {
    clean();
  }
}

await main();
