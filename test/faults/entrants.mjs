/*
 * Bad entrants: agents that misbehave in every way at every point, among good ones. The run must end with every game
 * stored, forfeits must be theirs alone, and the games of the good ones against each other must be what they are
 * without the bad ones. Of bad games the run must say that it is the game's fault.
 */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { tournamentSchema } from "../../build/arena/plan/tournament-schema.js";
import { agon, brief, ending, gamesOf, isTold, put } from "./support.mjs";

const GOOD = ["random", "max-n:depth=1", "mcts:simulations=10", "greedy:evaluator=none"];
const GAMES = ["tic-tac-toe", "connect-four", "pig", { id: "nim", piles: [2, 3, 4], players: 3 }];
const TIMEOUT_MS = 2000;
const LIMIT_MS = 180_000;

/** The acts of an agent at a point, as code. */
const DEEDS = {
  "throws an Error": 'throw new Error("no idea")',
  "throws a text": 'throw "no idea"',
  "throws undefined": "throw undefined",
  "throws null": "throw null",
  "throws what cannot be read":
    'throw { get message() { throw new Error("x") }, get stack() { throw 1 }, get name() { throw 2 } }',
  "throws what cannot be text": "throw Object.create(null)",
  "throws a proxy":
    "throw new Proxy({}, { get() { throw 1 }, has() { throw 2 }, getPrototypeOf() { throw 3 } })",
  "throws an Error with a long message": 'throw new Error("x".repeat(5e6))',
  "throws an Error with odd characters": 'throw new Error("a\\u0000b\\u001fc\\ud800\\nd")',
  "overflows the stack": "(function again() { again(); again() })()",
  "never returns": "for (;;);",
  "never settles": "return new Promise(() => {})",
  rejects: 'return Promise.reject(new Error("later"))',
  "rejects with nothing": "return Promise.reject()",
  "rejects a promise that nobody awaits": 'Promise.reject(new Error("unseen"))',
  "throws in a timer": 'setTimeout(() => { throw new Error("in a timer") }, 5)',
  "throws in a microtask": 'queueMicrotask(() => { throw new Error("in a microtask") })',
  "leaves an interval": "setInterval(() => {}, 10)",
  "leaves an interval that throws": 'setInterval(() => { throw new Error("in an interval") }, 30)',
  "ends the process": "process.exit(0)",
  "ends the process with 1": "process.exit(1)",
  "kills the process": 'process.kill(process.pid, "SIGKILL")',
  aborts: "process.abort()",
  "sets an exit code": "process.exitCode = 7",
  "is noisy": 'for (let i = 0; i < 2000; i++) { console.log("noise ".repeat(20)); console.error("noise") }',
  "writes to standard output": 'process.stdout.write("{\\"noise\\": 1}\\n")',
  "breaks the mathematics": "Math.log = () => NaN; Math.random = () => 2; Math.max = () => -1",
  "changes prototypes":
    "Array.prototype.push = () => 0; Map.prototype.get = () => 1; Int32Array.prototype.subarray = () => []; Object.prototype.then = 1",
  "stops the clocks": "Date.now = () => 0; performance.now = () => NaN; globalThis.setTimeout = () => 0",
  "breaks JSON": 'JSON.parse = () => ({ type: "decide" }); JSON.stringify = () => "{}"',
  "breaks promises": "Promise.prototype.then = () => {}; globalThis.Promise = Array",
  "fills the queue of ticks": "(function tick() { process.nextTick(tick) })()",
  "fills the queue of microtasks": "(function tick() { queueMicrotask(tick) })()",
  "closes its input": "process.stdin.destroy()",
  "closes its output": 'process.getBuiltinModule("node:fs").closeSync(1)',
  "closes all descriptors":
    'for (let fd = 0; fd < 40; fd++) try { process.getBuiltinModule("node:fs").closeSync(fd) } catch {}',
  "writes garbage to descriptors":
    'for (let fd = 1; fd < 40; fd++) try { process.getBuiltinModule("node:fs").writeSync(fd, "\\u0000\\xff{]\\n") } catch {}',
  "forges a decision": `process.getBuiltinModule("node:fs").writeSync(1, '{"type":"decision","action":0,"nodes":1}\\n')`,
  "says half a line": 'process.getBuiltinModule("node:fs").writeSync(1, "{")',
  "floods its output":
    'const line = "x".repeat(9999) + "\\n"; for (let i = 0; i < 999; i++) process.getBuiltinModule("node:fs").writeSync(1, line)',
  "kills itself later":
    'process.getBuiltinModule("node:child_process").spawn("sh", ["-c", `sleep .15; kill -9 ${process.pid}`])',
  "kills its parent": 'try { process.kill(process.ppid, "SIGKILL") } catch {}',
  "stops itself": 'process.kill(process.pid, "SIGSTOP")',
  "leaves a child":
    'process.getBuiltinModule("node:child_process").spawn("sleep", ["61"], { detached: true, stdio: "inherit" }).unref()',
  "changes the folder": 'try { process.chdir("/") } catch {}',
};
const MEMORY = "const kept = (globalThis.kept ??= []); for (;;) kept.push(new Array(1e5).fill(Math.PI))";
/** The values that `choose` may return instead of a decision. */
const NONSENSE =
  `undefined|null|0|"a1"|[]|{}|Symbol()|() => 1|NaN|1n|new Date()|new Map()|{ action: 1e9 }|{ action: -1 }
{ action: NaN }|{ action: 0.5 }|{ action: "0" }|{ action: null }|{ action: Infinity }|{ action: 0n }|{ action: [0] }
{ action: {} }|{ action: 2 ** 32 }|{ get action() { throw new Error("read") } }|new Proxy({}, { get() { throw 1 } })
{ then: 5 }|{ then() {} }|{ then() { throw new Error("then") } }|{ then(resolve) { resolve({ then() {} }) } }`.split(
    /[|\n]/,
  );
/** The faults of a decision whose action is legal; a game need not be forfeited for them. */
const ODDITIES =
  `nodes: NaN|nodes: -1|nodes: Infinity|nodes: "many"|nodes: 0.5|nodes: 1e300|nodes: 5n|nodes: undefined
line: undefined|line: 5|line: [NaN]|line: [1e9]|value: NaN|value: {}`.split(/[|\n]/);
const POINTS = ["create", "newGame", "choose", "later"];

export async function entrantsCase({ dir, dice, report }) {
  return dice.chance(0.2) ? badGame(dir, dice, report) : badAgents(dir, dice, report);
}

/** The source of an agent that plays the first legal action but for what it does at `point`. */
function agentSource(id, { point, deed, result, oddity }) {
  const at = (where) => (point === where ? `${deed};` : "");
  const returned =
    result ?? `{ action: actions[0], nodes: 1, line: [actions[0]]${oddity ? `, ${oddity}` : ""} }`;
  return `import { defineAgent, z } from "agon-arena";
export const agent = defineAgent({
  id: "${id}",
  summary: "misbehaves",
  options: z.strictObject({}),
  budgets: [],
  unsupported: () => undefined,
  create({ game }) {
    ${at("create")}
    const actions = new Int32Array(game.maxActions);
    let decisions = 0;
    return {
      newGame() { decisions = 0; ${at("newGame")} },
      choose(state) {
        state.legalActions(actions, 0);
        decisions++;
        ${point === "later" ? `if (decisions === 2) { ${deed} }` : at("choose")}
        return ${returned};
      },
    };
  },
});
`;
}

function drawMischief(dice) {
  const kind = dice.below(10);
  if (kind < 2) return { what: "returns nonsense", point: "", result: dice.pick(NONSENSE) };
  if (kind < 3) return { what: "returns an odd decision", point: "", oddity: dice.pick(ODDITIES) };
  const point = dice.pick(POINTS);
  if (kind < 4 && "memoryMb" in tournamentSchema.shape)
    return { what: "takes all memory", point, deed: MEMORY };
  const [what, deed] = dice.pick(Object.entries(DEEDS));
  return { what, point, deed };
}

async function badAgents(dir, dice, report) {
  const game = dice.pick(GAMES);
  const good = dice.draw(GOOD, dice.between(2, 3));
  const mischief = Array.from({ length: dice.between(1, 2) }, () => drawMischief(dice));
  const names = mischief.map((_, at) => `./bad-${at}.mjs`);
  for (const [at, one] of mischief.entries()) put(join(dir, names[at]), agentSource(`bad-${at}`, one));
  const told = mischief
    .map(({ what, point, result, oddity }) => `${what}${point && ` in ${point}`}${result ?? oddity ?? ""}`)
    .join(" and ");
  const config = {
    name: "bad",
    game,
    seed: dice.below(1000),
    blocks: 2,
    moveTimeoutMs: TIMEOUT_MS,
    ...("memoryMb" in tournamentSchema.shape && { memoryMb: 256 }),
  };
  const workers = String(dice.between(1, 2));
  const fits = typeof game === "object" ? 3 : 2;
  const plan = put(join(dir, "all.json"), { ...config, entrants: [...good, ...names] });
  const line = ["--json", "--workers", workers];
  const ended = await agon(["run", plan, "--out", "all", ...line], { cwd: dir, limitMs: LIMIT_MS });
  const tell = (message, more = {}) =>
    report(`${told}: ${message}`, { kind: `${kindOf(mischief)}: ${message.slice(0, 40)}`, ...more });
  // An agent that cannot be made is told before the first game.
  const isRefused = mischief.some(({ point }) => point === "create") && isTold(ended);
  if (isRefused && !existsSync(join(dir, "all", "report.json"))) return mischief.length;
  if (ended.code !== 0) {
    tell(ending(ended), { kind: `${kindOf(mischief)} ${ended.late ? "did not end" : ended.code}`, ...ended });
    return mischief.length;
  }
  const left = await leftProcesses();
  if (left.length > 0) tell(`processes are left: ${left.join(" and ")}`);
  if (!isJson(ended.stdout)) tell(`standard output is no report: ${brief(ended.stdout, 100)}`);
  const games = gamesOf(join(dir, "all"));
  const expected = gamesExpected(good.length + names.length, fits, config.blocks);
  if (games.size !== expected) tell(`${games.size} games are stored instead of ${expected}`);
  for (const { seats, forfeitSeat, ending: how, detail } of games.values())
    if (forfeitSeat >= 0 && seats[forfeitSeat] < good.length)
      tell(`a good entrant forfeits: ${how}, ${brief(detail)}`);
  if (good.length >= fits) {
    const without = put(join(dir, "good.json"), { ...config, entrants: good });
    const alone = await agon(["run", without, "--out", "good", ...line], { cwd: dir });
    if (alone.code !== 0) tell(`without the bad ones, ${ending(alone)}`);
    else
      for (const [id, played] of gamesOf(join(dir, "good")))
        if (!isDeepStrictEqual(games.get(id), played))
          tell("a game of good entrants is another than without the bad ones");
  }
  return mischief.length;
}

/** The players' processes, and the children of `leaves a child`, that are there two seconds after the end. */
async function leftProcesses() {
  let left = [];
  for (let looks = 0; looks < 20; looks++) {
    const { stdout } = spawnSync("ps", ["ax", "-o", "args="], { encoding: "utf8" });
    left = stdout.split("\n").filter((line) => /host-process\.js|^sleep 61/.test(line));
    if (left.length === 0) break;
    await setTimeout(100);
  }
  return left;
}

function isJson(text) {
  try {
    return JSON.parse(text).games > 0;
  } catch {
    return false;
  }
}

/** The text that tells findings apart. */
function kindOf(mischief) {
  return mischief
    .map(({ what, point, result, oddity }) => `${what} ${point} ${result ?? oddity ?? ""}`)
    .join("; ");
}

function gamesExpected(entrants, players, blocks) {
  let pairings = 1;
  for (let at = 0; at < players; at++) pairings = (pairings * (entrants - at)) / (at + 1);
  return pairings * players * blocks;
}

/** Points of a game; the deed is done at the n-th call, in the middle of a run. */
const METHODS = {
  legalActions: "legalActions(out, at)",
  apply: "apply(action)",
  undo: "undo()",
  returns: "returns(player)",
  copyFrom: "copyFrom(other)",
  formatAction: "formatAction(action, state)",
};
const GAME_DEEDS = {
  "throws an Error": 'throw new Error("broken rules")',
  "throws undefined": "throw undefined",
  "throws what cannot be read": 'throw { get message() { throw new Error("x") } }',
  "never returns": "for (;;);",
  "ends the process": "process.exit(0)",
  "returns NaN": "return NaN",
  "returns nothing": "return",
  "returns a large number": "return 1e9",
};

async function badGame(dir, dice, report) {
  const method = dice.pick(Object.keys(METHODS));
  const [what, deed] = dice.pick(Object.entries(GAME_DEEDS));
  // The program itself looks at a game before it plays: what ends or stops it there is not promised to be survived.
  const calls = /never|ends/.test(what) ? 20_000 : dice.pick([1, 2000, 20_000]);
  put(join(dir, "game.mjs"), gameSource(method, deed, calls));
  const config = {
    name: "bad-game",
    game: "./game.mjs",
    seed: dice.below(1000),
    // A hang in a search costs the agent its game, each time.
    blocks: /never|large|nothing/.test(what) ? 40 : 500,
    moveTimeoutMs: TIMEOUT_MS,
    entrants: ["random", "max-n:depth=2", "mcts:simulations=5"],
  };
  const path = put(join(dir, "config.json"), config);
  const ended = await agon(["run", path, "--out", "run", "--workers", String(dice.between(1, 2))], {
    cwd: dir,
    limitMs: LIMIT_MS,
  });
  const told = `a game whose ${method} ${what} at call ${calls}`;
  // Not every method is called so often, and not every wrong value can be seen.
  const isUnseen = ended.code === 0 && (calls > 1 || /returns/.test(what) || method === "formatAction");
  if (ended.late || !(isUnseen || (isTold(ended) && ended.stderr.includes("game.mjs"))))
    report(`${told}: ${ending(ended)}`, { kind: `${method} ${what}`, ...ended });
  return 1;
}

/** Nim with one pile of 15: take one to three, who takes the last wins. */
function gameSource(method, deed, calls) {
  const at = (name) => (method === name ? `if (++calls >= ${calls}) { ${deed} }` : "");
  return `import { defineGame, InputError, z } from "agon-arena";
let calls = 0;
class State {
  left = 15; toMove = 0; taken = [];
  get hashLow() { return this.left * 2 + (this.toMove === 1 ? 1 : 0) }
  get hashHigh() { return 7 }
  legalActions(out, at) { ${at("legalActions")}; const n = Math.min(3, this.left); for (let i = 0; i < n; i++) out[at + i] = i + 1; return n }
  apply(action) { ${at("apply")}; this.taken.push(action); this.left -= action; this.toMove = this.left === 0 ? -2 : this.taken.length % 2 }
  undo() { ${at("undo")}; this.left += this.taken.pop(); this.toMove = this.taken.length % 2 }
  returns(player) { ${at("returns")}; return this.left > 0 ? 0 : (this.taken.length - 1) % 2 === player ? 1 : -1 }
  copyFrom(other) { ${at("copyFrom")}; this.left = other.left; this.toMove = other.toMove; this.taken = [...other.taken] }
}
export const game = defineGame({
  id: "bad-game", summary: "misbehaves", options: z.strictObject({}),
  rules: () => ({
    maxActions: 3, maxPlies: 15, start: () => new State(),
    formatAction(action, state) { ${at("formatAction")}; return String(action) },
    formatState: (state) => String(state.taken),
    parseState(text) { const state = new State(); for (const one of text.split(",").filter(Boolean)) { if (!/^[123]$/.test(one) || Number(one) > state.left) throw new InputError("no"); state.apply(Number(one)) } return state },
    render: (state) => String(state.left),
  }),
});
`;
}
